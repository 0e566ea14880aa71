/** Generated scenarios and worlds: what a user's own laws may rely on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import { scenarioTexts } from '../../scenarios/testing/generators/generated-scenarios.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { some, someRuns } from '../support/long.ts';
import { carryOut, straight } from '../support/worlds.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

describe('a generated scenario', () => {
  it('has no fault', () => {
    fc.assert(
      fc.property(scenarioTexts, (text) => {
        expect(faultsOf(text)).toEqual([]);
      }),
    );
  });

  it('becomes a world that runs to its end', () => {
    fc.assert(
      fc.property(scenarioTexts, (text) => {
        const world = World.create(populate(scenarioOf(text)), 'seed');
        expect(world.runUntil(world.endUs)).toBe(true);
        expect(world.result().complete).toBe(true);
      }),
      { numRuns: someRuns(30) },
    );
  });
});

describe('a generated world', () => {
  const sample = fc.sample(worlds(), { numRuns: 150, seed: 1 });

  it('has its commands in the order of time, within the run', () => {
    for (const { plan, commands } of sample) {
      for (const stamps of [plan.timeline, commands].map((log) => log.map(({ atUs }) => atUs))) {
        expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
        expect(stamps.every((atUs) => atUs >= 0 && atUs <= plan.durationUs)).toBe(true);
      }
    }
  });

  it('is shared by nobody named, by one subscriber or by two who ask for what is theirs', () => {
    const shared = [
      ...sample,
      ...fc.sample(campaignWorlds({ devices: 6 }), { numRuns: 60, seed: 1 }),
    ];
    const groups = new Map<number, number>();
    for (const { plan, commands } of shared) {
      const { devices = [], gateways = [] } = plan.owners ?? {};
      const owners = new Set([...devices, ...gateways].map(([, owner]) => owner));
      const callers = [...plan.timeline, ...commands].map(({ command: { by = 'default' } }) => by);
      const known = owners.size === 0 ? ['default'] : ['north', 'south'];
      for (const by of callers) expect([...known, 'another']).toContain(by);
      groups.set(owners.size, (groups.get(owners.size) ?? 0) + 1);
    }
    expect([...groups.keys()].sort()).toEqual([0, 1, 2]);
    expect(Math.min(...groups.values())).toBeGreaterThan(15);
  });

  it('is one of many kinds: every row of a trace and every fate comes up', () => {
    const seen = new Set<string>();
    for (const world of sample.slice(0, some(2 * sample.length, 8))) {
      const trace = (row: TraceRow) => {
        seen.add(row.kind);
        if (row.kind === 'uplinkEnds') for (const { fate } of row.gateways) seen.add(fate);
        if (row.kind === 'downlinkEnds') for (const { fate } of row.devices) seen.add(fate);
        if (row.kind === 'downlinkRefused') seen.add(row.reason);
        if (row.kind === 'uplinkCollected') seen.add(row.verdict);
      };
      carryOut(world, straight, { observer: { trace } });
    }
    for (const kind of [
      'downlinkRefused',
      'deviceRemoved',
      'received',
      'tooWeak',
      'noPath',
      'halfDuplex',
      'interfered',
      'frameLoss',
      'noise',
      'notForMe',
      'collision',
      'joined',
      'accepted',
      'repeated',
    ]) {
      expect(seen).toContain(kind);
    }
  });
});
