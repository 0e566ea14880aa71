/** Places on Earth as lists write them: decimals, degrees with minutes, both in one cell. */
import { quote, sentence } from '../../scenarios/language/complaint.ts';
import type { Read } from './identifiers.ts';

const DECIMAL = /^[-+]?\d{1,3}([.,]\d*)?$/;
/** `48° 8' 14.5" N`, `N 48° 8.24'`, `48.137 N`. */
const PARTS = new RegExp(
  [
    String.raw`^([NSEWO])?\s*([-+]?\d{1,3}(?:[.,]\d+)?)\s*°?\s*`,
    String.raw`(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’]\s*)?`,
    String.raw`(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|'')\s*)?([NSEWO])?$`,
  ].join(''),
  'i',
);

const numberIn = (text: string): number => Number(text.replace(',', '.'));

/** Degrees from −`most` to `most`. */
export function readDegrees(cell: string, most: 90 | 180): Read<number> {
  const degrees = DECIMAL.test(cell) ? numberIn(cell) : degreesInParts(cell);
  if (degrees !== undefined && Math.abs(degrees) <= most) return { value: degrees };
  const allowed = `degrees from -${most} to ${most}, such as ${most === 90 ? '48.137' : '11.575'}`;
  const what = `${quote(cell)} is no ${most === 90 ? 'latitude' : 'longitude'}`;
  return { fault: sentence({ what, allowed }) };
}

function degreesInParts(cell: string): number | undefined {
  const found = PARTS.exec(cell);
  if (found === null) return undefined;
  const [, before = '', whole = '', minutes = '0', seconds = '0', after = ''] = found;
  const size = Math.abs(numberIn(whole)) + numberIn(minutes) / 60 + numberIn(seconds) / 3600;
  const side = (before || after).toUpperCase();
  const isNegative = whole.startsWith('-') || side === 'S' || side === 'W';
  const rounded = Math.round(size * 1e7) / 1e7;
  return isNegative ? -rounded : rounded;
}

export interface Degrees {
  readonly latitude: number;
  readonly longitude: number;
}

const POSITION_ALLOWED = 'latitude and longitude, such as 48.137, 11.575 or POINT (11.575 48.137)';

/** Both in one cell: latitude first, but in WKT and GeoJSON, where longitude is first. */
export function readPosition(cell: string): Read<Degrees> {
  const wkt = /^(?:SRID=\d+;\s*)?POINT\s*Z?\s*\(\s*(\S+)\s+(\S+)(?:\s+\S+)?\s*\)$/i.exec(cell);
  const json = /"coordinates"\s*:\s*\[\s*([^,\s]+)\s*,\s*([^,\]\s]+)/.exec(cell);
  const reversed = wkt ?? json;
  const [east, north] = reversed === null ? halves(cell) : [reversed[1], reversed[2]];
  const latitude = readDegrees(north ?? '', 90);
  const longitude = readDegrees(east ?? '', 180);
  if ('value' in latitude && 'value' in longitude) {
    return { value: { latitude: latitude.value, longitude: longitude.value } };
  }
  return { fault: sentence({ what: `${quote(cell)} is no place`, allowed: POSITION_ALLOWED }) };
}

/** East and north of `north, east`, with decimal commas as well: `48,137; 11,575`. */
function halves(cell: string): readonly (string | undefined)[] {
  const bare = cell.replace(/^[[(]\s*|\s*[\])]$/g, '');
  for (const separator of [/\s*;\s*/, /\s*\/\s*/, /,\s+/, /\s*,\s*/, /\s+/]) {
    const parts = bare.split(separator).filter((part) => part !== '');
    if (parts.length === 2) return [parts[1], parts[0]];
  }
  return [];
}

export const isPosition = (cell: string): boolean => 'value' in readPosition(cell);
