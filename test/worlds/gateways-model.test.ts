/**
 * Gateways, their groups, multicast groups and logs against a reference model that is written from
 * the documents alone: three subscribers of one network, with whatever they ask for in whatever
 * order.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogStore } from '../../core/management/logs/log-store.ts';
import { World } from '../../core/world/world.ts';
import { SEED } from '../support/driving.ts';
import { someRuns } from '../support/long.ts';
import { HOUR_US, MINUTE_US } from '../support/small-network.ts';
import { carryOut, type Step, steps } from '../support/station-commands.ts';
import { allReported, audit, auditRecords } from '../support/station-laws.ts';
import { nodeIdOf, Stations } from '../support/station-world.ts';

const MILLISECOND_US = 1_000;

function drive(commands: readonly Step[]): Stations {
  const driven = new Stations();
  audit(driven);
  for (const step of commands) {
    carryOut(driven, step);
    audit(driven);
    if (step.does === 'wait' && step.b % 4 === 0) auditRecords(driven, step.a, step.b);
  }
  auditRecords(driven, 5, 3);
  return driven;
}

const ANN = { who: 0, isApplication: false } as const;

/** What few random stories have: a gateway in a group goes; one loses its mobile network. */
const EXAMPLES: readonly Step[][] = [
  [
    { does: 'group', ...ANN, a: 1, b: 1 },
    { does: 'delete', ...ANN, a: 2, b: 1 },
  ],
  [
    { does: 'create', ...ANN, a: 1, b: 4 },
    { does: 'update', ...ANN, a: 2, b: 7 },
  ],
];

describe('those who have gateways in one network', () => {
  it('are reported and refused as the document says, whatever they do', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60, size: 'max' }), (commands) => {
        const { world, log, plan } = drive(commands);
        // It was never asked for anything.
        const again = World.replay(plan, SEED, log);
        again.runUntil(world.nowUs);
        expect(again.digest()).toEqual(world.digest());
        expect(allReported(again)).toBe(allReported(world));
        expect(again.toBytes()).toEqual(world.toBytes());
      }),
      { numRuns: someRuns(6, 3) + EXAMPLES.length, examples: EXAMPLES.map((each) => [each]) },
    );
  });
});

describe('a gateway that is another’s by now', () => {
  const NODE_ID = nodeIdOf(0);
  const listed = (driven: Stations) =>
    driven.got('ann', { kind: 'log.list' }).Logs.flatMap(({ GatewayList }) => GatewayList);

  it('is foreign in the log of who had it, also once the world is saved and restored', () => {
    for (const isSaved of [false, true]) {
      const driven = new Stations();
      driven.world.runUntil(HOUR_US);
      expect(listed(driven).some((each) => each.GatewayNodeID === NODE_ID)).toBe(true);
      const { Id: GatewayProfile } = driven.got('bob', { kind: 'gatewayProfile.list' })
        .GatewayProfiles[0]!;
      driven.give('ann', { kind: 'baseStation.delete', Id: NODE_ID }, []);
      const radio = { GatewayProfile, AntennaGain: '0', LocationType: 'OUTDOOR' } as const;
      const named = { NodeId: NODE_ID, MacAddress: '00:00:00:00:00:01', Name: 'mine' };
      const gateway = { ...radio, ...named, Coordinates: { X: '48', Y: '11' } };
      driven.give('bob', { kind: 'baseStation.create', gateway }, []);
      if (isSaved) carryOut(driven, { does: 'save', who: 0, isApplication: false, a: 0, b: 0 });
      const fromMs = driven.nowMs;
      driven.world.runUntil(4 * HOUR_US);
      const since = listed(driven).filter(({ Time }) => Date.parse(Time) > fromMs);
      expect(since.some((each) => each.Unowned)).toBe(true);
      expect(since.map(({ GatewayNodeID }) => GatewayNodeID)).not.toContain(NODE_ID);
    }
  });

  it('is foreign also in entries after those that are sealed', () => {
    const owned = new Set([NODE_ID]);
    const log = new LogStore(100_000, (eui) => owned.has(eui));
    const hear = (atUs: number) => {
      const { open } = log;
      open.addReception(open.begin(atUs, ''), NODE_ID, -10_000, 500, 20_000, false);
    };
    const count = 8_192;
    for (let i = 0; i < count; i++) hear(i);
    owned.clear();
    log.forgetGateway(NODE_ID);
    for (let i = 0; i < 5; i++) hear(count + i);
    const { chunks } = log.copy;
    expect(chunks.map(({ size }) => size)).toEqual([4_096, 4_101]);
    expect(chunks.map(({ gateways }) => gateways.places.length)).toEqual([4_096, 4_096]);
  });
});

describe('a gateway that is made anew under its EUI', () => {
  it('has heard nothing of what the one before it heard, gathered or not', () => {
    const ended = (driven: Stations) =>
      driven.reported.flatMap(({ news }) => (news.kind === 'frameUp' ? [news.frame] : []));
    const before = new Stations();
    before.world.runUntil(2 * HOUR_US);
    const all = ended(before).filter(({ receptions }) => receptions.length === 3);
    const { endedAtUs } = all.find((frame) => frame.endedAtUs > HOUR_US)!;
    const driven = new Stations();
    driven.world.runUntil(endedAtUs + MILLISECOND_US);
    carryOut(driven, { does: 'anew', who: 0, isApplication: false, a: 0, b: 0 });
    driven.world.runUntil(endedAtUs + MINUTE_US);
    const frame = ended(driven).find((each) => each.endedAtUs === endedAtUs)!;
    expect(frame.receptions.map(({ gatewayEui }) => gatewayEui)).toContain(nodeIdOf(0));
    const heard = ended(driven).filter((each) => each.endedAtUs > endedAtUs).length;
    const response = driven.got('ann', { kind: 'gatewayStatistics.get', Id: nodeIdOf(0) });
    expect(response.LastUplinkTime === null).toBe(heard === 0);
    audit(driven);
  });
});
