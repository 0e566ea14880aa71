/** The resources of a platform: made of their declarations, and who of them hears of what. */
import { assert } from '../sim/base/assert.ts';
import type { Failure, Result } from '../sim/base/result.ts';
import { timersOf } from './base/timers.ts';
import { Watching } from './base/watching.ts';
import type { CodecEngine } from './codecs/engine.ts';
import type { Effects, EffectsPort } from './delivery/deliveries/effects.ts';
import type { FailureClasses } from './kit/failures.ts';
import type {
  NewsAbout,
  Operations,
  Resource,
  ResourceDeclaration,
  Surroundings,
} from './kit/resource.ts';
import type { ResourceName, Resources } from './operations.ts';
import { RESOURCES } from './resources.ts';
import type { CampaignSteps, StepsPort } from './update-service/campaigns/step-rows.ts';

/** What resources get: of the platform, and through the ports of single features. */
type Given = Surroundings & EffectsPort & StepsPort;

/** The list; a resource that needs what neither platform nor resources have does not compile. */
export const DECLARED: readonly ResourceDeclaration<
  ResourceName,
  Operations,
  FailureClasses,
  Given & Resources,
  Resource
>[] = RESOURCES;

/** Storage options for frames, and functions of the host. */
export interface Keeps {
  /** As `WorldOptions.worldId`. */
  readonly worldId?: string | undefined;
  /** `WorldOptions.records`. */
  readonly records?: boolean | undefined;
  /** `WorldPlan.logEntries`. */
  readonly logEntries?: number | undefined;
  /** `WorldOptions.steps`. */
  readonly steps?: CampaignSteps | undefined;
  /** `WorldOptions.effects`. */
  readonly effects?: Effects | undefined;
  /** `WorldOptions.codecs`. */
  readonly codecs?: CodecEngine | undefined;
}

export type Listener = (news: unknown, about: NewsAbout) => void;

/**
 * Makes every resource. Each gets the surroundings and, by name, all resources: it may call those
 * that are made after it, but only once all are made.
 */
export function makeResources(surroundings: Omit<Given, 'timers' | 'watching'>): Resources {
  const named: Record<string, Resource> = {};
  const watchers: Resource[] = [];
  const watching = new Watching(surroundings.outbox, (devEui) =>
    watchers.some((each) => each.watches?.(devEui)),
  );
  const needs = DECLARED.map(({ name, make, timerSpace }) => {
    const timers = timersOf(surroundings.outbox, timerSpace);
    const given = { ...surroundings, watching, timers, ...named };
    assert(named[name] === undefined, 'a resource stands once in the list');
    const created = make(given as unknown as Given & Resources);
    named[name] = created;
    if (created.watches !== undefined) watchers.push(created);
    return given;
  });
  for (const given of needs) Object.assign(given, named);
  return named as unknown as Resources;
}

export const isRemoval = (kind: string): boolean =>
  kind === 'deviceRemoved' || kind === 'gatewayRemoved';

/** Listeners by the kind of news, in the order in which they hear of it. */
export function listenersOf(
  resources: readonly Resource[],
): ReadonlyMap<string, readonly Listener[]> {
  const kinds = new Set(resources.flatMap(({ hears }) => Object.keys(hears ?? {})));
  return new Map(
    [...kinds].map((kind) => {
      const listeners = resources.flatMap(({ hears }) => {
        const listener = hears?.[kind as keyof typeof hears] as Listener | undefined;
        return listener === undefined ? [] : [listener];
      });
      return [kind, isRemoval(kind) ? listeners.toReversed() : listeners];
    }),
  );
}

/** Commands that a world can decide under no circumstances. */
export class Refusals {
  readonly #byKind = new Map<string, NonNullable<Resource['refuses']>>();

  constructor(resources: readonly Resource[]) {
    for (const each of resources) {
      const refuses = each.refuses?.bind(each);
      if (refuses === undefined) continue;
      for (const kind of Object.keys(each.handle)) this.#byKind.set(kind, refuses);
    }
  }

  #of(command: { readonly kind: string }): Failure | undefined {
    return this.#byKind.get(command.kind)?.(command);
  }

  /** What was admitted, unless this world cannot decide it. */
  judged<T extends { readonly kind: string }>(admitted: Result<T>): Result<T> {
    const failure = admitted.ok ? this.#of(admitted.value) : undefined;
    return failure === undefined ? admitted : { ok: false, failure };
  }

  /** What a plan or a log has is never left out: the world would be another. */
  assertNone(command: { readonly kind: string } | null): void {
    // What is no command at all is met when it is due.
    const refusal = command === null ? undefined : this.#of(command);
    assert(refusal === undefined, `${refusal?.message}`);
  }
}
