/**
 * Firmware versions as devices report them (TS006-1.0.0 §3.2, DevVersionAns) and as people write
 * them.
 *
 * A version pattern has 16 characters: the hexadecimal digits of FWversion and HWversion, most
 * significant first, upper case; `.` stands for any digit.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Kind } from '../../sim/base/rows/fields.ts';

/** What HWversion adds to a pattern of FWversion alone: any. */
const ANY_HARDWARE = '........';

const SEMANTIC = /^\d+(\.\d+){2,3}$/;
const PATTERN_FORM = /^[0-9A-Fa-f.]{16}$/;

/** Row of a pattern, of a version or a DevEUI. */
export const PATTERN = {
  type: 'text',
  storedIn: 'upper',
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

/** Patterns that are looked at one by one: fewer steps than to divide them further. */
const FEW_PATTERNS = 4;

/**
 * What belongs to the patterns that 16 upper-case digits are of. Sorted, the patterns that begin
 * alike stand together. Digit by digit, those that go on with it and those that go on with a dot
 * are left. So few of ten thousand are looked at, wherever their dots are.
 */
export function matching<What>(
  patterns: readonly (readonly [pattern: string, what: What])[],
): (hex: string) => readonly What[] {
  const sorted = [...patterns].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  /** The first place in a range of patterns that begin alike whose sign is this or a later one. */
  const firstFrom = (sign: string, at: number, from: number, to: number): number => {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]![0][at]! < sign) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const collect = (hex: string, at: number, from: number, to: number, found: What[]): void => {
    if (to - from <= FEW_PATTERNS || at === hex.length) {
      for (let i = from; i < to; i++) {
        const [pattern, what] = sorted[i]!;
        if (matchesPattern(pattern, hex)) found.push(what);
      }
      return;
    }
    // A dot sorts before all digits.
    const afterDots = firstFrom('0', at, from, to);
    collect(hex, at + 1, from, afterDots, found);
    const digit = hex[at]!;
    const begin = firstFrom(digit, at, afterDots, to);
    const end = firstFrom(String.fromCharCode(digit.charCodeAt(0) + 1), at, begin, to);
    collect(hex, at + 1, begin, end, found);
  };
  return (hex) => {
    const found: What[] = [];
    collect(hex, 0, 0, sorted.length, found);
    return found;
  };
}

/** The FWversion of a pattern, 8 digits; undefined when it leaves some of them open. */
export function firmwareOf(pattern: string): string | undefined {
  const firmware = pattern.slice(0, 8);
  return firmware.includes('.') ? undefined : firmware;
}
