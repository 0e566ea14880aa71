/**
 * The platform: the update and management service of a world. START HERE for what the service does.
 *
 * Problem: the service decides from what a network server knows, with the same result in every run.
 * Approach: admission checks a command; the handler of its resource decides, and a refusal changes
 * nothing. Events go to listening resources in the order of `RESOURCES`, removals in the opposite
 * order. Requests to the network go into the outbox. The platform uses resources through `Resource`
 * only. Rejected: a case here for each noun or event; the compiler would not notice a missing place
 * (docs/decisions/0035). Events built without a listener: each frame would pay for them
 * (docs/decisions/0040).
 */
import { assert } from '../sim/base/assert.ts';
import type { Result } from '../sim/base/result.ts';
import { doAll, type Stepwise } from '../sim/base/stepwise.ts';
import { type HeardPackage, type News, thingOf } from '../sim/contract/news.ts';
import type { NetworkView } from '../sim/contract/view.ts';
import { type Admitted, admit } from './admission.ts';
import { Contents } from './base/contents.ts';
import { Copies } from './base/copies.ts';
import { Downlinks } from './base/downlinks.ts';
import { type Fold, foldField } from './base/fold.ts';
import { type Coordinates, USUAL_ORIGIN } from './base/geography.ts';
import { Ids } from './base/ids.ts';
import { finish, type Steps } from './base/in-steps.ts';
import type { Outbox } from './base/outbox.ts';
import { ownView } from './base/own-view.ts';
import type { OwnView } from './base/subscribers.ts';
import {
  type AdmittedCaller,
  type Asking,
  type Caller,
  Owners,
  type PlannedOwners,
  type PlannedSubscriber,
  type SavedOwners,
} from './base/subscribers.ts';
import { ownTimer } from './base/timers.ts';
import { type PlatformDraws, wholeWorldOf } from './base/whole-world.ts';
import type { NewsAbout, Resource } from './kit/resource.ts';
import {
  type Answered,
  OPERATIONS,
  type PlatformCommand,
  type PlatformQuery,
  type ResourceName,
  type Resources,
} from './operations.ts';
import {
  DECLARED,
  isRemoval,
  type Keeps,
  type Listener,
  listenersOf,
  makeResources,
  Refusals,
} from './resource-instances.ts';
import { RESOURCES } from './resources.ts';
import { inSteps, whole } from './responses.ts';

/** Plain data. */
export interface PlatformState {
  readonly owners: SavedOwners;
  /** Draws of the stream of ids used up so far. */
  readonly idsDrawn: number;
  /** Id of the latest downlink. */
  readonly downlinks: number;
  /** What each resource saved, by its name. */
  readonly resources: { readonly [Name in ResourceName]: ReturnType<Resources[Name]['save']> };
}

/** FPorts on which the platform hears the uplinks of every device, watched or not. */
export const HEARD_PORTS: readonly number[] = DECLARED.flatMap(({ ports = [] }) => ports);

/** Packages on whose FPort, as each device's profile has it, the platform hears the device. */
export const HEARD_PACKAGES: readonly HeardPackage[] = DECLARED.flatMap(
  ({ packages = [] }) => packages,
);

/** Most cached views of subscribers: any name may be asked for. */
const MOST_VIEWS = 1_000;
type Handler = (asked: unknown, asking: Asking) => Result<unknown>;

export class Platform {
  readonly #view: NetworkView;
  readonly #owners = new Owners();
  readonly #views = new Map<string, OwnView>();
  readonly #ids: Ids;
  /** Loaded before what names them. */
  readonly contents = new Contents();
  /** What is copied of the present instant; made before anything changes. */
  readonly copies = new Copies();
  readonly #downlinks: Downlinks;
  /** What each resource offers to others, by name. */
  readonly resources: Resources;
  /** The same, in the order of `RESOURCES`. */
  readonly #inOrder: readonly (readonly [ResourceName, Resource])[];
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly refusals: Refusals;
  readonly #listeners: ReadonlyMap<string, readonly Listener[]>;

  /** `origin`: `WorldPlan.origin`. */
  constructor(
    view: NetworkView,
    outbox: Outbox,
    draws: PlatformDraws,
    keeps: Keeps = {},
    origin: Coordinates = USUAL_ORIGIN,
  ) {
    this.#view = view;
    this.#ids = new Ids(draws.ids);
    this.#downlinks = new Downlinks(outbox);
    this.resources = makeResources({
      ids: this.#ids,
      outbox,
      downlinks: this.#downlinks,
      draws: draws.stream,
      contents: this.contents,
      copies: this.copies,
      keepsRecords: keeps.records ?? true,
      logEntries: keeps.logEntries,
      effects: keeps.effects,
      steps: keeps.steps,
      codecs: keeps.codecs,
      viewOf: (subscriber) => this.viewOf(subscriber),
      world: wholeWorldOf(view, this.#owners, draws, origin, keeps.worldId),
    });
    this.#inOrder = RESOURCES.map(({ name }) => [name, this.resources[name]] as const);
    const resources = this.#inOrder.map(([, resource]) => resource);
    this.#handlers = new Map(
      resources.flatMap(({ handle }) => Object.entries(handle) as [string, Handler][]),
    );
    assert(
      Object.keys(OPERATIONS).every((kind) => this.#handlers.has(kind)),
      'an operation has one handler',
    );
    this.refusals = new Refusals(resources);
    this.#listeners = listenersOf(resources);
  }

  // ── commands and queries ───────────────────────────────────────────────────────────────────────

  /**
   * A normalised copy of a command, checked for its shape, its size and the caller's permission,
   * that shares nothing with what is given; or what is wrong with it. Nothing is decided.
   */
  admit(command: unknown): Result<PlatformCommand & AdmittedCaller> {
    const admitted = admit(command, 'command') as Result<PlatformCommand & AdmittedCaller>;
    return this.refusals.judged(admitted);
  }

  /** Decides a command that was admitted; a refusal changes nothing. */
  execute<Given extends PlatformCommand & AdmittedCaller>(
    command: Given,
    nowUs: number,
  ): Answered<Given['kind']> {
    return this.#handle(command, nowUs) as Answered<Given['kind']>;
  }

  /** Answers a query in the documented shape; asking changes nothing. */
  ask<Asked extends PlatformQuery & Caller>(query: Asked, nowUs: number): Answered<Asked['kind']> {
    const admitted = admit(query, 'query');
    const answer = admitted.ok ? this.#handle(admitted.value, nowUs) : admitted;
    return answer as Answered<Asked['kind']>;
  }

  /** `ask` in steps, whose answer is what is true now, whenever they are done. */
  open(query: PlatformQuery & Caller, nowUs: number): Result<Steps<unknown>> {
    const admitted = admit(query, 'query');
    return admitted.ok ? inSteps(admitted.value, this.#decide(admitted.value, nowUs)) : admitted;
  }

  /** Answers share nothing with the records. */
  #handle(asked: Admitted, nowUs: number): Result<unknown> {
    return whole(asked, this.#decide(asked, nowUs));
  }

  #decide(asked: Admitted, nowUs: number): Result<unknown> {
    const handler = this.#handlers.get(asked.kind);
    assert(handler !== undefined, 'what was admitted is an operation');
    const { by, as } = asked;
    const who = as === undefined ? { by } : { by, as };
    return handler(asked, { ...who, nowUs, view: this.viewOf(by) });
  }

  // ── devices and gateways ───────────────────────────────────────────────────────────────────────

  /** Who there is by a plan, and whose its things are; before anything else happens. */
  onPlanned(owners: PlannedOwners, subscribers?: readonly PlannedSubscriber[]): void {
    if (subscribers !== undefined) this.#owners.planSubscribers(subscribers);
    this.#owners.plan(owners);
  }

  // ── what there is to hear ──────────────────────────────────────────────────────────────────────

  /** Whether some resource listens to news of this kind. */
  listensTo(kind: News['kind']): boolean {
    return this.#listeners.has(kind);
  }

  /**
   * Resources hear of it in the order of `RESOURCES`; of what is gone in the opposite one: a device
   * fails in its campaign before its group loses it. Returns whose it is.
   */
  hear(news: News, nowUs: number): NewsAbout {
    const thing = thingOf(news);
    const about = { owner: thing === undefined ? '' : this.#owners.ownerOf(...thing), nowUs };
    for (const listener of this.#listeners.get(news.kind) ?? []) listener(news, about);
    if (!isRemoval(news.kind) || thing === undefined) return about;
    const [what, eui] = thing;
    assert(this.#view[what](eui) === undefined, 'what is removed is gone from the network');
    this.#owners.forget(...thing);
    return about;
  }

  /** A timer of the world is due. */
  onTimer(shared: number, nowUs: number): void {
    const { space, timer } = ownTimer(shared);
    const at = DECLARED.findIndex(({ timerSpace }) => timerSpace === space);
    const resource = this.#inOrder[at]?.[1];
    assert(resource?.onTimer !== undefined, 'a timer belongs to a resource');
    resource.onTimer(timer, nowUs);
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  /** Every live record: resources in their order, records in the order of identity. In steps. */
  *folding(fold: Fold): Stepwise {
    this.#owners.fold(fold);
    foldField(fold, 'idsDrawn', this.#ids.save());
    this.#downlinks.fold(fold);
    for (const [, resource] of this.#inOrder) {
      yield;
      resource.fold(fold);
    }
  }

  fold(fold: Fold): void {
    doAll(this.folding(fold));
  }

  *saving(): Steps<PlatformState> {
    const saved: (readonly [ResourceName, unknown])[] = [];
    for (const [name, resource] of this.#inOrder) {
      yield;
      saved.push([name, resource.save()]);
    }
    return {
      owners: this.#owners.save(),
      idsDrawn: this.#ids.save(),
      downlinks: this.#downlinks.save(),
      resources: Object.fromEntries(saved) as PlatformState['resources'],
    };
  }

  save(): PlatformState {
    return finish(this.saving());
  }

  load(saved: PlatformState): void {
    doAll(this.loading(saved));
  }

  *loading(saved: PlatformState): Stepwise {
    this.#owners.load(saved.owners);
    this.#ids.load(saved.idsDrawn);
    this.#downlinks.load(saved.downlinks);
    for (const [name, resource] of this.#inOrder) {
      yield;
      resource.load(saved.resources[name]);
    }
  }

  /** A view has no state: one does as well as another. */
  viewOf(subscriber: string): OwnView {
    const known = this.#views.get(subscriber);
    if (known !== undefined) return known;
    if (this.#views.size === MOST_VIEWS) this.#views.clear();
    const view = ownView(this.#view, this.#owners, subscriber);
    this.#views.set(subscriber, view);
    return view;
  }
}
