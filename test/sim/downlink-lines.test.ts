/**
 * Lines of application downlinks: first come, first served, anyone who asks; a sender clears its
 * own; what becomes of each is reported (docs/model.md, Order of downlinks; docs/decisions/0039).
 */
import { describe, expect, it } from 'vitest';
import type { DownlinkFateNews, Sender } from '../../sim/contract/downlinks.ts';
import { takeBackQueued } from '../../sim/network-server/downlink-frame.ts';
import { DownlinkQueue } from '../../sim/network-server/downlink-queue.ts';
import type { ServerSide } from '../../sim/network-server/server-side.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { APPLICATION, Bench } from '../support/bench.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US } from '../support/small-network.ts';

const DEVICE = eui('02', 1);
const SPRING: Sender = { kind: 'campaign', id: 'spring' };
const SUMMER: Sender = { kind: 'campaign', id: 'summer' };
/** Every device was heard by then. */
const HEARD_US = 2 * MINUTE_US;

type Kind = DownlinkFateNews['kind'];
const KINDS: readonly Kind[] = ['sent', 'acknowledged', 'answered', 'dropped', 'unheard'];

/** What was reported of a downlink, in words; planned ones are in `plannedOf`. */
const responseOf = (bench: Bench, id: number): string[] =>
  bench.downlinks.flatMap(({ id: of, what }) => {
    if (of !== id || !KINDS.includes(what.kind)) return [];
    return [what.kind === 'dropped' ? what.reason : what.kind];
  });

/** Ids in the order in which they were sent, once a try. */
const sentOf = (bench: Bench): number[] =>
  bench.downlinks.flatMap(({ id, what }) => (what.kind === 'sent' ? [id] : []));

const plannedOf = (bench: Bench, id: number) =>
  bench.downlinks.flatMap(({ id: of, what }) =>
    of === id && what.kind === 'planned' ? [what] : [],
  );

/** Devices of a class that have spoken; of class A they speak every minute. */
function heard(deviceClass: 'A' | 'C', type: Partial<DeviceTypePlan> = {}): Bench {
  const bench = new Bench(
    networkOf({
      devices: 2,
      type: { deviceClass, answers: [], ...type },
      traffic: { meanUs: deviceClass === 'C' ? HOUR_US / 2 : MINUTE_US },
    }),
  );
  bench.runUntil(deviceClass === 'C' ? HOUR_US : HEARD_US);
  return bench;
}

const send = (bench: Bench, more: Partial<Parameters<Bench['downlink']>[0]> = {}): number =>
  bench.downlink({ devEui: DEVICE, fPort: 5, payload: Uint8Array.of(1), ...more });

const clear = (bench: Bench, sender: Sender, devEui = DEVICE) =>
  bench.request({ kind: 'clearDownlinks', devEui, sender });

describe('a line of downlinks', () => {
  it.each(['A', 'C'] as const)('of class %s is served in its order, anyone who asks', (which) => {
    const bench = heard(which);
    const senders = [APPLICATION, SPRING, SUMMER, SPRING, APPLICATION];
    const ids = senders.map((sender) => send(bench, { sender }));
    bench.runUntil(bench.nowUs + 20 * MINUTE_US);
    expect(sentOf(bench)).toEqual(ids);
    const reports = bench.downlinks.filter(({ what }) => what.kind === 'sent');
    expect(reports.map(({ sender }) => sender)).toEqual(senders);
  });

  it.each(['A', 'C'] as const)(
    'of class %s loses by a clear what is its sender’s alone',
    (which) => {
      const bench = heard(which);
      const other = eui('02', 2);
      const ids = [SPRING, APPLICATION, SUMMER, SPRING].map((sender) => send(bench, { sender }));
      const far = send(bench, { sender: SPRING, devEui: other });
      clear(bench, SPRING);
      bench.runUntil(bench.nowUs + 20 * MINUTE_US);
      expect(sentOf(bench).sort()).toEqual([ids[1], ids[2], far]);
      for (const id of [ids[0]!, ids[3]!]) expect(responseOf(bench, id)).toEqual(['cleared']);
      for (const id of [ids[1]!, ids[2]!, far]) expect(responseOf(bench, id)[0]).toBe('sent');
    },
  );

  it.each(['A', 'C'] as const)('of class %s lets others pass what is not due yet', (which) => {
    const bench = heard(which);
    const dueUs = bench.nowUs + 10 * MINUTE_US;
    const late = send(bench, { notBeforeUs: dueUs, sender: SPRING });
    const soon = [send(bench), send(bench)];
    bench.runUntil(dueUs + 5 * MINUTE_US);
    expect(sentOf(bench)).toEqual([...soon, late]);
    const { startsAtUs } = plannedOf(bench, late)[0]!;
    expect(startsAtUs).toBeGreaterThanOrEqual(dueUs);
    // Class C wakes when it is due; class A waits for the next uplink.
    expect(startsAtUs - dueUs).toBeLessThan(which === 'C' ? SECOND_US : 2 * MINUTE_US);
  });

  it('of class C wakes for what is due earlier than that which it sleeps for', () => {
    const bench = heard('C');
    const [far, near] = [20, 10].map((minutes) =>
      send(bench, { notBeforeUs: bench.nowUs + minutes * MINUTE_US }),
    );
    bench.runUntil(bench.nowUs + MINUTE_US);
    const now = send(bench);
    bench.runUntil(bench.nowUs + SECOND_US);
    expect(sentOf(bench)).toEqual([now]);
    bench.runUntil(bench.nowUs + 30 * MINUTE_US);
    expect(sentOf(bench)).toEqual([now, near, far]);
  });

  it('says in FPending only what is due', () => {
    const pendingWith = (notBeforeUs: number): boolean => {
      const bench = heard('A');
      send(bench);
      send(bench, { notBeforeUs });
      bench.runUntil(bench.nowUs + MINUTE_US);
      const [first] = bench.trace.of('downlinkPlanned');
      return (Number.parseInt(first!.phyPayload.slice(10, 12), 16) & 0x10) !== 0;
    };
    expect(pendingWith(0)).toBe(true);
    expect(pendingWith(HOUR_US)).toBe(false);
  });

  it('puts what falls due between the windows of an uplink into the second', () => {
    const probe = heard('A');
    probe.runUntil(HEARD_US + MINUTE_US);
    const { atUs } = probe.trace.of('uplinkEnds').findLast(({ device }) => device === 'meter-1')!;
    const bench = heard('A');
    const id = send(bench, { notBeforeUs: atUs + 1.5 * SECOND_US });
    bench.runUntil(atUs + MINUTE_US / 2);
    expect(plannedOf(bench, id)).toMatchObject([{ window: 2, startsAtUs: atUs + 2 * SECOND_US }]);
  });
});

describe('what is reported of a downlink', () => {
  it('is that it was planned, sent and answered by the next uplink', () => {
    const bench = heard('A');
    const id = send(bench, { fPort: 225 });
    bench.runUntil(bench.nowUs + 3 * MINUTE_US);
    expect(responseOf(bench, id)).toEqual(['sent', 'answered']);
    const [planned] = bench.trace.of('downlinkPlanned');
    const { startsAtUs, window } = planned!;
    const gatewayEui = eui('06', 1);
    expect(plannedOf(bench, id)).toEqual([{ kind: 'planned', gatewayEui, window, startsAtUs }]);
    const answered = bench.downlinks.find(({ what }) => what.kind === 'answered')!;
    const next = bench.trace
      .of('uplinkBegins')
      .find(({ device, atUs }) => device === 'meter-1' && atUs > startsAtUs)!;
    expect(answered.what).toEqual({ kind: 'answered', fCnt: next.counter, fPort: 7 });
  });

  it('is each try of a confirmed one until it is acknowledged', () => {
    const bench = heard('A', { frameLossPpm: 400_000 });
    const id = send(bench, { confirmed: true });
    bench.runUntil(bench.nowUs + HOUR_US);
    const lines = responseOf(bench, id);
    const tries = lines.filter((one) => one === 'sent').length;
    expect(tries).toBeGreaterThan(1);
    expect(plannedOf(bench, id)).toHaveLength(tries);
    expect(lines.at(-1)).toBe('acknowledged');
    expect(lines.filter((one) => one === 'answered')).toHaveLength(1);
  });

  it('is that nobody acknowledged it, after eight tries and the next uplink', () => {
    const deaf = networkOf({ gateway: { maxEirpCentiDbm: -14_000 } });
    const bench = new Bench(deaf);
    bench.runUntil(HEARD_US);
    const [id, next] = [send(bench, { confirmed: true }), send(bench)];
    bench.runUntil(HOUR_US);
    const lines = responseOf(bench, id);
    expect(lines.filter((one) => one === 'sent')).toHaveLength(8);
    expect(lines.at(-1)).toBe('neverAcknowledged');
    expect(sentOf(bench).at(-1)).toBe(next);
  });

  it('is that its last try was acknowledged after all', () => {
    // The device hears again once the eighth frame is planned.
    const bench = heard('A');
    const id = send(bench, { confirmed: true });
    const { queue, registrations } = bench.network.sides.server;
    queue.next(registrations.byEui(DEVICE), bench.nowUs)!.tries = 7;
    bench.runUntil(bench.nowUs + 5 * MINUTE_US);
    expect(responseOf(bench, id)).toEqual(['sent', 'answered', 'acknowledged']);
  });

  it('comes after one try and the next uplink, where no more are asked for', () => {
    for (const [maxEirpCentiDbm, end] of [
      [1_600, 'acknowledged'],
      [-14_000, 'neverAcknowledged'],
    ] as const) {
      const bench = new Bench(networkOf({ gateway: { maxEirpCentiDbm } }));
      bench.runUntil(HEARD_US);
      const id = send(bench, { confirmed: true, tries: 1 });
      bench.runUntil(HOUR_US);
      expect(responseOf(bench, id)).toEqual(['sent', 'answered', end]);
    }
  });

  it('is that it is too long, and the next one’s turn comes', () => {
    const bench = heard('A', { dataRate: { from: 'fixed', dataRate: 0 } });
    const long = send(bench, { payload: new Uint8Array(240), confirmed: true });
    const next = send(bench);
    bench.runUntil(bench.nowUs + 5 * MINUTE_US);
    expect(responseOf(bench, long)).toEqual(['tooLong']);
    expect(responseOf(bench, next)).toEqual(['sent', 'answered']);
  });

  it('is not that it is too long for RX2 where RX1 takes it, in class A since a moment ago', () => {
    const bench = heard('C');
    const [first, second] = [send(bench), send(bench)];
    bench.runUntil(bench.nowUs + SECOND_US);
    // The server has an appointment for the second one.
    bench.request({ kind: 'device.class', devEui: DEVICE, deviceClass: 'A' });
    clear(bench, APPLICATION);
    const long = send(bench, { payload: new Uint8Array(150) });
    bench.runUntil(bench.nowUs + HOUR_US);
    expect([first, second].map((id) => responseOf(bench, id)[0])).toEqual(['sent', 'cleared']);
    expect(responseOf(bench, long)).toEqual(['sent', 'answered']);
  });

  it.each(['A', 'C'] as const)('of class %s is that nobody has heard the device', (deviceClass) => {
    const far = networkOf({ gatewaysAt: [900_000], type: { deviceClass } });
    const bench = new Bench(far);
    bench.runUntil(HEARD_US);
    const id = send(bench);
    bench.runUntil(HOUR_US);
    expect(responseOf(bench, id)).toEqual(['unheard']);
    expect(bench.view.device(DEVICE)!.waitingDownlinks).toHaveLength(1);
  });

  it('is that it is lost on the backhaul, or with its gateway', () => {
    const lossy = (lossPpm: number): Bench => {
      const plan = networkOf({ type: { deviceClass: 'C' } });
      const [gateway] = plan.gateways;
      const backhaul = { latencyUs: 20_000, jitterUs: 0, lossPpm };
      const bench = new Bench({ ...plan, gateways: [{ ...gateway!, backhaul }] });
      bench.runUntil(10 * MINUTE_US);
      return bench;
    };
    const bench = lossy(500_000);
    const ids = Array.from({ length: 40 }, () => send(bench));
    bench.runUntil(HOUR_US);
    const ends = ids.map((id) => responseOf(bench, id).find((one) => one !== 'answered'));
    expect(new Set(ends)).toEqual(new Set(['sent', 'backhaulLoss']));
    const gone = lossy(0);
    const id = send(gone);
    gone.runUntil(gone.nowUs + SECOND_US / 100);
    gone.request({ kind: 'gateway.remove', eui: eui('06', 1) });
    expect(responseOf(gone, id)).toEqual(['gatewayGone']);
  });

  it('of those that wait for a device is that it was removed', () => {
    const bench = heard('A');
    const ids = [1, 2, 3, 4, 5].map((i) => send(bench, { confirmed: i % 2 === 0 }));
    const other = send(bench, { devEui: eui('02', 2) });
    bench.request({ kind: 'device.remove', devEui: DEVICE });
    const after = send(bench);
    bench.runUntil(bench.nowUs + 5 * MINUTE_US);
    for (const id of [...ids, after]) expect(responseOf(bench, id)).toEqual(['deviceRemoved']);
    expect(responseOf(bench, other)).toEqual(['sent', 'answered']);
  });

  it('is remembered of the latest 64 that were sent and that no uplink has answered', () => {
    const queue = new DownlinkQueue();
    const asked = { sender: APPLICATION, fPort: 1, payload: new Uint8Array(1), notBeforeUs: 0 };
    const forgotten: (number | undefined)[] = [];
    for (let id = 1; id <= 100; id++) {
      const downlink = queue.push(0, { ...asked, id, confirmed: false });
      queue.leave(0, downlink);
      // One whose frame is still on its way is not forgotten.
      downlink.underway = id === 3;
      forgotten.push(queue.takeOldest(0)?.id);
    }
    const ids = Array.from({ length: 37 }, (_, i) => i + 1).filter((id) => id !== 3);
    expect(forgotten.filter((id) => id !== undefined)).toEqual(ids);
    expect(queue.left(0)).toHaveLength(64);
  });
});

describe('a confirmed downlink that is cleared while its acknowledgement is awaited', () => {
  /** It was sent `tries` times without success, and the device hears again from then on. */
  const awaited = (deviceClass: 'A' | 'C', tries: number) => {
    const bench = heard(deviceClass);
    const id = send(bench, { sender: SPRING, confirmed: true });
    const { queue, registrations } = bench.network.sides.server;
    const row = registrations.byEui(DEVICE);
    queue.next(row, bench.nowUs)!.tries = tries - 1;
    while (!sentOf(bench).includes(id)) bench.runUntil(bench.nowUs + SECOND_US / 10);
    return { bench, id, row, awaitsAck: registrations.column.awaitsAck };
  };

  it.each(['A', 'C'] as const)('of class %s is not repeated', (deviceClass) => {
    const { bench, id, row, awaitsAck } = awaited(deviceClass, 1);
    clear(bench, SPRING);
    expect(awaitsAck[row]).toBe(0);
    bench.runUntil(bench.nowUs + HOUR_US);
    expect(responseOf(bench, id)).toEqual(['sent', 'cleared']);
  });

  it.each(['A', 'C'] as const)('of class %s leaves all tries to the next one', (deviceClass) => {
    const { bench } = awaited(deviceClass, 7);
    clear(bench, SPRING);
    const next = send(bench, { confirmed: true });
    const { queue, registrations } = bench.network.sides.server;
    expect(queue.next(registrations.byEui(DEVICE), bench.nowUs)).toMatchObject({
      id: next,
      tries: 0,
    });
    bench.runUntil(bench.nowUs + HOUR_US);
    const tries = responseOf(bench, next).filter((one) => one === 'sent').length;
    // A class C device may still be sending its acknowledgement of the other.
    expect(tries).toBeLessThanOrEqual(2);
    expect(responseOf(bench, next).at(-1)).toBe('acknowledged');
  });

  it('leaves its acknowledgement to nobody', () => {
    const { bench } = awaited('A', 1);
    clear(bench, SPRING);
    const next = send(bench, { confirmed: true });
    // The uplink with the ACK bit has come, and the next one is not on the air yet.
    while (plannedOf(bench, next).length === 0) bench.runUntil(bench.nowUs + SECOND_US / 100);
    const acks = bench.trace
      .of('uplinkBegins')
      .filter(({ phyPayload }) => (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x20) !== 0);
    expect(acks).toHaveLength(1);
    expect(responseOf(bench, next)).toEqual([]);
    bench.runUntil(bench.nowUs + 5 * MINUTE_US);
    expect(responseOf(bench, next)).toEqual(['sent', 'answered', 'acknowledged']);
  });

  it('leaves its acknowledgement not even to one that is on its way when that comes', () => {
    // What the device says takes longer than the pause before the next frame is made.
    const backhaul = { latencyUs: 8 * SECOND_US, jitterUs: 0, lossPpm: 0 };
    const plan = networkOf({
      type: { deviceClass: 'C' },
      traffic: { meanUs: HOUR_US / 2 },
      backhaul,
    });
    const bench = new Bench(plan);
    bench.runUntil(HOUR_US);
    const first = send(bench, { sender: SPRING, confirmed: true });
    while (!sentOf(bench).includes(first)) bench.runUntil(bench.nowUs + SECOND_US / 10);
    clear(bench, SPRING);
    const next = send(bench, { confirmed: true });
    const uplinks = () => bench.trace.of('uplinkCollected').length;
    const before = uplinks();
    while (uplinks() === before) bench.runUntil(bench.nowUs + SECOND_US / 10);
    expect(plannedOf(bench, next)).toHaveLength(1);
    expect(responseOf(bench, next)).toEqual([]);
    bench.runUntil(bench.nowUs + 5 * MINUTE_US);
    expect(responseOf(bench, next).at(-1)).toBe('acknowledged');
  });

  it('is no reason to clear one of another sender', () => {
    const { bench, id } = awaited('A', 1);
    clear(bench, SUMMER);
    bench.runUntil(bench.nowUs + 5 * MINUTE_US);
    expect(responseOf(bench, id).at(-1)).toBe('acknowledged');
  });
});

describe('a downlink that a gateway refuses in a ping slot', () => {
  /** Devices of class B whose frames are in each other’s way. */
  const crowded = (): { bench: Bench; network: NetworkPlan } => {
    const network = classBNetwork({
      devices: 12,
      type: { pingSlotPeriodicity: 7, activation: 'abp', answers: [] },
      traffic: { meanUs: 30 * SECOND_US, jitterPpm: 500_000, confirmedPpm: 500_000 },
      server: { rx2DataRate: 3 },
    });
    const bench = new Bench(network);
    bench.runUntil(20 * MINUTE_US);
    return { bench, network };
  };
  const busy = (bench: Bench, network: NetworkPlan, rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      for (const { devEui } of network.devices) {
        const sender = round % 2 === 0 ? SPRING : SUMMER;
        send(bench, { devEui, sender, payload: new Uint8Array(100) });
      }
      bench.runUntil(bench.nowUs + 20 * SECOND_US);
    }
  };

  it('waits at its place again, and is planned anew', () => {
    const { bench, network } = crowded();
    busy(bench, network, 40);
    bench.runUntil(2 * HOUR_US);
    const pings = bench.downlinks.filter(
      ({ what }) => what.kind === 'planned' && what.window === 'ping',
    );
    const again = pings.filter(({ id }) => plannedOf(bench, id).length > 1);
    expect(again.length).toBeGreaterThan(5);
    for (const { id } of pings) {
      const ends = responseOf(bench, id).filter((one) => one !== 'answered');
      expect(ends).toHaveLength(1);
    }
  });

  it('does not come back when its sender has cleared it meanwhile', () => {
    const { bench, network } = crowded();
    const { queue, registrations } = bench.network.sides.server;
    const clearedAtGateways = new Set<number>();
    const isUnderway = (devEui: string) =>
      queue.left(registrations.byEui(devEui)).some(({ underway }) => underway);
    for (let i = 0; i < 40; i++) {
      busy(bench, network, 1);
      // As soon as several are on their way to their slots.
      for (let step = 0; step < 256; step++) {
        if (network.devices.filter(({ devEui }) => isUnderway(devEui)).length > 1) break;
        bench.runUntil(bench.nowUs + SECOND_US / 4);
      }
      for (const { devEui } of network.devices) {
        clear(bench, SPRING, devEui);
        const left = queue.left(registrations.byEui(devEui));
        for (const { id, underway } of left) if (underway) clearedAtGateways.add(id);
      }
      for (let step = 0; step < 40; step++) {
        bench.runUntil(bench.nowUs + SECOND_US / 10);
        const waiting = network.devices.flatMap(({ devEui }) =>
          queue.waiting(registrations.byEui(devEui), bench.nowUs),
        );
        expect(waiting).toEqual([]);
      }
    }
    const ends = [...clearedAtGateways].flatMap((id) => responseOf(bench, id));
    expect(ends).toContain('sent');
    expect(ends).toContain('cleared');
  });
});

describe('a downlink on its way whose sender has cleared it', () => {
  it('does not come back to the line, and one of another sender does', () => {
    const queue = new DownlinkQueue();
    const asked = { fPort: 1, payload: new Uint8Array(1), confirmed: false, notBeforeUs: 0 };
    const [mine, other] = [SPRING, SUMMER].map((sender, i) => {
      const downlink = queue.push(0, { ...asked, id: i + 1, sender });
      queue.leave(0, downlink);
      return downlink;
    });
    expect(queue.clear(0, SPRING)).toEqual([]);
    expect([queue.putBack(0, mine!), queue.putBack(0, other!)]).toEqual([false, true]);
    expect(queue.waiting(0, 0)).toEqual([other]);
  });
});

describe('a try that no gateway has made', () => {
  it('is taken back: the downlink waits as before it, or as after the try before', () => {
    const queue = new DownlinkQueue();
    const asked = { fPort: 1, payload: new Uint8Array(1), confirmed: true, notBeforeUs: 0 };
    const downlink = queue.push(0, { ...asked, id: 1, sender: SPRING });
    const [untried, twice] = [{ ...downlink }, { ...downlink, tries: 1 }];
    const attempt = () => {
      queue.hold(0, downlink);
      downlink.underway = true;
    };
    attempt();
    queue.takeTryBack(0);
    expect([downlink, queue.tried(0)]).toEqual([untried, undefined]);
    attempt();
    attempt();
    queue.takeTryBack(0);
    expect([downlink, queue.tried(0)]).toEqual([twice, twice]);
  });
});

describe('a confirmed downlink whose frame is taken back', () => {
  const asked = { fPort: 1, payload: new Uint8Array(1), confirmed: true, notBeforeUs: 0 };

  function tried(awaits: 0 | 1) {
    const queue = new DownlinkQueue();
    const [first, second] = [1, 2].map((id) => queue.push(0, { ...asked, id, sender: SPRING }));
    queue.hold(0, first!);
    const awaitsAck = Uint8Array.of(awaits);
    const side = { registrations: { column: { awaitsAck } }, queue } as unknown as ServerSide;
    return { queue, first: first!, second: second!, awaitsAck, side };
  }

  it('is as before this try, and no acknowledgement is awaited', () => {
    const { queue, first, awaitsAck, side } = tried(1);
    expect(first.tries).toBe(1);
    expect(takeBackQueued(side, 0, first)).toBe(true);
    expect([first.tries, awaitsAck[0], queue.tried(0)]).toEqual([0, 0, undefined]);
  });

  it('stays as it is after its last try, which awaits no acknowledgement', () => {
    const { queue, first, side } = tried(0);
    expect(takeBackQueued(side, 0, first)).toBe(false);
    expect([first.tries, queue.tried(0)]).toEqual([1, first]);
  });

  it('stays as it is when another one is tried by now', () => {
    const { queue, first, second, awaitsAck, side } = tried(1);
    expect(takeBackQueued(side, 0, second)).toBe(false);
    expect([first.tries, awaitsAck[0], queue.tried(0)]).toEqual([1, 1, first]);
  });
});

describe('lines of downlinks in a saved network', () => {
  it('go on as they would have, wherever it is saved', () => {
    const network = networkOf({ type: { deviceClass: 'C', frameLossPpm: 400_000 } });
    const whole = new Bench(network);
    whole.runUntil(HEARD_US);
    const ask = (bench: Bench) => {
      for (let i = 0; i < 12; i++) {
        const notBeforeUs = i % 4 === 0 ? HEARD_US + i * MINUTE_US : 0;
        send(bench, { confirmed: i % 3 === 0, sender: i % 2 ? SPRING : APPLICATION, notBeforeUs });
      }
    };
    ask(whole);
    for (const atUs of [1, 30, 200, 400].map((s) => HEARD_US + s * SECOND_US)) {
      const bench = new Bench(network);
      bench.runUntil(HEARD_US);
      ask(bench);
      bench.runUntil(atUs);
      const restored = new Bench(network, 'bench', bench.save());
      for (const each of [bench, restored]) {
        clear(each, SPRING);
        each.runUntil(HOUR_US);
      }
      expect(restored.outcome()).toBe(bench.outcome());
      const later = bench.downlinks.slice(-restored.downlinks.length);
      expect(restored.downlinks).toEqual(later);
    }
  });

  it('are distinguished by their digest', () => {
    const digestWith = (more: Parameters<typeof send>[1]) => {
      const bench = heard('A');
      send(bench, more);
      return bench.outcome();
    };
    const plain = digestWith({});
    expect(digestWith({})).toBe(plain);
    const others = [{ sender: SPRING }, { fPort: 6 }, { confirmed: true }, { notBeforeUs: 1 }];
    expect(digestWith({ tries: 2 })).not.toBe(plain);
    for (const more of others) expect(digestWith(more)).not.toBe(plain);
  });
});

describe('ten thousand downlinks to one device', () => {
  it('take a time that is proportional to their number', async () => {
    const inAndOut = (count: number): void => {
      const queue = new DownlinkQueue();
      const payload = new Uint8Array(10);
      for (let id = 1; id <= count; id++) {
        const asked = { sender: APPLICATION, fPort: 1, payload, confirmed: false, notBeforeUs: 0 };
        queue.push(0, { ...asked, id });
      }
      for (let id = 1; id <= count; id++) {
        const next = queue.next(0, id)!;
        queue.hasMore(0, next, id);
        queue.leave(0, next);
        // A frame that no gateway can send comes back.
        if (id % 3 === 0) {
          queue.putBack(0, next);
          queue.leave(0, queue.next(0, id)!);
        }
        queue.forget(0, next);
      }
      expect(queue.has(0)).toBe(false);
    };
    const costOf = (count: number) => costMs(() => inAndOut(count));
    expect(await growsTooMuch(costOf, 5_000)).toBe(false);
  });
});
