/**
 * Faults of a gateway's backhaul and radio: what gets through, to the microsecond; what management
 * reports of it, and when.
 */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { type HeardRun, hearNetwork, Listener } from '../support/news-listener.ts';
import {
  eui,
  GPS_EPOCH_MS,
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  watch,
} from '../support/small-network.ts';

type Fault = 'backhaul' | 'radio';

const fault = (atUs: number, fault: Fault, on: boolean, number = 1): TimedCommand => ({
  atUs,
  command: { kind: 'gateway.fault', by: 'default', eui: eui('06', number), fault, on },
});

/** After its first uplink: it was heard. */
const enqueued = (): TimedCommand => ({
  atUs: MINUTE_US + MINUTE_US / 2,
  command: {
    kind: 'downlink.enqueue',
    by: 'default',
    devEui: eui('02', 1),
    fPort: 5,
    payloadHex: '01',
  },
});

/** One device that sends every minute, over a backhaul of 20 ms. */
const ONE = networkOf({});
const LONG_US = 12 * MINUTE_US;
const run = (timeline: readonly TimedCommand[], network: NetworkPlan = ONE): HeardRun => {
  const heard = hearNetwork(network, LONG_US, timeline);
  expect(judge(heard.trace.rows, network)).toEqual({});
  return heard;
};

const undisturbed = run([]);
/** Begins and ends of its frames. */
const begins = undisturbed.trace.of('uplinkBegins').map(({ atUs }) => atUs);
const ends = undisturbed.trace.of('uplinkEnds').map(({ atUs }) => atUs);

/** Numbers of the frames that the server took in. */
const taken = ({ listener }: HeardRun): number[] =>
  listener.ups.map(({ endedAtUs }) => ends.indexOf(endedAtUs));
const allBut = (lost: readonly number[]): number[] =>
  ends.map((_, i) => i).filter((i) => !lost.includes(i));

describe('a backhaul that is down', () => {
  it('loses the copies that are sent meanwhile, to the microsecond, and brings none later', () => {
    const [second, fifth] = [ends[2]!, ends[5]!];
    const during = (fromUs: number, untilUs: number) =>
      taken(run([fault(fromUs, 'backhaul', true), fault(untilUs, 'backhaul', false)]));
    expect(during(second - 1, fifth)).toEqual(allBut([2, 3, 4, 5]));
    // A fault begins and ends after all else of its instant: that copy is on its way.
    expect(during(second, fifth - 1)).toEqual(allBut([3, 4]));
  });

  it('costs no event, and leaves the air as it is', () => {
    const { world, trace } = run([
      fault(ends[2]!, 'backhaul', true),
      fault(ends[5]!, 'backhaul', false),
    ]);
    // The three frames were to be taken in.
    expect(undisturbed.world.events - world.events).toBe(3);
    expect(trace.of('uplinkEnds')).toEqual(undisturbed.trace.of('uplinkEnds'));
  });

  it('loses a downlink that would reach the gateway then, to the microsecond', () => {
    const planned = run([enqueued()]).trace.of('downlinkPlanned')[0]!;
    const arrivesAtUs = planned.atUs + 20_000;
    const sent = (atUs: number) => run([enqueued(), fault(atUs, 'backhaul', true)]);
    const lost = sent(arrivesAtUs - 1);
    expect(lost.world.result().downlinks).toMatchObject({ sent: 0, refused: { backhaulLoss: 1 } });
    expect(lost.listener.downs).toMatchObject([
      { outcome: { kind: 'refused', reason: 'backhaulLoss' }, sending: { window: 1 } },
    ]);
    expect(sent(arrivesAtUs).world.result().downlinks).toMatchObject({ sent: 1, refused: {} });
    // One that is on its way when the fault ends arrives.
    const ended = run([
      enqueued(),
      fault(planned.atUs - 1, 'backhaul', true),
      fault(arrivesAtUs - 1, 'backhaul', false),
    ]);
    expect(ended.world.result().downlinks.sent).toBe(1);
  });

  it('loses the refusal of a frame, which is then not tried in RX2', () => {
    const { startsAtUs } = run([enqueued()]).trace.of('downlinkPlanned')[0]!;
    const atUs = startsAtUs - 1;
    const both = [enqueued(), fault(atUs, 'radio', true)];
    const heard = run([...both, fault(startsAtUs, 'radio', false)]).world.result().downlinks;
    expect(heard).toMatchObject({ sent: 1, retried: { radioFault: 1 }, refused: {} });
    const unheard = run([...both, fault(atUs, 'backhaul', true)]).world.result().downlinks;
    expect(unheard).toMatchObject({ sent: 0, retried: {}, refused: { radioFault: 1 } });
  });

  it('loses the copies of one gateway only', () => {
    const network = networkOf({ gatewaysAt: [100, 200] });
    const { listener, trace } = run(
      [fault(1, 'backhaul', true, 2), fault(ends[4]!, 'backhaul', false, 2)],
      network,
    );
    expect(trace.of('uplinkEnds').every(({ gateways }) => gateways.length === 2)).toBe(true);
    expect(listener.ups.map(({ receptions }) => receptions.length)).toEqual(
      ends.map((_, i) => (i <= 4 ? 1 : 2)),
    );
  });
});

describe('a radio that has failed', () => {
  const fates = ({ trace }: HeardRun) =>
    trace.of('uplinkEnds').flatMap(({ gateways }) => gateways.map((at) => at.fate));
  const lost = (fromUs: number, untilUs: number) =>
    fates(run([fault(fromUs, 'radio', true), fault(untilUs, 'radio', false)])).flatMap((fate, i) =>
      fate === 'radioFault' ? [i] : [],
    );

  it('loses every frame that is on the air meanwhile, to the microsecond', () => {
    expect(lost(begins[2]!, begins[2]! + 1)).toEqual([2]);
    expect(lost(ends[2]! - 1, ends[2]!)).toEqual([2]);
    expect(lost(ends[2]!, begins[3]! - 1)).toEqual([]);
    expect(lost(ends[2]!, begins[3]!)).toEqual([3]);
    expect(lost(begins[2]! - 1, begins[5]! - 1)).toEqual([2, 3, 4]);
  });

  it('is a cause in the result', () => {
    const { radio, gateways } = run([fault(1, 'radio', true)]).world.result();
    expect(radio.lost).toEqual({ radioFault: ends.length });
    expect(gateways[0]!.fates).toEqual({ radioFault: ends.length });
  });

  it('refuses what it is to send, in RX1 and in RX2, and the server is reported', () => {
    const { startsAtUs } = run([enqueued()]).trace.of('downlinkPlanned')[0]!;
    const { world, listener } = run([enqueued(), fault(startsAtUs - 900_000, 'radio', true)]);
    expect(world.result().downlinks).toMatchObject({
      sent: 0,
      retried: { radioFault: 1 },
      refused: { radioFault: 1 },
    });
    expect(listener.downs).toMatchObject([
      {
        outcome: { kind: 'refused', reason: 'radioFault' },
        sending: { window: 2 },
        tries: [{ window: 1, reason: 'radioFault', gatewayEui: eui('06', 1) }],
      },
    ]);
  });

  it('sends on what it was sending', () => {
    const plain = run([enqueued()]);
    const { startsAtUs } = plain.trace.of('downlinkPlanned')[0]!;
    const { trace } = run([enqueued(), fault(startsAtUs, 'radio', true)]);
    expect(trace.of('downlinkEnds')).toEqual(plain.trace.of('downlinkEnds'));
    expect(trace.of('deviceReceives')).toHaveLength(1);
  });

  it('leaves beacons out, and continues with them when it works again', () => {
    const network = classBNetwork({ devices: 2 });
    const [from, until] = [30 * MINUTE_US, 50 * MINUTE_US];
    const faults = [fault(from, 'radio', true), fault(until, 'radio', false)];
    const beacons = (timeline: readonly TimedCommand[]) => {
      const trace = watch(network, 2 * HOUR_US, timeline);
      expect(judge(trace.rows, network)).toEqual({});
      const planned = new Map(trace.of('downlinkPlanned').map((row) => [row.downlink, row]));
      return trace
        .of('downlinkBegins')
        .filter(({ downlink }) => planned.get(downlink)?.purpose === 'beacon')
        .map(({ atUs }) => atUs);
    };
    const all = beacons([]);
    expect(beacons(faults)).toEqual(all.filter((atUs) => atUs <= from || atUs > until));
    expect(all.length).toBeGreaterThan(50);
  });
});

describe('a gateway with faults', () => {
  const plan = (network: NetworkPlan, timeline: readonly TimedCommand[] = []) => ({
    name: 'x',
    description: '',
    durationUs: HOUR_US,
    network,
    timeline,
  });
  const report = (world: World) => {
    const answer = world.ask({ kind: 'gateway.get', by: 'default', eui: eui('06', 1) });
    if (!answer.ok) throw new Error(answer.failure.message);
    const { connection, health, last_status_at } = answer.value;
    return { connection, health, last_status_at };
  };
  const set = (world: World, what: Fault, on: boolean) =>
    world.submit({ kind: 'gateway.fault', by: 'default', eui: eui('06', 1), fault: what, on });

  it('is reported as its statuses have it, and asking changes nothing', () => {
    const [world, other] = [World.create(plan(ONE), 'x'), World.create(plan(ONE), 'x')];
    const both = (untilUs: number) => {
      for (const one of [world, other]) one.runUntil(untilUs);
    };
    expect(report(world)).toEqual({ connection: 'NEVERCNX', health: 'INIT', last_status_at: null });
    both(MINUTE_US);
    expect(report(world)).toMatchObject({ connection: 'CNX', health: 'ACTIVE' });
    for (const one of [world, other]) set(one, 'radio', false);
    expect(report(world).health).toBe('ACTIVE');
    for (const one of [world, other]) set(one, 'radio', true);
    expect(report(world)).toMatchObject({ connection: 'CNX', health: 'RF_ERROR' });
    for (const one of [world, other]) set(one, 'backhaul', true);
    const { last_status_at } = report(world);
    const lastUs = (Date.parse(last_status_at!) - GPS_EPOCH_MS) * 1_000;
    expect(lastUs).toBeGreaterThan(30 * SECOND_US);
    both(lastUs + 89 * SECOND_US);
    expect(report(world).health).toBe('RF_ERROR');
    both(lastUs + 92 * SECOND_US);
    const silent = { connection: 'DISC', health: 'BACKHAUL_CNX_ERROR', last_status_at };
    expect(report(world)).toEqual(silent);
    const restored = World.restore(plan(ONE), 'x', world.snapshot());
    for (const one of [world.fork(), restored]) expect(report(one)).toEqual(silent);
    for (const one of [world, other])
      for (const what of ['radio', 'backhaul'] as const) set(one, what, false);
    expect(report(world).health).toBe('HEALTH_UNKNOWN');
    both(lastUs + 130 * SECOND_US);
    expect(report(world)).toMatchObject({ connection: 'CNX', health: 'ACTIVE' });
    expect(world.digest()).toEqual(other.digest());
    expect(world.toBytes()).toEqual(other.toBytes());
  });

  it('makes news when a fault begins or ends, of its owner, and none when it is so already', () => {
    const listener = new Listener();
    const owners = { devices: [], gateways: [[eui('06', 1), 'ann'] as const] };
    const world = World.create({ ...plan(ONE), owners }, 'x', { news: listener.news });
    const by = (who: string, on: boolean) =>
      world.submit({ kind: 'gateway.fault', by: who, eui: eui('06', 1), fault: 'radio', on });
    expect(by('bob', true)).toMatchObject({ ok: false, failure: { code: 'gateway.unknown' } });
    for (const on of [true, true, false, false]) expect(by('ann', on).ok).toBe(true);
    const news = { kind: 'gatewayState', eui: eui('06', 1), fault: 'radio' };
    expect(listener.reported.map((response) => [response.news, response.owner])).toEqual([
      [{ ...news, on: true }, 'ann'],
      [{ ...news, on: false }, 'ann'],
    ]);
  });

  it('keeps them, and its latest status, when it is put up at another place', () => {
    const world = World.create(plan(ONE), 'x');
    world.runUntil(5 * MINUTE_US);
    set(world, 'radio', true);
    set(world, 'backhaul', true);
    const before = report(world);
    const gateway = { xMeters: 10, yMeters: 10 };
    world.submit({ kind: 'gateway.change', by: 'default', eui: eui('06', 1), gateway });
    expect(report(world)).toEqual(before);
    world.runUntil(8 * MINUTE_US);
    expect(report(world).health).toBe('BACKHAUL_CNX_ERROR');
    set(world, 'backhaul', false);
    world.runUntil(9 * MINUTE_US);
    expect(report(world).health).toBe('RF_ERROR');
    expect(world.result().gateways[1]!.fates.received).toBeUndefined();
  });

  it('has them by a scenario’s timeline', () => {
    const text = (timeline: string) =>
      'scenario: x\nduration: 1 h\ngateways: [{ name: mast }]\n' +
      'devices: [{ name: meter, placement: { at: [0, 0] }, traffic: { every: 1 min } }]\n' +
      `timeline: [${timeline}]\n`;
    const { result, trace } = runScenario(
      text(
        '{ at: 20 min, gatewayFault: { gateway: mast, fault: radio } }, ' +
          '{ at: 30 min, gatewayFault: { gateway: mast, fault: radio, on: false } }, ' +
          '{ at: 40 min, gatewayFault: { gateway: mast, fault: backhaul } }',
      ),
    );
    expect(result.warnings).toEqual([]);
    expect(result.radio.lost.radioFault).toBeGreaterThanOrEqual(9);
    const last = trace.rows.findLast(({ kind }) => kind === 'uplinkCollected')!;
    expect(last.atUs).toBeLessThan(41 * MINUTE_US);
    expect(trace.rows.filter(({ kind }) => kind === 'gatewayFault')).toHaveLength(3);
  });
});
