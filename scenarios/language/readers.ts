/**
 * Readers of the scenario's own forms: names, seeds, areas, data rates, sensitivities, SIR
 * matrices.
 */

import { FRM_PAYLOAD } from '../../core/base/application-data.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { isApplicationFPort } from '../../sim/contract/downlinks.ts';
import type { DataRatePlan } from '../../sim/plan/network-plan.ts';
import { SIR_MATRICES } from '../../sim/radio/tables.ts';
import { quote, type Reading, read, refuse, unknownWord } from './complaint.ts';
import { hexBytes, readText, text } from './kinds.ts';
import { type Context, complain, leaf } from './knob.ts';
import type { Area } from './placement.ts';
import { SENSITIVITY_NAMES } from './presets.ts';
import { quantity } from './quantity.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const NAME_ALLOWED = 'up to 64 letters, digits, - and _, the first a letter';

/** What things of a scenario are called. */
export const name = () =>
  leaf((input) => readText(input, NAME, NAME_ALLOWED), {
    type: 'string',
    pattern: NAME.source,
    maxLength: 64,
  });

/** What a subscriber is called: a name, or an id that somebody gave to it. */
export const subscriberName = () =>
  text(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'up to 64 letters, digits, - and _');

export const PORT_ALLOWED = 'a whole number from 1 to 223, or 225';

/** An FPort that an application may use. */
export const applicationPort = () =>
  leaf(
    (input) => {
      if (input === undefined) return refuse('is missing', PORT_ALLOWED);
      if (isApplicationFPort(input as number)) return read(input as number);
      return refuse(`${quote(input)} is no FPort of an application`, PORT_ALLOWED);
    },
    {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 223 },
        { type: 'integer', minimum: 225, maximum: 225 },
      ],
    },
  );

/** FRMPayload in clear. */
export const frmPayload = () => hexBytes(FRM_PAYLOAD.least, FRM_PAYLOAD.most);

export function readSeed(input: unknown): Reading<string> {
  if (typeof input === 'number' && Number.isFinite(input)) return read(String(input));
  return readText(input, /^[^\n]{1,200}$/, 'up to 200 characters of text');
}

export function readNetId(input: unknown): Reading<number> {
  const allowed = '6 hexadecimal digits, in quotes';
  if (typeof input === 'number') {
    const whole = Number.isInteger(input) && input >= 0 && input <= 0xffffff;
    return whole ? read(input) : refuse(`${input} is not a NetID`, allowed);
  }
  const reading = readText(input, /^[0-9A-Fa-f]{6}$/, allowed);
  return reading.ok ? read(Number.parseInt(reading.value, 16)) : reading;
}

/** Names of data rates that a region may have. */
export const DATA_RATES = [
  'DR0',
  'DR1',
  'DR2',
  'DR3',
  'DR4',
  'DR5',
  'DR6',
  'DR7',
  'DR8',
  'DR9',
  'DR10',
  'DR11',
  'DR12',
  'DR13',
] as const;

/** What `dataRateIndex` returns where there is no such data rate. */
export const NO_DATA_RATE = -1;

/** Index of a data rate by its name; `NO_DATA_RATE` for anything else. */
export const dataRateIndex = (input: unknown): number =>
  (DATA_RATES as readonly unknown[]).indexOf(input);

const DATA_RATE = 'join, DR0, DR1 … DR13, or {link: margin} such as {link: 5 dB}';
const DATA_RATE_WORDS = ['join', ...DATA_RATES];
const margin = quantity('level', '-40 dB', '60 dB');

export function readDataRate(input: unknown): Reading<DataRatePlan> {
  if (typeof input === 'string') {
    if (input === 'join') return read({ from: 'join' });
    const fixed = dataRateIndex(input);
    if (fixed !== NO_DATA_RATE) return read({ from: 'fixed', dataRate: fixed });
    return unknownWord(`${quote(input)} is not a data rate`, input, DATA_RATE_WORDS);
  }
  const keys = isMap(input) ? Object.keys(input) : [];
  if (keys.length !== 1 || keys[0] !== 'link') {
    return refuse(`${quote(input)} is not a data rate`, DATA_RATE);
  }
  const reading = margin((input as { link: unknown }).link);
  return reading.ok ? read({ from: 'link', marginCentiDb: reading.value }) : reading;
}

/** An uplink channel: a frequency, Hz, one with its data rates, or a sub-band from 1 on. */
export type ChannelEntry =
  | number
  | { readonly subBand: number }
  | { readonly frequencyHz: number; readonly dataRates: readonly [number, number] };

const CHANNEL =
  'a frequency such as 868.1 MHz, {frequency: 868.8 MHz, minDataRate: DR7, maxDataRate: DR7}, ' +
  'or {subBand: 2}';
const frequency = quantity('frequency', '100 MHz', '1 GHz');

export function readChannel(input: unknown): Reading<ChannelEntry> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return frequency(input);
  const given = input as Readonly<Record<string, unknown>>;
  const keys = Object.keys(given).sort().join();
  if (keys === 'subBand') {
    const { subBand } = given;
    const right = typeof subBand === 'number' && Number.isInteger(subBand) && subBand >= 1;
    return right && subBand <= 12
      ? read({ subBand })
      : refuse(`${quote(subBand)} is not a sub-band`, 'a whole number from 1 to 12');
  }
  if (keys !== 'frequency,maxDataRate,minDataRate') {
    return refuse(`${quote(input)} is not a channel`, CHANNEL);
  }
  const hz = frequency(given.frequency);
  if (!hz.ok) return hz;
  const rates = [given.minDataRate, given.maxDataRate].map(dataRateIndex);
  const [lowest = NO_DATA_RATE, highest = NO_DATA_RATE] = rates;
  if (lowest === NO_DATA_RATE || highest < lowest) {
    const what = `${quote(given.minDataRate)} to ${quote(given.maxDataRate)} are no data rates`;
    return refuse(what, 'minDataRate not above maxDataRate, each of DR0 to DR13');
  }
  return read({ frequencyHz: hz.value, dataRates: [lowest, highest] });
}

/** `formula` waits for the noise figure; else 8 or 24 levels in 1/100 dBm, as in a radio plan. */
export type Sensitivity = 'formula' | readonly number[];
/** Words for the levels of one kind of receiver. */
export const SENSITIVITY_WORDS = ['formula', ...Object.keys(SENSITIVITY_NAMES.gateway)];
const receivable = quantity('power', '-180 dBm', '0 dBm');

export const readSensitivity =
  (receiver: keyof typeof SENSITIVITY_NAMES) =>
  (input: unknown): Reading<Sensitivity> => {
    const names = SENSITIVITY_NAMES[receiver];
    if (typeof input !== 'string' || !Object.hasOwn(names, input)) return readLevels(input);
    return read(names[input as keyof typeof names]);
  };

function readLevels(input: unknown): Reading<Sensitivity> {
  if (input === 'formula') return read('formula');
  if (typeof input === 'string') {
    return unknownWord(`${quote(input)} is not known`, input, SENSITIVITY_WORDS);
  }
  if (!Array.isArray(input) || (input.length !== 6 && input.length !== 8)) {
    return refuse(
      `${quote(input)} is not a table of sensitivities`,
      `${SENSITIVITY_WORDS.join(', ')}, or 6 levels (SF7…12) or 8 (SF5…12)`,
    );
  }
  const levels: number[] = [];
  for (const entry of input) {
    const level = receivable(entry);
    if (!level.ok) return level;
    levels.push(level.value);
  }
  if (levels.length === 8) return read(levels);
  // SF6 and SF5 follow in the 2.5 dB steps of Semtech's SNR floors.
  const sf7 = levels[0] ?? 0;
  return read([sf7 + 500, sf7 + 250, ...levels]);
}

export function readSirMatrix(input: unknown): Reading<readonly (readonly number[])[]> {
  const words = Object.keys(SIR_MATRICES);
  if (typeof input === 'string') {
    return Object.hasOwn(SIR_MATRICES, input)
      ? read(SIR_MATRICES[input as keyof typeof SIR_MATRICES])
      : unknownWord(`${quote(input)} is not known`, input, words);
  }
  const allowed = `${words.join(', ')}, or 6 rows of 6 numbers from -100 to 100 dB`;
  const rows: unknown[] = Array.isArray(input) ? input : [];
  const right = (cell: unknown) => typeof cell === 'number' && Math.abs(cell) <= 100;
  const square = rows.every((row) => Array.isArray(row) && row.length === 6 && row.every(right));
  if (rows.length !== 6 || !square) return refuse(`${quote(input)} is not an SIR matrix`, allowed);
  return read((rows as number[][]).map((row) => row.map((cell) => Math.round(cell * 100))));
}

const delay = quantity('duration', '1 s', '15 s');

/** A delay that a join accept can carry: 1 to 15 whole seconds, µs. */
export function readWholeSeconds(input: unknown): Reading<number> {
  const reading = delay(input);
  if (!reading.ok || reading.value % SECOND_US === 0) return reading;
  return refuse(`${quote(input)} is not a whole number of seconds`, '1 s, 2 s … 15 s');
}

interface AreaInput {
  readonly shape?: 'disc' | 'rectangle' | undefined;
  readonly radius?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export function toArea(given: AreaInput, context: Context): Area {
  const { radius, width, height } = given;
  const shape = given.shape ?? (radius === undefined ? 'rectangle' : 'disc');
  if (shape === 'disc' && radius !== undefined && width === undefined && height === undefined) {
    return { shape, radiusMeters: radius };
  }
  if (
    shape === 'rectangle' &&
    radius === undefined &&
    width !== undefined &&
    height !== undefined
  ) {
    return { shape, widthMeters: width, heightMeters: height };
  }
  const allowed = 'radius for a disc, width and height for a rectangle';
  return complain(context, given, `does not describe a ${shape}`, allowed);
}

/** Losses of SF7…12, in dB, or of SF5…12; 1/100 dB for SF5…12. */
export function readImplementationLoss(input: unknown): Reading<readonly number[]> {
  const allowed = '6 losses (SF7…12) or 8 (SF5…12) from 0 dB to 20 dB';
  if (!Array.isArray(input) || (input.length !== 6 && input.length !== 8)) {
    return refuse(`${quote(input)} is not a table of losses`, allowed);
  }
  const losses: number[] = [];
  for (const entry of input) {
    const loss = implementationLoss(entry);
    if (!loss.ok) return loss;
    losses.push(loss.value);
  }
  const sf7 = losses[0] ?? 0;
  return read(losses.length === 8 ? losses : [sf7, sf7, ...losses]);
}

const implementationLoss = quantity('level', '0 dB', '20 dB');

/** A check that a map has exactly one of these keys. */
export function exactlyOneOf(keys: readonly string[]) {
  return <Given extends object>(given: Given, context: Context): Given => {
    const present = keys.filter((key) => (given as Record<string, unknown>)[key] !== undefined);
    if (present.length === 1) return given;
    const what = present.length === 0 ? 'says nothing to do' : `has ${present.join(' and ')}`;
    return complain(context, given, what, `exactly one of ${keys.join(', ')}`);
  };
}

/** Text for people. */
export function readDescription(input: unknown): Reading<string> {
  return typeof input === 'string'
    ? read(input.trim())
    : refuse(`${quote(input)} is not text`, 'text');
}
