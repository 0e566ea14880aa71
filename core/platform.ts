/**
 * The platform's face: it executes commands, is told the time and the network's news, and puts its
 * wishes in the outbox. START HERE for what the service does.
 */
import type { Result } from '../sim/base/result.ts';
import type { AnswerTo, CommandAnswers, PlatformCommand } from './command.ts';
import { type Fold, foldField } from './kit/fold.ts';
import type { Handlers } from './kit/handlers.ts';
import { type IdDraws, Ids } from './kit/ids.ts';
import type { Outbox } from './kit/outbox.ts';
import {
  type Asker,
  type Asking,
  askerOf,
  Owners,
  ownView,
  type SavedOwners,
  type Thing,
} from './kit/subscribers.ts';
import type { MulticastNews, NetworkView, UplinkNews } from './network-face.ts';
import type { AnswerOf, PlatformQuery, QueryAnswers } from './query.ts';
import type { CampaignResult } from './result.ts';
import {
  Campaigns,
  type ImageInUse,
  type SavedCampaigns,
} from './update-service/campaigns/campaigns.ts';
import type { Draws } from './update-service/campaigns/run.ts';
import { type Delegation, Delegations } from './update-service/delegations.ts';
import { type DeviceGroup, DeviceGroups } from './update-service/device-groups.ts';
import { type Image, Images } from './update-service/images.ts';
import { type DeviceKey, Keys } from './update-service/keys.ts';
import { type ReportedVersion, ReportedVersions } from './update-service/reported-versions.ts';
import { type DeviceHistory, UpdateHistory } from './update-service/update-history.ts';

/** Plain data. */
export interface PlatformState extends SavedCampaigns {
  readonly owners: SavedOwners;
  /** Words of the stream of ids used up so far. */
  readonly idsDrawn: number;
  readonly images: readonly Image[];
  readonly groups: readonly DeviceGroup[];
  readonly keys: readonly DeviceKey[];
  readonly versions: readonly ReportedVersion[];
  readonly histories: readonly DeviceHistory[];
  readonly delegations: readonly Delegation[];
}

export class Platform {
  readonly #view: NetworkView;
  readonly #owners = new Owners();
  readonly #views = new Map<string, NetworkView>();
  readonly #ids: Ids;
  readonly #images = new Images((owner, name) =>
    this.#campaigns.some((one) => one.owner === owner && one.input.image_name === name),
  );
  readonly #groups: DeviceGroups;
  readonly #keys = new Keys();
  readonly #delegations: Delegations;
  readonly #versions = new ReportedVersions((from, to, nowUs) =>
    this.#delegations.between(from, to, this.#view.unixMs(nowUs)),
  );
  readonly #history = new UpdateHistory();
  readonly #campaigns: Campaigns;
  readonly #commands: Handlers<PlatformCommand, CommandAnswers>;
  readonly #queries: Handlers<PlatformQuery, QueryAnswers>;

  /** `draws` and `idDraws` give 32 random bits for a counter and are pure functions of it. */
  constructor(view: NetworkView, outbox: Outbox, draws: Draws, idDraws: IdDraws) {
    this.#view = view;
    this.#ids = new Ids(idDraws);
    this.#delegations = new Delegations(this.#ids);
    this.#groups = new DeviceGroups(this.#ids, this.#keys, (owner, id) =>
      this.#campaigns.some((one) => one.owner === owner && one.group.id === id),
    );
    this.#campaigns = new Campaigns({
      outbox,
      draws,
      ids: this.#ids,
      keys: this.#keys,
      history: this.#history,
      viewOf: (owner) => this.#viewOf(owner),
      image: (owner, name) => this.#images.get(owner, name),
      group: (owner, word) => this.#groups.get(owner, word) ?? this.#groups.byName(owner, word),
    });
    this.#commands = {
      ...this.#images.commands,
      ...this.#groups.commands,
      ...this.#keys.commands,
      ...this.#delegations.commands,
      ...this.#campaigns.commands,
    };
    this.#queries = {
      ...this.#images.queries,
      ...this.#groups.queries,
      ...this.#versions.queries,
      ...this.#history.queries,
      ...this.#delegations.queries,
      ...this.#campaigns.queries,
    };
  }

  /** Decides a command; a refusal changes nothing. */
  execute<Given extends PlatformCommand & Asker>(
    command: Given,
    nowUs: number,
  ): Result<AnswerTo<Given>> {
    const handler = this.#commands[command.kind] as Handler<Given, AnswerTo<Given>>;
    return handler(command, this.#asking(command, nowUs));
  }

  /** Answers a query in the documented shape; asking changes nothing. */
  ask<Asked extends PlatformQuery & Asker>(query: Asked, nowUs: number): Result<AnswerOf<Asked>> {
    const handler = this.#queries[query.kind] as Handler<Asked, AnswerOf<Asked>>;
    return handler(query, this.#asking(query, nowUs));
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

  /** A device that is removed fails in its campaign. The view must not know it any more. */
  onDeviceRemoved(devEui: string, nowUs: number): void {
    this.#campaigns.onDeviceRemoved(devEui, nowUs);
    const owner = this.#owners.ownerOf('device', devEui);
    this.#groups.onDeviceRemoved(owner, devEui);
    this.#versions.onDeviceRemoved(owner, devEui);
    this.#owners.forget('device', devEui);
  }

  // ── news ───────────────────────────────────────────────────────────────────────────────────────

  onUplink(news: UplinkNews): void {
    this.#versions.onUplink(this.#owners.ownerOf('device', news.devEui), news);
    this.#campaigns.onUplink(news);
  }

  onMulticast(news: MulticastNews, nowUs: number): void {
    this.#campaigns.onMulticast(news, nowUs);
  }

  /** `timer` is a campaign's number. */
  onTimer(timer: number, nowUs: number): void {
    this.#campaigns.onTimer(timer, nowUs);
  }

  /** In the order of their creation; what only the radio knows is left empty. */
  campaigns(): CampaignResult[] {
    return this.#campaigns.results();
  }

  /** Group addresses of the campaigns, in the same order; undefined before the group is open. */
  addresses(): (number | undefined)[] {
    return this.#campaigns.addresses();
  }

  /** In the latest campaign of a device: 0 in none, 1 updated, 2 in progress, 3 failed. */
  fate(devEui: string): 0 | 1 | 2 | 3 {
    return this.#campaigns.fate(devEui);
  }

  /** The image that goes to a multicast group; undefined when it is none of a campaign. */
  imageOf(mcAddr: number): ImageInUse | undefined {
    return this.#campaigns.imageOf(mcAddr);
  }

  /** Every live record, in the order of identity. */
  fold(fold: Fold): void {
    this.#owners.fold(fold);
    foldField(fold, 'idsDrawn', this.#ids.save());
    const resources = [this.#images, this.#groups, this.#keys, this.#versions, this.#history];
    for (const resource of [...resources, this.#delegations, this.#campaigns]) resource.fold(fold);
  }

  save(): PlatformState {
    return {
      owners: this.#owners.save(),
      idsDrawn: this.#ids.save(),
      images: this.#images.save(),
      groups: this.#groups.save(),
      keys: this.#keys.save(),
      versions: this.#versions.save(),
      histories: this.#history.save(),
      delegations: this.#delegations.save(),
      ...this.#campaigns.save(),
    };
  }

  load(saved: PlatformState): void {
    this.#owners.load(saved.owners);
    this.#ids.load(saved.idsDrawn);
    this.#images.load(saved.images);
    this.#groups.load(saved.groups);
    this.#keys.load(saved.keys);
    this.#versions.load(saved.versions);
    this.#history.load(saved.histories);
    this.#delegations.load(saved.delegations);
    this.#campaigns.load(saved);
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

type Handler<Asked, Answer> = (asked: Asked, asking: Asking) => Result<Answer>;
