/** Lists of very many rows: what an import takes grows as its lists do, with faults or without. */
import { describe, expect, it } from 'vitest';
import { type ImportOptions, importLists } from '../../api/importing/import-lists.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';

const OPTIONS: ImportOptions = {
  wishes: [],
  gatewayFiles: new Set(),
  region: undefined,
  farthestMeters: undefined,
  skipFaulty: false,
  withKeys: false,
  stem: 'fleet',
};

const euiOf = (i: number) => `70B3D57ED${i.toString(16).toUpperCase().padStart(7, '0')}`;
function csv(count: number, row: (i: number) => string): string {
  const rows = Array.from({ length: count }, (_, i) => row(i));
  return ['name;devEui;type;latitude;longitude', ...rows].join('\n');
}

const imported = (name: string, text: string) =>
  importLists(new Map([[name, new TextEncoder().encode(text)]]), OPTIONS);

describe('an import', () => {
  it.each<readonly [string, string, (count: number) => string]>([
    ['different rows', 'd.csv', (n) => csv(n, (i) => `Zähler ${i};${euiOf(i)};a;48.1;11,5`)],
    ['rows with one name', 'd.csv', (n) => csv(n, (i) => `Zähler;${euiOf(i)};a;48.1;11,5`)],
    ['rows with one EUI', 'd.csv', (n) => csv(n, (i) => `${i};${euiOf(1)};a;48.1;11,5`)],
    ['rows of a type each', 'd.csv', (n) => csv(n, (i) => `x ${i};${euiOf(i)};${i};48.1;11,5`)],
    [
      'records with one EUI',
      'd.json',
      (n) => `[${Array.from({ length: n }, (_, i) => `\n{"name":"${i}","devEui":"${euiOf(1)}"}`)}]`,
    ],
  ])('of %s costs what its size costs', async (_, name, textOf) => {
    const costOf = (count: number) => {
      const text = textOf(count);
      return costMs(() => {
        const { faults } = imported(name, text);
        faults.slice(0, 100).map(({ line, message }) => `${line} ${message}`);
      });
    };
    expect(await growsTooMuch(costOf, 1250)).toBe(false);
  });

  it('of records says on which line each stands', () => {
    const text = '{"devices": [\n{"devEui": "1", "a": [1, {}]},\n\n {"devEui": "2"}]}';
    expect(imported('d.json', text).faults.map(({ line }) => line)).toEqual([2, 4]);
  });

  it('of features says on which line each point stands', () => {
    const feature = (type: string, coordinates: string) =>
      `{"type":"Feature","properties":{"devEui":"1"},\n` +
      `"geometry":{"type":"${type}","coordinates":${coordinates}}}`;
    const two = feature('MultiPoint', '[[1,2],[3,4]]');
    const one = feature('Point', '[5,6]');
    const text = `{"type":"FeatureCollection","features":[\n${two},\n${one}]}`;
    expect(imported('d.geojson', text).faults.map(({ line }) => line)).toEqual([2, 2, 4]);
  });
});
