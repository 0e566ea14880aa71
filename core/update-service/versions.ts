/**
 * Firmware versions as devices report them (TS006-1.0.0 §3.2, DevVersionAns) and as people write
 * them.
 *
 * A version pattern has 16 characters: the hexadecimal digits of FWversion and HWversion, most
 * significant first, upper case; `.` stands for any digit.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Kind } from '../kit/fields.ts';

/** What HWversion adds to a pattern of FWversion alone: any. */
const ANY_HARDWARE = '........';

const SEMANTIC = /^\d+(\.\d+){2,3}$/;
const PATTERN_FORM = /^[0-9A-Fa-f.]{16}$/;

/** Row of a pattern, of a version or a DevEUI. */
export const PATTERN = {
  type: 'text',
  keptIn: 'upper',
  rule: (pattern) => PATTERN_FORM.test(pattern),
  allowed: '16 hexadecimal digits, . for any digit',
} as const satisfies Kind;

/** The pattern of an expected version: three or four dotted numbers ≤ 255, or a pattern itself. */
export function parseVersion(text: string): Result<string, 'version.malformed'> {
  if (PATTERN_FORM.test(text)) return ok(text.toUpperCase());
  const parts = SEMANTIC.test(text) ? text.split('.').map(Number) : [];
  if (parts.length === 0 || parts.some((part) => part > 255)) {
    const message = `${text} is neither three or four numbers ≤ 255 nor a pattern of 16 characters`;
    return fail('version.malformed', message);
  }
  const [major = 0, minor = 0, patch = 0, build = 0] = parts;
  const bytes = [major, minor, patch, build].map((byte) => byte.toString(16).padStart(2, '0'));
  return ok(bytes.join('').toUpperCase() + ANY_HARDWARE);
}

/** The pattern of the first three or four dotted numbers in an image's name. */
export function inferVersion(imageName: string): Result<string, 'version.malformed'> {
  const found = /\d+(\.\d+){2,3}/.exec(imageName);
  if (found === null) return fail('version.malformed', `${imageName} names no version`);
  return parseVersion(found[0]);
}

/** What a device reported: 16 upper-case hexadecimal digits. */
export function versionHex(fwVersion: number, hwVersion: number): string {
  const digits = (word: number) => word.toString(16).padStart(8, '0');
  return (digits(fwVersion) + digits(hwVersion)).toUpperCase();
}

/** Whether 16 upper-case digits, of a report or a DevEUI, are of this pattern. */
export function matchesPattern(pattern: string, hex: string): boolean {
  for (let i = 0; i < 16; i++) {
    if (pattern[i] !== '.' && pattern[i] !== hex[i]) return false;
  }
  return true;
}

/**
 * What belongs to the patterns that 16 upper-case digits are of. Patterns with dots at the same
 * places are looked up at once, so that ten thousand of them take no longer than one.
 */
export function matching<What>(
  patterns: readonly (readonly [pattern: string, what: What])[],
): (hex: string) => readonly What[] {
  const byDots = new Map<string, Map<string, What[]>>();
  for (const [pattern, what] of patterns) {
    const dots = pattern.replace(/[^.]/g, '0');
    const alike = byDots.get(dots) ?? new Map<string, What[]>();
    const same = alike.get(pattern) ?? [];
    same.push(what);
    byDots.set(dots, alike.set(pattern, same));
  }
  const withDots = (hex: string, dots: string) =>
    [...hex].map((digit, i) => (dots[i] === '.' ? '.' : digit)).join('');
  return (hex) => [...byDots].flatMap(([dots, alike]) => alike.get(withDots(hex, dots)) ?? []);
}

/** The FWversion of a pattern, 8 digits; undefined when it leaves some of them open. */
export function firmwareOf(pattern: string): string | undefined {
  const firmware = pattern.slice(0, 8);
  return firmware.includes('.') ? undefined : firmware;
}
