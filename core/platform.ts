/**
 * The platform: it executes commands, answers queries, receives the time and what the network
 * reports, and puts its requests of the network in the outbox. It has every resource of `RESOURCES`
 * and knows no more of most of them than `Resource` says. START HERE for what the service does.
 */
import { assert } from '../sim/base/assert.ts';
import type { Result } from '../sim/base/result.ts';
import type { AnswerTo } from './command.ts';
import { type Fold, foldField } from './kit/fold.ts';
import { type Draws, Ids } from './kit/ids.ts';
import type { Outbox } from './kit/outbox.ts';
import type { Resource, Surroundings } from './kit/resource.ts';
import {
  type Asker,
  type Asking,
  askerOf,
  Owners,
  ownView,
  type SavedOwners,
  type Thing,
} from './kit/subscribers.ts';
import type { MulticastTxStatus, NetworkView, ReceivedUplink } from './network-face.ts';
import type { PlatformCommand, PlatformQuery, ResourceName, Resources } from './operations.ts';
import type { AnswerOf } from './query.ts';
import { RESOURCES } from './resources.ts';
import type { CampaignResult } from './result.ts';
import type { ImageInUse } from './update-service/campaigns/campaigns.ts';

/** Plain data. */
export interface PlatformState {
  readonly owners: SavedOwners;
  /** Draws of the stream of ids used up so far. */
  readonly idsDrawn: number;
  /** What each resource saved, by its name. */
  readonly resources: { readonly [Name in ResourceName]: ReturnType<Resources[Name]['save']> };
}

/** FPorts on which the platform hears the uplinks of every device, watched or not. */
export const HEARD_PORTS: readonly number[] = RESOURCES.flatMap(({ ports = [] }) => ports);

/** Executes a command or answers a query; the command's kind chose it. */
type Handler = (asked: unknown, asking: Asking) => Result<unknown>;

export class Platform {
  readonly #view: NetworkView;
  readonly #owners = new Owners();
  readonly #views = new Map<string, NetworkView>();
  readonly #ids: Ids;
  readonly #resources: Resources;
  /** The same, in the order of `RESOURCES`. */
  readonly #inOrder: readonly (readonly [ResourceName, Resource])[];
  /** Those that hear of uplinks: there are far more uplinks than commands. */
  readonly #listeners: readonly Resource[];
  readonly #commands: ReadonlyMap<string, Handler>;
  readonly #queries: ReadonlyMap<string, Handler>;

  /** `draws` and `idDraws` give 32 random bits for a counter and are pure functions of it. */
  constructor(view: NetworkView, outbox: Outbox, draws: Draws, idDraws: Draws) {
    this.#view = view;
    this.#ids = new Ids(idDraws);
    const viewOf = (subscriber: string) => this.#viewOf(subscriber);
    this.#resources = makeResources({ ids: this.#ids, outbox, draws, viewOf });
    this.#inOrder = RESOURCES.map(({ name }) => [name, this.#resources[name]] as const);
    const resources = this.#inOrder.map(([, resource]) => resource);
    this.#listeners = resources.filter(({ onUplink }) => onUplink !== undefined);
    this.#commands = handlersOf(resources.map(({ commands }) => commands));
    this.#queries = handlersOf(resources.map(({ queries }) => queries));
  }

  /** Decides a command; a refusal changes nothing. */
  execute<Given extends PlatformCommand & Asker>(
    command: Given,
    nowUs: number,
  ): Result<AnswerTo<Given>> {
    const handler = this.#commands.get(command.kind);
    assert(handler !== undefined, 'a command is one of the operations');
    return handler(command, this.#asking(command, nowUs)) as Result<AnswerTo<Given>>;
  }

  /** Answers a query in the documented shape; asking changes nothing. */
  ask<Asked extends PlatformQuery & Asker>(query: Asked, nowUs: number): Result<AnswerOf<Asked>> {
    const handler = this.#queries.get(query.kind);
    assert(handler !== undefined, 'a query is one of the operations');
    return handler(query, this.#asking(query, nowUs)) as Result<AnswerOf<Asked>>;
  }

  // ── devices and gateways ───────────────────────────────────────────────────────────────────────

  /** Whether a device or gateway is the asker's; another owner's is as unknown. */
  owns(asker: Asker, thing: Thing, eui: string): boolean {
    return this.#owners.owns(askerOf(asker), thing, eui);
  }

  onDeviceCreated(asker: Asker, devEui: string): void {
    this.#owners.note(askerOf(asker), 'device', devEui);
  }

  onGatewayCreated(asker: Asker, eui: string): void {
    this.#owners.note(askerOf(asker), 'gateway', eui);
  }

  onGatewayRemoved(eui: string): void {
    this.#owners.forget('gateway', eui);
  }

  /**
   * Resources that use others hear of it first: the device fails in its campaign before its group
   * loses it. The view must not know it any more.
   */
  onDeviceRemoved(devEui: string, nowUs: number): void {
    assert(this.#view.device(devEui) === undefined, 'a removed device is gone from the network');
    const owner = this.#owners.ownerOf('device', devEui);
    for (const [, resource] of this.#inOrder.toReversed()) {
      resource.onDeviceRemoved?.(owner, devEui, nowUs);
    }
    this.#owners.forget('device', devEui);
  }

  // ── what the network reports ───────────────────────────────────────────────────────────────────

  onUplink(uplink: ReceivedUplink): void {
    const owner = this.#owners.ownerOf('device', uplink.devEui);
    for (const resource of this.#listeners) resource.onUplink?.(owner, uplink);
  }

  onMulticast(status: MulticastTxStatus, nowUs: number): void {
    this.#resources.campaign.onMulticast(status, nowUs);
  }

  /** `timer` is a campaign's number. */
  onTimer(timer: number, nowUs: number): void {
    this.#resources.campaign.onTimer(timer, nowUs);
  }

  /** In the order of their creation; what only the radio knows is left empty. */
  campaigns(): CampaignResult[] {
    return this.#resources.campaign.results();
  }

  /** Group addresses of the campaigns, in the same order; undefined before the group is open. */
  addresses(): (number | undefined)[] {
    return this.#resources.campaign.addresses();
  }

  /** In the latest campaign of a device: 0 in none, 1 updated, 2 in progress, 3 failed. */
  fate(devEui: string): 0 | 1 | 2 | 3 {
    return this.#resources.campaign.fate(devEui);
  }

  /** The image that goes to a multicast group; undefined when it is none of a campaign. */
  imageOf(mcAddr: number): ImageInUse | undefined {
    return this.#resources.campaign.imageOf(mcAddr);
  }

  /** Every live record: resources in their order, records in the order of identity. */
  fold(fold: Fold): void {
    this.#owners.fold(fold);
    foldField(fold, 'idsDrawn', this.#ids.save());
    for (const [, resource] of this.#inOrder) resource.fold(fold);
  }

  save(): PlatformState {
    const saved = this.#inOrder.map(([name, resource]) => [name, resource.save()] as const);
    return {
      owners: this.#owners.save(),
      idsDrawn: this.#ids.save(),
      resources: Object.fromEntries(saved) as PlatformState['resources'],
    };
  }

  load(saved: PlatformState): void {
    this.#owners.load(saved.owners);
    this.#ids.load(saved.idsDrawn);
    for (const [name, resource] of this.#inOrder) resource.load(saved.resources[name]);
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #asking(asker: Asker, nowUs: number): Asking {
    const by = askerOf(asker);
    return { by, nowUs, view: this.#viewOf(by) };
  }

  /** A view has no state, so one does for good. */
  #viewOf(subscriber: string): NetworkView {
    const known = this.#views.get(subscriber);
    if (known !== undefined) return known;
    const view = ownView(this.#view, this.#owners, subscriber);
    this.#views.set(subscriber, view);
    return view;
  }
}

/**
 * Makes every resource. Each gets the surroundings and, by name, all resources: it may call those
 * that are made after it, but only once all are made.
 */
function makeResources(surroundings: Surroundings): Resources {
  const made = { ...surroundings } as Surroundings & Resources;
  const named: Record<string, Resource> = {};
  for (const { name, make } of RESOURCES) {
    assert(named[name] === undefined, 'a resource stands once in the list');
    named[name] = make(made);
    Object.assign(made, named);
  }
  return made;
}

/** Handlers of all resources by the kind of what is asked. */
function handlersOf(all: readonly Resource['commands'][]): ReadonlyMap<string, Handler> {
  const entries = all.flatMap((handlers) => Object.entries(handlers ?? {}));
  const byKind = new Map(entries as [string, Handler][]);
  assert(byKind.size === entries.length, 'an operation belongs to one resource');
  return byKind;
}
