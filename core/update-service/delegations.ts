/**
 * Upgrade delegation: a subscriber lets another one see some of its devices until an instant
 * (docs/operations.md, Upgrade delegation).
 *
 * The creator and the other party read a record; only its creator changes it. To anybody else it is
 * as unknown as one that never was.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Fold } from '../kit/fold.ts';
import type { Handlers } from '../kit/handlers.ts';
import { formatInstant, parseInstant } from '../kit/instant.ts';
import { declareResource, type Surroundings } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { Asking } from '../kit/subscribers.ts';
import type { NetworkView } from '../network-face.ts';
import { matchesPattern } from './versions.ts';

export interface Delegation {
  /** The subscriber that created it, whose devices they are. */
  readonly owner: string;
  readonly id: string;
  /** The subscriber that is permitted. */
  readonly delegateTo: string;
  /** Whole ms since 1970. */
  readonly expiresAtUnixMs: number;
  /** Patterns of 16 characters, upper case; `.` is any digit. What is excluded is not included. */
  readonly includeDevices: readonly string[];
  readonly excludeDevices: readonly string[];
  /** Kept and shown, without effect. */
  readonly includeGateways: readonly string[];
  readonly excludeGateways: readonly string[];
  readonly createdAtUs: number;
}

/** Field names of the firmware update service. */
export interface DelegationInput {
  readonly delegate_to: string;
  /** RFC 3339. */
  readonly expires_at: string;
  readonly include_devices: readonly string[];
  readonly exclude_devices?: readonly string[];
  readonly include_gateways?: readonly string[];
  readonly exclude_gateways?: readonly string[];
}

/** What a change gives; the rest stays, and so does the expiry when it is null. */
export type DelegationChange = Omit<Partial<DelegationInput>, 'delegate_to' | 'expires_at'> & {
  readonly expires_at?: string | null;
};

export type DelegationCommand =
  | { readonly kind: 'delegation.create'; readonly delegation: DelegationInput }
  | {
      readonly kind: 'delegation.update';
      readonly delegation_id: string;
      readonly delegation: DelegationChange;
    }
  | { readonly kind: 'delegation.delete'; readonly delegation_id: string };

export type DelegationQuery =
  | { readonly kind: 'delegation.list' }
  | { readonly kind: 'delegation.get'; readonly delegation_id: string };

/** Field names of the firmware update service. */
export interface DelegationAnswer {
  readonly delegation_id: string;
  readonly delegate_to: string;
  readonly delegate_from: string;
  readonly expires_at: string;
  readonly include_devices: readonly string[];
  readonly exclude_devices: readonly string[];
  readonly include_gateways: readonly string[];
  readonly exclude_gateways: readonly string[];
  readonly created_at: string;
}

export interface DelegationAnswers {
  'delegation.create': DelegationAnswer;
  'delegation.update': DelegationAnswer;
  'delegation.delete': undefined;
  'delegation.list': {
    /** Records that the asker created. */
    readonly delegated_to: readonly DelegationAnswer[];
    /** Records that name the asker. */
    readonly delegated_from: readonly DelegationAnswer[];
  };
  'delegation.get': DelegationAnswer;
}

export type DelegationFailure =
  | 'delegation.delegate-to'
  | 'delegation.expires-at'
  | 'delegation.pattern'
  | 'delegation.unknown'
  | 'delegation.not-creator';

const PATTERN = /^[0-9A-Fa-f.]{16}$/;

export class Delegations {
  readonly #delegations = new Store<Delegation>(({ id }) => id);
  readonly #ids: Surroundings['ids'];

  readonly commands: Handlers<DelegationCommand, DelegationAnswers, DelegationFailure>;
  readonly queries: Handlers<DelegationQuery, DelegationAnswers, DelegationFailure>;

  constructor({ ids }: Pick<Surroundings, 'ids'>) {
    this.#ids = ids;
    this.commands = {
      'delegation.create': ({ delegation }, asking) => this.#create(delegation, asking),
      'delegation.update': ({ delegation_id, delegation }, asking) =>
        this.#update(delegation_id, delegation, asking),
      'delegation.delete': ({ delegation_id }, { by }) => this.#delete(delegation_id, by),
    };
    this.queries = {
      'delegation.list': (_, { by, view }) =>
        ok({
          delegated_to: this.#delegations.list(by).map((each) => answerOf(each, view)),
          delegated_from: this.#naming(by).map((each) => answerOf(each, view)),
        }),
      'delegation.get': ({ delegation_id }, { by, view }) => {
        const found = this.#known(delegation_id, by);
        return found.ok ? ok(answerOf(found.value, view)) : found;
      },
    };
  }

  /** Which devices one subscriber delegates to another at an instant; undefined: none. */
  between(from: string, to: string, unixMs: number): ((devEui: string) => boolean) | undefined {
    const valid = this.#delegations
      .list(from)
      .filter(({ delegateTo, expiresAtUnixMs }) => delegateTo === to && unixMs <= expiresAtUnixMs);
    if (valid.length === 0) return undefined;
    return (devEui) => {
      const isOf = (pattern: string) => matchesPattern(pattern, devEui);
      // Exclusion comes before inclusion.
      return valid.some(
        ({ includeDevices, excludeDevices }) =>
          includeDevices.some(isOf) && !excludeDevices.some(isOf),
      );
    };
  }

  fold(fold: Fold): void {
    this.#delegations.fold(fold, 'delegations');
  }

  save(): readonly Delegation[] {
    return this.#delegations.save();
  }

  load(saved: readonly Delegation[]): void {
    this.#delegations.load(saved);
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(
    input: DelegationInput,
    { by, nowUs, view }: Asking,
  ): Result<DelegationAnswer, DelegationFailure> {
    if (input.delegate_to === '') {
      const message = 'A delegation names the subscriber that is permitted.';
      return fail('delegation.delegate-to', message, '/delegate_to');
    }
    const parts = partsOf(input);
    if (!parts.ok) return parts;
    const made: Delegation = {
      owner: by,
      id: this.#ids.uuid(),
      delegateTo: input.delegate_to,
      expiresAtUnixMs: 0,
      includeDevices: [],
      excludeDevices: [],
      includeGateways: [],
      excludeGateways: [],
      createdAtUs: nowUs,
      ...parts.value,
    };
    this.#delegations.put(made);
    return ok(answerOf(made, view));
  }

  #update(
    id: string,
    change: DelegationChange,
    { by, view }: Asking,
  ): Result<DelegationAnswer, DelegationFailure> {
    const old = this.#own(id, by);
    if (!old.ok) return old;
    const parts = partsOf(change);
    if (!parts.ok) return parts;
    const changed = { ...old.value, ...parts.value };
    this.#delegations.put(changed);
    return ok(answerOf(changed, view));
  }

  #delete(id: string, by: string): Result<undefined, DelegationFailure> {
    const old = this.#own(id, by);
    if (!old.ok) return old;
    this.#delegations.remove(by, old.value.id);
    return ok(undefined);
  }

  // ── records ────────────────────────────────────────────────────────────────────────────────────

  #naming(subscriber: string): Delegation[] {
    return this.#delegations.all().filter(({ delegateTo }) => delegateTo === subscriber);
  }

  /** A record of which the asker is a party; ids in any case. */
  #known(given: string, by: string): Result<Delegation, 'delegation.unknown'> {
    const id = given.toLowerCase();
    const found =
      this.#delegations.get(by, id) ?? this.#naming(by).find((delegation) => delegation.id === id);
    if (found !== undefined) return ok(found);
    return fail('delegation.unknown', `There is no delegation ${given}.`);
  }

  /** A record that the asker may change. */
  #own(
    id: string,
    by: string,
  ): Result<Delegation, 'delegation.unknown' | 'delegation.not-creator'> {
    const found = this.#known(id, by);
    if (!found.ok || found.value.owner === by) return found;
    const message = `The delegation ${id} was created by ${found.value.owner}.`;
    return fail('delegation.not-creator', message);
  }
}

export const delegationResource = declareResource({
  name: 'delegation',
  verbs: {
    'delegation.create': 'create',
    'delegation.list': 'list',
    'delegation.get': 'get',
    'delegation.update': 'change',
    'delegation.delete': 'delete',
  },
  make: (needs: Pick<Surroundings, 'ids'>) => new Delegations(needs),
});

type Parts = Partial<Omit<Delegation, 'owner' | 'id' | 'delegateTo' | 'createdAtUs'>>;

/** Those parts of a delegation that are given. */
function partsOf(given: DelegationChange): Result<Parts, DelegationFailure> {
  const { expires_at, include_devices, exclude_devices } = given;
  for (const [key, patterns] of Object.entries({ include_devices, exclude_devices })) {
    const wrong = (patterns ?? []).findIndex((pattern) => !PATTERN.test(pattern));
    if (wrong < 0) continue;
    const message = `${patterns?.[wrong]} is no pattern of 16 hexadecimal digits, . for any digit.`;
    return fail('delegation.pattern', message, `/${key}/${wrong}`);
  }
  const expiry = expires_at == null ? ok(undefined) : parseInstant(expires_at);
  if (!expiry.ok) return fail('delegation.expires-at', expiry.failure.message, '/expires_at');
  return ok({
    ...(expiry.value !== undefined && { expiresAtUnixMs: expiry.value }),
    ...(include_devices && { includeDevices: upper(include_devices) }),
    ...(exclude_devices && { excludeDevices: upper(exclude_devices) }),
    ...(given.include_gateways && { includeGateways: [...given.include_gateways] }),
    ...(given.exclude_gateways && { excludeGateways: [...given.exclude_gateways] }),
  });
}

const upper = (patterns: readonly string[]) => patterns.map((pattern) => pattern.toUpperCase());

function answerOf(delegation: Delegation, view: NetworkView): DelegationAnswer {
  return {
    delegation_id: delegation.id,
    delegate_to: delegation.delegateTo,
    delegate_from: delegation.owner,
    expires_at: formatInstant(delegation.expiresAtUnixMs),
    include_devices: delegation.includeDevices,
    exclude_devices: delegation.excludeDevices,
    include_gateways: delegation.includeGateways,
    exclude_gateways: delegation.excludeGateways,
    created_at: formatInstant(view.unixMs(delegation.createdAtUs)),
  };
}
