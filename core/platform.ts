/**
 * The platform's face: it executes commands, is told the time and the network's news, and puts its
 * wishes in the outbox. START HERE for what the service does.
 */
import { assert } from '../sim/base/assert.ts';
import { fail, ok, type Result } from '../sim/base/result.ts';
import {
  halt,
  INITIALIZING_US,
  onMemberRemoved,
  onMulticast,
  onStart,
  onTimer,
  onUplink,
} from './campaigns/campaign.ts';
import { FRAGMENTATION_VERSION, FragmentSource } from './campaigns/fragments.ts';
import { makePlan } from './campaigns/plan.ts';
import type { Draws, Run } from './campaigns/run.ts';
import { settingsOf } from './campaigns/settings.ts';
import { isOver } from './campaigns/stages.ts';
import { type CampaignState, type NewCampaign, newCampaign } from './campaigns/state.ts';
import { tellCampaign } from './campaigns/tell.ts';
import type {
  AnswerTo,
  CampaignAnswers,
  CampaignCommand,
  CampaignInput,
  CommandAnswers,
  PlatformCommand,
} from './command.ts';
import { type DeviceGroup, DeviceGroups } from './device-groups.ts';
import type { Handlers } from './handlers.ts';
import { type IdDraws, Ids } from './ids.ts';
import { type Image, Images } from './images.ts';
import type { MulticastNews, NetworkView, UplinkNews } from './network-face.ts';
import type { Outbox } from './outbox.ts';
import { copyPlain } from './plain.ts';
import type { AnswerOf, PlatformQuery, QueryAnswers } from './query.ts';
import type { CampaignResult } from './result.ts';
import {
  type Asker,
  type Asking,
  askerOf,
  Owners,
  ownView,
  type SavedOwners,
  type Thing,
} from './subscribers.ts';

/** Plain data. */
export interface PlatformState {
  readonly owners: SavedOwners;
  /** Words of the stream of ids used up so far. */
  readonly idsDrawn: number;
  readonly images: readonly Image[];
  readonly groups: readonly DeviceGroup[];
  readonly campaigns: readonly CampaignState[];
}

/** What it takes to tell whether a rebuilt block is the image. */
export interface ImageInUse {
  readonly bytes: Uint8Array;
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Bytes of the last fragment that are not the image's. */
  readonly padding: number;
  /** Parity matrix: that of TS004-1.0.0. */
  readonly version: 1;
}

/** A device's place in the latest campaign that it is in. */
interface Place {
  readonly run: Run;
  readonly member: number;
}

export class Platform {
  readonly #view: NetworkView;
  readonly #outbox: Outbox;
  readonly #draws: Draws;
  readonly #owners = new Owners();
  readonly #ids: Ids;
  readonly #images = new Images((owner, name) =>
    this.#uses(({ state }) => state.owner === owner && state.input.image_name === name),
  );
  readonly #groups: DeviceGroups;
  readonly #commands: Handlers<PlatformCommand, CommandAnswers>;
  readonly #queries: Handlers<PlatformQuery, QueryAnswers>;
  /** Campaign number n is entry n − 1. */
  #runs: Run[] = [];
  #places = new Map<string, Place>();

  /** `draws` and `idDraws` give 32 random bits for a counter and are pure functions of it. */
  constructor(view: NetworkView, outbox: Outbox, draws: Draws, idDraws: IdDraws) {
    this.#view = view;
    this.#outbox = outbox;
    this.#draws = draws;
    this.#ids = new Ids(idDraws);
    this.#groups = new DeviceGroups(this.#ids, (owner, id) =>
      this.#uses(({ state }) => state.owner === owner && state.group.id === id),
    );
    this.#commands = {
      ...this.#images.commands,
      ...this.#groups.commands,
      ...this.#campaignCommands(),
    };
    this.#queries = { ...this.#images.queries, ...this.#groups.queries };
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
    const place = this.#places.get(devEui);
    if (place !== undefined) onMemberRemoved(place.run, place.member, nowUs);
    this.#groups.onDeviceRemoved(this.#owners.ownerOf('device', devEui), devEui);
    this.#owners.forget('device', devEui);
  }

  // ── news ───────────────────────────────────────────────────────────────────────────────────────

  onUplink(news: UplinkNews): void {
    const place = this.#places.get(news.devEui);
    if (place !== undefined) onUplink(place.run, place.member, news);
  }

  onMulticast(news: MulticastNews, nowUs: number): void {
    const run = this.#runOf(news.mcAddr);
    if (run !== undefined) onMulticast(run, news, nowUs);
  }

  /** `timer` is a campaign's number. */
  onTimer(timer: number, nowUs: number): void {
    const run = this.#runs[timer - 1];
    assert(run !== undefined, 'a timer belongs to a campaign');
    onTimer(run, nowUs);
  }

  /** In the order of their creation; what only the radio knows is left empty. */
  campaigns(): CampaignResult[] {
    return this.#runs.map(({ state, image }) => tellCampaign(state, image));
  }

  /** Group addresses of the campaigns, in the same order; undefined before the group is open. */
  addresses(): (number | undefined)[] {
    return this.#runs.map(({ state }) => state.multicast?.mcAddr);
  }

  /** In the latest campaign of a device: 0 in none, 1 updated, 2 in progress, 3 failed. */
  fate(devEui: string): 0 | 1 | 2 | 3 {
    const place = this.#places.get(devEui);
    if (place === undefined) return 0;
    return FATES[place.run.state.members[place.member]!.fate];
  }

  /** The image that goes to a multicast group; undefined when it is none of a campaign. */
  imageOf(mcAddr: number): ImageInUse | undefined {
    const run = this.#runOf(mcAddr);
    if (run === undefined || run.state.plan === null) return undefined;
    const { nbFrag, fragSize, padding } = run.state.plan;
    return { bytes: run.image.bytes, nbFrag, fragSize, padding, version: FRAGMENTATION_VERSION };
  }

  save(): PlatformState {
    return {
      owners: this.#owners.save(),
      idsDrawn: this.#ids.save(),
      images: this.#images.save(),
      groups: this.#groups.save(),
      campaigns: this.#runs.map(({ state }) => copyPlain(state)),
    };
  }

  load(saved: PlatformState): void {
    this.#owners.load(saved.owners);
    this.#ids.load(saved.idsDrawn);
    this.#images.load(saved.images);
    this.#groups.load(saved.groups);
    this.#runs = [];
    this.#places = new Map();
    for (const state of saved.campaigns) this.#keep(copyPlain(state));
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #asking(asker: Asker, nowUs: number): Asking {
    const by = askerOf(asker);
    return { by, nowUs, view: ownView(this.#view, this.#owners, by) };
  }

  #uses(test: (run: Run) => boolean): boolean {
    return this.#runs.some(test);
  }

  #campaignCommands(): Handlers<CampaignCommand, CampaignAnswers> {
    return {
      'campaign.create': ({ campaign }, asking) => this.#createCampaign(campaign, asking),
      'campaign.halt': ({ name }, asking) => this.#haltCampaign(name, asking),
    };
  }

  #createCampaign(input: CampaignInput, asking: Asking): Result<undefined> {
    const parts = this.#admit(input, asking);
    if (!parts.ok) return parts;
    const { nowUs } = asking;
    onStart(this.#keep(newCampaign(parts.value, nowUs, INITIALIZING_US)), nowUs);
    return ok(undefined);
  }

  #admit(input: CampaignInput, { by, view, nowUs }: Asking): Result<NewCampaign> {
    const { name, image_name, device_group } = input;
    if (name === '') return fail('campaign.name', 'A campaign has a name.', '/name');
    if (this.#runOfName(by, name) !== undefined) {
      return fail('campaign.exists', `There is a campaign ${name}.`, '/name');
    }
    const image = this.#images.get(by, image_name);
    if (image === undefined) {
      return fail('image.unknown', `There is no image ${image_name}.`, '/image_name');
    }
    const group = this.#groups.byName(by, device_group);
    if (group === undefined) {
      return fail('deviceGroup.unknown', `There is no group ${device_group}.`, '/device_group');
    }
    if (group.devices.length === 0) {
      return fail(
        'deviceGroup.empty',
        `The group ${device_group} has no devices.`,
        '/device_group',
      );
    }
    const busy = group.devices.find((devEui) => this.#isBusy(devEui));
    if (busy !== undefined) {
      const message = `${busy} is in a campaign that runs.`;
      return fail('campaign.device-busy', message, '/device_group');
    }
    const settings = settingsOf(input);
    if (!settings.ok) return settings;
    const imageBytes = image.bytes.length;
    const wanted = { settings: settings.value, group, imageBytes, devEuis: group.devices };
    const plan = makePlan(wanted, view, nowUs);
    if (!plan.ok) return plan;
    const number = this.#runs.length + 1;
    return ok({ owner: by, number, input, settings: settings.value, group });
  }

  #isBusy(devEui: string): boolean {
    const place = this.#places.get(devEui);
    return place !== undefined && !isOver(place.run.state.stage);
  }

  #runOfName(owner: string, name: string): Run | undefined {
    return this.#runs.find(({ state }) => state.owner === owner && state.input.name === name);
  }

  #haltCampaign(name: string, { by, nowUs }: Asking): Result<undefined> {
    const run = this.#runOfName(by, name);
    if (run === undefined) return fail('campaign.unknown', `There is no campaign ${name}.`);
    if (isOver(run.state.stage)) {
      return fail('campaign.not-running', `${name} is over: ${run.state.stage}.`);
    }
    halt(run, nowUs);
    return ok(undefined);
  }

  #keep(state: CampaignState): Run {
    const image = this.#images.get(state.owner, state.input.image_name);
    assert(image !== undefined, 'a campaign has an image');
    const fragments = new FragmentSource(image.bytes);
    const [outbox, draws] = [this.#outbox, this.#draws];
    const view = ownView(this.#view, this.#owners, state.owner);
    const run = { state, image, fragments, view, outbox, draws };
    this.#runs.push(run);
    state.members.forEach(({ devEui }, member) => {
      this.#places.set(devEui, { run, member });
    });
    return run;
  }

  /** There are few campaigns: a list is enough. */
  #runOf(mcAddr: number): Run | undefined {
    return this.#runs.find(({ state }) => state.multicast?.mcAddr === mcAddr);
  }
}

type Handler<Asked, Answer> = (asked: Asked, asking: Asking) => Result<Answer>;

const FATES = { success: 1, inProgress: 2, failed: 3 } as const;
