/** The loader: files that it asks for, limits that it keeps, and that nothing makes it throw. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILE_BYTES_MAX } from '../../scenarios/composing/texts.ts';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { someRuns } from '../support/long.ts';
import { bundleOf, faultsOf, loadText, meterWith, SHORTEST, scenarioOf } from './scenario.ts';

const LIBRARY = new URL('../../scenarios/library/', import.meta.url);
const FILES = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => readFileSync(new URL(path, LIBRARY), 'utf8'));

/** Where a scenario names a file of points. */
const AT = 'file.yaml:2:55  /devices/0/placement/file  ';

describe('the loader', () => {
  it('asks for the scenario file first', () => {
    expect(load('a/b.yaml', bundleOf({}))).toEqual({ outcome: 'needs', paths: ['a/b.yaml'] });
  });

  it('asks for the points next to the scenario file, once for all places that use them', () => {
    const text = meterWith('placement: { file: sites/a.csv }').replace(
      'devices',
      'gateways: [{ placement: { file: sites/a.csv } }, { name: b, placement: { ' +
        'file: c.csv } }]\ndevices',
    );
    const needs = { outcome: 'needs', paths: ['x/sites/a.csv', 'x/c.csv'] };
    expect(load('x/y.yaml', bundleOf({ 'x/y.yaml': text }))).toEqual(needs);
  });

  it('wants a point for everything that is placed by a file', () => {
    const text = meterWith('placement: { file: a.csv }');
    const files = (points: string) => bundleOf({ 'file.yaml': text, 'a.csv': `x,y\n${points}` });
    expect(load('file.yaml', files('1,1\n2,2\n3,3\n')).outcome).toBe('scenario');
    expect(load('file.yaml', files('1,1\n2,2\n'))).toMatchObject({
      outcome: 'problems',
      problems: [{ message: expect.stringContaining('has 2 points for 3') }],
    });
  });

  it('reads points in metres or with units', () => {
    const loaded = load(
      'file.yaml',
      bundleOf({
        'file.yaml': meterWith('placement: { file: a.csv }'),
        'a.csv': '# surveyed\nx,y\n\n1200,-350.5\r\n1.2 km, 0 m\n-1e3,0\n',
      }),
    );
    expect(loaded).toMatchObject({
      outcome: 'scenario',
      scenario: {
        devices: [
          {
            placement: {
              by: 'points',
              points: [
                { xMeters: 1200, yMeters: -350.5 },
                { xMeters: 1200, yMeters: 0 },
                { xMeters: -1000, yMeters: 0 },
              ],
            },
          },
        ],
      },
    });
  });

  it.each([
    ['', 'a.csv is empty; allowed: a header such as x,y or name,latitude,longitude'],
    ['x,y\n1,2\n3\n4,5\n6,7', 'a.csv:3:1 has 1 cells; allowed: 2, as the header has'],
    ['x,y\n1,2\n', 'a.csv has 1 point for 3 at /devices/0; allowed: at least 3 points'],
  ])('says what is wrong with a file of points: %j', (points, fault) => {
    const files = { 'file.yaml': meterWith('placement: { file: a.csv }'), 'a.csv': points };
    const loaded = load('file.yaml', bundleOf(files));
    expect(loaded.outcome === 'problems' && loaded.problems.map(format)).toEqual([AT + fault]);
  });

  it('refuses a file of points of more than 16 MiB unread', () => {
    const files = bundleOf({ 'file.yaml': meterWith('placement: { file: a.csv }') });
    const loaded = load(
      'file.yaml',
      new Map([...files, ['a.csv', new Uint8Array(FILE_BYTES_MAX + 1)]]),
    );
    expect(loaded.outcome === 'problems' && loaded.problems.map(format)).toEqual([
      `${AT}a.csv has 16777217 bytes; allowed: at most 16777216 bytes (16 MiB)`,
    ]);
  });

  it('refuses a file of more than 16 MiB unread', () => {
    const bytes = new Uint8Array(FILE_BYTES_MAX + 1);
    const loaded = load('big.yaml', new Map([['big.yaml', bytes]]));
    expect(loaded.outcome === 'problems' && loaded.problems.map(format)).toEqual([
      'big.yaml  has 16777217 bytes; allowed: at most 16777216 bytes (16 MiB)',
    ]);
  });

  it('refuses bytes that are not UTF-8', () => {
    const loaded = load('a.yaml', new Map([['a.yaml', Uint8Array.of(0x61, 0x3a, 0xff)]]));
    expect(loaded.outcome === 'problems' && loaded.problems.map(format)).toEqual([
      'a.yaml  is not UTF-8 text at byte 2; allowed: UTF-8 text',
    ]);
  });

  it('reads a byte order mark and line ends of every system', () => {
    const scenario = scenarioOf(`\uFEFF${SHORTEST}description: Café\n`.replaceAll('\n', '\r\n'));
    expect(scenario.description).toBe('Café');
  });

  it('keeps EUIs and keys that look like numbers as the digits they are', () => {
    const text = (eui: string, key: string) =>
      `scenario: a\ndevices: [{ name: m, devEui: ${eui}, appKey: ${key} }]`;
    const [device] = scenarioOf(
      text('0000000000000017', '12345678901234567890123456789012'),
    ).devices;
    expect(device).toMatchObject({
      devEui: '0000000000000017',
      appKey: '12345678901234567890123456789012',
    });
    const [other] = scenarioOf(
      text('70000000000000E1', '1234567890123456789012345678E012'),
    ).devices;
    expect(other).toMatchObject({
      devEui: '70000000000000E1',
      appKey: '1234567890123456789012345678E012',
    });
  });

  it('lets populations share values by anchors and merge keys', () => {
    const { devices } = scenarioOf(
      'scenario: a\ndevices:\n  - &base { name: a, count: 2, nbTrans: 3 }\n' +
        '  - { <<: *base, name: b }\n',
    );
    expect(devices.map(({ name, count, nbTrans }) => [name, count, nbTrans])).toEqual([
      ['a', 2, 3],
      ['b', 2, 3],
    ]);
  });

  it('answers hostile nesting soon, whatever its form', () => {
    for (const text of ['['.repeat(50_000), '- '.repeat(25_000), '{a: '.repeat(10_000)]) {
      expect(faultsOf(text)).toEqual([expect.stringContaining('is nested too deeply')]);
    }
  });

  it('never throws on text', () => {
    const fragments = fc.constantFrom(
      'scenario',
      'devices',
      'name',
      'count',
      'placement',
      'timeline',
      'at',
      '<<',
      '__proto__',
      ': ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '\n',
      '\n  ',
      '\n    ',
      '#',
      '&a ',
      '*a',
      '|',
      '>',
      '"',
      "'",
      '!',
      '? ',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '~',
      '.nan',
      '-.inf',
      '1e999',
      '\t',
      '10 km',
      '5 %',
      'DR3',
      'meter-1',
      '0x10',
      '2 d',
      'joined >= 9 %',
      '\uD800',
      '\u0000',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 60 }), (parts) => {
        expect(['scenario', 'problems', 'needs']).toContain(loadText(parts.join('')).outcome);
      }),
      { numRuns: someRuns(1000) },
    );
  });

  it('never throws on bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { outcome } = load('a.yaml', new Map([['a.yaml', bytes]]));
        expect(['scenario', 'problems', 'needs']).toContain(outcome);
      }),
    );
  });

  it('never throws on a file of the library with a piece cut out, doubled or replaced', () => {
    const cut = fc.record({
      text: fc.constantFrom(...FILES),
      from: fc.nat(),
      length: fc.nat({ max: 40 }),
      by: fc.constantFrom('', ' ', '\n', ':', '-1', '[]', '{}', 'x', '1e400 s', '"', 'null'),
    });
    fc.assert(
      fc.property(cut, ({ text, from, length, by }) => {
        const start = from % text.length;
        const mutated = text.slice(0, start) + by + text.slice(start + length);
        const loaded = loadText(mutated);
        // One that names a file asks for it.
        expect(['scenario', 'problems', 'needs']).toContain(loaded.outcome);
        if (loaded.outcome === 'problems') {
          for (const problem of loaded.problems) {
            expect(format(problem)).toMatch(/^file\.yaml(:\d+:\d+)? {2}\S/);
          }
        }
      }),
      { numRuns: someRuns(300) },
    );
  });
});
