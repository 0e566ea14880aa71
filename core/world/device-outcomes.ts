/**
 * What became of devices in campaigns: what is true of each, beside what the update service
 * believes. The truth is asked for here alone; no resource sees it (docs/decisions/0069).
 */
import { assert } from '../../sim/base/assert.ts';
import { addedUp, sortedByName } from '../../sim/base/counts.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type {
  BlockGroundTruth,
  DeviceBrief,
  FailureGroundTruth,
} from '../../sim/contract/truth.ts';
import type { NetworkView } from '../../sim/contract/view.ts';
import { matchesPattern, versionHex } from '../base/firmware-versions.ts';
import type { Steps } from '../base/in-steps.ts';
import { NEVER_US } from '../base/instant.ts';
import type { Resources } from '../operations.ts';
import {
  type CampaignDevice,
  type DeviceOutcome,
  FAILED_NAMED,
  type FailureCause,
  type OutcomeCounts,
  type PopulationOutcome,
} from '../result/outcome.ts';
import type { ActivatedImages } from './activated-images.ts';
import { causeOf } from './true-causes.ts';

type Campaigns = Pick<Resources['campaign'], 'outcomes'>;
type BelievedOutcome = ReturnType<Resources['campaign']['outcomes']>[number];
type Belief = ReturnType<BelievedOutcome['believes']>;
type View = Pick<NetworkView, 'device' | 'devices'> & {
  /** Of those of the named ones that there are, in the named order. */
  deviceBriefs(devEuis: readonly string[]): readonly DeviceBrief[];
};

/** Image and population of a device. */
interface Now {
  readonly type: string;
  readonly fwVersion: number;
  readonly hwVersion: number;
  readonly failures?: readonly FailureGroundTruth[];
}

/** What the truth adds to the results of campaigns. */
export interface TrueOutcomes {
  /** In the order of their creation. */
  readonly campaigns: readonly TrueOutcome[];
  /** Devices that run what their latest campaign sends, and have not confirmed it. */
  readonly unheard: ReadonlySet<string>;
}

/** The part of a campaign's result that takes the truth. */
export interface TrueOutcome extends Pick<OutcomeCounts, 'running' | 'failures'> {
  readonly populations: readonly PopulationOutcome[];
  readonly failedDevices: readonly DeviceOutcome[];
}

/** A campaign, and by place until when its devices were its own: Infinity where they still are. */
interface Mine {
  readonly outcome: BelievedOutcome;
  readonly untilUs: Float64Array;
}

/** Devices that are looked at together. */
const AT_ONCE = 256;

export class DeviceOutcomes {
  readonly #campaigns: Campaigns;
  readonly #view: View;
  readonly #activated: Pick<ActivatedImages, 'within'>;

  constructor(campaigns: Campaigns, view: View, activated: Pick<ActivatedImages, 'within'>) {
    this.#campaigns = campaigns;
    this.#view = view;
    this.#activated = activated;
  }

  /** Of a network that is settled; in steps. */
  *ofCampaigns({ devices }: Pick<NetworkSummary, 'devices'>): Steps<TrueOutcomes> {
    const outcomes = this.#campaigns.outcomes();
    const unheard = new Set<string>();
    if (outcomes.length === 0) return { campaigns: [], unheard };
    const now = new Map<string, Now>();
    for (const { devEui, type, fwVersion, hwVersion, failures } of devices) {
      now.set(devEui, { type, fwVersion, hwVersion, ...(failures && { failures }) });
    }
    const types = [...new Set([...now.values()].map(({ type }) => type))];
    yield;
    const campaigns: TrueOutcome[] = [];
    for (const mine of withUntil(outcomes)) {
      campaigns.push(yield* this.#trueOutcome(mine, now, types, unheard));
    }
    return { campaigns, unheard };
  }

  /**
   * Every device of every campaign in their order, then the devices that are in none: each is
   * looked at when it is asked for. The world has to stand still.
   */
  *all(): Iterable<CampaignDevice> {
    const response = new Set<string>();
    for (const mine of withUntil(this.#campaigns.outcomes())) {
      const { name: campaign, subscriber, devices } = mine.outcome;
      const owner = subscriber === undefined ? {} : { subscriber };
      const places = devices.map((_, place) => place);
      for (const one of this.#named(mine, places)) {
        if (one.name !== null) response.add(one.devEui);
        yield { campaign, ...owner, ...one };
      }
    }
    const others = this.#view.devices().filter(({ devEui }) => !response.has(devEui));
    for (let from = 0; from < others.length; from += AT_ONCE) {
      const some = others.slice(from, from + AT_ONCE).map(({ devEui }) => devEui);
      for (const groundTruth of this.#view.deviceBriefs(some)) {
        yield { campaign: null, ...this.#inNone(groundTruth) };
      }
    }
  }

  /**
   * The same of some devices, by campaign in the order of their creation; `mcAddr` is undefined
   * where a campaign has no group. `seen`: what `all` has given, so that no device is looked at
   * again. The world has to stand still.
   */
  *membersAmong(
    devEuis: ReadonlySet<string>,
    seen?: readonly CampaignDevice[],
  ): Iterable<{
    readonly campaign: string;
    readonly mcAddr: number | undefined;
    readonly members: readonly DeviceOutcome[];
  }> {
    let from = 0;
    for (const mine of withUntil(this.#campaigns.outcomes())) {
      const { name: campaign, mcAddr, devices } = mine.outcome;
      const places = devices.flatMap((devEui, place) => (devEuis.has(devEui) ? [place] : []));
      const first = from;
      const known = seen && places.map((place) => seen[first + place]!);
      yield { campaign, mcAddr, members: known ?? [...this.#named(mine, places)] };
      from += devices.length;
    }
  }

  // ── a campaign ─────────────────────────────────────────────────────────────────────────────────

  *#trueOutcome(
    mine: Mine,
    now: ReadonlyMap<string, Now>,
    types: readonly string[],
    unheard: Set<string>,
  ): Steps<TrueOutcome> {
    const byPopulation = new Map<string | null, Tally>();
    const failed: number[] = [];
    const { outcome, untilUs } = mine;
    for (const [place, devEui] of outcome.devices.entries()) {
      if (place % AT_ONCE === 0) yield;
      const belief = outcome.believes(place);
      const device = this.#isThere(mine, belief) ? now.get(devEui) : undefined;
      const name = device?.type ?? null;
      const tally = byPopulation.get(name) ?? newTally();
      byPopulation.set(name, tally);
      const runs = this.#hasRun(mine, place, belief, device);
      count(
        tally,
        belief,
        causeOf(belief, { runs, failures: failuresIn(mine, place, device) }),
        runs,
      );
      const isLatest = untilUs[place] === Infinity;
      if (runs && isLatest && belief.fate !== 'confirmed') unheard.add(devEui);
      if (belief.fate === 'failed' && failed.length < FAILED_NAMED) failed.push(place);
    }
    const populations = [...types, null]
      .flatMap((name) => {
        const tally = byPopulation.get(name);
        return tally === undefined ? [] : [[name, tally] as const];
      })
      .map(([name, tally]) => ({ name, ...tally, failures: sortedByName(tally.failures) }));
    return {
      running: populations.reduce((sum, { running }) => sum + running, 0),
      failures: sortedByName(addedUp(populations.map(({ failures }) => failures))),
      populations,
      failedDevices: [...this.#named(mine, failed)],
    };
  }

  /** Not one that has left the network, whether or not another one has its DevEUI now. */
  #isThere({ outcome: { claimedAtUs } }: Mine, { devEui, reason }: Belief): boolean {
    if (reason === GONE) return false;
    const device = this.#view.device(devEui);
    return device !== undefined && (claimedAtUs === NEVER_US || device.createdAtUs <= claimedAtUs);
  }

  /** Whether it has run the image while it was the campaign's; who has confirmed it has. */
  #hasRun(mine: Mine, place: number, { fate }: Belief, now: Now | undefined): boolean {
    if (fate === 'confirmed') return true;
    if (now === undefined) return false;
    const { expectedVersion } = mine.outcome;
    const isNew = (version: number) =>
      matchesPattern(expectedVersion, versionHex(version, now.hwVersion));
    return this.#versions(mine, place, now).some(isNew);
  }

  /** FWversions that it ran while it was the campaign's, the first at its beginning. */
  #versions({ outcome, untilUs }: Mine, place: number, { fwVersion }: Now): readonly number[] {
    const { devices, beganAtUs } = outcome;
    return this.#activated.within(devices[place]!, beganAtUs, untilUs[place]!, fwVersion);
  }

  // ── single devices ─────────────────────────────────────────────────────────────────────────────

  *#named(mine: Mine, places: readonly number[]): Iterable<DeviceOutcome> {
    for (let from = 0; from < places.length; from += AT_ONCE) {
      const some = places.slice(from, from + AT_ONCE);
      const euis = some.map((place) => mine.outcome.devices[place]!);
      const groundTruths = new Map(
        this.#view.deviceBriefs(euis).map((each) => [each.devEui, each]),
      );
      for (const place of some) {
        const belief = mine.outcome.believes(place);
        const groundTruth = this.#isThere(mine, belief)
          ? groundTruths.get(belief.devEui)
          : undefined;
        yield this.#ofMember(mine, place, belief, groundTruth);
      }
    }
  }

  #ofMember(
    mine: Mine,
    place: number,
    belief: Belief,
    groundTruth: DeviceBrief | undefined,
  ): DeviceOutcome {
    const { devEui, fate, step } = belief;
    if (groundTruth === undefined) {
      const runs = fate === 'confirmed' ? true : null;
      const cause = causeOf(belief, { runs: false, failures: [] });
      return { devEui, ...LEFT, fate, cause, step, runs, ...foundIn(belief) };
    }
    const { version: fwVersion, hardwareVersion: hwVersion } = groundTruth.firmware;
    const known = this.#known(groundTruth);
    const now = { type: known.population, fwVersion, hwVersion };
    const runs = this.#hasRun(mine, place, belief, now);
    const [first = fwVersion] = this.#versions(mine, place, now);
    return {
      devEui,
      ...known,
      fate,
      cause: causeOf(belief, { runs, failures: failuresIn(mine, place, groundTruth) }),
      ...foundIn(belief),
      step,
      runs,
      ...fragmentsOf(groundTruth, mine.outcome.mcAddr),
      versionBefore: versionHex(first, hwVersion),
    };
  }

  #inNone(groundTruth: DeviceBrief): DeviceOutcome {
    const inNone = { fate: 'none', cause: null, step: null, runs: null } as const;
    const { devEui } = groundTruth;
    return { devEui, ...this.#known(groundTruth), ...inNone, ...NO_FRAGMENTS, versionBefore: null };
  }

  /** What is true of a device, whatever it was sent. */
  #known({ devEui, session, gateways, firmware, energy }: DeviceBrief) {
    const device = this.#view.device(devEui);
    assert(device !== undefined, 'a device with a truth is in the network');
    return {
      name: device.name,
      population: device.profile.name,
      dataRate: session?.dataRate ?? null,
      gateways,
      version: versionHex(firmware.version, firmware.hardwareVersion),
      joules:
        energy === null ? null : Object.values(energy.joules).reduce((sum, one) => sum + one, 0),
    };
  }
}

/**
 * A device is a campaign's until the next one takes it: what it runs after that is no work of the
 * former. From the campaign that took devices last to the first.
 */
function withUntil(outcomes: readonly BelievedOutcome[]): readonly Mine[] {
  const next = new Map<string, number>();
  const latestFirst = outcomes
    .map((outcome, i) => ({ outcome, i }))
    .sort((a, b) => b.outcome.claimedAtUs - a.outcome.claimedAtUs || b.i - a.i);
  const mine: Mine[] = [];
  for (const { outcome, i } of latestFirst) {
    const { devices, claimedAtUs } = outcome;
    mine[i] = {
      outcome,
      untilUs: Float64Array.from(devices, (each) => next.get(each) ?? Infinity),
    };
    devices.forEach((devEui, place) => {
      if (outcome.hasTaken(place)) next.set(devEui, claimedAtUs);
    });
  }
  return mine;
}

/** Who failed for this reason is not the device that may have its DevEUI now. */
const GONE = 'device removed';

const NO_FRAGMENTS = {
  fragmentsHeld: null,
  fragmentsNeeded: null,
  fragmentsMissing: null,
} as const;

/** A device that has left the network. */
const LEFT = {
  name: null,
  population: null,
  dataRate: null,
  gateways: null,
  ...NO_FRAGMENTS,
  versionBefore: null,
  version: null,
  joules: null,
} as const;

/** How the device failed in the campaign's latest round, before the next campaign took it. */
function failuresIn(
  { outcome, untilUs }: Mine,
  place: number,
  device: { readonly failures?: readonly FailureGroundTruth[] } | undefined,
): readonly FailureGroundTruth[] {
  const isMine = ({ atUs }: FailureGroundTruth) =>
    atUs >= outcome.claimedAtUs && atUs < untilUs[place]!;
  return device?.failures?.filter(isMine) ?? [];
}

const foundIn = ({ diagnosis }: Belief) => (diagnosis === null ? {} : { diagnosis });

/** What it keeps of the block that came by this group; none where that was deleted since. */
function fragmentsOf({ groups, blocks }: DeviceBrief, mcAddr: number | undefined) {
  const group = groups.find((each) => each.mcAddr === mcAddr && each.mcGroupId !== null);
  const block = blocks.find(
    ({ mcGroupIds }: BlockGroundTruth) =>
      typeof group?.mcGroupId === 'number' && mcGroupIds.includes(group.mcGroupId),
  );
  if (block === undefined) return NO_FRAGMENTS;
  const { distinct, nbFrag, missing } = block;
  return { fragmentsHeld: distinct, fragmentsNeeded: nbFrag, fragmentsMissing: missing };
}

interface Tally {
  devices: number;
  running: number;
  success: number;
  inProgress: number;
  failed: number;
  readonly failures: Partial<Record<FailureCause, number>>;
}

const newTally = (): Tally => ({
  devices: 0,
  running: 0,
  success: 0,
  inProgress: 0,
  failed: 0,
  failures: {},
});

function count(tally: Tally, belief: Belief, cause: FailureCause | null, runs: boolean): void {
  tally.devices++;
  if (runs) tally.running++;
  if (belief.fate === 'confirmed') tally.success++;
  else if (belief.fate === 'inProgress') tally.inProgress++;
  else {
    assert(cause !== null, 'who failed has a reason');
    tally.failed++;
    tally.failures[cause] = (tally.failures[cause] ?? 0) + 1;
  }
}
