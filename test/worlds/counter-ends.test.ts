/**
 * Every counter at its end and across a gap, on both sides, as each version of LoRaWAN has it: FCnt
 * (1.0.3 and 1.0.4 §4.3.1.5, 1.1 §4.3.1.5), nonces (§6.2.5 and §6.2.6; 1.1 §6.2.2), RJcount0 and
 * RJcount1 (1.1 §6.2.4).
 */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { LorawanVersion } from '../../sim/lorawan/versions.ts';
import { HOUR_US, MINUTE_US, networkOf, Trace, type Wanted } from '../support/small-network.ts';
import {
  at,
  copiesOf,
  fatesOf,
  GROUP_EUI,
  groupOf,
  messageTo,
} from '../support/standing-groups.ts';

type Columns = Record<string, { [row: number]: number } | undefined>;
interface Both {
  readonly device: Columns;
  readonly server: Columns;
}

/** A world that goes on from ten minutes with other counters; commands stand at their times. */
function goingOn(
  wanted: Wanted,
  change: (both: Both) => void,
  commands: readonly TimedCommand[] = [],
): Trace & { readonly world: Run } {
  const network = networkOf(wanted);
  const plan = { name: 'ends', description: '', durationUs: HOUR_US, network, timeline: commands };
  const world = World.create(plan, 'ends');
  world.runUntil(10 * MINUTE_US);
  const snapshot = structuredClone(world.snapshot());
  const { devices, registrations } = snapshot.network.sides;
  change({
    device: devices.table.columns as unknown as Columns,
    server: registrations.table.columns as unknown as Columns,
  });
  const trace = new Trace();
  const restored = World.restore(plan, 'ends', snapshot, { observer: trace });
  restored.runUntil(HOUR_US);
  return Object.assign(trace, { world: restored });
}

const { devEui } = networkOf({}).devices[0]!;
const downlinkAt = (atUs: number): TimedCommand => ({
  atUs,
  command: { kind: 'downlink.enqueue', by: 'default', devEui, fPort: 7, payloadHex: 'c3' },
});
const DOWNLINKS = [20, 25, 30, 35].map((minutes) => downlinkAt(minutes * MINUTE_US));

const received = (trace: Trace): number[] =>
  trace.of('deviceReceives').flatMap(({ purpose, counter }) => (purpose === 'data' ? counter : []));

describe('FCntDown', () => {
  it.each<[LorawanVersion, number, boolean]>([
    ['1.0.2', 16_384, true],
    ['1.0.2', 16_386, false],
    ['1.0.3', 16_384, true],
    ['1.0.3', 16_386, false],
    ['1.0.4', 16_386, true],
    ['1.1', 16_386, true],
  ])('of a %s device that jumps to %i is taken: %s', (lorawan, counter, isTaken) => {
    const jump = ({ device, server }: Both) => {
      for (const name of ['fCntDown', 'aFCntDown'] as const) {
        if (device[name] !== undefined && device[name]![0] !== undefined) device[name]![0] = 0;
        if (server[name] !== undefined && server[name]![0] !== undefined)
          server[name]![0] = counter;
      }
    };
    const trace = goingOn({ type: { lorawan } }, jump, DOWNLINKS);
    expect(received(trace).includes(counter)).toBe(isTaken);
  });

  it('goes on over 16 bits: both sides know all 32', () => {
    const near = ({ device, server }: Both) => {
      device.fCntDown![0] = 65_533;
      server.fCntDown![0] = 65_534;
    };
    const taken = received(goingOn({}, near, DOWNLINKS));
    expect(taken).toEqual([65_534, 65_535, 65_536, 65_537]);
  });

  it.each(['1.0.3', '1.0.4'] as const)(
    'that has reached its last value ends downlinks of a %s session, and nothing breaks',
    (lorawan) => {
      const ending = ({ device, server }: Both) => {
        device.fCntDown![0] = 0xffff_fffc;
        server.fCntDown![0] = 0xffff_fffd;
      };
      const trace = goingOn({ type: { lorawan } }, ending, DOWNLINKS);
      expect(received(trace)).toEqual([0xffff_fffd, 0xffff_fffe]);
      expect(trace.of('uplinkCollected').every(({ verdict }) => verdict === 'accepted')).toBe(true);
    },
  );

  it.each(['fCntDown', 'aFCntDown'])('of 1.1 ends with %s, class C and class A alike', (name) => {
    for (const deviceClass of ['A', 'C'] as const) {
      const ending = ({ server }: Both) => {
        server[name]![0] = 0xffff_ffff;
      };
      const trace = goingOn({ type: { lorawan: '1.1', deviceClass } }, ending, DOWNLINKS);
      expect(received(trace)).toEqual([]);
    }
  });
});

describe('FCntUp', () => {
  it.each<[LorawanVersion, string]>([
    ['1.0.2', 'counterGap'],
    ['1.0.3', 'counterGap'],
    ['1.0.4', 'accepted'],
    ['1.1', 'accepted'],
  ])('of a %s device that jumps by 20 000 is %s', (lorawan, verdict) => {
    const trace = goingOn({ type: { lorawan } }, ({ device }) => {
      device.fCntUp![0] = 20_030;
    });
    expect(new Set(trace.of('uplinkCollected').map((row) => row.verdict))).toEqual(
      new Set([verdict]),
    );
  });
});

describe('nonces of joining', () => {
  const joining = (lorawan: LorawanVersion): Wanted => ({
    type: { lorawan, activation: 'otaa' },
    // The network does not hear the device at first.
    backhaul: { lossPpm: 0 },
  });
  /** The session ends with the next uplink, so that the device joins again. */
  const endSession = ({ device }: Both) => {
    device.fCntUp![0] = 0xffff_ffff;
  };
  const joins = (trace: Trace) =>
    trace.of('uplinkBegins').filter(({ purpose }) => purpose === 'join');

  it.each<[LorawanVersion, number]>([
    ['1.0.4', 0],
    ['1.1', 0],
  ])('a %s device whose DevNonce is used up asks %i times', (lorawan, times) => {
    const trace = goingOn(joining(lorawan), (both) => {
      endSession(both);
      both.device.joinRequests![0] = 65_536;
    });
    expect(joins(trace)).toHaveLength(times);
  });

  it.each(['1.0.4', '1.1'] as const)('a %s device asks with DevNonce 65 535 at last', (lorawan) => {
    const trace = goingOn(joining(lorawan), (both) => {
      endSession(both);
      both.device.joinRequests![0] = 65_535;
    });
    expect(joins(trace).map(({ counter }) => counter)).toEqual([65_535]);
    expect(trace.of('uplinkCollected').map(({ verdict }) => verdict)).toContain('joined');
  });

  it.each(['1.0.2', '1.0.3'] as const)('a %s device draws, and has no last one', (lorawan) => {
    const trace = goingOn(joining(lorawan), (both) => {
      endSession(both);
      both.device.joinRequests![0] = 65_540;
    });
    expect(trace.of('uplinkCollected').map(({ verdict }) => verdict)).toContain('joined');
  });

  it('the server accepts nobody once JoinNonce has had its last value', () => {
    const trace = goingOn(joining('1.0.4'), (both) => {
      endSession(both);
      both.server.joinNonce![0] = 0xff_ffff;
    });
    const verdicts = trace.of('uplinkCollected').map(({ verdict }) => verdict);
    expect(verdicts).toContain('noJoinNonce');
    expect(verdicts).not.toContain('joined');
  });

  it('the device takes JoinNonce 16 777 215, the last one', () => {
    const trace = goingOn(joining('1.0.4'), (both) => {
      endSession(both);
      both.server.joinNonce![0] = 0xff_fffe;
    });
    const [accept] = trace.of('deviceReceives').filter(({ purpose }) => purpose === 'join');
    expect(accept!.counter).toBe(0xff_ffff);
  });
});

/** Rejoin requests of a device in a 1.1 session. */
describe('RJcount', () => {
  const wanted: Wanted = {
    type: { lorawan: '1.1', activation: 'otaa', rejoinType1EveryUs: 4 * MINUTE_US },
    frames: 'real',
  };
  /** No accept comes while the join server has no nonce left. */
  const LAST_JOIN_NONCE = 0xff_ffff;
  /** Counters and verdicts of requests of a type. */
  const rejoins = (trace: Trace, type: 0 | 1) => {
    const asked = trace.of('uplinkBegins').filter(({ purpose, phyPayload }) => {
      return purpose === 'rejoin' && phyPayload.startsWith(`c00${type}`);
    });
    const collected = trace.of('uplinkCollected');
    return asked.map(({ counter, frame }) => [
      counter,
      collected.find((row) => row.frame === frame)?.verdict,
    ]);
  };
  const forced = (both: Both, count: number, known: number) => {
    both.device.rjCount0![0] = count;
    both.server.rjCount0![0] = known;
    both.device.forcedType![0] = 0;
    both.device.rejoinTriesLeft![0] = 7;
    both.device.rejoinDueAtUs![0] = 11 * MINUTE_US;
    both.device.rejoin1DueAtUs![0] = 9 * HOUR_US;
  };

  it('0 ends forced requests at 65 535, in the midst of their tries; the session goes on', () => {
    const trace = goingOn(wanted, (both) => {
      forced(both, 65_532, 65_531);
      both.server.joinNonce![0] = LAST_JOIN_NONCE;
    });
    expect(rejoins(trace, 0)).toEqual([65_532, 65_533, 65_534].map((n) => [n, 'noJoinNonce']));
    const data = trace.of('uplinkCollected').filter(({ verdict }) => verdict === 'accepted');
    expect(data.at(-1)!.atUs).toBeGreaterThan(50 * MINUTE_US);
  });

  it('0 at 65 535 asks no more after that many uplinks either', () => {
    const counts = [65_534, 65_535].map((count) => {
      const trace = goingOn(wanted, (both) => {
        both.device.rjCount0![0] = count;
        both.device.rejoinEveryUplinks![0] = 3;
        both.device.rejoinEveryUs![0] = 9 * HOUR_US;
        both.device.rejoin1DueAtUs![0] = 9 * HOUR_US;
        both.server.joinNonce![0] = LAST_JOIN_NONCE;
      });
      return rejoins(trace, 0);
    });
    expect(counts).toEqual([[[65_534, 'noJoinNonce']], []]);
  });

  it('0 begins anew with each session, on both sides', () => {
    const trace = goingOn(wanted, (both) => {
      forced(both, 65_534, 65_533);
      both.device.rejoinEveryUplinks![0] = 2;
      both.device.rejoinEveryUs![0] = 9 * HOUR_US;
    });
    const [first, ...others] = rejoins(trace, 0);
    expect(first).toEqual([65_534, 'joined']);
    expect(others.length).toBeGreaterThan(3);
    expect(new Set(others.map(String))).toEqual(new Set(['0,joined']));
  });

  it('0 is taken across any gap, and no count twice or below the last', () => {
    const reports = [
      [40_000, 3],
      [5, 6],
    ].map(([count, known]) =>
      rejoins(
        goingOn(wanted, (both) => forced(both, count!, known!)),
        0,
      ),
    );
    expect(reports).toEqual([
      [[40_000, 'joined']],
      [
        [5, 'replayed'],
        [6, 'replayed'],
        [7, 'joined'],
      ],
    ]);
  });

  it('1 grows over all sessions, and ends at 65 535 for good; the session goes on', () => {
    const trace = goingOn(wanted, ({ device, server }) => {
      device.rjCount1![0] = 65_532;
      server.rjCount1![0] = 65_531;
    });
    expect(rejoins(trace, 1)).toEqual([65_532, 65_533, 65_534].map((n) => [n, 'joined']));
    const data = trace.of('uplinkCollected').filter(({ verdict }) => verdict === 'accepted');
    expect(data.at(-1)!.atUs).toBeGreaterThan(50 * MINUTE_US);
  });

  it('1 is taken across any gap, and no count twice or below the last', () => {
    const of = (count: number, known: number) =>
      rejoins(
        goingOn(wanted, ({ device, server }) => {
          device.rjCount1![0] = count;
          server.rjCount1![0] = known;
        }),
        1,
      ).slice(0, 3);
    expect(of(50_000, 2)).toEqual([50_000, 50_001, 50_002].map((n) => [n, 'joined']));
    expect(of(8, 9)).toEqual([
      [8, 'replayed'],
      [9, 'replayed'],
      [10, 'joined'],
    ]);
  });
});

/** The counter of what an ACK is for is in the MIC of 1.1 alone (1.1 §4.4). */
describe('ConfFCnt', () => {
  const confirmed = (lorawan: LorawanVersion): Wanted => ({
    type: { lorawan },
    traffic: { confirmedPpm: 1_000_000 },
    frames: 'real',
  });
  const CONFIRMED = DOWNLINKS.map(({ atUs, command }) => ({
    atUs,
    command: { ...command, confirmed: true } as TimedCommand['command'],
  }));
  const sent = (trace: Trace): (number | null)[] =>
    trace.of('uplinkBegins').map(({ counter }) => counter);

  it.each<[LorawanVersion, number]>([
    ['1.0.3', 65_530],
    ['1.0.4', 65_530],
    ['1.1', 65_530],
    ['1.1', 0xffff_fff0 - 40],
  ])('of uplinks of a %s device goes on over 16 bits, from %i on', (lorawan, count) => {
    const trace = goingOn(confirmed(lorawan), ({ device, server }) => {
      device.fCntUp![0] = count;
      server.fCntUp![0] = count - 1;
    });
    const counters = sent(trace);
    expect(counters).toEqual(counters.map((_, i) => count + i));
    expect(counters.length).toBeGreaterThan(20);
    expect(new Set(trace.of('uplinkCollected').map(({ verdict }) => verdict))).toEqual(
      new Set(['accepted']),
    );
    // Each is acknowledged by a frame whose MIC the device finds right.
    const acks = trace.of('deviceReceives').filter(({ acknowledges }) => acknowledges);
    expect(acks).toHaveLength(counters.length);
  });

  it.each(['1.0.4', '1.1'] as const)('of an uplink of a %s device is right behind a gap', (one) => {
    const trace = goingOn(confirmed(one), ({ device }) => {
      device.fCntUp![0] = 60_000;
    });
    const counters = sent(trace);
    expect(counters).toEqual(counters.map((_, i) => 60_000 + i));
  });

  it.each<[LorawanVersion, number, number]>([
    ['1.0.3', 65_533, 65_534],
    ['1.0.4', 20, 50_000],
    ['1.1', 65_533, 65_534],
    ['1.1', 20, 50_000],
  ])('of downlinks to a %s device is right over 16 bits and behind a gap', (lorawan, at, next) => {
    const side = lorawan === '1.1' ? 'aFCntDown' : 'fCntDown';
    const trace = goingOn(
      { type: { lorawan }, frames: 'real' },
      ({ device, server }) => {
        device[side]![0] = at;
        server[side]![0] = next;
      },
      CONFIRMED,
    );
    expect(received(trace)).toEqual([0, 1, 2, 3].map((n) => next + n));
    expect(new Set(trace.of('uplinkCollected').map(({ verdict }) => verdict))).toEqual(
      new Set(['accepted']),
    );
    const acks = trace.of('uplinkBegins').filter(({ phyPayload }) => {
      return (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x20) !== 0;
    });
    expect(acks).toHaveLength(4);
  });
});

describe('the counter of a standing multicast group', () => {
  const network = networkOf({ type: { deviceClass: 'C' }, frames: 'real' });
  /** Messages every five minutes from twenty on; both sides have had these counters. */
  function sentFrom(next: number, known: number) {
    const messages = [20, 25, 30, 35].map((minutes) =>
      at(minutes * MINUTE_US, messageTo(GROUP_EUI, 'C0FFEE')),
    );
    const early = at(5 * MINUTE_US, messageTo(GROUP_EUI, '00'));
    const timeline = [at(0, groupOf(network)), early, ...messages];
    const plan = { name: 'ends', description: '', durationUs: HOUR_US, network, timeline };
    const world = World.create(plan, 'ends');
    world.runUntil(10 * MINUTE_US);
    const snapshot = structuredClone(world.snapshot());
    const [server, ...others] = holdersOf(snapshot.platform, 'nextFCnt');
    expect([server!.nextFCnt, others]).toEqual([1, []]);
    server!.nextFCnt = next;
    const [device] = holdersOf(snapshot.network.sides.groups, 'minFCount');
    const counters = device!.fCnt as Float64Array;
    expect([...counters]).toEqual([0]);
    counters[0] = known;
    const trace = new Trace();
    const restored = World.restore(plan, 'ends', snapshot, { observer: trace });
    restored.runUntil(HOUR_US);
    const [after] = holdersOf(restored.snapshot().network.sides.groups, 'minFCount');
    return { trace, last: (after!.fCnt as Float64Array)[0] };
  }

  it('goes on over 16 bits', () => {
    const { trace, last } = sentFrom(65_534, 0);
    expect(copiesOf(trace).map(({ counter }) => counter)).toEqual([65_534, 65_535, 65_536, 65_537]);
    expect(fatesOf(trace)['meter-1']).toEqual(Array(4).fill('heard'));
    expect(last).toBe(65_537);
  });

  it('ends at 2³² − 1: what waits then is dropped, and nothing breaks', () => {
    const { trace, last } = sentFrom(0xffff_fffe, 0xffff_fff0);
    expect(copiesOf(trace).map(({ counter }) => counter)).toEqual([0xffff_fffe, 0xffff_ffff]);
    expect(fatesOf(trace)['meter-1']).toEqual(Array(2).fill('heard'));
    expect(last).toBe(0xffff_ffff);
  });
});

/** Objects within plain data that have this key. */
function holdersOf(value: unknown, key: string): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const own = Object.hasOwn(value, key) ? [value as Record<string, unknown>] : [];
  return [...own, ...Object.values(value).flatMap((each) => holdersOf(each, key))];
}
