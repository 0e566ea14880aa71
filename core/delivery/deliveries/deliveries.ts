/**
 * Deliveries: what leaves the service for output profiles and destinations, at least once. START
 * HERE; a target at work is in attempts.ts, what answers it in core/delivery/receivers/.
 */
import { assert } from '../../../sim/base/assert.ts';
import type { Json } from '../../../sim/base/json.ts';
import { andThen, found, ok } from '../../../sim/base/result.ts';
import { CachedFold, type Fold, foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import { copyPlain } from '../../base/plain.ts';
import { keyOfOwned } from '../../base/store.ts';
import { declareResource, done, handlers, type Surroundings } from '../../kit/resource.ts';
import type { Route, Way } from '../targets/kinds.ts';
import { type Around, change, disable, emit, onTimer, type Reception, remove } from './attempts.ts';
import {
  type Backlog,
  type Counts,
  foldBacklog,
  loadedOf,
  newBacklog,
  noCounts,
  type SavedBacklog,
  type StoredBacklog,
  savedOf,
} from './backlog.ts';
import type { Effect, EffectsPort } from './effects.ts';
import { OPERATIONS, type ReportedCounts, type TargetResponse } from './rows.ts';
import type { Matter, Target } from './target.ts';
import { deliveriesResult } from './totals.ts';

/** Who owns targets knows how one is reached, and pauses one that takes nothing any more. */
interface TargetOwner {
  routeOf(owner: string, id: string): Route | undefined;
  disable(owner: string, id: string, nowUs: number): void;
}

/** What is delivered, as a receiver of the world sees it. */
export interface Request {
  readonly address: string;
  /** Names of the receivers that have the same delivery already. */
  readonly keptBy: readonly string[];
  /** 32 bits for a counter, 1 to 7. */
  draw(counter: number): number;
}

export interface DeliveryNeeds extends Pick<Surroundings, 'timers' | 'world'>, EffectsPort {
  readonly receiver: {
    receive(owner: string, request: Request, nowUs: number): Reception | undefined;
  };
  readonly outputProfile: TargetOwner;
  readonly destination: TargetOwner;
}

/** Plain data. */
export interface SavedDeliveries {
  readonly backlogs: readonly SavedBacklog[];
  readonly latestOrdinal: number;
  readonly latestNumber: number;
  /** Of targets that are removed, by their owners. */
  readonly gone: readonly (readonly [owner: string, Counts])[];
}

/** Draws of an attempt: 0 is the pause after it, the others are the receiver’s. */
const DRAWS_AN_ATTEMPT = 8;

export class Deliveries {
  readonly #needs: DeliveryNeeds;
  /** By owner and target, and by number; in the order of their first delivery. */
  #byTarget = new Map<string, StoredBacklog>();
  #byNumber = new Map<number, StoredBacklog>();
  #gone = new Map<string, Counts>();
  /** Neither is used again. */
  #latestOrdinal = 0;
  #latestNumber = 0;
  readonly #around: Around;
  readonly #worldId: string;

  readonly handle = handlers(OPERATIONS, {
    'delivery.list': (_, { by }) =>
      ok({ targets: this.#targetsOf(by), removedTargets: reportedCounts(this.#goneOf(by)) }),
    'delivery.disable': ({ target }, { by, nowUs }) => {
      const known = this.#byTarget.get(keyOfOwned(by, target));
      const message = `Nothing was ever delivered to a target ${target}.`;
      return andThen(found(known, 'delivery.unknown', message), (backlog) => {
        if (backlog.state.target.enabled) disable(backlog, this.#around, nowUs);
        return done();
      });
    },
  });

  constructor(needs: DeliveryNeeds) {
    this.#needs = needs;
    this.#worldId = needs.world.namedId('medium', 'delivery', 'world');
    this.#around = {
      timers: needs.timers,
      draw: (state, { own, attempts }) => this.#drawsOf(state, own)(attempts * DRAWS_AN_ATTEMPT),
      receive: (state, waiting, nowUs) => {
        const { owner, address } = state.target;
        const { own, attempts, keptBy } = waiting;
        const draws = this.#drawsOf(state, own);
        const draw = (counter: number) => draws((attempts + 1) * DRAWS_AN_ATTEMPT + counter);
        return needs.receiver.receive(owner, { address, keptBy, draw }, nowUs);
      },
      reportAttempt: (state, { ordinal, attempts: attempt, dueAtUs }, answered, nowUs) =>
        this.#report(state, ordinal, nowUs, (about) => {
          const { receiver, answer, disables } = answered;
          const then = {
            ...(dueAtUs === NEVER_US ? {} : { nextAtUs: dueAtUs }),
            ...(disables && { disables }),
          };
          return { kind: 'attempted', ...about, attempt, receiver, answer, ...then };
        }),
      reportEnd: (state, { ordinal }, how, nowUs) =>
        this.#report(state, ordinal, nowUs, (about) => ({ kind: 'ended', ...about, how })),
      disable: ({ target: { owner, id }, matter }, nowUs) => {
        const { outputProfile, destination } = needs;
        (matter === 'uplink' ? outputProfile : destination).disable(owner, id, nowUs);
      },
    };
  }

  // ── what other resources ask ───────────────────────────────────────────────────────────────────

  /**
   * Something is to be delivered. The body is made where somebody listens; `address` then says
   * where it goes when that depends on what it is about.
   */
  emit(
    target: Target,
    what: Matter,
    body: () => Json,
    nowUs: number,
    address = () => target.address,
  ): void {
    const ordinal = ++this.#latestOrdinal;
    const backlog = this.#backlogOf(target, what.kind);
    const { kind } = target;
    this.#report(backlog.state, ordinal, nowUs, (about) => ({
      kind: 'emitted',
      ...about,
      to: { kind, address: address() },
      what,
      body: body(),
    }));
    emit(backlog, ordinal, this.#around, nowUs);
  }

  /** A target is paused, resumed, or has another address. */
  changed(target: Target, nowUs: number): void {
    const backlog = this.#byTarget.get(keyOfOwned(target.owner, target.id));
    if (backlog !== undefined) change(backlog, target, this.#around, nowUs);
  }

  removed(owner: string, targetId: string, nowUs: number): void {
    const key = keyOfOwned(owner, targetId);
    const backlog = this.#byTarget.get(key);
    if (backlog === undefined) return;
    remove(backlog, this.#around, nowUs);
    this.#byTarget.delete(key);
    this.#byNumber.delete(backlog.state.number);
    const gone = this.#goneOf(owner);
    const { counts } = backlog.state;
    const names = Object.keys(gone) as (keyof Counts)[];
    const sums = names.map((name) => [name, gone[name] + counts[name]]);
    this.#gone.set(owner, Object.fromEntries(sums) as Counts);
  }

  /** How an owner’s target is reached now; undefined: there is no such target. */
  wayTo(owner: string, targetId: string): Way | undefined {
    const { outputProfile, destination } = this.#needs;
    const route = outputProfile.routeOf(owner, targetId) ?? destination.routeOf(owner, targetId);
    if (route === undefined) return undefined;
    const known = this.#byTarget.get(keyOfOwned(owner, targetId));
    return { route, enabled: known?.state.target.enabled ?? true };
  }

  /** Of the last delivery; 0: there was none. */
  get latestOrdinal(): number {
    return this.#latestOrdinal;
  }

  // ── what results tell ──────────────────────────────────────────────────────────────────────────

  /** Deliveries of all targets that have not ended. */
  get waiting(): number {
    let all = 0;
    for (const { state } of this.#byNumber.values()) all += state.waiting.size;
    return all;
  }

  /** What became of all deliveries, whosever they are; undefined: there was none. */
  results() {
    if (this.#latestOrdinal === 0) return undefined;
    const backlogs = Array.from(this.#byNumber.values(), ({ state }) => state);
    return deliveriesResult(backlogs, [...this.#gone.values()]);
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────

  /** `timer` is the number of a target. */
  onTimer(timer: number, nowUs: number): void {
    const backlog = this.#byNumber.get(timer);
    assert(backlog !== undefined, 'a timer that is due is a target’s');
    onTimer(backlog, this.#around, nowUs);
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    for (const { state, stored } of this.#byNumber.values()) {
      stored.into(fold, (own) => foldBacklog(own, state));
    }
    for (const [owner, counts] of this.#gone) foldField(fold, 'goneTargets', { owner, counts });
    foldField(fold, 'latestDelivery', this.#latestOrdinal);
  }

  save(): SavedDeliveries {
    return copyPlain({
      backlogs: Array.from(this.#byNumber.values(), ({ state }) => savedOf(state)),
      latestOrdinal: this.#latestOrdinal,
      latestNumber: this.#latestNumber,
      gone: [...this.#gone],
    });
  }

  load(saved: SavedDeliveries): void {
    const { backlogs, latestOrdinal, latestNumber, gone } = copyPlain(saved);
    this.#byTarget = new Map();
    this.#byNumber = new Map();
    for (const each of backlogs) this.#keep(loadedOf(each));
    this.#gone = new Map(gone);
    this.#latestOrdinal = latestOrdinal;
    this.#latestNumber = latestNumber;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #backlogOf(target: Target, matter: Matter['kind']): StoredBacklog {
    const known = this.#byTarget.get(keyOfOwned(target.owner, target.id));
    return known ?? this.#keep(newBacklog(++this.#latestNumber, target, matter));
  }

  #keep(state: Backlog): StoredBacklog {
    const backlog = { state, stored: new CachedFold() };
    this.#byTarget.set(keyOfOwned(state.target.owner, state.target.id), backlog);
    this.#byNumber.set(state.number, backlog);
    return backlog;
  }

  #goneOf(owner: string): Counts {
    return this.#gone.get(owner) ?? noCounts();
  }

  /** Draws by stable names: no delivery shifts those of another target. */
  #drawsOf({ target: { owner, id } }: Backlog, own: number) {
    return this.#needs.world.placeDraws(`delivery ${keyOfOwned(owner, id)} ${own}`);
  }

  #report(
    { target: { owner, id: target } }: Backlog,
    ordinal: number,
    atUs: number,
    of: (about: {
      readonly id: string;
      readonly atUs: number;
      readonly owner: string;
      readonly target: string;
    }) => Effect,
  ): void {
    this.#needs.effects?.(of({ id: `${this.#worldId}.${ordinal}`, atUs, owner, target }));
  }

  #targetsOf(by: string): readonly TargetResponse[] {
    return [...this.#byTarget.values()]
      .filter(({ state }) => state.target.owner === by)
      .map(({ state }) => responseOf(state));
  }
}

function responseOf({ target, matter, counts, waiting }: Backlog): TargetResponse {
  const { id, kind, address, enabled } = target;
  return { id, kind, address, enabled, matter, ...reportedCounts(counts, waiting.size, enabled) };
}

const reportedCounts = (counts: Counts, waiting = 0, enabled = true): ReportedCounts => ({
  emitted: counts.emitted,
  delivered: counts.delivered,
  waiting: enabled ? waiting : 0,
  paused: enabled ? 0 : waiting,
  refused: counts.refused,
  failed: counts.failed,
  givenUp: counts.givenUp,
  left: counts.left,
  removed: counts.removed,
  attempts: counts.attempts,
});

export const deliveryResource = declareResource({
  name: 'delivery',
  is: 'Deliveries to destinations.',
  permission: 'Simulator',
  failures: { 'delivery.unknown': 'unknown' },
  operations: OPERATIONS,
  timerSpace: 4,
  make: (needs: DeliveryNeeds) => new Deliveries(needs),
});
