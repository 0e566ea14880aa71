/**
 * All campaigns: creation and the other commands, whose devices are in which of them, and who is
 * notified of which uplink. START HERE for what may be asked of campaigns; one of them is in
 * campaign.ts.
 *
 * A device is in one campaign at a time. A campaign that starts while some of its devices are in
 * another waits until that is over (docs/campaigns.md).
 */
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import { copyPlain } from '../../base/plain.ts';
import type { Asking } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Listeners,
  type Surroundings,
} from '../../kit/resource.ts';
import type { CampaignResult } from '../../result.ts';
import { type DeviceGroup, type DeviceGroupFailure, refuseGateways } from '../device-groups.ts';
import type { Image, ImageFailure } from '../images.ts';
import type { Keys } from '../keys.ts';
import type { UpdateHistory } from '../update-history.ts';
import {
  halt,
  INITIALIZING_US,
  isDeleted,
  lookAgain,
  onMemberRemoved,
  onMulticast,
  onStart,
  onTimer,
  onUplink,
  remove,
  restart,
} from './campaign.ts';
import { campaignResult } from './campaign-result.ts';
import {
  CAMPAIGN_FAILURES,
  type GivenCampaign,
  type GivenRestart,
  OPERATIONS,
  type OwnFailure,
  type PartialStatus,
} from './commands.ts';
import type { Campaign, Host } from './context.ts';
import { FragmentSource } from './fragments.ts';
import { makePlan } from './plan.ts';
import { addressInUse, refuseRestart } from './restarts.ts';
import { restartedSettings, settingsOf } from './settings.ts';
import { isOver, isUnderway } from './stages.ts';
import { type CampaignState, type NewCampaign, newCampaign } from './state.ts';
import { bulkStatus, campaignSummary, fullStatus, partialStatus, shortStatus } from './status.ts';

/** What campaigns use of the platform and of other resources. */
export interface CampaignNeeds extends Surroundings {
  readonly image: { get(owner: string, name: string): Image | undefined };
  readonly deviceGroup: { get(owner: string, id: string): DeviceGroup | undefined };
  readonly key: Pick<Keys, 'rootOf'>;
  readonly history: Pick<UpdateHistory, 'add' | 'forgetCampaign'>;
}

/** Beside its own those of the image, the group and the gateways that it names. */
export type CampaignFailure =
  | OwnFailure
  | Extract<ImageFailure, 'image.unknown'>
  | Extract<DeviceGroupFailure, 'deviceGroup.unknown' | 'deviceGroup.unknown-gateway'>;

/** What it takes to decide whether a rebuilt block is the image. */
export interface ImageInUse {
  readonly bytes: Uint8Array;
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Bytes of the last fragment that are not the image's. */
  readonly padding: number;
  /** Of TS004: it decides the parity matrix. */
  readonly version: 1 | 2;
}

/** Plain data. */
export interface SavedCampaigns {
  readonly campaigns: readonly CampaignState[];
  /** Campaigns created so far. */
  readonly latestNumber: number;
  /** Rounds that campaigns have begun so far. */
  readonly roundsBegun: number;
}

/** A device's place in the campaign that took it into a round last. */
interface Place {
  readonly campaign: Campaign;
  readonly member: number;
}

export class Campaigns {
  readonly #needs: CampaignNeeds;
  /** By number, ascending. */
  #campaigns = new Map<number, Campaign>();
  /** The same, by id. */
  #byId = new Map<string, Campaign>();
  /** Numbers are never used again. */
  #latestNumber = 0;
  #roundsBegun = 0;
  /** By DevEUI, one for each subscriber whose campaigns had it; the latest is the last. */
  #places = new Map<string, readonly Place[]>();

  readonly handle = handlers(OPERATIONS, {
    'campaign.create': ({ campaign, id }, asking) => this.#create(campaign, id, asking),
    'campaign.list': (_, { by, view }) =>
      ok(this.#ofOwner(by).map(({ state }) => campaignSummary(state, view))),
    'campaign.get': ({ campaign_id }, { by, view }) =>
      this.#answer(by, campaign_id, (state) => fullStatus(state, view)),
    'campaign.shortStatus': ({ campaign_id }, { by }) => this.#answer(by, campaign_id, shortStatus),
    'campaign.bulkStatus': ({ campaign_ids }, { by }) => {
      const found = campaign_ids.flatMap((id) => this.#find(by, id) ?? []);
      return ok(Object.fromEntries(found.map(({ state }) => [state.id, bulkStatus(state)])));
    },
    'campaign.halt': ({ campaign_id }, asking) => this.#halt(campaign_id, asking),
    'campaign.restart': ({ campaign_id, changes }, asking) =>
      this.#restart(campaign_id, changes, asking),
    'campaign.delete': ({ campaign_id }, asking) => this.#delete(campaign_id, asking),
  });

  readonly hears: Listeners = {
    uplink: ({ uplink }, { owner }) => {
      const place = this.#placeOf(owner, uplink.devEui);
      if (place !== undefined) onUplink(place.campaign, place.member, uplink);
    },
    multicast: ({ status }, { nowUs }) => {
      const campaign = this.#campaignOf(status.mcAddr);
      if (campaign !== undefined) onMulticast(campaign, status, nowUs);
    },
    /** A device that is removed fails in its campaign. The view must not know it any more. */
    deviceRemoved: ({ devEui }, { owner, nowUs }) => {
      const place = this.#placeOf(owner, devEui);
      if (place !== undefined) onMemberRemoved(place.campaign, place.member, nowUs);
    },
  };

  constructor(needs: CampaignNeeds) {
    this.#needs = needs;
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(
    input: GivenCampaign,
    given: string | undefined,
    asking: Asking,
  ): Result<PartialStatus, CampaignFailure> {
    const isTaken = (id: string) => this.#byId.has(id);
    if (given !== undefined && isTaken(given)) {
      return fail('campaign.exists', `There is a campaign ${given}.`, '/id');
    }
    const parts = this.#admit(input, asking);
    if (!parts.ok) return parts;
    const { nowUs } = asking;
    const number = ++this.#latestNumber;
    const named = { ...parts.value, number, id: given ?? this.#needs.ids.uuid(isTaken) };
    const campaign = this.#keep(newCampaign(named, nowUs, INITIALIZING_US));
    onStart(campaign, nowUs);
    return ok(partialStatus(campaign.state));
  }

  #halt(id: string, { by, nowUs }: Asking): Result<undefined, CampaignFailure> {
    const campaign = this.#find(by, id);
    if (campaign === undefined) return unknownCampaign(id);
    if (isOver(campaign.state.stage)) {
      return fail('campaign.not-running', `${id} is over: ${campaign.state.stage}.`);
    }
    halt(campaign, nowUs);
    return ok(undefined);
  }

  /** Tries failed devices again, once the campaign is over. */
  #restart(
    id: string,
    changes: GivenRestart,
    { by, view, nowUs }: Asking,
  ): Result<PartialStatus, CampaignFailure> {
    const campaign = this.#find(by, id);
    if (campaign === undefined) return unknownCampaign(id);
    const { state } = campaign;
    const gateways = changes.gateways ?? [];
    const wrong = refuseGateways(gateways, view);
    if (wrong !== undefined) return wrong;
    const settings = restartedSettings(state.settings, changes, view.unixMs(nowUs));
    if (!settings.ok) return settings;
    if (state.deletedAtUs !== NEVER_US) {
      return fail('campaign.nothing-to-restart', `${id} is being deleted.`);
    }
    const refused = refuseRestart(campaign, settings.value, changes, nowUs);
    if (refused !== undefined) return refused;
    restart(campaign, settings.value, gateways, nowUs);
    return ok(partialStatus(state));
  }

  /** Stops a campaign and lets it vanish a second later, its part of the history with it. */
  #delete(id: string, { by, nowUs }: Asking): Result<undefined, CampaignFailure> {
    const campaign = this.#find(by, id);
    if (campaign === undefined) return unknownCampaign(id);
    remove(campaign, nowUs);
    return ok(undefined);
  }

  // ── what happened ──────────────────────────────────────────────────────────────────────────────

  /** `timer` is a campaign's number. */
  onTimer(timer: number, nowUs: number): void {
    const campaign = this.#campaigns.get(timer);
    assert(campaign !== undefined, 'a timer belongs to a campaign');
    if (!isDeleted(campaign, nowUs)) return onTimer(campaign, nowUs);
    // The campaign is gone, and with it what its devices' history says of it.
    const { number, owner, id } = campaign.state;
    this.#campaigns.delete(number);
    this.#byId.delete(id);
    this.#needs.history.forgetCampaign(owner, id);
    this.#placeAll();
  }

  // ── what may be asked ──────────────────────────────────────────────────────────────────────────

  #answer<Answer>(
    owner: string,
    id: string,
    answer: (state: CampaignState) => Answer,
  ): Result<Answer, CampaignFailure> {
    const campaign = this.#find(owner, id);
    return campaign === undefined ? unknownCampaign(id) : ok(answer(campaign.state));
  }

  /** In the order of their creation; what only the radio knows is left empty. */
  results(): CampaignResult[] {
    return this.#all.map(({ state, image }) => campaignResult(state, image));
  }

  /** Group addresses of the campaigns, in the same order; undefined before the group is open. */
  addresses(): (number | undefined)[] {
    return this.#all.map(({ state }) => state.multicast?.mcAddr);
  }

  /** In the latest campaign of a device: 0 in none, 1 updated, 2 in progress, 3 failed. */
  fate(devEui: string): 0 | 1 | 2 | 3 {
    const place = this.#places.get(devEui)?.at(-1);
    if (place === undefined) return 0;
    const member = place.campaign.state.members[place.member];
    assert(member?.devEui === devEui, 'a device is at its place in the group');
    return FATES[member.fate];
  }

  /** The image that goes to a multicast group; undefined when it is none of a campaign. */
  imageOf(mcAddr: number): ImageInUse | undefined {
    const campaign = this.#campaignOf(mcAddr);
    if (campaign === undefined || campaign.state.plan === null) return undefined;
    const { nbFrag, fragSize, padding, version } = campaign.state.plan;
    return { bytes: campaign.image.bytes, nbFrag, fragSize, padding, version };
  }

  /** Whether some campaign of an owner, over or not, sends this image. */
  usesImage(owner: string, name: string): boolean {
    return this.#ofOwner(owner).some(({ state }) => state.input.image_name === name);
  }

  /** Whether some campaign of an owner, over or not, updates this device group. */
  usesGroup(owner: string, id: string): boolean {
    return this.#ofOwner(owner).some(({ state }) => state.group.id === id);
  }

  fold(fold: Fold): void {
    for (const { state } of this.#all) foldField(fold, 'campaign', state);
    foldField(fold, 'latestNumber', this.#latestNumber);
    foldField(fold, 'roundsBegun', this.#roundsBegun);
  }

  save(): SavedCampaigns {
    const campaigns = this.#all.map(({ state }) => copyPlain(state));
    return { campaigns, latestNumber: this.#latestNumber, roundsBegun: this.#roundsBegun };
  }

  load(saved: SavedCampaigns): void {
    this.#campaigns = new Map();
    this.#byId = new Map();
    for (const state of saved.campaigns) this.#keep(copyPlain(state));
    this.#latestNumber = saved.latestNumber;
    this.#roundsBegun = saved.roundsBegun;
    this.#placeAll();
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  get #all(): Campaign[] {
    return [...this.#campaigns.values()];
  }

  #ofOwner(owner: string): Campaign[] {
    return this.#all.filter(({ state }) => state.owner === owner);
  }

  #admit(
    input: GivenCampaign,
    { by, view, nowUs }: Asking,
  ): Result<Omit<NewCampaign, 'number' | 'id'>, CampaignFailure> {
    const { image_name, device_group_id } = input;
    const image = this.#needs.image.get(by, image_name);
    if (image === undefined) {
      return fail('image.unknown', `There is no image ${image_name}.`, '/image_name');
    }
    const group = this.#needs.deviceGroup.get(by, device_group_id);
    if (group === undefined) {
      const message = `There is no device group ${device_group_id}.`;
      return fail('deviceGroup.unknown', message, '/device_group_id');
    }
    if (group.devices.length === 0) {
      const message = `The device group ${device_group_id} has no devices.`;
      return fail('campaign.empty-group', message, '/device_group_id');
    }
    const settings = settingsOf(input, view.unixMs(nowUs));
    if (!settings.ok) return settings;
    const { mcAddr } = settings.value.multicastGroup;
    if (mcAddr !== '' && this.#host.isTaken(Number.parseInt(mcAddr, 16), 0)) {
      return addressInUse(mcAddr, '/mcast_devaddr');
    }
    const imageBytes = image.bytes.length;
    const wanted = { settings: settings.value, group, imageBytes, devEuis: group.devices };
    const plan = makePlan(wanted, view, nowUs);
    if (!plan.ok) return plan;
    return ok({ owner: by, input, settings: settings.value, group, imageBytes });
  }

  #find(owner: string, id: string): Campaign | undefined {
    const campaign = this.#byId.get(id);
    return campaign?.state.owner === owner ? campaign : undefined;
  }

  #keep(state: CampaignState): Campaign {
    const needs = this.#needs;
    const { outbox, timers, draws } = needs;
    const image = needs.image.get(state.owner, state.input.image_name);
    assert(image !== undefined, 'a campaign has an image');
    const fragments = new FragmentSource(image.bytes);
    const campaign = {
      state,
      image,
      fragments,
      outbox,
      timers,
      draws,
      host: this.#host,
      get view() {
        return needs.viewOf(state.owner);
      },
    };
    assert(!this.#campaigns.has(state.number), 'numbers are never used again');
    this.#campaigns.set(state.number, campaign);
    this.#byId.set(state.id, campaign);
    return campaign;
  }

  // ── whose devices ──────────────────────────────────────────────────────────────────────────────

  readonly #host: Host = {
    group: (owner, id) => this.#needs.deviceGroup.get(owner, id),
    rootKey: (owner, devEui) => {
      const { key, viewOf } = this.#needs;
      return key.rootOf(owner, devEui, viewOf(owner));
    },
    remember: (owner, devEui, attempt) => this.#needs.history.add(owner, devEui, attempt),
    holder: (owner, devEuis) => this.#holderOf(owner, devEuis),
    isTaken: (mcAddr, number) => this.#all.some(({ state }) => isOn(state, mcAddr, number)),
    claim: (campaign) => {
      campaign.state.roundNumber = ++this.#roundsBegun;
      this.#place(campaign);
    },
    release: (nowUs) => {
      for (const campaign of this.#campaigns.values()) lookAgain(campaign, nowUs);
    },
  };

  #place(campaign: Campaign): void {
    const isOthers = (place: Place) => place.campaign.state.owner !== campaign.state.owner;
    campaign.state.members.forEach(({ devEui }, member) => {
      const others = this.#places.get(devEui)?.filter(isOthers) ?? [];
      this.#places.set(devEui, [...others, { campaign, member }]);
    });
  }

  /** A device that was another's is a stranger to that one's campaigns. */
  #placeOf(owner: string, devEui: string): Place | undefined {
    return this.#places.get(devEui)?.find(({ campaign }) => campaign.state.owner === owner);
  }

  #placeAll(): void {
    this.#places = new Map();
    const begun = this.#all.filter(({ state }) => state.claimedAtUs !== NEVER_US);
    begun.sort((a, b) => a.state.claimedAtUs - b.state.claimedAtUs);
    for (const campaign of begun) this.#place(campaign);
  }

  /** The owner's first campaign underway that has one of these devices. */
  #holderOf(owner: string, devEuis: readonly string[]) {
    const held = devEuis.flatMap((devEui) => {
      const campaign = this.#placeOf(owner, devEui)?.campaign;
      return campaign !== undefined && isUnderway(campaign.state.stage) ? [campaign] : [];
    });
    const [first] = held.sort((a, b) => a.state.number - b.state.number);
    if (first === undefined) return undefined;
    return {
      name: first.state.input.name,
      count: held.filter((campaign) => campaign === first).length,
    };
  }

  /** There are few campaigns: a list is enough. Of those that are over the latest is meant. */
  #campaignOf(mcAddr: number): Campaign | undefined {
    const on = this.#all.reverse().filter(({ state }) => state.multicast?.mcAddr === mcAddr);
    return on.find(({ state }) => !isOver(state.stage)) ?? on[0];
  }
}

export const campaignResource = declareResource({
  name: 'campaign',
  permission: 'Device',
  failures: CAMPAIGN_FAILURES,
  operations: OPERATIONS,
  timerSpace: 0,
  make: (needs: CampaignNeeds) => new Campaigns(needs),
});

const FATES = { success: 1, inProgress: 2, failed: 3 } as const;

const unknownCampaign = (id: string) => fail('campaign.unknown', `There is no campaign ${id}.`);

/** Whether a campaign that is not over sends to this address, or is set to send to it. */
function isOn(state: CampaignState, mcAddr: number, besides: number): boolean {
  if (state.number === besides || isOver(state.stage)) return false;
  const given = state.settings.multicastGroup.mcAddr;
  const address =
    state.multicast?.mcAddr ?? (given === '' ? undefined : Number.parseInt(given, 16));
  return address === mcAddr;
}
