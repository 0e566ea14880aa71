/** Knobs of what devices send of their own accord, and when. */
import type * as z from 'zod';
import type { BurstPlan, ListedMessages, TrafficPlan } from '../../sim/plan/network-plan.ts';
import { quote, type Reading, read, refuse, unknownWord } from '../language/complaint.ts';
import { choice, count, measure, text } from '../language/kinds.ts';
import { type Context, complain, knob, leaf, list, maybe, record } from '../language/knob.ts';
import { BELOW_FOLDER, BELOW_FOLDER_ALLOWED } from '../language/paths.ts';
import { applicationPort } from '../language/readers.ts';

const HOURS_A_DAY = 24;
const MOST_WEIGHT = 1000;
const MOST_MESSAGES = 1000;
const MOST_ALARMS = 100;

/**
 * Round figures, not measurements: what people do at home by the hour, at work, and what runs at
 * night.
 */
const PROFILES = {
  household: [1, 1, 1, 1, 1, 2, 5, 8, 6, 4, 3, 3, 4, 3, 3, 3, 4, 6, 8, 8, 6, 4, 2, 1],
  office: [0, 0, 0, 0, 0, 0, 1, 3, 8, 10, 10, 10, 8, 9, 10, 10, 9, 6, 3, 1, 1, 0, 0, 0],
  night: [8, 9, 10, 10, 9, 6, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 6, 7, 8],
} as const;
type ProfileName = keyof typeof PROFILES;
const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];

const ALLOWED_PROFILE =
  `${PROFILE_NAMES.join(', ')}, or a list of ${HOURS_A_DAY} numbers from 0 to ${MOST_WEIGHT}, ` +
  'one of them above 0';

function readProfile(input: unknown): Reading<readonly number[]> {
  if (typeof input === 'string') {
    const found = PROFILE_NAMES.find((name) => name === input);
    if (found !== undefined) return read(PROFILES[found]);
    return unknownWord(`${quote(input)} is not known`, input, PROFILE_NAMES);
  }
  if (!Array.isArray(input)) return refuse(`${quote(input)} is no profile`, ALLOWED_PROFILE);
  if (input.length !== HOURS_A_DAY) {
    return refuse(`a day has ${HOURS_A_DAY} hours, not ${input.length}`, ALLOWED_PROFILE);
  }
  for (const weight of input) {
    const isWeight = typeof weight === 'number' && weight >= 0 && weight <= MOST_WEIGHT;
    if (!isWeight) return refuse(`${quote(weight)} is no weight of an hour`, ALLOWED_PROFILE);
  }
  if (input.every((weight) => weight === 0)) return refuse('no hour has a weight', ALLOWED_PROFILE);
  return read(input as number[]);
}

const profile = leaf(readProfile, {
  anyOf: [
    { enum: PROFILE_NAMES },
    {
      type: 'array',
      items: { type: 'number', minimum: 0, maximum: MOST_WEIGHT },
      minItems: HOURS_A_DAY,
      maxItems: HOURS_A_DAY,
    },
  ],
});

const Burst = record({
  messages: knob(count(1, MOST_MESSAGES), 5, {
    is: 'Messages of a burst. A device keeps four that wait, and drops what comes meanwhile.',
  }),
  spacing: knob(measure('duration', '1 ms', '1 d'), '10 s', { is: 'From one to the next.' }),
  at: maybe(list(measure('duration', '0 s', '3650 d'), 1, MOST_ALARMS, 'virtual times'), {
    is:
      'When all of them begin a burst, since the start and ascending, as an alarm has it; each ' +
      'by itself when absent, after random pauses of every on average.',
  }),
  within: knob(measure('duration', '0 s', '1 d'), '0 s', {
    is: 'After such a time each begins at an instant of its own, uniformly up to this.',
  }),
}).transform((given, context): BurstPlan => {
  const { messages, spacing, at = [], within } = given;
  const ascends = at.every((one, i) => i === 0 || one > at[i - 1]!);
  if (!ascends) return complain(context, given, 'does not ascend', 'times in ascending order');
  return { messages, spacingUs: spacing, atUs: at, withinUs: within };
});

export const Traffic = record({
  process: knob(choice('periodic', 'exponential', 'diurnal', 'burst', 'none'), 'periodic', {
    is:
      'periodic: every period ± jitter from a random phase; exponential: random pauses after ' +
      'each uplink; diurnal: at random, more or less often by the hour of the day; burst: ' +
      'several in a row, as of an alarm; none: silent.',
  }),
  every: knob(measure('duration', '1 s', '365 d'), '1 h', {
    is: 'Period, or mean pause; of diurnal over a whole day, of burst between two bursts.',
  }),
  jitter: knob(measure('share', '0 %', '50 %'), '10 %', { is: 'Uniform ± share of the period.' }),
  payload: knob(measure('size', '0 B', '242 B'), '12 B', {
    is: 'FRMPayload; the frame is 13 bytes longer.',
    source: 'RP002-1.0.4 §2.4.6: in EU868 at most 51 B at DR0…2, 115 B at DR3, 242 B above',
  }),
  fPort: knob(applicationPort(), 10, {
    is: 'Port of the uplinks.',
    source: 'LoRaWAN 1.0.4 §4.3.2',
  }),
  confirmed: knob(measure('share', '0 %', '100 %'), '0 %', {
    is: 'Share of uplinks that ask for an acknowledgement.',
  }),
  first: maybe(measure('duration', '0 s', '365 d'), {
    is: 'Of periodic: time from the session to the first message; drawn when absent.',
  }),
  inSessions: knob(choice('send', 'pause', 'stop'), 'send', {
    is:
      'Of periodic, exponential and diurnal. pause: nothing of their own from an accepted ' +
      'multicast session to its end; stop: nor after it.',
    source: 'measured on STM32WL55 with STM32CubeWL’s example of updates',
  }),
  whenBusy: knob(choice('wait', 'replace'), 'wait', {
    is:
      'What becomes of a confirmed message that is not acknowledged yet when the next one comes. ' +
      'wait: the next one waits; replace: it is given up.',
    source: 'replace: signetlabdei/lorawan, end-device-lorawan-mac.cc',
  }),
  profile: maybe(profile, {
    is:
      'Of diurnal: how often they send by the hour, from midnight UTC on: weights, or a preset ' +
      'of round figures; household when absent.',
  }),
  burst: maybe(Burst, { is: 'Of burst: what a burst is; the defaults when absent.' }),
  file: maybe(text(BELOW_FOLDER, BELOW_FOLDER_ALLOWED), {
    is:
      'A CSV file of messages: time and device, and if wanted fPort, bytes or payload, and ' +
      'confirmed. Each device sends exactly these; there is no process then.',
  }),
}).transform(withOwnParts);

/** The messages that a file says, by the device’s name. */
export type MessageLists = Readonly<Record<string, ListedMessages>>;

interface Parts {
  readonly first?: number | undefined;
  readonly inSessions: 'send' | 'pause' | 'stop';
  readonly process: TrafficPlan['process'];
  readonly profile?: readonly number[] | undefined;
  readonly burst?: BurstPlan | undefined;
  readonly file?: string | undefined;
}

const OWNERS = [
  ['first', 'periodic'],
  ['profile', 'diurnal'],
  ['burst', 'burst'],
] as const;

const PAUSING: readonly string[] = ['periodic', 'exponential', 'diurnal'];

/** Each process has its own parts, and no others; a list has none. */
function withOwnParts<Given extends Parts>(given: Given, context: Context): Given {
  for (const [key, owner] of OWNERS) {
    if (given[key] === undefined || given.process === owner) continue;
    const what = `${given.process} traffic has no ${key}`;
    return complain(context, given, what, `${key} where process is ${owner}`);
  }
  const isPaused = given.inSessions !== 'send';
  if (isPaused && (given.file !== undefined || !PAUSING.includes(given.process))) {
    const what = `${given.file === undefined ? given.process : 'listed'} traffic has no pause`;
    return complain(context, given, what, `pause and stop of ${PAUSING.join(', ')}`);
  }
  if (given.file !== undefined && given.process !== 'periodic') {
    const what = `messages of a file have no process ${given.process}`;
    return complain(context, given, what, 'file, or process');
  }
  return given;
}

/** The plan of a population's traffic. */
export function trafficPlan(
  entry: z.output<typeof Traffic> & { readonly listed?: MessageLists },
): TrafficPlan {
  const { process, profile = PROFILES.household, burst = Burst.parse({}), listed } = entry;
  return {
    process: listed === undefined ? process : 'listed',
    meanUs: entry.every,
    jitterPpm: entry.jitter,
    payloadBytes: entry.payload,
    fPort: entry.fPort,
    confirmedPpm: entry.confirmed,
    ...(entry.first === undefined ? {} : { firstUs: entry.first }),
    ...(entry.inSessions === 'send' ? {} : { inSessions: entry.inSessions }),
    ...(entry.whenBusy === 'wait' ? {} : { whenBusy: entry.whenBusy }),
    ...(process === 'diurnal' ? { hourWeights: profile } : {}),
    ...(process === 'burst' ? { burst } : {}),
    ...(listed === undefined ? {} : { listed }),
  };
}
