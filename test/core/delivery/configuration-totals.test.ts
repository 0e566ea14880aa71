/** What rollouts came to: those that are over, and those that are underway. */
import { describe, expect, it } from 'vitest';
import type { DeviceRecord, Rollout } from '../../../core/delivery/device-configuration/state.ts';
import {
  addToTotals,
  configurationResult,
  noTotals,
} from '../../../core/delivery/device-configuration/totals.ts';

type Part = Pick<Rollout['fragments'][number], 'attempts' | 'status'>;

const rollout = (status: string, parts: readonly Part[], more: Partial<Rollout> = {}): Rollout =>
  ({
    status,
    failure: '',
    config: { uplinkPeriod: 60 },
    fragments: parts,
    createdAtUs: 1_000_000,
    completedAtUs: 4_000_000,
    ...more,
  }) as unknown as Rollout;

const sent = (attempts: number): Part => ({ attempts, status: 'sent' }) as Part;

const recordOf = (devEui: string, desired: Rollout | null): DeviceRecord =>
  ({ devEui, desired }) as unknown as DeviceRecord;

const resultOf = (totals: ReturnType<typeof noTotals>, records: readonly DeviceRecord[]) =>
  configurationResult(
    totals,
    records,
    {
      devices: records.map(({ devEui }, i) => ({ devEui, type: i % 2 === 0 ? 'meter' : 'valve' })),
    } as never,
    ({ devEui }) => (devEui === 'c' ? undefined : { uplinkPeriod: devEui === 'a' ? 60 : 90 }),
  );

describe('rollouts that are over', () => {
  it('are counted by how they ended, with all their tries', () => {
    const totals = noTotals();
    const ended: [Rollout, 'superseded'][] = [
      [rollout('applied', [sent(2), sent(3)]), 'superseded'],
      [rollout('applied', [sent(1)], { completedAtUs: 9_000_000 }), 'superseded'],
      [rollout('failed', [sent(4)], { failure: 'codec changed' as never }), 'superseded'],
      [rollout('failed', [sent(4)], { failure: 'codec changed' as never }), 'superseded'],
      [rollout('cancelled', []), 'superseded'],
    ];
    for (const [each, why] of ended) addToTotals(totals, each, why as never);
    expect(totals).toEqual({
      ...noTotals(),
      applied: 2,
      failed: { 'codec changed': 2 },
      cancelled: { superseded: 1 },
      tries: 14,
      appliedAtUs: [4_000_000, 9_000_000],
    });
  });

  it('have the first hundred thousand of their instants', () => {
    const totals = noTotals();
    const one = rollout('applied', [], { completedAtUs: 7 });
    for (let i = 0; i < 100_001; i++) addToTotals(totals, one, 'superseded' as never);
    expect([totals.applied, totals.appliedAtUs.length]).toEqual([100_001, 100_000]);
  });
});

describe('the result', () => {
  it('is none where no rollout was ever made', () => {
    expect(resultOf(noTotals(), [recordOf('a', null)])).toBeUndefined();
  });

  it('has the tries of what is over and of what is underway', () => {
    const totals = { ...noTotals(), made: 5, tries: 10, suspensions: 3 };
    const records = [
      recordOf('a', rollout('pending', [sent(2), sent(1)])),
      recordOf('b', rollout('pending', [sent(4)])),
      recordOf('c', rollout('applied', [sent(100)])),
      recordOf('d', null),
    ];
    expect(resultOf(totals, records)).toMatchObject({
      rollouts: { made: 5, active: 2 },
      tries: 17,
      suspensions: 3,
      appliedAtSeconds: [],
    });
  });

  it('has populations with what is desired of them, and how far it is', () => {
    const totals = { ...noTotals(), made: 4, appliedAtUs: [1_500_000] };
    const waiting = { attempts: 0, status: 'gateway_unavailable' } as Part;
    const records = [
      recordOf('a', rollout('applied', [sent(1), sent(1)])),
      recordOf('b', rollout('pending', [sent(1), waiting, waiting])),
      recordOf('e', rollout('failed', [sent(1)], { failure: 'codec changed' as never })),
      recordOf('c', rollout('pending', [])),
    ];
    const result = resultOf(totals, records)!;
    expect(result.appliedAtSeconds).toEqual([1.5]);
    expect(result.populations).toMatchObject([
      {
        name: 'meter',
        devices: 2,
        set: 1,
        status: { applied: 1, failed: 1 },
        failures: { 'codec changed': 1 },
        suspended: 0,
        fragments: 3,
      },
      { name: 'valve', devices: 2, set: 0, status: { pending: 2 }, suspended: 1, fragments: 3 },
    ]);
    const [meters] = result.populations;
    expect(meters!.appliedSeconds?.p50).toBe(3);
  });

  it('does not say how many are set where nobody can be', () => {
    const totals = { ...noTotals(), made: 1 };
    const [population] = resultOf(totals, [recordOf('c', rollout('pending', []))])!.populations;
    expect(population!.set).toBeNull();
  });
});
