/**
 * A campaign in closed form, before anybody simulates it: fragments, redundancy, air time, set-up,
 * duration, time-out and energy. Why it is as it is: docs/decisions/0084.
 *
 * What it leaves out: frames that several gateways carry to one device, what is lost to levels and
 * interference (`loss` stands for all of that), repairs by unicast, further rounds.
 */
import {
  COMMAND_SHARE,
  commandsUs,
  type SetUpFacts,
} from '../../core/update-service/campaigns/set-up-time.ts';
import { exp } from '../../sim/base/math.ts';
import { DAY_US, MINUTE_US, SECOND_US } from '../../sim/base/units.ts';
import { windowShape } from '../../sim/device/receive-windows.ts';
import { loraAirtimeUs } from '../../sim/lorawan/airtime.ts';
import { isDefective, MAX_FRAGMENT_NUMBER } from '../../sim/lorawan/fragmentation-code.ts';
import { loraDataRate, RECEIVE_DELAY1_US, RX2_AFTER_RX1_US } from '../../sim/lorawan/region.ts';
import { type Exchange, periodsUntil, uplinksUntil } from './command-exchange.ts';
import { type EnergyEstimate, energyOf } from './energy.ts';
import { FRAME_BYTES } from './fragment-plan.ts';
import type { Asked, Fault } from './plan-settings.ts';
import { type DrawnCheck, drawnCheck, fewestCoded, rebuildingShare } from './redundancy.ts';
import { type Settled, settle, type Wrong } from './resolved-settings.ts';
import { beyondUs, leastDelayUs, type Session, sessionOf } from './session.ts';

export interface Estimate {
  readonly settled: Settled;
  /** Probabilities that a fragment, and an own uplink, is lost. */
  readonly fragmentLoss: number;
  readonly uplinkLoss: number;
  /** Coded fragments; what the closed form alone has, where the code is weaker than that. */
  readonly redundancy: number;
  readonly closedForm: number | null;
  /** Share of the devices of a session that rebuild the image, and how many drawn devices did. */
  readonly rebuilding: number;
  readonly drawn: { readonly devices: number; readonly share: number } | null;
  /** Share of all devices that have the image after the last fragment. */
  readonly holding: number;
  readonly setUp: SetUpEstimate;
  readonly session: Session;
  /** From the campaign's start, µs: the last fragment is sent; nine in ten have confirmed. */
  readonly heldAfterUs: number;
  readonly confirmedAfterUs: number;
  readonly energy: EnergyEstimate;
  readonly warnings: readonly string[];
}

export interface SetUpEstimate {
  /** Own uplinks of a device that are waited for. */
  readonly uplinks: number;
  readonly waitUs: number;
  /** How long the gateways' duty cycle takes for the commands. */
  readonly commandsUs: number;
  /** Both, in whole minutes. */
  readonly totalUs: number;
  /** Share of devices that are set up by then. */
  readonly share: number;
}

/** Clock, multicast group, fragmentation session, multicast session. */
const SET_UP_EXCHANGES = 4;
/** Fragment status and version. */
const LAST_EXCHANGES = 2;
const LAST_COMMAND_BYTES = [2, 1];
/** Of those that may miss the image, one in ten may have missed the set-up. */
const SET_UP_PART = 0.1;
/** Share of those who have the image for whose confirmation a time is reported. */
export const CONFIRMED = 0.9;
/** Traffic of scenario files is periodic with this jitter. */
const JITTER = 0.1;
/** Bytes of messages, where the data rate carries them. */
export const MESSAGE_BYTES = 12;
/** A class B session is entered before its start, to hear two beacons. */
const ACQUIRE_US = 263 * SECOND_US;
/** A campaign gets its first second to initialize. */
const FIRST_US = SECOND_US;
/** Longest `multicast_setup_time`. */
export const LONGEST_SET_UP_US = 30 * DAY_US;

/** The estimate, or all that is wrong with what is asked. */
export function estimate(asked: Asked, { draws = true } = {}): Estimate | Wrong {
  const settled = settle(asked);
  if ('faults' in settled) return settled;
  const uplinkLoss = 1 - (1 - settled.loss) * (1 - collisionsOf(settled));
  const fragmentLoss = 1 - (1 - settled.loss) * (1 - deafShare(settled));
  const exchange = exchangeOf(settled, uplinkLoss);
  const setUp = setUpOf(settled, exchange);
  const coded = codedOf(settled, fragmentLoss, setUp.share, draws);
  if ('faults' in coded) return coded;
  const session = sessionOf(settled, settled.nbFrag + coded.redundancy);
  const fault = tooFast(settled) ?? tooLong(settled, session);
  if (fault !== undefined) return { faults: [fault] };
  const holding = setUp.share * coded.rebuilding;
  const beginsUs = FIRST_US + setUp.totalUs + session.waitUs;
  const created = {
    settled,
    fragmentLoss,
    uplinkLoss,
    ...coded,
    holding,
    setUp,
    session,
    heldAfterUs: beginsUs + session.sendingUs,
    confirmedAfterUs: beginsUs + session.untilVerifyingUs + confirmingUs(settled, exchange),
    energy: energyOf(settled, session, fragmentLoss, holding),
  };
  return { ...created, warnings: warningsOf(created) };
}

// ── losses ───────────────────────────────────────────────────────────────────────────────────────

const messageUs = ({ uplink }: Settled): number => {
  const bytes = FRAME_BYTES + Math.min(MESSAGE_BYTES, uplink.payloadBytes);
  return loraAirtimeUs(uplink.spreadingFactor, uplink.bandwidthHz, bytes, true);
};

/** Uplinks of one gateway's devices that overlap with another one: pure ALOHA on their channels. */
function collisionsOf(settled: Settled): number {
  const { devices, gateways, periodUs, uplinkChannels } = settled;
  const others = Math.max(0, devices / gateways - 1);
  const load = (others * messageUs(settled)) / periodUs / uplinkChannels;
  return 1 - exp(-2 * load);
}

/**
 * Share of fragments that begin or last while a device sends a message of its own or listens in RX1
 * and RX2: each of the three blocks those that overlap with it, all together none twice.
 */
function deafShare(settled: Settled): number {
  const { rate, rx2, periodUs } = settled;
  const { airtimeUs } = sessionOf(settled, settled.nbFrag);
  const rx1 = loraDataRate(settled.plan, settled.rx1DataRate) ?? rx2;
  const windows = [rx1, rx2].map(
    (one) => windowShape(one.spreadingFactor, one.bandwidthHz, RECEIVE_DELAY1_US).lengthUs,
  );
  const sendsUs = messageUs(settled);
  const apart = sendsUs + windows[0]! + windows[1]! + 3 * airtimeUs;
  const together = sendsUs + RECEIVE_DELAY1_US + RX2_AFTER_RX1_US + windows[1]! + airtimeUs;
  // Where RX2 is what the session listens to anyway, it blocks nothing.
  const own = rate.index === rx2.index ? apart - windows[1]! - airtimeUs : apart;
  return Math.min(1, Math.min(own, together) / periodUs);
}

const exchangeOf = ({ loss }: Settled, uplinkLoss: number): Exchange => ({
  heard: 1 - uplinkLoss,
  answered: (1 - loss) * (1 - uplinkLoss),
});

// ── set-up and end ───────────────────────────────────────────────────────────────────────────────

function setUpOf(settled: Settled, exchange: Exchange): SetUpEstimate {
  const share = 1 - SET_UP_PART * (1 - settled.confidence);
  const uplinks = uplinksUntil(SET_UP_EXCHANGES, exchange, share);
  const waitUs = uplinks * settled.periodUs * (1 + JITTER);
  const airUs = Math.ceil(commandsUs(factsOf(settled)));
  const acquiringUs = settled.session === 'B' ? ACQUIRE_US : 0;
  const neededUs = Math.max(waitUs + COMMAND_SHARE * airUs, airUs) + acquiringUs;
  const totalUs = Math.ceil(neededUs / MINUTE_US) * MINUTE_US;
  return { uplinks, waitUs, commandsUs: airUs, totalUs, share };
}

/** As the campaigns' own rule takes them (docs/decisions/0012), of devices that are all alike. */
function factsOf(settled: Settled): SetUpFacts {
  const { devices, gateways, rx2, dutyCycle, isOneBand, plan, rx1DataRate, periodUs } = settled;
  return {
    inWindows: new Map([[rx1DataRate, devices]]),
    atAnyTime: 0,
    silenceUs: periodUs,
    rx2DataRate: rx2.index,
    rx2Share: dutyCycle,
    // One band is not used twice.
    shares: (share) => (gateways * share) / (isOneBand && share < 1 ? 2 : 1),
    airtimeUs: (dataRate, bytes) => {
      const one = loraDataRate(plan, dataRate) ?? rx2;
      return loraAirtimeUs(one.spreadingFactor, one.bandwidthHz, bytes, false);
    },
  };
}

/** From the end of the session until most have informed that they run the image. */
function confirmingUs(settled: Settled, exchange: Exchange): number {
  const periods = periodsUntil(LAST_EXCHANGES, exchange, CONFIRMED);
  const { devices, gateways, rx2, dutyCycle, rx1DutyCycle, isOneBand, plan } = settled;
  const rx1 = loraDataRate(plan, settled.rx1DataRate) ?? rx2;
  const lasts = ({ spreadingFactor, bandwidthHz }: typeof rx2 | typeof rx1) =>
    LAST_COMMAND_BYTES.reduce(
      (sum, bytes) => sum + loraAirtimeUs(spreadingFactor, bandwidthHz, bytes + FRAME_BYTES, false),
      0,
    );
  // Devices a µs, in both windows side by side.
  const rateUs = dutyCycle / lasts(rx2) + (isOneBand ? 0 : rx1DutyCycle / lasts(rx1));
  const airUs = (CONFIRMED * devices) / (gateways * rateUs) / (1 - settled.loss);
  return Math.round(Math.max(periods * settled.periodUs, dutyCycle < 1 ? airUs : 0));
}

// ── redundancy ───────────────────────────────────────────────────────────────────────────────────

type Coded = Pick<Estimate, 'redundancy' | 'closedForm' | 'rebuilding' | 'drawn'>;

function codedOf(
  settled: Settled,
  fragmentLoss: number,
  setUpShare: number,
  draws: boolean,
): Coded | Wrong {
  const { nbFrag, confidence } = settled;
  const wanted = confidence / setUpShare;
  const given = givenCoded(settled);
  if (given !== undefined && nbFrag + given > MAX_FRAGMENT_NUMBER) {
    const what = `and ${nbFrag} fragments are more than TS004 numbers`;
    return {
      faults: [{ of: 'redundancy', what, allowed: `0 to ${MAX_FRAGMENT_NUMBER - nbFrag}` }],
    };
  }
  const closed = given ?? fewestCoded(nbFrag, fragmentLoss, wanted);
  if (closed === undefined) return { faults: [notEnough(settled)] };
  const check =
    draws && fragmentLoss > 0 ? drawnCheck(nbFrag, fragmentLoss, closed, wanted) : undefined;
  const needed = given === undefined ? check?.needed : undefined;
  if (needed !== undefined && nbFrag + needed > MAX_FRAGMENT_NUMBER) {
    return { faults: [notEnough(settled)] };
  }
  return {
    redundancy: needed ?? closed,
    closedForm: needed === undefined ? null : closed,
    rebuilding: rebuildingOf(settled, fragmentLoss, closed, check),
    drawn:
      check === undefined
        ? null
        : { devices: check.devices, share: (needed && check.neededShare) ?? check.share },
  };
}

/** A code that is weaker than a random one is judged by the drawn devices. */
function rebuildingOf(
  { nbFrag, asked }: Settled,
  fragmentLoss: number,
  coded: number,
  check: DrawnCheck | undefined,
): number {
  if (check?.neededShare === undefined) return rebuildingShare(nbFrag, coded, fragmentLoss);
  return asked.redundancy === undefined ? check.neededShare : check.share;
}

function givenCoded({ redundancy, nbFrag }: Settled): number | undefined {
  if (redundancy === undefined) return undefined;
  return 'fragments' in redundancy ? redundancy.fragments : Math.ceil(redundancy.share * nbFrag);
}

const notEnough = ({ imageBytes, nbFrag }: Settled): Fault => ({
  of: 'imageBytes',
  what: `(${imageBytes} B, ${nbFrag} fragments) needs more coded fragments than TS004 numbers`,
  allowed: 'larger fragments, a smaller image or less loss',
});

// ── what does not go ─────────────────────────────────────────────────────────────────────────────

function tooFast(settled: Settled): Fault | undefined {
  const leastUs = leastDelayUs(settled);
  if (settled.delayUs === undefined || settled.delayUs >= leastUs) return undefined;
  const seconds = leastUs / SECOND_US;
  return { of: 'delayUs', what: 'is shorter than gateways need', allowed: `at least ${seconds} s` };
}

function tooLong(settled: Settled, session: Session): Fault | undefined {
  const { session: kind, rate, imageBytes } = settled;
  const longestUs = beyondUs(kind, session);
  if (longestUs === undefined) return undefined;
  const fits = Math.floor(((NEARLY * longestUs) / session.sendingUs) * (imageBytes / 1000));
  const takes = `takes ${Math.ceil(session.sendingUs / SECOND_US)} s at DR${rate.index}`;
  const lasts = `a session of class ${kind} lasts at most ${longestUs / SECOND_US} s`;
  const allowed = `about ${fits} kB, or a faster data rate`;
  return { of: 'imageBytes', what: `${takes}, and ${lasts}`, allowed };
}

/** Of the longest session, what fragments may take that fit it for sure. */
const NEARLY = 0.95;

function warningsOf({
  settled,
  redundancy,
  holding,
  closedForm,
  uplinkLoss,
  setUp,
}: Omit<Estimate, 'warnings'>): string[] {
  const { nbFrag, fragSize, confidence, loss } = settled;
  const warnings: string[] = [];
  if (isDefective(nbFrag)) {
    warnings.push(
      `${fragSize} B make ${nbFrag} fragments, of which some pairs can hardly be rebuilt when ` +
        'both are lost; leave the fragment size out',
    );
  }
  if (closedForm !== null) {
    warnings.push(
      `the code of TS004 serves ${nbFrag} fragments worse than a random one, which would need ` +
        `${closedForm}; ${redundancy} is what drawn devices need`,
    );
  }
  if (holding < confidence - 1e-9) warnings.push(`this redundancy is too little for what is asked`);
  if (redundancy > nbFrag) {
    warnings.push('a campaign of the platform sends at most as many coded fragments as others');
  }
  const collisions = 1 - (1 - uplinkLoss) / (1 - loss);
  if (collisions > 0.1) {
    const percent = Math.round(100 * collisions);
    warnings.push(
      `the devices’ own uplinks collide: about ${percent} % are lost to one another; more ` +
        'gateways or a faster data rate of uplinks',
    );
  }
  if (setUp.totalUs > LONGEST_SET_UP_US) {
    warnings.push('a campaign waits for the set-up of its devices for 30 d at most');
  }
  return warnings;
}
