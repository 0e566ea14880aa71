/** `report.outline`: the file whose lines the map of a page draws (docs/scenario-file.md). */
import { describe, expect, it } from 'vitest';
import { format } from '../../scenarios/language/problem.ts';
import { loadScenario } from '../../scenarios/texts.ts';

const HEAD = 'scenario: town\ndevices: [{ name: meter }]\n';
const LINE = {
  type: 'LineString',
  coordinates: [
    [11, 48],
    [11, 48.01, 500],
  ],
};

const loaded = (file: string, content: unknown, origin = '') => {
  const text = `${HEAD}${origin}report:\n  outline: ${file}\n`;
  const written = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
  return loadScenario(text, { files: content === undefined ? {} : { [file]: written } });
};

const outlineIn = (content: unknown, origin = '') => {
  const read = loaded('coast.geojson', content, origin);
  return read.outcome === 'scenario' ? read.scenario.report.outline : read;
};

const complaintOn = (file: string, content: unknown): string => {
  const read = loaded(file, content);
  return read.outcome === 'problems' ? read.problems.map(format).join('\n') : read.outcome;
};

describe('an outline', () => {
  it('is of lines and polygons, in meters from the middle of the world', () => {
    expect(outlineIn(LINE)).toEqual({
      by: 'lines',
      lines: [
        [
          [0, 0],
          [0, 1112],
        ],
      ],
    });
    const { coordinates } = LINE;
    const feature = { type: 'Feature', properties: null, geometry: LINE };
    expect(outlineIn(feature)).toEqual(outlineIn(LINE));
    expect(outlineIn({ type: 'FeatureCollection', features: [feature] })).toEqual(outlineIn(LINE));
    const many = { type: 'MultiPolygon', coordinates: [[coordinates], [coordinates, coordinates]] };
    expect(outlineIn(many)).toHaveProperty('lines.length', 3);
  });

  it('is projected about the origin of the scenario', () => {
    const there = outlineIn(LINE, 'origin: { latitude: 48.01, longitude: 11 }\n');
    expect(there).toEqual({
      by: 'lines',
      lines: [
        [
          [0, -1112],
          [0, 0],
        ],
      ],
    });
  });

  it('is absent where the scenario names none', () => {
    const read = loadScenario(HEAD);
    expect(read.outcome === 'scenario' && read.scenario.report).toEqual({});
  });

  it('is asked for while nobody has read its file', () => {
    expect(loaded('coast.geojson', undefined)).toEqual({
      outcome: 'needs',
      paths: ['coast.geojson'],
    });
  });
});

describe('what is wrong with an outline', () => {
  const at = /^scenario\.yaml:4:12 {2}\/report\/outline {2}/;
  const point = { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] } };
  const far = {
    type: 'LineString',
    coordinates: [
      [11, 48],
      [11, 91],
    ],
  };
  const long = { type: 'LineString', coordinates: Array(20_001).fill([11, 48]) };
  it.each([
    ['not JSON', 'lines', /coast\.geojson is not JSON; allowed: GeoJSON of lines/],
    ['a point', point, /coast\.geojson:4:11 is not right; allowed: GeoJSON of lines/],
    ['a place that is not on Earth', far, /coast\.geojson:10:4 is not right/],
    ['a list', [], /coast\.geojson:1:1 is not right/],
    ['too many points', long, /coast\.geojson has 20001 points; allowed: at most 20000/],
  ])('is said where the scenario names it: %s', (_, content, complaint) => {
    const said = complaintOn('coast.geojson', content);
    expect(said).toMatch(at);
    expect(said).toMatch(complaint);
  });

  it('is a path that leaves the folder of the scenario', () => {
    expect(complaintOn('../coast.geojson', LINE)).toMatch(at);
    expect(complaintOn('../coast.geojson', LINE)).toMatch(/allowed: a path below the folder/);
  });
});
