/**
 * The platform's face: it executes commands, is told the time and the network's news, and puts its
 * wishes in the outbox. START HERE for what the service does.
 */
import { assert, unreachable } from '../sim/base/assert.ts';
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
import type { CampaignInput, PlatformCommand } from './command.ts';
import { type DeviceGroup, DeviceGroups } from './device-groups.ts';
import { type Image, Images } from './images.ts';
import type { MulticastNews, NetworkView, UplinkNews } from './network-face.ts';
import type { Outbox } from './outbox.ts';
import { copyPlain } from './plain.ts';
import type { CampaignResult } from './result.ts';

/** Plain data. */
export interface PlatformState {
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
  readonly #images = new Images();
  readonly #groups = new DeviceGroups();
  /** Campaign number n is entry n − 1. */
  #runs: Run[] = [];
  #places = new Map<string, Place>();

  /** `draws` gives 32 random bits for a counter and is a pure function of it. */
  constructor(view: NetworkView, outbox: Outbox, draws: Draws) {
    this.#view = view;
    this.#outbox = outbox;
    this.#draws = draws;
  }

  /** Decides a command; a refusal changes nothing. */
  execute(command: PlatformCommand, nowUs: number): Result<void> {
    switch (command.kind) {
      case 'image.create':
        return this.#images.create(command.name, command.bytesHex, command.tags);
      case 'deviceGroup.create':
        return this.#groups.create(command.group, this.#view);
      case 'campaign.create':
        return this.#createCampaign(command.campaign, nowUs);
      case 'campaign.halt':
        return this.#haltCampaign(command.name, nowUs);
      default:
        return unreachable(command);
    }
  }

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

  /** A device that is removed fails in its campaign. The view must not know it any more. */
  onDeviceRemoved(devEui: string, nowUs: number): void {
    const place = this.#places.get(devEui);
    if (place !== undefined) onMemberRemoved(place.run, place.member, nowUs);
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
      images: this.#images.save(),
      groups: this.#groups.save(),
      campaigns: this.#runs.map(({ state }) => copyPlain(state)),
    };
  }

  load(saved: PlatformState): void {
    this.#images.load(saved.images);
    this.#groups.load(saved.groups);
    this.#runs = [];
    this.#places = new Map();
    for (const state of saved.campaigns) this.#keep(copyPlain(state));
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #createCampaign(input: CampaignInput, nowUs: number): Result<void> {
    const parts = this.#admit(input, nowUs);
    if (!parts.ok) return parts;
    onStart(this.#keep(newCampaign(parts.value, nowUs, INITIALIZING_US)), nowUs);
    return ok(undefined);
  }

  #admit(input: CampaignInput, nowUs: number): Result<NewCampaign> {
    const { name, image_name, device_group } = input;
    if (name === '') return fail('campaign.name', 'A campaign has a name.', '/name');
    if (this.#runs.some(({ state }) => state.input.name === name)) {
      return fail('campaign.exists', `There is a campaign ${name}.`, '/name');
    }
    const image = this.#images.get(image_name);
    if (image === undefined) {
      return fail('image.unknown', `There is no image ${image_name}.`, '/image_name');
    }
    const group = this.#groups.get(device_group);
    if (group === undefined) {
      return fail('deviceGroup.unknown', `There is no group ${device_group}.`, '/device_group');
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
    const plan = makePlan(wanted, this.#view, nowUs);
    if (!plan.ok) return plan;
    return ok({ number: this.#runs.length + 1, input, settings: settings.value, group });
  }

  #isBusy(devEui: string): boolean {
    const place = this.#places.get(devEui);
    return place !== undefined && !isOver(place.run.state.stage);
  }

  #haltCampaign(name: string, nowUs: number): Result<void> {
    const run = this.#runs.find(({ state }) => state.input.name === name);
    if (run === undefined) return fail('campaign.unknown', `There is no campaign ${name}.`);
    if (isOver(run.state.stage)) {
      return fail('campaign.not-running', `${name} is over: ${run.state.stage}.`);
    }
    halt(run, nowUs);
    return ok(undefined);
  }

  #keep(state: CampaignState): Run {
    const image = this.#images.get(state.input.image_name);
    assert(image !== undefined, 'a campaign has an image');
    const fragments = new FragmentSource(image.bytes);
    const [view, outbox, draws] = [this.#view, this.#outbox, this.#draws];
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

const FATES = { success: 1, inProgress: 2, failed: 3 } as const;
