/**
 * Whether a device heard a group's frame, written from the rules alone: not listening, then own
 * transmission or window, then locked on another frame, then too weak, then lost on the link, then
 * interfered.
 */
import {
  DrawPurpose,
  draw,
  drawPair,
  entityKey,
  mix,
  type Seed,
  toUnit,
} from '../../../sim/base/random.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { packetErrorRate } from '../../../sim/radio/packet-error.ts';
import type { RadioPlan } from '../../../sim/radio/radio-plan.ts';
import { isInSlot, lacksBeacon } from './slots.ts';
import {
  type Copy,
  type Fades,
  type Life,
  type Listening,
  overlap,
  type Span,
  sameChannel,
} from './story.ts';

export interface Surroundings {
  readonly plan: NetworkPlan;
  readonly seed: Seed;
  readonly fades: Fades;
}

/** Copies of one frame that overlap, decided at the end of the last. */
export interface Attempt {
  readonly mcAddr: number;
  readonly counter: number;
  readonly copies: readonly Copy[];
  /** Everything else on the frequency that touches one of them. */
  readonly others: readonly Copy[];
  readonly endUs: number;
}

const PREAMBLE_BEFORE_LOCK = 3;
const IDENTICAL_CENTI_DB = 300;
const EQUAL = 1 + 1e-9;

const symbolUs = ({ spreadingFactor }: { readonly spreadingFactor: number }): number =>
  (2 ** spreadingFactor * 1e6) / 125_000;

const lockUs = (copy: Copy): number => copy.fromUs + PREAMBLE_BEFORE_LOCK * symbolUs(copy);

export function fateOf(world: Surroundings, life: Life, session: Listening, attempt: Attempt) {
  const level = (copy: Copy): number => levelAt(world, life, copy);
  const inReach = attempt.copies.filter((copy) => !Number.isNaN(level(copy)));
  const [copy] = inReach.sort((a, b) => level(b) - level(a) || a.fromUs - b.fromUs);
  if (copy === undefined) return 'tooWeak';
  const { plan } = world;
  if (session.slots === undefined) {
    if (session.fromUs > lockUs(copy) || copy.untilUs > session.untilUs) return 'notListening';
    const listened = { fromUs: lockUs(copy), untilUs: copy.untilUs };
    if (!hasRadio(life, session, listened)) return 'notListening';
  } else if (lacksBeacon(life, session, copy)) return 'noBeacon';
  else if (!isInSlot(plan, life, session, copy)) return 'notListening';
  if (isBusy(life, session, copy)) return 'ownUplink';
  const weakest = weakestOf(world.plan.radio, session.spreadingFactor);
  const holds = (other: Copy): boolean =>
    sameChannel(other, copy) &&
    hasThePreamble(other, copy, level) &&
    other.untilUs > copy.fromUs &&
    (session.slots === undefined
      ? hasRadio(life, session, { fromUs: lockUs(other), untilUs: copy.fromUs })
      : isInSlot(plan, life, session, other)) &&
    !isBusy(life, session, { fromUs: other.fromUs, untilUs: copy.fromUs }) &&
    level(other) >= weakest;
  if (attempt.others.some(holds)) return 'lockedOnOther';
  const echoes = inReach.filter((other) => isEcho(plan, copy, other));
  const sum = echoes.length < 2 ? level(copy) : sumOf(world, life, echoes, level);
  if (sum < weakest) return 'tooWeak';
  if (isLost(world, life, copy)) return 'frameLoss';
  if (isDrowned(world, life, copy, sum)) return 'noise';
  const arrived = { ...attempt, copies: attempt.copies.filter((one) => !echoes.includes(one)) };
  const loudness = (one: Copy): number => (one === copy ? sum : level(one));
  return isInterfered(plan, arrived, copy, loudness) ? 'interfered' : 'heard';
}

/**
 * Of two frames the first has the radio, unless the second begins within three symbols and is
 * stronger; of two that begin together, the stronger.
 */
function hasThePreamble(other: Copy, copy: Copy, level: (copy: Copy) => number): boolean {
  const isStronger = level(other) > level(copy);
  if (other.fromUs === copy.fromUs) return isStronger;
  const [first, second] = other.fromUs < copy.fromUs ? [other, copy] : [copy, other];
  if (second.fromUs >= lockUs(first)) return first === other;
  return isStronger || (first === other && level(other) === level(copy));
}

/** A copy is an echo of another when it begins at most a quarter of a symbol from it. */
function isEcho({ radio }: NetworkPlan, copy: Copy, other: Copy): boolean {
  const { model, simultaneousCopies } = radio.interference;
  if (other === copy) return true;
  if (model === 'off' || simultaneousCopies === 'capture') return false;
  return 4 * Math.abs(other.fromUs - copy.fromUs) <= symbolUs(copy);
}

/** Waves of these levels, each with a phase of its transmission, as one level, 1/100 dBm. */
function sumOf(
  { seed }: Surroundings,
  life: Life,
  echoes: readonly Copy[],
  level: (copy: Copy) => number,
): number {
  const own = entityKey(seed, life.name);
  const waves = echoes.map((copy) => {
    const other = entityKey(seed, copy.gateway);
    const { copyPhase } = DrawPurpose;
    const word = drawPair(own.key0, own.key1, other.key0, other.key1, copyPhase, copy.frame);
    return { amplitude: 10 ** (level(copy) / 2000), turns: toUnit(word) };
  });
  const part = (wave: (radians: number) => number): number =>
    waves.reduce((all, { amplitude, turns }) => all + amplitude * wave(2 * Math.PI * turns), 0);
  return Math.max(
    -40_000,
    Math.round(2000 * Math.log10(Math.hypot(part(Math.cos), part(Math.sin)))),
  );
}

/** Whether the open session with the lowest id is on this channel at every instant of a span. */
function hasRadio(life: Life, session: Listening, span: Span): boolean {
  const changes = life.sessions.flatMap(({ fromUs, endedAtUs }) => [fromUs, endedAtUs]);
  const instants = changes.filter((atUs) => atUs > span.fromUs && atUs < span.untilUs);
  return [span.fromUs, ...instants].every((atUs) => {
    const open = life.sessions.filter(
      (one) => one.slots === undefined && one.fromUs <= atUs && atUs < one.endedAtUs,
    );
    const [first] = open.sort((a, b) => a.mcGroupId - b.mcGroupId);
    return first !== undefined && sameChannel(first, session);
  });
}

/** Whether some copy is in the device's reach at all. */
export const reaches = (world: Surroundings, life: Life, { copies }: Attempt): boolean =>
  copies.some((copy) => !Number.isNaN(levelAt(world, life, copy)));

/** Level at the device, 1/100 dBm; NaN when out of reach. */
function levelAt({ plan, fades }: Surroundings, life: Life, copy: Copy): number {
  const { antennaGainCentiDb } = plan.gateways.find(({ name }) => name === copy.gateway)!;
  const gain = life.gains.get(copy.gateway) ?? Number.NaN;
  const fade = fades.downlink(life.name, copy.gateway, copy.frame);
  return copy.eirpCentiDbm + gain - antennaGainCentiDb + fade;
}

/** Sensitivity in 125 kHz, with the receiver's losses against theory, 1/100 dBm. */
const floorOf = (radio: RadioPlan, spreadingFactor: number): number =>
  radio.deviceSensitivityCentiDbm[spreadingFactor - 5]! +
  radio.reception.implementationLossCentiDb[spreadingFactor - 5]!;

function weakestOf(radio: RadioPlan, spreadingFactor: number): number {
  if (radio.reception.model === 'off') return radio.ignoredBelowCentiDbm;
  if (radio.reception.model === 'theory') return floorOf(radio, spreadingFactor) - 800;
  return radio.deviceSensitivityCentiDbm[spreadingFactor - 5]!;
}

/** Lost to noise: a draw for the gateway's transmission against the error rate of theory. */
function isDrowned({ plan, seed }: Surroundings, life: Life, copy: Copy, level: number): boolean {
  if (plan.radio.reception.model !== 'theory') return false;
  const { spreadingFactor, frame, fromUs, untilUs } = copy;
  const aboveFloorDb = (level - floorOf(plan.radio, spreadingFactor)) / 100;
  const snrDb = aboveFloorDb - 2.5 * (spreadingFactor - 4);
  const symbols = Math.round((untilUs - fromUs) / symbolUs(copy) - 8 - 4.25 - 8);
  const [own, other] = [entityKey(seed, life.name), entityKey(seed, copy.gateway)];
  const word = drawPair(own.key0, own.key1, other.key0, other.key1, DrawPurpose.noiseDown, frame);
  return toUnit(word) < packetErrorRate(spreadingFactor, snrDb, symbols);
}

/** Sends, or listens to another channel. */
const isBusy = (life: Life, session: Listening, span: Span): boolean =>
  life.busy.some(
    (busy) =>
      overlap(busy, span) > 0 &&
      (busy.channel === undefined || !sameChannel(busy.channel, session)),
  );

/** A uniform number of 40 binary digits is compared with the probability. */
function isLost({ plan, seed }: Surroundings, life: Life, copy: Copy): boolean {
  const device = plan.devices.find(({ name }) => name === life.plainName)!;
  const { frameLossPpm } = plan.deviceTypes[device.type]!;
  const own = entityKey(seed, life.name);
  const gateway = entityKey(seed, copy.gateway);
  const key0 = mix(own.key0 ^ gateway.key0);
  const key1 = mix(own.key1 + gateway.key1) ^ copy.mcAddr;
  const fCnt = copy.counter & 0xffff;
  let uniform = 0;
  for (let digit = 0; digit < 40; digit++) {
    const word = draw(key0, key1, DrawPurpose.frameLossDown, (fCnt >>> 5) * 64 + digit);
    uniform += ((word >>> (fCnt & 31)) & 1) * 2 ** -(digit + 1);
  }
  return uniform < frameLossPpm / 1e6;
}

function isInterfered(
  plan: NetworkPlan,
  attempt: Attempt,
  copy: Copy,
  level: (copy: Copy) => number,
): boolean {
  const { model, sirCentiDb, window } = plan.radio.interference;
  if (model === 'off') return false;
  const span = {
    fromUs: window === 'wholeFrame' ? copy.fromUs : lockUs(copy),
    untilUs: copy.untilUs,
  };
  const energy = (other: Copy): number => {
    const us = Math.max(0, overlap(other, span));
    return Number.isNaN(level(other)) ? 0 : us * 10 ** (level(other) / 1000);
  };
  const wanted = energy(copy) * EQUAL;
  const sum = (copies: readonly Copy[]): number =>
    copies.reduce((all, one) => all + energy(one), 0);
  if (model === 'loRaSim' || model === 'flora') {
    const hits = (other: Copy): boolean => hitsAlone(plan, copy, other, level);
    if (attempt.others.some(hits)) return true;
  }
  const identical = sum(attempt.copies.filter((other) => other !== copy));
  if (identical * 10 ** (IDENTICAL_CENTI_DB / 1000) > wanted) return true;
  if (model === 'aloha') {
    return sum(attempt.others.filter((other) => sameChannel(other, copy))) > 0;
  }
  if (model === 'loRaSim' || model === 'flora') return false;
  return [7, 8, 9, 10, 11, 12].some((spreadingFactor) => {
    const threshold = sirCentiDb[copy.spreadingFactor - 7]![spreadingFactor - 7]!;
    const others = attempt.others.filter((other) => other.spreadingFactor === spreadingFactor);
    return sum(others) * 10 ** (threshold / 1000) > wanted;
  });
}

/** Whether one other frame alone destroys this one, as LoRaSim and FLoRa see it. */
function hitsAlone(
  { radio }: NetworkPlan,
  copy: Copy,
  other: Copy,
  level: (copy: Copy) => number,
): boolean {
  if (Number.isNaN(level(other)) || other.frequencyHz !== copy.frequencyHz) return false;
  if (overlap(copy, other) <= 0) return false;
  const aboveCentiDb = level(copy) - level(other);
  if (radio.interference.model === 'loRaSim') {
    if (!sameChannel(copy, other)) return false;
    const [first, second] = copy.fromUs >= other.fromUs ? [other, copy] : [copy, other];
    return first.untilUs > lockUs(second) && aboveCentiDb < 600;
  }
  const [row, column] = [copy.spreadingFactor - 7, other.spreadingFactor - 7];
  const isHeardOut = other.untilUs > lockUs(copy) - symbolUs(copy);
  return isHeardOut && aboveCentiDb < radio.interference.sirCentiDb[row]![column]!;
}
