/** Lists of any bytes: an import never throws, and what it would write is a valid scenario. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImportOptions, importLists } from '../../api/importing/import-lists.ts';
import { faultText } from '../../api/importing/table.ts';
import { load } from '../../scenarios/load.ts';

const OPTIONS: ImportOptions = {
  wishes: [],
  gatewayFiles: new Set(),
  region: undefined,
  farthestMeters: undefined,
  skipFaulty: true,
  withKeys: true,
  stem: 'fleet',
};

const ENDINGS = ['csv', 'json', 'geojson', 'yaml', 'toml'];
const encoder = new TextEncoder();

/** Headers and cells as lists have them, right and wrong ones. */
const WORDS = [
  ['name', 'devEui', 'EUI', 'lat', 'lon', 'Breite', 'type', 'class', 'kind', 'x', 'y', 'Ort'],
  ['70B3D57ED0000001', '70-b3-d5-7e-d0-00-00-02', '7,0E+15', '48,1', '11.5', '-91', 'NaN', ''],
  ['A', 'gateway', 'Zähler ☂', '\ud800', '\u0000', '__proto__', 'EU868', 'true', 'POINT (1 2)'],
  ['lorawan', '1.0.3', 'traffic.every', '15 min', 'indoor', '5 %', 'appKey', 'F'.repeat(32)],
].flat();
const cell = fc.constantFrom(...WORDS);
const table = fc
  .tuple(
    fc.constantFrom(',', ';', '\t', '|'),
    fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
  )
  .map(([separator, rows]) => rows.map((cells) => cells.join(separator)).join('\n'));
const records = fc
  .array(fc.dictionary(cell, fc.oneof(cell, fc.json(), fc.double())), { maxLength: 5 })
  .map((list) => JSON.stringify(list));

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => encoder.encode(text)),
  table.map((text) => encoder.encode(text)),
  records.map((text) => encoder.encode(text)),
  fc.json().map((text) => encoder.encode(text)),
);
const files = fc.dictionary(
  fc.constantFrom(...ENDINGS.flatMap((ending) => [`a.${ending}`, `gateways.${ending}`])),
  bytes,
  { minKeys: 1, maxKeys: 3 },
);

describe('lists of any bytes', () => {
  it('are refused with faults that have a place, or become a valid scenario', () => {
    fc.assert(
      fc.property(files, (given) => {
        const { faults, notes, result } = importLists(new Map(Object.entries(given)), OPTIONS);
        for (const fault of [...faults, ...notes]) expect(faultText(fault)).toMatch(/\S/);
        expect(faults.length > 0).toBe(result === undefined);
        if (result === undefined) return;
        const { scenario, lists } = result.files;
        const bundle = new Map([['fleet.yaml', encoder.encode(scenario)]]);
        for (const { name, text } of lists) bundle.set(name, encoder.encode(text));
        expect(load('fleet.yaml', bundle).outcome).toBe('scenario');
      }),
      { numRuns: 300 },
    );
  });

  it('become scenarios often enough for that to say something', () => {
    const complete = fc.sample(table, { numRuns: 200, seed: 42 }).filter((text) => {
      const given = new Map([['a.csv', encoder.encode(text)]]);
      return importLists(given, OPTIONS).result !== undefined;
    });
    expect(complete.length).toBeGreaterThan(20);
  });
});
