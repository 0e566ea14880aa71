/** Instants, counts and causes in the words of explanations. */
import type { FailureCause } from '../../core/result/outcome.ts';
import { type Counts, sumOf } from '../../sim/base/counts.ts';
import { count } from '../text/format.ts';
import { byAmount, FAILURE_WORDS, type Words } from '../text/words.ts';

const DAY_S = 86_400;

/** Since the start of the run: `04:27:03`, from the second day on `2 d 04:27:03`. */
export function clock(atSeconds: number): string {
  const whole = Math.floor(atSeconds);
  const days = Math.floor(whole / DAY_S);
  const rest = whole - days * DAY_S;
  const parts = [Math.floor(rest / 3_600), Math.floor(rest / 60) % 60, rest % 60];
  const time = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return days === 0 ? time : `${days} d ${time}`;
}

/** `stated loss 3, interfered 1`; empty when nothing was counted. */
export const causes = <Cause extends string>(
  counts: Counts<Cause>,
  words: Readonly<Record<Cause, Words>>,
): string =>
  byAmount(counts)
    .map(([cause, times]) => `${labelOf(words[cause])} ${count(times)}`)
    .join(', ');

export const labelOf = ({ label }: Words): string =>
  /^[A-Z][a-z]/.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;

/** `65 of 84 heard`, and why the others were not. */
export function partHeard<Cause extends string>(
  heard: number,
  missed: Counts<Cause>,
  words: Readonly<Record<Cause, Words>>,
): string {
  const all = heard + sumOf(missed);
  const why = heard === all ? '' : `; missed: ${causes(missed, words)}`;
  return `${count(heard)} of ${count(all)} heard${why}`;
}

/** `1.2.0` of 16 hexadecimal digits of firmware and hardware. */
export function version(hex: string): string {
  const numbers = [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return (numbers[3] === 0 ? numbers.slice(0, 3) : numbers).join('.');
}

/** What is to be done where no setting of a campaign helps. */
const ADVICE: Readonly<Partial<Record<FailureCause | 'no gateway in reach', string>>> = {
  'wrong hardware': 'leave such devices out of the group, or send them an image of their own',
  'wrong signature': 'the image has to be signed with the key that the device has',
  'no key': 'the key of its group has to be uploaded before the campaign',
  'no gateway in reach': 'a gateway near it, or an antenna outside',
  'not delegated': 'the delegation has to last until the campaign begins',
  'DR unsupported': 'another data rate of the session, or a group of its own',
  'frequency unsupported': 'another frequency of the session, or a group of its own',
  'device removed': 'it has to stay in the network until the campaign is over',
  halted: 'the campaign has to go on',
};

/** Why no setting helps, and what would. */
export function hopeless(why: string): string {
  const known = (FAILURE_WORDS as Readonly<Record<string, Words>>)[why];
  const meaning = known === undefined ? 'No gateway is in reach of the device.' : known.meaning;
  const advice = (ADVICE as Readonly<Record<string, string>>)[why];
  return advice === undefined ? meaning : `${meaning} What is needed: ${advice}.`;
}
