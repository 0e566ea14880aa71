/** `explainBroken`: a law that is broken opens as the story of the device that broke it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explanationLines } from '../../reports/library.ts';
import {
  checkInvariants,
  explainBroken,
  runScenario,
  worlds,
} from '../../scenarios/testing/testing.ts';

const PAIR = `
  scenario: pair
  duration: 2 h
  area: { radius: 500 m }
  devices: [{ name: meter, count: 3, joinWithin: 1 min, traffic: { every: 10 min } }]
`;

describe('a law that is broken', () => {
  it('opens as the story of the device that its first complaint names', () => {
    const { trace } = runScenario(PAIR, { seed: 'a' });
    const frames = trace.rows.filter(
      (row) => row.kind !== 'uplinkEnds' || row.device !== 'meter-2',
    );
    const broken = checkInvariants({ ...trace, rows: frames });
    expect(Object.values(broken).flat().join()).toContain('meter-2');
    const stories = explainBroken(PAIR, broken, { seed: 'a' });
    expect(stories.map(({ device }) => device.name)).toEqual(['meter-2']);
    expect(explanationLines(stories[0]!)[0]).toMatch(/^meter-2 \(.*seed a/);
    expect(stories[0]!.events.length).toBeGreaterThan(3);
  });

  it('of a generated world is explained with its commands', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const [device] = world.plan.network.devices;
        if (device === undefined) return;
        const stories = explainBroken(world, {
          oneFate: [`${device.name} has two fates`],
        } as never);
        expect(stories[0]!.device.devEui).toBe(device.devEui);
        expect(stories[0]!.seed).toBe(world.seed);
      }),
      { numRuns: 5 },
    );
  });

  it('has no story where no complaint names a device', () => {
    expect(explainBroken(PAIR, { oneFate: ['a frame of nobody'] } as never)).toEqual([]);
    expect(explainBroken(PAIR, {})).toEqual([]);
  });
});

describe('a stored world', () => {
  it('without a broken law has no text beside it', () => {
    const path = 'test/corpus/new-channel.yaml';
    const program = 'dist/test/corpus/explain-stored.js';
    const { status, stderr } = spawnSync(process.execPath, [program, path], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(existsSync(`${path}.txt`)).toBe(false);
    expect(readFileSync(path, 'utf8')).toContain('scenario');
  });
});
