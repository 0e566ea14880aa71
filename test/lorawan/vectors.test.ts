/** Every list of every vector file is held, row by row, by a test that this table names. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { vectors } from '../support/vectors.ts';

/** Rows, and the tests that hold them. */
type Held = readonly [rows: number, ...tests: string[]];

const HELD: Readonly<Record<string, Readonly<Record<string, Held>>>> = {
  adr: { vectors: [28, 'lorawan/adr', 'lorawan/library'] },
  airtime: {
    lora: [124, 'lorawan/airtime', 'lorawan/library'],
    fsk50kbps: [3, 'lorawan/airtime', 'lorawan/library'],
  },
  applayer: { vectors: [71, 'lorawan/packages', 'lorawan/library-messages'] },
  classb: {
    chirpstackUnitTestsSatisfied: [5, 'lorawan/class-b', 'lorawan/library'],
    nextPingSlot: [97, 'lorawan/class-b', 'lorawan/library'],
    beacons: [20, 'lorawan/class-b'],
    hoppingUS915: [16, 'lorawan/class-b'],
  },
  fragmentation: {
    prbs23FromSeed1002: [10, 'lorawan/fragmentation-code'],
    bigN: [7, 'lorawan/fragmentation-code', 'lorawan/library'],
    cases: [19, 'lorawan/fragmentation-code', 'lorawan/library'],
  },
  'fragmentation-decoder': {
    curves: [153, 'lorawan/fragmentation-overhead', 'e2e/fragments'],
    scan: [734, 'lorawan/fragmentation-overhead'],
    badPairs: [18, 'lorawan/fragmentation-rank'],
    weakM: [48, 'lorawan/fragmentation-rank'],
    referenceDecoderChecks: [3, 'lorawan/fragmentation-rank', 'sim/packages/defective-blocks'],
  },
  frames: {
    frames: [33, 'lorawan/frame', 'lorawan/library'],
    joins: [6, 'lorawan/join', 'lorawan/library'],
  },
  'fuota-session': {
    unicast: [3, 'lorawan/fuota-session', 'core/fuota-session'],
    multicast: [4, 'lorawan/fuota-session', 'core/fuota-session'],
    sessions: [1, 'lorawan/fuota-session', 'core/fuota-session'],
  },
  keys: {
    multicastKeys: [3, 'lorawan/keys', 'lorawan/library'],
    dataBlockMicTs004v2: [4, 'lorawan/keys', 'lorawan/library'],
    pingSlots: [21, 'lorawan/class-b', 'lorawan/library'],
  },
  loratap: {
    output: [8, 'wireshark/dissection.wireshark'],
    plainSummary: [8, 'wireshark/dissection.wireshark'],
    keysFile: [2, 'wireshark/dissection.wireshark'],
    frames: [8, 'reports/trace/pcap'],
  },
  per: {
    snrFloorDb: [8, 'lorawan/library-radio'],
    symbolErrorRate: [9, 'sim/packet-error'],
    packetErrorRate: [30, 'sim/packet-error', 'lorawan/library-radio'],
    monteCarlo: [2, 'sim/packet-error'],
    twoCopies: [3, 'sim/interference-rules'],
  },
  phy: {
    snrFloorDb: [8, 'lorawan/library-radio'],
    sensitivityComputedNF6: [24, 'sim/radio', 'lorawan/library-radio'],
    sensitivityTables: [4, 'sim/radio'],
    'sirMatrixGoursaud(ns-3 lorawan)': [6, 'sim/radio'],
    'sirMatrixCroce(FLoRa)': [6, 'sim/radio'],
    interferenceExamplesGoursaud: [12, 'sim/radio'],
    pathLossDb: [11, 'sim/propagation'],
  },
  regions: { constants: [13, 'lorawan/region'], regions: [12, 'lorawan/region'] },
  rxwindow: {
    loraMacNode: [49, 'lorawan/receive-window', 'worlds/clocks'],
    loraBasicsModem: [73, 'lorawan/receive-window', 'worlds/clocks'],
  },
  udp: { vectors: [18, 'sim/semtech-udp'] },
};

/** Names of columns, and formulas in words. */
const WORDS = ['curveColumns', 'scanColumns', 'pathLossParameters'];

const FOLDER = new URL('../', import.meta.url);
const source = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8');

/** A test file and the notations of test/support that it imports. */
function textOf(test: string): string {
  const path = test.endsWith('.wireshark') ? `${test}.ts` : `${test}.test.ts`;
  const text = source(path);
  const helpers = [...text.matchAll(/from '(?:\.\.\/)+support\/([\w/-]+\.ts)'/g)];
  return [text, ...helpers.map(([, name]) => source(`support/${name}`))].join('\n');
}

const isTable = (value: unknown): value is object => typeof value === 'object' && value !== null;
const files = readdirSync(new URL('vectors/', FOLDER)).filter((name) => name.endsWith('.json'));
const rows = Object.entries(HELD).flatMap(([file, sections]) =>
  Object.entries(sections).map(([section, [count, ...tests]]) => ({ file, section, count, tests })),
);

describe('the vector files', () => {
  it('are all in the table, with every list that they hold', () => {
    const found = files.map((name) => {
      const file = name.replace('.json', '');
      const content = vectors<Record<string, unknown>>(file);
      const tables = Object.keys(content).filter((section) => isTable(content[section]));
      return [file, tables.filter((section) => !WORDS.includes(section))];
    });
    const reports = Object.entries(HELD).map(([file, sections]) => [file, Object.keys(sections)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(reports));
  });

  it.each(rows)('$file: $section, $count rows', ({ file, section, count, tests }) => {
    const table = vectors<Record<string, object>>(file)[section]!;
    expect(Object.keys(table)).toHaveLength(count);
    for (const test of tests) {
      const text = textOf(test);
      expect(text, `${test} reads ${file}`).toMatch(
        new RegExp(`vectors<[^]*?>\\(\\s*'${file}',?\\s*\\)`),
      );
      expect(text, `${test} holds ${section}`).toContain(section);
    }
  });
});
