/** `fleetwave/testing` and its page in the documentation. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../core/base/utf8.ts';
import {
  checkInvariants,
  INVARIANT_NAMES,
  runScenario,
  runWorld,
  type ScenarioRun,
  scenarios,
  traceOf,
  worldPlans,
  worlds,
} from '../../scenarios/testing/testing.ts';
import { examplesOf, printedBy, saidBy } from '../support/page-examples.ts';
import { SHORTEST, warningsOf } from './scenario.ts';

const page = readFileSync('docs/property-tests.md', 'utf8');

describe('the page about property tests', () => {
  it('shows the tests that are run here, word for word', () => {
    const shown = /```ts\n(.*?)```/s.exec(page)?.[1];
    const run = readFileSync('test/scenarios/property-tests.test.ts', 'utf8');
    const words = (text = '') => text.split(/[\s,]+/);
    expect(words(shown)).toEqual(
      words(run.replace("'../../scenarios/testing/testing.ts'", "'fleetwave/testing'")),
    );
  });

  it('names every invariant, and no other', () => {
    const invariants = page.slice(page.indexOf('## The inv'), page.indexOf('## What a trace'));
    const named = [...invariants.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...INVARIANT_NAMES].sort());
  });

  it('reports what its examples print', () => {
    const codes = examplesOf(page)
      .filter(({ heading }) => !heading.startsWith('More seeds'))
      .map(({ code }) => code!);
    expect(printedBy(codes)).toEqual(codes.map(saidBy));
    expect(codes).toHaveLength(4);
  });

  it('names every option of what draws scenarios', () => {
    const about = page.slice(page.indexOf('## Scenario files'), page.indexOf('## News of'));
    const named = [...about.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g));
    expect(() => scenarios({ '': 1 } as never)).toThrow(`allowed: ${named.join(', ')}`);
  });

  it('names every kind of news, and no other', () => {
    const face = readFileSync('sim/contract/news.ts', 'utf8');
    const type = face.slice(face.indexOf('export type News ='), face.indexOf('thingOf('));
    const declared = [...type.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind]) => kind);
    const about = page.slice(page.indexOf('## News of'), page.indexOf('## More seeds'));
    const firsts = [...about.matchAll(/^\| (`.*?`) \|/gm)].map(([, first]) => first);
    const named = firsts.join().match(/\w+(?=`)/g) ?? [];
    expect(named.filter((kind) => kind !== 'kind').sort()).toEqual(declared.sort());
  });

  it('names every row of a trace', () => {
    const rows = page.slice(page.indexOf('## What a trace'));
    const source = readFileSync('sim/observation/observer.ts', 'utf8');
    const documented = [...source.matchAll(/readonly kind: '(\w+)';/g)].map(([, kind]) => kind);
    for (const world of fc.sample(worlds(), { numRuns: 5, seed: 1 })) {
      for (const { kind } of runWorld(world).trace.rows) expect(documented).toContain(kind);
    }
    for (const kind of documented) expect(rows).toContain(`\`${kind}\``);
  });
});

describe('running a scenario', () => {
  it('gives the same result and trace for the same text, seed and overrides', () => {
    const run = { seed: 'a', set: ['devices.meter.count=4'] };
    expect(runScenario(SHORTEST, run)).toEqual(runScenario(SHORTEST, run));
    expect(runScenario(SHORTEST, run).result.devices.total).toBe(4);
    expect(runScenario(SHORTEST, { seed: 'b' }).result.digest).not.toBe(
      runScenario(SHORTEST, { seed: 'a' }).result.digest,
    );
  });

  it('refuses a text that is no scenario, with every fault', () => {
    const text = 'scenario: short\nduration: 5 parsecs\ndevices: [{ name: meter, colour: red }]\n';
    expect(() => runScenario(text)).toThrow(/parsecs.*colour/s);
  });

  it('reads the files that a scenario names, and asks for those that are missing', () => {
    const text = `
      scenario: short
      duration: 10 min
      devices: [{ name: meter, count: 2, placement: { file: a.csv } }]
    `;
    expect(() => runScenario(text)).toThrow('files are missing: a.csv');
    const files = { 'a.csv': 'x,y\n10,20\n30,40\n' };
    expect(runScenario(text, { files }).result.devices.map.xMeters).toEqual([10, 30]);
  });
});

describe('what a scenario expects', () => {
  const text = `${SHORTEST}expectations: [joined >= 99 %, 'radio.uplinks < 1']\n`;

  it('is judged by a run, as result.json has it', () => {
    const { result } = runScenario(text);
    expect(result.expectations).toEqual([
      { expectation: 'joined >= 99 %', actual: 1, holds: true },
      { expectation: 'radio.uplinks < 1', actual: result.radio.uplinks, holds: false },
    ]);
    expect(runScenario(SHORTEST).result.expectations).toEqual([]);
  });

  it('stands beside what the loader warned of', () => {
    const unwise = `${text}region: US915\nchannels: [{ subBand: 2 }]\n`;
    const warned = warningsOf(unwise).map((line) => line.replace(/^\S+ +(\S+) +/, '$1: '));
    expect(runScenario(unwise).result.warnings.slice(0, warned.length)).toEqual(warned);
    expect(warned.length).toBeGreaterThan(0);
  });
});

describe('the trace of a scenario', () => {
  it('has row for row what a run keeps', () => {
    const run = { seed: 'a', set: ['devices.meter.count=4'] };
    expect([...traceOf(SHORTEST, run)]).toEqual(runScenario(SHORTEST, run).trace.rows);
  });

  it('returns the result behind the last row', () => {
    const rows = traceOf(SHORTEST)[Symbol.iterator]();
    let step = rows.next();
    while (step.done !== true) step = rows.next();
    const { expectations: _, ...result } = runScenario(SHORTEST).result;
    expect(step.value).toEqual(result);
  });

  it('is made as it is read: a loop that is left runs the world no further', () => {
    const heard: number[] = [];
    const news: ScenarioRun['news'] = (_, { nowUs }) => void heard.push(nowUs);
    const seen: number[] = [];
    for (const { kind, atUs } of traceOf(SHORTEST, { news, set: ['duration=3650 d'] })) {
      seen.push(atUs);
      if (kind === 'uplinkCollected') break;
    }
    expect(seen.length).toBeGreaterThan(3);
    expect(Math.max(...heard)).toBeLessThanOrEqual(seen.at(-1)!);
  });

  it('may be read again, each time from the start', () => {
    const trace = traceOf(SHORTEST);
    for (const _ of trace) break;
    expect([...trace]).toEqual([...trace]);
  });

  it('refuses what is no scenario at once, before it is read', () => {
    expect(() => traceOf('devices: 5')).toThrow(/scenario.*is missing/s);
  });
});

describe('news of a run', () => {
  it('come in the order of time with whose they are, and change nothing of the run', () => {
    const heard: { readonly kind: string; readonly owner: string; readonly nowUs: number }[] = [];
    const news: ScenarioRun['news'] = ({ kind }, about) => void heard.push({ kind, ...about });
    const { result, trace } = runScenario(SHORTEST, { news });
    expect(result).toEqual(runScenario(SHORTEST).result);
    const collected = trace.rows.filter(({ kind }) => kind === 'uplinkCollected');
    const ups = heard.filter(({ kind }) => kind === 'frameUp');
    expect(ups.map(({ nowUs }) => nowUs)).toEqual(collected.map(({ atUs }) => atUs));
    expect(ups.every(({ owner }) => owner === 'default')).toBe(true);
    expect(ups.length).toBeGreaterThan(0);
  });
});

describe('the invariants', () => {
  it('notice what is wrong, and where', () => {
    const { trace } = runScenario(SHORTEST);
    expect(checkInvariants(trace)).toEqual({});
    const rows = trace.rows.filter(({ kind }) => kind !== 'receiveWindows');
    expect(checkInvariants({ ...trace, rows }).windowsOpenInTime?.[0]).toMatch(
      /^meter-\d .*window/,
    );
  });

  it('know the devices that commands bring', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const { trace } = runWorld(world);
        const known = new Set(trace.network.devices.map(({ name }) => name));
        for (const row of trace.rows)
          if (row.kind === 'deviceStarts') expect(known).toContain(row.device);
        expect(known.size).toBe(trace.network.devices.length);
      }),
      { numRuns: 30 },
    );
  });
});

describe('generated plans', () => {
  it('stay within the limits that were asked for', () => {
    fc.assert(
      fc.property(worldPlans({ gateways: 1, devices: 3, minutes: 5, commands: 2 }), (plan) => {
        expect(plan.network.gateways).toHaveLength(1);
        expect(plan.network.devices.length).toBeLessThanOrEqual(3);
        expect(plan.durationUs).toBeLessThanOrEqual(5 * 60_000_000);
      }),
    );
  });
});

describe('UTF-8', () => {
  it('goes to bytes as the platform has it, and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([...encodeUtf8(text)]).toEqual([...new TextEncoder().encode(text)]);
        expect(decodeUtf8(encodeUtf8(`a${text}`))).toEqual({ text: `a${text}` });
      }),
    );
    expect([...encodeUtf8('\ud800')]).toEqual([0xef, 0xbf, 0xbd]);
  });
});
