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
