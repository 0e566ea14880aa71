/**
 * Checks of a scenario's delegations, and which devices of another subscriber a group may name:
 * those that some delegation covers from the start on.
 */

import { matchesPattern } from '../../core/base/firmware-versions.ts';
import { type Cover, coverOf } from '../../core/update-service/delegation-cover.ts';
import { patternOf } from '../filling/delegations.ts';
import { deviceEui } from '../filling/identity.ts';
import type { Member, Named, Report, Roll } from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';
import type { Subscribers } from './subscriber-check.ts';
import { unknownMember } from './unknown-member.ts';

const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };
const PATTERN = /^[0-9A-Fa-f.]{16}$/;
/** Decimal digits at the end of a device's name, and hexadecimal ones of its DevEUI. */
const NUMBERED = /-(\d+)$/;
const NUMBER_DIGITS = 6;

/** A delegation of the start, as far as it can be read. */
interface FromStart extends Cover {
  readonly from: string | undefined;
  readonly to: string;
}

/** What delegations of the start cover. */
export class Covers {
  readonly #all: readonly FromStart[];
  readonly #devices: Roll;

  constructor(delegations: readonly Named[], devices: Roll, subscribers: Subscribers) {
    this.#devices = devices;
    this.#all = delegations.flatMap(({ entry }) => {
      const at = readQuantity(entry.at ?? '0 s', 'duration', ANY);
      if (!at.ok || at.value > 0 || typeof entry.to !== 'string') return [];
      const include_devices = this.#patterns(entry.devices);
      const exclude_devices = this.#patterns(entry.exclude);
      return [{ from: subscribers.of({ entry }), to: entry.to, include_devices, exclude_devices }];
    });
  }

  /** Whether the devices of `owner` that a word names are delegated to somebody. */
  has(word: string, member: Member, owner: string | undefined, to: string | undefined): boolean {
    const all = this.#all.filter((each) => each.from === owner && each.to === to);
    if (all.length === 0) return false;
    const isWhole = member.count !== undefined && word === member.name;
    if (isWhole) return all.some((each) => this.#coversWhole(each, member));
    return coverOf(all)(this.#patternOf(word));
  }

  /** One delegation includes all devices of a population, and excludes none that there are. */
  #coversWhole({ include_devices, exclude_devices }: FromStart, { name, count }: Member): boolean {
    const all = patternOf({ name, count });
    const isExcluded = (pattern: string) => {
      if (!mayMeet(pattern, all)) return false;
      const digits = pattern.slice(-NUMBER_DIGITS);
      if (digits.includes('.')) return true;
      const number = Number.parseInt(digits, 16);
      return number >= 1 && number <= (count ?? 1);
    };
    // In a wider pattern a dot stands for a digit, or for any.
    const isIncluded = include_devices.some((each) => matchesPattern(each, all));
    return isIncluded && !exclude_devices.some(isExcluded);
  }

  #patterns(words: unknown): readonly string[] {
    if (!Array.isArray(words)) return [];
    return words.flatMap((word) => (typeof word === 'string' ? [this.#patternOf(word)] : []));
  }

  #patternOf(word: string): string {
    const whole = this.#devices.named(word);
    if (whole !== undefined) return patternOf({ ...whole, devEui: whole.eui });
    const one = this.#devices.meant(word);
    const number = NUMBERED.exec(word)?.[1];
    // A DevEUI names itself.
    if (one === undefined || PATTERN.test(word)) return word.toUpperCase();
    return one.member.eui ?? deviceEui(one.member.name, Number(number ?? 1));
  }
}

/** Whether some digits are of both patterns. */
function mayMeet(one: string, other: string): boolean {
  for (let i = 0; i < one.length; i++) {
    if (one[i] !== '.' && other[i] !== '.' && one[i] !== other[i]) return false;
  }
  return true;
}

/**
 * Checks of owners, receivers and devices: errors that the platform cannot see, or would refuse.
 */
export function checkDelegation(
  delegation: Named,
  devices: Roll,
  subscribers: Subscribers,
  report: Report,
): void {
  const { path, entry } = delegation;
  if (typeof entry.to === 'string') {
    subscribers.find(entry.to, [...path, 'to']);
    if (entry.to === subscribers.of(delegation)) {
      const what = `${entry.to} delegates to itself`;
      report([...path, 'to'], { what, allowed: 'another subscriber' });
    }
  }
  for (const key of ['devices', 'exclude'] as const) {
    const words: readonly unknown[] = Array.isArray(entry[key]) ? entry[key] : [];
    for (const [index, word] of words.entries()) {
      if (typeof word !== 'string' || PATTERN.test(word)) continue;
      const at = [...path, key, index];
      const member = devices.named(word) ?? devices.meant(word)?.member;
      if (member === undefined) report(at, () => unknownMember(word, devices));
      else if (subscribers.areApart(member, delegation)) {
        const { members } = devices;
        report(at, () => subscribers.foreign(word, member, delegation, 'device', members));
      }
    }
  }
}
