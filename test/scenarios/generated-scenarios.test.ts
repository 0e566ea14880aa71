/** Generated scenario files: what is in them, how they are varied, and what a failure prints. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../scenarios/scenarios.ts';
import {
  checkInvariants,
  type DrawnScenario,
  runScenario,
  type ScenarioOptions,
  scenarios,
} from '../../scenarios/testing/testing.ts';
import { REGION_NAMES } from '../../sim/lorawan/region.ts';
import { costMs } from '../support/cost.ts';
import { some, someRuns } from '../support/long.ts';

type Entry = Readonly<Record<string, unknown>>;
const listIn = ({ document }: DrawnScenario, list: string) =>
  (document[list] ?? []) as readonly Entry[];
const drawn = (options: ScenarioOptions, numRuns: number) =>
  fc.sample(scenarios(options), { numRuns, seed: 42 });
const problemsOf = (each: DrawnScenario, files = {}) => {
  const loaded = loadScenario(each.text, { files });
  return loaded.outcome === 'scenario' ? [] : [loaded, each.text];
};

describe('a generated scenario', () => {
  const sample = drawn({}, some(1_000, 8));
  const operations = (each: DrawnScenario) =>
    listIn(each, 'timeline').flatMap(({ command }) => (command ? [command as Entry] : []));
  const hasClass = (name: string) => (each: DrawnScenario) =>
    listIn(each, 'devices').some((entry) => entry.class === name);

  it('loads without fault, each of many', () => {
    expect(sample.flatMap((each) => problemsOf(each))).toEqual([]);
  });

  it.each<[string, (each: DrawnScenario) => boolean, number]>([
    ['another region than EU868', ({ document }) => 'region' in document, 0.3],
    ['devices of class B', hasClass('B'), 0.15],
    ['devices of class C', hasClass('C'), 0.3],
    ['a device group', (each) => listIn(each, 'groups').length > 0, 0.25],
    ['a campaign', (each) => listIn(each, 'campaigns').length > 0, 0.25],
    ['a campaign in ping slots', (each) => listIn(each, 'campaigns').some(inPingSlots), 0.1],
    ['a multicast group', (each) => listIn(each, 'multicastGroups').length > 0, 0.1],
    ['a fault', (each) => listIn(each, 'timeline').some(isFault), 0.15],
    ['a sequence of operations', (each) => operations(each).length >= 3, 0.15],
    ['operations of several', (each) => callers(operations(each)).size >= 2, 0.1],
    ['several subscribers', ({ document }) => namesIn(document.subscribers) >= 2, 0.25],
  ])('has %s in a sensible share', (_, has, least) => {
    const share = sample.filter(has).length / sample.length;
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThan(0.9);
  });

  it('is in each of the regions, or in those that are asked for', () => {
    const regionsOf = (all: readonly DrawnScenario[]) =>
      [...new Set(all.map(({ document }) => document.region ?? 'EU868'))].sort();
    expect(regionsOf(sample)).toEqual([...REGION_NAMES].sort());
    expect(regionsOf(drawn({ region: 'US915' }, 50))).toEqual(['US915']);
    const two = drawn({ region: ['KR920', 'AS923-1'] }, 50);
    expect(regionsOf(two)).toEqual(['AS923-1', 'KR920']);
    expect(two.flatMap((each) => problemsOf(each))).toEqual([]);
  });

  it('has a fleet of as many devices as are asked for at most', () => {
    const counts = drawn({ devices: 300 }, 60).flatMap((each) =>
      listIn(each, 'devices').flatMap(({ name, count }) => (name === 'fleet' ? [count] : [])),
    ) as number[];
    expect(Math.max(...counts)).toBeLessThanOrEqual(300);
    expect(Math.max(...counts)).toBeGreaterThan(100);
  });

  it('runs to its end, and keeps every law', () => {
    fc.assert(
      fc.property(scenarios({ devices: 6 }), ({ text }) => {
        const { result, trace } = runScenario(text);
        expect(result.complete).toBe(true);
        expect(checkInvariants(trace)).toEqual({});
      }),
      { numRuns: someRuns(15), interruptAfterTimeLimit: 30_000 },
    );
  });

  it('leaves a device off until its power-on, anyone would have it reboot', () => {
    const text = `
      scenario: sleepers
      duration: 20 min
      devices: [{ name: meter, count: 5, activation: abp, joinWithin: 10 min }]
      timeline: [{ at: 1 s, reboot: { device: meter-1 } }, { at: 1 s, reboot: { device: meter-2 } }]
    `;
    const { trace } = runScenario(text);
    expect(checkInvariants(trace)).toEqual({});
    expect(trace.rows.some(({ kind }) => kind === 'deviceReboots')).toBe(false);
  });

  it('keeps the law of noise where a fault raises it, and theory loses frames to it', () => {
    const text = `
      scenario: noisy
      duration: 1 h
      radio: { pathLoss: { model: constant, loss: 142 dB }, reception: theory }
      devices: [{ name: meter, count: 10, activation: abp, dataRate: DR0, adr: false }]
      timeline: [{ at: 10 min, gatewayFault: { gateway: gateway, fault: noise, by: 12 dB } }]
    `;
    const { result, trace } = runScenario(text);
    expect(result.radio.lost.noise).toBeGreaterThan(0);
    expect(checkInvariants(trace)).toEqual({});
  });
});

const inPingSlots = ({ multicastSession }: Entry) => multicastSession === 'classB';
const isFault = (entry: Entry) => 'gatewayFault' in entry || 'deviceFault' in entry;
const callers = (commands: readonly Entry[]) => new Set(commands.flatMap(({ by }) => by ?? []));
const namesIn = (names: unknown) => (Array.isArray(names) ? names.length : 0);

const TOWN = `
  scenario: town
  duration: 90 min
  area: { radius: 4 km }
  gateways: [{ name: roof, placement: { file: roofs.csv } }]
  devices:
    - { name: meter, count: 50, joinWithin: 5 min, traffic: { every: 10 min, payload: 30 B } }
    - { name: valve, count: 3, class: C, traffic: { every: 10 min } }
  images: [{ name: town-2.0.0.bin, bytes: 1 kB }]
  groups: [{ name: valves, devices: [valve] }]
  campaigns: [{ name: spring, image: town-2.0.0.bin, group: valves, at: 10 min }]
  timeline: [{ at: 20 min, reboot: { device: meter-7 } }]
`;
const FILES = { 'roofs.csv': 'x,y\n0,0\n' };
const town: ScenarioOptions = { vary: TOWN, files: FILES };

describe('a file that is varied', () => {
  const sample = drawn({ ...town, devices: 80 }, 200);
  const valuesOf = (list: string, index: number, knob: string) =>
    new Set(sample.map((each) => listIn(each, list)[index]?.[knob]));

  it('loads without fault, however it is varied', () => {
    expect(sample.flatMap((each) => problemsOf(each, FILES))).toEqual([]);
  });

  it('has other numbers of devices: as few as its entries name, as many as are asked for', () => {
    const counts = [...valuesOf('devices', 0, 'count')] as number[];
    expect(Math.min(...counts)).toBe(7);
    expect(Math.max(...counts)).toBe(80);
    expect(counts.length).toBeGreaterThan(30);
  });

  it('has other seeds, data rates that carry its payloads, losses, redundancy and repairs', () => {
    expect(new Set(sample.map(({ document }) => document.seed)).size).toBeGreaterThan(50);
    const rates = ['DR0', 'DR1', 'DR2', 'DR3', 'DR4', 'DR5', undefined];
    expect([...valuesOf('devices', 0, 'dataRate')].sort()).toEqual(rates);
    expect(valuesOf('devices', 1, 'frameLoss').size).toBeGreaterThan(20);
    expect(valuesOf('campaigns', 0, 'redundancy').size).toBeGreaterThan(20);
    expect(valuesOf('campaigns', 0, 'individual_fragment_retransmit').size).toBeGreaterThan(10);
    expect(new Set(sample.map(({ document }) => document.radio)).size).toBeGreaterThan(10);
  });

  it('goes to the regions that are asked for, where it loads there', () => {
    const all = drawn({ ...town, region: ['EU868', 'IN865', 'US915'] }, 60);
    const regions = new Set(all.map(({ document }) => document.region));
    expect([...regions].sort()).toEqual(['EU868', 'IN865', 'US915']);
    expect(all.flatMap((each) => problemsOf(each, FILES))).toEqual([]);
  });

  it('has to be a scenario', () => {
    expect(() => scenarios({ vary: 'scenario: short\ncolour: red\n' })).toThrow(/colour/);
    expect(() => scenarios({ vary: TOWN })).toThrow('files are missing: roofs.csv');
  });
});

describe('a property that fails', () => {
  const text = `
    scenario: planted
    duration: 40 min
    area: { radius: 9 km }
    gateways: [{ name: roof }]
    devices: [{ name: meter, count: 50, joinWithin: 5 min, traffic: { every: 5 min } }]
  `;

  /** A planted fault: nobody of a network so wide stays at DR0. */
  const isFalse = ({ text: file }: DrawnScenario) =>
    (runScenario(file).result.devices.byDataRate.DR0 ?? 0) === 0;

  const property = fc.property(scenarios({ vary: text }), isFalse);
  let failure!: fc.RunDetails<[DrawnScenario]>;
  const tookMs = costMs(() => {
    failure = fc.check(property, { seed: 42 });
  });
  const [smallest] = failure.counterexample ?? [];

  it('shrinks a world of 50 devices to at most three, in less than half a minute', () => {
    expect(failure.failed).toBe(true);
    expect(runScenario(smallest!.text).result.devices.total).toBeLessThanOrEqual(3);
    expect(runScenario(text).result.devices.total).toBe(50);
    expect(tookMs).toBeLessThan(30_000);
  });

  it('prints a file that the command line runs to the same digest', () => {
    const report = fc.defaultReportMessage(failure) ?? '';
    const printed = /^Counterexample: \[\n(.*?)^\]/ms.exec(report)?.[1];
    expect(printed).toBe(smallest!.text);
    const folder = mkdtempSync(join(tmpdir(), 'fleetwave-printed-'));
    try {
      const file = join(folder, 'printed.yaml');
      writeFileSync(file, printed!);
      const words = ['dist/fleetwave.js', 'run', file, '--json', '--out', folder];
      const said = execFileSync(process.execPath, words, { encoding: 'utf8' });
      const { digest } = JSON.parse(said) as { digest: string };
      expect(digest).toBe(runScenario(smallest!.text).result.digest);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
