/** Cells of lists as knobs of a scenario: classes, versions, durations, counts. */
import { quote, sentence } from '../../scenarios/language/complaint.ts';
import { LORAWAN_VERSIONS } from '../../sim/lorawan/versions.ts';
import type { Read } from './identifiers.ts';

const fault = (what: string, allowed: string) => ({ fault: sentence({ what, allowed }) });

/** `A`, `class c`, `CLASS_C`, `Klasse B`. */
export function readClass(cell: string): Read<'A' | 'B' | 'C'> {
  const [, letter] = /^(?:class|klasse|classe)?[\s_-]*([ABC])$/i.exec(cell) ?? [];
  if (letter === undefined) return fault(`${quote(cell)} is no class`, 'A, B or C');
  return { value: letter.toUpperCase() as 'A' | 'B' | 'C' };
}

/** `1.0.3`, `MAC_V1_0_3`, `LoRaWAN 1.0.2 rev B`, `PHY_V1_0_2_REV_B`; 1.0 and 1.0.1 are as 1.0.2. */
export function readLorawan(cell: string): Read<string> {
  const found = /(?:^|[^\d])(1)[._]([01])(?:[._](\d))?(?!\d)/.exec(` ${cell}`);
  if (found === null) {
    return fault(`${quote(cell)} is no LoRaWAN version`, LORAWAN_VERSIONS.join(', '));
  }
  const [, , minor, patch = '0'] = found;
  if (minor === '1') return { value: '1.1' };
  const version = `1.0.${patch < '2' ? '2' : patch}`;
  const isKnown = (LORAWAN_VERSIONS as readonly string[]).includes(version);
  if (isKnown) return { value: version };
  return fault(`${quote(cell)} is no LoRaWAN version`, LORAWAN_VERSIONS.join(', '));
}

/** In English, German, French and Spanish, and as databases write it. */
const YES = /^(true|t|yes|y|1|ja|j|oui|o|si|sí|s|wahr|x|✓)$/i;
const NO = /^(false|f|no|n|0|nein|non|falsch|-|)$/i;

export function readFlag(cell: string): Read<boolean> {
  if (YES.test(cell)) return { value: true };
  return NO.test(cell) ? { value: false } : fault(`${quote(cell)} is not right`, 'true or false');
}

export function readActivation(cell: string): Read<'otaa' | 'abp'> {
  const [word] = /otaa|abp/i.exec(cell) ?? [];
  if (word === undefined) return fault(`${quote(cell)} is no activation`, 'OTAA or ABP');
  return { value: word.toLowerCase() as 'otaa' | 'abp' };
}

/** Three or four numbers; `1.0` is `1.0.0`. */
export function readVersion(cell: string): Read<string> {
  const numbers = cell.replace(/^v/i, '').split('.');
  while (numbers.length < 3) numbers.push('0');
  const isRight = (number: string) => /^\d{1,3}$/.test(number) && Number(number) <= 255;
  if (numbers.length <= 4 && numbers.every(isRight)) return { value: numbers.join('.') };
  const allowed = 'up to four numbers from 0 to 255, such as 1.4.2';
  return fault(`${quote(cell)} is no version`, allowed);
}

/** Seconds, or a number with a unit: `900`, `15 min`, `15min`, `1h`. */
export function readDuration(cell: string): Read<string> {
  const [, number, unit = 's'] =
    /^(\d+(?:[.,]\d+)?)\s*(s|sec|seconds?|min|minute[ns]?|h|hours?|stunden?|d|days?|tage?)?$/i.exec(
      cell,
    ) ?? [];
  if (number === undefined) {
    return fault(`${quote(cell)} is no duration`, 'seconds such as 900, or 15 min, 1 h, 1 d');
  }
  const [, short = 's'] = UNITS.find(([word]) => word.test(unit)) ?? [];
  return { value: `${number.replace(',', '.')} ${short}` };
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(h|stunde)/i, 'h'],
  [/^(d|tag)/i, 'd'],
  [/^m/i, 'min'],
];

export function readBytes(cell: string): Read<string> {
  const [, bytes] = /^(\d{1,3})\s*(?:B|bytes?)?$/i.exec(cell) ?? [];
  if (bytes !== undefined && Number(bytes) <= 242) return { value: `${Number(bytes)} B` };
  return fault(`${quote(cell)} is no length of a payload`, 'bytes from 0 to 242');
}

/** `5`, `5 s`, `RX_DELAY_5`. */
export function readRx1Delay(cell: string): Read<string> {
  const [, seconds] = /^(?:RX_DELAY_)?(\d{1,2})\s*s?$/i.exec(cell) ?? [];
  if (seconds !== undefined && Number(seconds) >= 1 && Number(seconds) <= 15) {
    return { value: `${Number(seconds)} s` };
  }
  return fault(`${quote(cell)} is no RX1 delay`, 'whole seconds from 1 to 15, or RX_DELAY_5');
}
