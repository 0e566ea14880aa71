/** EUIs and keys in any spelling: dashes, colons, spaces, bytes in C, words before them. */

import { quote, sentence } from '../../scenarios/language/complaint.ts';

export type Read<Value> = { readonly value: Value } | { readonly fault: string };

const EUI_ALLOWED = '16 hexadecimal digits, such as 70B3D57ED0000001 or 70-B3-D5-7E-D0-00-00-01';

/** `eui-70b3…`, `{0x70, 0xB3, …}`, `70:B3:…`, `70b3.d57e.d000.0001`. */
const digitsOf = (cell: string): string =>
  cell
    .replace(/^\s*(dev|gw|gateway)?-?eui[-:= ]+/i, '')
    .replace(/0x/gi, '')
    .replace(/[-:.,;\s_{}[\]()"'`]/g, '')
    .toUpperCase();

const PLAIN_EUI = /^[0-9A-Fa-f]{16}$/;

export function readEui(cell: string): Read<string> {
  if (PLAIN_EUI.test(cell)) return { value: cell.toUpperCase() };
  const groups = /^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){3}$/i.exec(cell.trim());
  const digits = groups === null ? digitsOf(cell) : id6(cell.trim());
  if (PLAIN_EUI.test(digits)) return { value: digits };
  return { fault: sentence({ what: wrongEui(cell, digits), allowed: EUI_ALLOWED }) };
}

/** As LoRa Basics Station writes them: four groups without leading zeros. */
const id6 = (cell: string): string =>
  cell
    .split(':')
    .map((group) => group.padStart(4, '0'))
    .join('')
    .toUpperCase();

/** What is wrong, and how it usually came about. */
function wrongEui(cell: string, digits: string): string {
  const what = `${quote(cell)} is no EUI`;
  if (/^\d([.,]\d+)?E\+?\d+$/i.test(cell))
    return `${what}: a spreadsheet has rounded it to a number`;
  if (/^[0-9A-F]*$/.test(digits) && digits.length < 16) {
    const zeros = /^\d+$/.test(cell) ? '; leading zeros are gone, if a spreadsheet wrote it' : '';
    return `${what}: it has ${digits.length} digits${zeros}`;
  }
  return what;
}

/** EUIs of gateways are often made of their MAC address (EUI-64 guidelines of the IEEE). */
export function readGatewayEui(cell: string): Read<string> {
  const digits = digitsOf(cell);
  if (!/^[0-9A-F]{12}$/.test(digits)) return readEui(cell);
  return { value: `${digits.slice(0, 6)}FFFE${digits.slice(6)}` };
}

export function readKey(cell: string): Read<string> {
  const digits = digitsOf(cell);
  if (/^[0-9A-F]{32}$/.test(digits)) return { value: digits };
  // Keys are secrets, so the cell is not repeated.
  const what = `is no key: it has ${digits.length} characters`;
  return { fault: sentence({ what, allowed: '32 hexadecimal digits' }) };
}

/** Whether a cell can be nothing but an EUI. */
export function isEui(cell: string): boolean {
  if (cell.length < 16 || cell.length > 60) return false;
  return PLAIN_EUI.test(cell) || PLAIN_EUI.test(digitsOf(cell));
}

export const isKey = (cell: string): boolean =>
  cell.length >= 32 && /^[0-9A-F]{32}$/.test(digitsOf(cell));
