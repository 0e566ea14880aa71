/** A sample of what an operation takes, made from its rows alone, and places in it. */

import type { Field, Fields, Kind } from '../../../sim/base/rows/fields.ts';
import { readFields } from '../../support/read-fields.ts';

const AT = { path: '', name: 'it', failure: 'it.malformed' };

/** One of these is of every kind of text that there is. */
const TEXTS = [
  'meter',
  'meter-1.2.3.bin',
  '1.2.3',
  '1.2.3.4',
  'aB3dE6',
  'aB3dE6fG',
  'ann@example.org',
  '0'.repeat(16),
  'a'.repeat(64),
  'vendor',
  '22:30',
  '2.15',
  '02:00:00:00:00:01',
  '1'.repeat(15),
  '1'.repeat(20),
  '-100.000000',
  '',
  '223',
  'https://example.com/in',
  'example.com:8883',
  'prefix.iot.region.example.com',
  'hub.example.com',
  '2016-11-14',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
];
const UUID = '00000000-0000-4000-8000-000000000000';

function candidatesOf(kind: Kind): readonly unknown[] {
  switch (kind.type) {
    case 'flag':
      return [true];
    case 'number':
    case 'whole':
      return [kind.least, 1, 2, kind.most];
    case 'choice':
      return kind.words;
    case 'hex':
      return ['A'.repeat(kind.digits)];
    case 'hexBytes':
      return ['AB'.repeat(Math.max(1, kind.least))];
    case 'instant':
      return ['2030-01-01T00:00:00Z'];
    case 'bytes':
      return [Uint8Array.of(1)];
    case 'list':
      return [Array.from({ length: Math.max(1, kind.least ?? 0) }, () => sampleOf(kind.of))];
    case 'map':
      return [{ [sampleOf(kind.keys) as string]: sampleOf(kind.of) }];
    case 'json':
      return [{ interval: 60 }];
    case 'record':
      return [sampleOfFields(kind.fields)];
    case 'either':
      return kind.kinds.map(sampleOf);
    default:
      return [...TEXTS, UUID];
  }
}

export function sampleOf(kind: Kind): unknown {
  const row = { ...kind, is: '' } as Field;
  const isOne = (value: unknown) => readFields({ it: row }, { it: value }, AT).ok;
  const found = candidatesOf(kind).find(isOne);
  if (found === undefined) throw new Error(`no sample of ${JSON.stringify(kind)}`);
  return found;
}

/** A value for every field. */
export const sampleOfFields = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, row]) => [name, sampleOf(row)]));

/** A kind somewhere in the rows, where a pointer shows it, and a sample with another value. */
export interface Spot {
  readonly kind: Kind;
  readonly pointer: string;
  readonly put: (value: unknown) => Record<string, unknown>;
}

/** Every kind that the rows have, all the way down: lists and maps by their first entry. */
export function spotsOf(fields: Fields): readonly Spot[] {
  return Object.entries(fields).flatMap(([name, row]) => {
    const put = (value: unknown) => ({ ...sampleOfFields(fields), [name]: value });
    return spotsIn(row, row.body ? '' : `/${name}`, put);
  });
}

function spotsIn(kind: Kind, pointer: string, put: Spot['put']): readonly Spot[] {
  const here = { kind, pointer, put };
  if (kind.type === 'record') {
    const inner = spotsOf(kind.fields).map((spot) => ({
      kind: spot.kind,
      pointer: pointer + spot.pointer,
      put: (value: unknown) => put(spot.put(value)),
    }));
    return [here, ...inner];
  }
  if (kind.type === 'list') {
    const [, ...rest] = sampleOf(kind) as readonly unknown[];
    return [here, ...spotsIn(kind.of, `${pointer}/0`, (value) => put([value, ...rest]))];
  }
  if (kind.type === 'map') {
    const name = sampleOf(kind.keys) as string;
    const inner = spotsIn(kind.of, `${pointer}/${name}`, (value) => put({ [name]: value }));
    return [here, ...inner];
  }
  return [here];
}
