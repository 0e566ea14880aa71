/** Knobs of a gateway: its hardware, and its way to the network server. */
import type * as z from 'zod';
import { CONCENTRATORS } from '../../core/management/gateways/models.ts';
import type { GatewayPlan, SpreadPlan } from '../../sim/plan/network-plan.ts';
import { choice, count, flag, hexadecimal, measure, plainNumber } from '../language/kinds.ts';
import { type Context, complain, knob, list, maybe, needed, record } from '../language/knob.ts';
import type { Point } from '../language/placement.ts';
import { exactlyOneOf } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { FORWARDERS } from '../presets/forwarders.ts';
import { wordsOf } from '../presets/preset.ts';

const duration = () => measure('duration', '0 s', '60 s');

const Spread = record({
  exponential: maybe(duration(), { is: 'Mean of an exponential distribution.' }),
  logNormal: maybe(
    record({
      median: needed(duration(), { is: 'Median.' }),
      sigma: needed(plainNumber(0, 5), { is: 'Standard deviation of the natural logarithm.' }),
    }),
    { is: 'A log-normal distribution.' },
  ),
  quantiles: maybe(list(duration(), 2, 101, 'durations'), {
    is: 'Quantiles at equal steps from the shortest to the longest, straight lines between them.',
  }),
})
  .transform(exactlyOneOf(['exponential', 'logNormal', 'quantiles']))
  .transform(toSpread);

interface SpreadInput {
  readonly exponential?: number | undefined;
  readonly logNormal?: { readonly median: number; readonly sigma: number } | undefined;
  readonly quantiles?: readonly number[] | undefined;
}

function toSpread(given: SpreadInput, context: Context): SpreadPlan {
  const { exponential, logNormal, quantiles = [] } = given;
  if (exponential !== undefined) return { kind: 'exponential', meanUs: exponential };
  if (logNormal !== undefined) {
    return { kind: 'logNormal', medianUs: logNormal.median, sigma: logNormal.sigma };
  }
  if (quantiles.every((us, i) => i === 0 || us >= quantiles[i - 1]!)) {
    return { kind: 'quantiles', us: quantiles };
  }
  return complain(context, given, 'does not grow', 'quantiles in ascending order');
}

const Backhaul = record({
  latency: knob(measure('duration', '0 s', '60 s'), '50 ms', { is: 'One way.' }),
  jitter: knob(measure('duration', '0 s', '60 s'), '20 ms', {
    is: 'Added to each message, uniform from 0 to this.',
  }),
  spread: maybe(Spread, {
    is: 'Added to each message in place of jitter: exponential, logNormal or quantiles.',
  }),
  loss: knob(measure('share', '0 %', '100 %'), '0 %', { is: 'Share of messages lost, each way.' }),
});

/** Knobs of a gateway entry but for name and number. */
export const gatewayKnobs = {
  preset: maybe(choice(...wordsOf(FORWARDERS)), {
    is: 'Concentrator and packet forwarder whose rules it has; what is said here wins over it.',
    source: 'docs/presets.md',
  }),
  receptionPaths: knob(count(1, 65535), 8, {
    is: 'Frames it can demodulate at once.',
    source: 'Semtech SX1301 and SX1302: 8 demodulators at 125 kHz',
  }),
  chip: maybe(choice('SX1301', 'SX1302'), {
    is:
      'SX1301: 8 paths for SF7–12; SX1302: 8 for SF5–12 and 8 for SF5–10; both at 125 kHz, with ' +
      'one for the wide channel and one for FSK. When absent receptionPaths take anything.',
    source: 'Semtech SX1301 and SX1302 data sheets; lead times of their packet forwarders',
  }),
  clockError: maybe(measure('duration', '1 ms', '1 s'), {
    is: 'Without GPS, its GPS time errs by 1 ms to this, either way; right when absent.',
    source: 'a clock set by NTP: 1–50 ms',
  }),
  forwarder: knob(choice('semtech', 'basicsStation'), 'semtech', {
    is:
      'basicsStation keeps its duty cycle itself, and no server plans it: after each frame it ' +
      'closes the band until 10, 100 or 1 000 times the time on air after its start, tries ' +
      'class A frames in RX2, and class C frames every 100 ms, ten times.',
    source: 'LoRa Basics Station; docs/decisions/0109',
  }),
  transmitQueue: knob(choice('named', 'packetForwarder', 'station', 'none'), 'named', {
    is:
      'How it answers what it does not take. named: by the reason; packetForwarder: as the UDP ' +
      'packet forwarder, a start in the past as too early, a full queue as a collision; station: ' +
      'not at all, and its queue has 128 frames where others have 32; none: it has no queue: a ' +
      'frame that is due while another is sent collides, or is tried in RX2.',
    source:
      'Lora-net/packet_forwarder, jitqueue.c; LoRa Basics Station, s2e.c; signetlabdei/lorawan, ' +
      'network-scheduler.cc',
  }),
  maxEirp: knob(measure('power', '-20 dBm', '40 dBm'), '29.15 dBm', {
    is: 'Highest radiated power (EIRP); each sub-band’s own limit applies on top.',
    source: 'ETSI EN 300 220-2: 27 dBm ERP in 869.4–869.65 MHz',
  }),
  antennaGain: knob(measure('level', '-20 dB', '30 dB'), '2.15 dB', {
    is: 'Gain of the receiving antenna.',
    source: 'half-wave dipole',
  }),
  dutyCycle: knob(flag(), true, {
    is: 'Whether it keeps the duty cycle of its sub-bands.',
    source: 'ETSI EN 300 220-2',
  }),
  gps: knob(flag(), false, {
    is: 'Whether it has GPS time: then it sends beacons, and class B downlinks go through it.',
    source: 'LoRaWAN 1.0.4 §13',
  }),
  backhaul: knob(Backhaul, {}, { is: 'The way to the network server and back.' }),
  eui: maybe(hexadecimal(16), { is: 'Made from the name when absent; only for a single gateway.' }),
  subscriber,
};

type GatewayKnobs = z.output<z.ZodObject<typeof gatewayKnobs>>;

/** A gateway's row of a network plan; `eui` is used when the knobs give none. */
export function gatewayPlan(
  knobs: GatewayKnobs,
  name: string,
  eui: string,
  { xMeters, yMeters }: Point,
): GatewayPlan {
  const { latency: latencyUs, jitter: jitterUs, loss: lossPpm, spread } = knobs.backhaul;
  return {
    name,
    eui: knobs.eui ?? eui,
    xMeters,
    yMeters,
    receptionPaths: knobs.receptionPaths,
    antennaGainCentiDb: knobs.antennaGain,
    maxEirpCentiDbm: knobs.maxEirp,
    dutyCycle: knobs.dutyCycle,
    gps: knobs.gps,
    backhaul: { latencyUs, jitterUs, lossPpm, ...(spread === undefined ? {} : { spread }) },
    ...hardwarePlan(knobs),
  };
}

interface GatewayHardware {
  readonly chip?: keyof typeof CONCENTRATORS | undefined;
  readonly gps?: boolean;
  readonly clockError?: number | undefined;
  readonly forwarder: 'semtech' | 'basicsStation';
  readonly transmitQueue?: 'named' | 'packetForwarder' | 'station' | 'none';
}

/** What the knobs of a gateway's hardware come to in its plan. */
export function hardwarePlan(
  entry: GatewayHardware,
): Pick<GatewayPlan, 'paths' | 'txJitUs' | 'clockErrorUs' | 'refusesOverBudget' | 'queueWords'> {
  const { chip, gps, clockError, forwarder, transmitQueue } = entry;
  return {
    ...(chip === undefined ? {} : CONCENTRATORS[chip]),
    ...(gps === true || clockError === undefined ? {} : { clockErrorUs: clockError }),
    ...(forwarder === 'semtech' ? {} : { refusesOverBudget: true }),
    ...(transmitQueue === undefined || transmitQueue === 'named'
      ? {}
      : { queueWords: transmitQueue }),
  };
}
