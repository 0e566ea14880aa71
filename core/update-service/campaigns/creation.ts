/**
 * How campaigns are made: what is admitted, and what each may reach of the platform and of other
 * resources. Devices of others are seen as their owners see them (docs/decisions/0050).
 */
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok } from '../../../sim/base/result.ts';
import type { Sender } from '../../../sim/contract/downlinks.ts';
import { jointView } from '../../base/joint-view.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import type { FollowUpResult } from '../../result/result.ts';
import { delegationEnded } from '../delegation-standing.ts';
import type { DeviceGroup } from '../device-groups.ts';
import type { KnowsGateways } from '../gateway-choice.ts';
import type { Standings } from '../group-content.ts';
import type { Image } from '../images.ts';
import type { Keys, RootKey } from '../keys.ts';
import type { ReportedVersion } from '../reported-versions.ts';
import { CampaignCache } from './campaign-cache.ts';
import type { GivenCampaign } from './commands.ts';
import type { Campaign, Neighbours } from './context.ts';
import { FragmentSource } from './fragments.ts';
import { type DelegatedBy, delegatedAmong, MemberOwners } from './member-owners.ts';
import { makePlan } from './plan.ts';
import { addressInUse } from './restarts.ts';
import { settingsOf } from './settings.ts';
import type { CampaignState } from './state.ts';
import type { StepsPort } from './step-rows.ts';

/** What campaigns use of the platform and of other resources. */
export interface CampaignNeeds extends Surroundings, StepsPort, KnowsGateways {
  readonly image: { get(owner: string, name: string): Image | undefined };
  readonly deviceGroup: { get(owner: string, id: string): DeviceGroup | undefined };
  readonly key: Pick<Keys, 'rootOf'>;
  readonly deviceVersion: {
    /** The version that an owner's device reported last; undefined: none. */
    latestOf(owner: string, devEui: string): ReportedVersion | undefined;
  };
  readonly delegation: {
    readonly standings: Standings;
    /** Whose a device is, whether it is delegated or not. */
    ownerOf(devEui: string): string;
  };
  /** Of each campaign that is over, and of each that is gone: it may be one's child. */
  readonly multicastGroup: {
    /** Whether a group of management has this address, unsigned 32 bits. */
    hasAddress(mcAddr: number): boolean;
  };
  readonly managedCampaign: {
    childIsOver(owner: string, campaignId: string, nowUs: number): void;
    childIsGone(owner: string, campaignId: string, nowUs: number): void;
  };
  /** Others may be created once it is over. */
  readonly followUp: {
    earlierIsOver(owner: string, campaignId: string, nowUs: number): void;
    /** Whether one of an owner has not begun, and so was called off now. */
    callOff(owner: string, id: string, nowUs: number): boolean;
    stageOf(owner: string, id: string): FollowUpResult['stage'] | undefined;
  };
}

/** What a new campaign is made of and its plan, or the first thing wrong with it. */
export function admit(
  input: GivenCampaign,
  { by, view, nowUs }: Asking,
  needs: CampaignNeeds,
  neighbours: Pick<Neighbours, 'isTaken'>,
) {
  const { viewOf } = needs;
  const { image_name, device_group_id } = input;
  const image = needs.image.get(by, image_name);
  if (image === undefined) {
    return fail('image.unknown', `There is no image ${image_name}.`, '/image_name');
  }
  const stored = needs.deviceGroup.get(by, device_group_id);
  if (stored === undefined) {
    const message = `There is no device group ${device_group_id}.`;
    return fail('deviceGroup.unknown', message, '/device_group_id');
  }
  const standing = needs.delegation.standings({ by, nowUs });
  const group = withoutRemoved(stored, standing);
  if (group.devices.length === 0) {
    const message = `The device group ${device_group_id} has no devices.`;
    return fail('campaign.empty-group', message, '/device_group_id');
  }
  const ended = group.devices.filter((devEui) => !('device' in standing(devEui)));
  if (ended.length > 0) return delegationEnded(ended, '/device_group_id');
  const settings = settingsOf(input, image.sha256, view.unixMs(nowUs));
  if (!settings.ok) return settings;
  const { mcAddr } = settings.value.multicastGroup;
  if (mcAddr !== '' && neighbours.isTaken(Number.parseInt(mcAddr, 16), 0)) {
    return addressInUse(mcAddr, '/mcast_devaddr');
  }
  const imageBytes = image.bytes.length;
  const delegated = othersAmong(group.devices, by, needs);
  const owner = new MemberOwners({ owner: by, group, delegated });
  const parties = { ownerOf: (devEui: string) => owner.ownerOf(devEui), viewOf };
  const wanted = { settings: settings.value, group, imageBytes, devEuis: group.devices };
  const seen = delegated.length === 0 ? view : jointView(viewOf, by, owner);
  const plan = makePlan({ ...wanted, parties }, seen, nowUs);
  if (!plan.ok) return plan;
  const campaign = { owner: by, input, settings: settings.value, group, delegated, imageBytes };
  return ok({ campaign, plan: plan.value });
}

/**
 * A device that is removed fails in its campaign before its group loses it: where that was the
 * campaign's last one, what follows is created in between.
 */
function withoutRemoved(group: DeviceGroup, standing: ReturnType<Standings>): DeviceGroup {
  const devices = group.devices.filter((devEui) => standing(devEui).kind !== 'unknown');
  return devices.length === group.devices.length ? group : { ...group, devices };
}

/** A campaign, and all that it may reach. */
export function campaignOf(
  state: CampaignState,
  needs: CampaignNeeds,
  neighbours: Neighbours,
): Campaign {
  const image = needs.image.get(state.owner, state.input.image_name);
  assert(image !== undefined, 'a campaign has an image');
  return new CampaignAtWork(state, image, needs, neighbours);
}

/** A class: to V8 a wide object with getters is a hash table, which each uplink would search. */
class CampaignAtWork implements Campaign {
  readonly state: CampaignState;
  readonly image: Image;
  readonly fragments: FragmentSource;
  readonly sender: Sender;
  readonly stored = new CampaignCache();
  readonly outbox: Surroundings['outbox'];
  readonly steps: StepsPort['steps'];
  readonly downlinks: Surroundings['downlinks'];
  readonly timers: Surroundings['timers'];
  readonly watching: Surroundings['watching'];
  readonly draws: Surroundings['draws'];
  readonly viewOf: (subscriber: string) => OwnView;
  readonly neighbours: Neighbours;
  readonly #needs: CampaignNeeds;
  #owners: MemberOwners;
  /** What its owner and those see who delegated members to it. */
  #joint: OwnView;

  constructor(state: CampaignState, image: Image, needs: CampaignNeeds, neighbours: Neighbours) {
    this.state = state;
    this.image = image;
    this.fragments = new FragmentSource(image.bytes);
    this.sender = { kind: 'campaign', id: state.id };
    this.outbox = needs.outbox;
    this.steps = needs.steps;
    this.downlinks = needs.downlinks;
    this.timers = needs.timers;
    this.watching = needs.watching;
    this.draws = needs.draws;
    this.viewOf = needs.viewOf;
    this.neighbours = neighbours;
    this.#needs = needs;
    this.#owners = new MemberOwners(state);
    this.#joint = jointView(this.viewOf, state.owner, this.#owners);
  }

  get view(): OwnView {
    const { delegated, owner } = this.state;
    if (delegated.length === 0) return this.viewOf(owner);
    this.#renew();
    return this.#joint;
  }

  get owner(): MemberOwners {
    this.#renew();
    return this.#owners;
  }

  group(): DeviceGroup | undefined {
    return this.#needs.deviceGroup.get(this.state.owner, this.state.group.id);
  }

  delegatedAmong(devEuis: readonly string[]): readonly DelegatedBy[] {
    return othersAmong(devEuis, this.state.owner, this.#needs);
  }

  standings(nowUs: number): ReturnType<Standings> {
    return this.#needs.delegation.standings({ by: this.state.owner, nowUs });
  }

  rootKey(devEui: string): RootKey {
    const theirs = this.owner.ownerOf(devEui);
    return this.#needs.key.rootOf(theirs, devEui, this.viewOf(theirs));
  }

  reportedVersion(devEui: string): string | null {
    return this.#needs.deviceVersion.latestOf(this.owner.ownerOf(devEui), devEui)?.hex ?? null;
  }

  /** The group, and whose its devices are, change at the start. */
  #renew(): void {
    if (this.#owners.isOf(this.state.delegated)) return;
    this.#owners = new MemberOwners(this.state);
    this.#joint = jointView(this.viewOf, this.state.owner, this.#owners);
  }
}

/** Those of a group’s devices that are of other subscribers now. */
function othersAmong(
  devEuis: readonly string[],
  owner: string,
  { delegation, viewOf }: CampaignNeeds,
): readonly DelegatedBy[] {
  const own = viewOf(owner);
  const ownerOf = (devEui: string) =>
    own.device(devEui) === undefined ? delegation.ownerOf(devEui) : owner;
  return delegatedAmong(owner, devEuis, ownerOf);
}
