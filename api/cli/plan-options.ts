/** The words of `fleetwave plan` as what is asked, and faults of a plan as words about them. */

import { nearest, quote, sentence } from '../../scenarios/language/complaint.ts';
import { readQuantity } from '../../scenarios/language/quantity.ts';
import { type Asked, type Fault, MOST_GATEWAYS } from '../../scenarios/planning/plan-settings.ts';
import { isWithin } from '../../sim/base/rows/range.ts';
import { DAY_US, HOUR_US, MINUTE_US } from '../../sim/base/units.ts';
import { REGION_NAMES, type RegionName } from '../../sim/lorawan/region.ts';
import { InputError } from './exit.ts';
import { whole } from './words.ts';

export interface PlanWords {
  readonly devices: string;
  readonly image: string;
  readonly region: string;
  readonly session: string;
  readonly dr?: string | undefined;
  readonly rx2Dr?: string | undefined;
  readonly uplinkDr?: string | undefined;
  readonly fragSize?: string | undefined;
  readonly redundancy?: string | undefined;
  readonly loss: string;
  readonly confidence: string;
  readonly gateways?: string | undefined;
  readonly gatewayTiming: 'staggered' | 'simultaneous';
  readonly uplinkPeriod: string;
  readonly fragmentDelay?: string | undefined;
}

/** The option that says a setting. */
export const OPTION: Readonly<Record<keyof Asked, string>> = {
  devices: '--devices',
  imageBytes: '--image',
  region: '--region',
  session: '--session',
  dataRate: '--dr',
  rx2DataRate: '--rx2-dr',
  uplinkDataRate: '--uplink-dr',
  fragSize: '--frag-size',
  redundancy: '--redundancy',
  loss: '--loss',
  confidence: '--confidence',
  gateways: '--gateways',
  timing: '--gateway-timing',
  periodUs: '--uplink-period',
  delayUs: '--fragment-delay',
};

const MOST_DEVICES = 1_000_000;
/** Devices per gateway by default. */
const DEVICES_EACH = 1_000;
const IMAGE = { least: 2, most: 4 * 1024 * 1024 };

/** What is asked; throws all that is wrong with the words at once. */
export function askedOf(words: PlanWords): Asked {
  const faults: string[] = [];
  const devices = whole(OPTION.devices, words.devices, 1, MOST_DEVICES, faults);
  const usual = Math.min(MOST_GATEWAYS, Math.ceil(devices / DEVICES_EACH));
  const most = Math.min(MOST_GATEWAYS, devices);
  const maybe = <Value>(word: string | undefined, read: (given: string) => Value) =>
    word === undefined ? undefined : read(word);
  const dataRate = (option: string) => (word: string) =>
    whole(option, word.replace(/^DR(?=\d)/i, ''), 0, 15, faults);
  const given = {
    dataRate: maybe(words.dr, dataRate(OPTION.dataRate)),
    rx2DataRate: maybe(words.rx2Dr, dataRate(OPTION.rx2DataRate)),
    uplinkDataRate: maybe(words.uplinkDr, dataRate(OPTION.uplinkDataRate)),
    fragSize: maybe(words.fragSize, (word) =>
      whole(OPTION.fragSize, word.replace(/ *B$/, ''), 1, 255, faults),
    ),
    redundancy: maybe(words.redundancy, (word) => redundancyOf(word, faults)),
    delayUs: maybe(words.fragmentDelay, (word) =>
      duration(OPTION.delayUs, word, { least: 1_000, most: HOUR_US }, '1 ms to 1 h', faults),
    ),
  };
  const asked = {
    devices,
    imageBytes: bytesOf(words.image, faults),
    region: regionOf(words.region, faults),
    session: sessionOf(words.session, faults),
    loss: shareOf(OPTION.loss, words.loss, 0, 0.5, faults),
    confidence: shareOf(OPTION.confidence, words.confidence, 0.5, 0.999, faults),
    gateways: maybe(words.gateways, (w) => whole(OPTION.gateways, w, 1, most, faults)) ?? usual,
    timing: words.gatewayTiming,
    periodUs: duration(
      OPTION.periodUs,
      words.uplinkPeriod,
      { least: MINUTE_US, most: 7 * DAY_US },
      '1 min to 7 d',
      faults,
    ),
  };
  if (faults.length > 0) throw new InputError(faults.map((fault) => `fleetwave plan: ${fault}`));
  return { ...asked, ...definedOf(given) };
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

const definedOf = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Defined<T>;

/** A fault of what is asked, in the words that it was asked with. */
export function inWordsOf(fault: Fault, words: PlanWords): string {
  const option = OPTION[fault.of];
  const word = WORDS_OF[fault.of]?.(words);
  const said = word === undefined ? option : `${option} ${quote(word)}`;
  return `fleetwave plan: ${said} ${fault.what}; allowed: ${fault.allowed}`;
}

const WORDS_OF: { readonly [K in keyof Asked]?: (words: PlanWords) => string | undefined } = {
  imageBytes: ({ image }) => image,
  dataRate: ({ dr }) => dr,
  rx2DataRate: ({ rx2Dr }) => rx2Dr,
  uplinkDataRate: ({ uplinkDr }) => uplinkDr,
  fragSize: ({ fragSize }) => fragSize,
  redundancy: ({ redundancy }) => redundancy,
  delayUs: ({ fragmentDelay }) => fragmentDelay,
};

/** The command line that asks for the same. */
export function commandOf(words: PlanWords): string {
  const said = Object.values(OPTION).flatMap((option) => {
    const word = words[keyOf(option)];
    if (word === undefined) return [];
    return [option, /^[\w.%-]+$/.test(word) ? word : JSON.stringify(word)];
  });
  return ['fleetwave plan', ...said].join(' ');
}

/** `uplinkPeriod` of `--uplink-period`. */
const keyOf = (option: string): keyof PlanWords =>
  option.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof PlanWords;

// ── words ────────────────────────────────────────────────────────────────────────────────────────

function wrong(option: string, word: string, allowed: string, meant?: string): string {
  const what = `${option} ${quote(word)} is not right`;
  return sentence({ what, allowed, ...(meant !== undefined && { meant }) });
}

const wrongIn = (word: string): string => (/^\d+$/.test(word.trim()) ? `${word.trim()} B` : word);

function bytesOf(word: string, faults: string[]): number {
  const reading = readQuantity(wrongIn(word), 'size', IMAGE);
  if (reading.ok) return reading.value;
  faults.push(wrong(OPTION.imageBytes, word, '2 B to 4 MiB, such as 60kB, 60 KiB or 61440'));
  return IMAGE.least;
}

function regionOf(word: string, faults: string[]): RegionName {
  const name = REGION_NAMES.find((known) => known === word.toUpperCase());
  if (name !== undefined) return name;
  const meant = nearest(word.toUpperCase(), REGION_NAMES);
  faults.push(wrong(OPTION.region, word, REGION_NAMES.join(', '), meant));
  return 'EU868';
}

function sessionOf(word: string, faults: string[]): 'B' | 'C' {
  const kind = word.toUpperCase();
  if (kind === 'B' || kind === 'C') return kind;
  faults.push(wrong(OPTION.session, word, 'B, C'));
  return 'C';
}

/** A percentage, with its sign or without. */
function shareOf(
  option: string,
  word: string,
  least: number,
  most: number,
  faults: string[],
): number {
  const number = /^ *(\d{1,3}(?:\.\d{1,4})?) *%? *$/.exec(word)?.[1];
  const share = number === undefined ? Number.NaN : Number((Number(number) / 100).toFixed(8));
  if (isWithin(share, { least, most })) return share;
  faults.push(wrong(option, word, `${100 * least} % to ${100 * most} %`));
  return least;
}

const REDUNDANCY = '0 to 16382 fragments, or a share of the image’s such as 20%, up to 100 %';

function redundancyOf(word: string, faults: string[]): NonNullable<Asked['redundancy']> {
  const [, number = '', sign] = /^ *(\d{1,5}(?:\.\d{1,4})?) *(%?) *$/.exec(word) ?? [];
  const value = number === '' ? Number.NaN : Number(number);
  if (sign === '%' && value <= 100) return { share: value / 100 };
  if (sign === '' && value <= 16_382 && Number.isInteger(value)) return { fragments: value };
  faults.push(wrong(OPTION.redundancy, word, REDUNDANCY));
  return { fragments: 0 };
}

function duration(
  option: string,
  word: string,
  range: { readonly least: number; readonly most: number },
  allowed: string,
  faults: string[],
): number {
  const reading = readQuantity(word, 'duration', range);
  if (reading.ok) return reading.value;
  faults.push(wrong(option, word, `${allowed}, such as 90 min`));
  return range.least;
}
