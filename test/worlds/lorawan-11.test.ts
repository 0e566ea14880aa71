/** LoRaWAN 1.1 in worlds: sessions, counters, keys, indications (1.1 §4, §5, §6). */

import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { decodeFrame, type FrameKeys11 } from '../../sim/lorawan/frame-codec.ts';
import type { Key } from '../../sim/lorawan/keys.ts';
import type { SessionKeysRow } from '../../sim/observation/observer.ts';
import { macWorld, names, request } from '../support/mac.ts';
import { savedColumn } from '../support/saved-columns.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';

const OTAA = { activation: 'otaa', lorawan: '1.1' } as const;
const ABP = { activation: 'abp', lorawan: '1.1' } as const;

const downlink = (atUs: number, confirmed = false) =>
  ({
    atUs,
    command: {
      kind: 'downlink.enqueue',
      by: 'default',
      devEui: eui('02', 1),
      fPort: 5,
      payloadHex: '0102',
      confirmed,
    },
  }) as const;

describe('a 1.1 device on a 1.1 network', () => {
  const world = macWorld({ type: OTAA }, HOUR_US);
  const data = world.of('uplinkBegins').filter(({ purpose }) => purpose === 'data');

  it('joins, and its session has four keys', () => {
    expect(world.of('deviceReceives')[0]).toMatchObject({ purpose: 'join', counter: 1 });
    const { keys } = data[0]!;
    expect(new Set(Object.values(keys!)).size).toBe(4);
  });

  it('says RekeyInd with every uplink until RekeyConf comes, and then no more', () => {
    expect(names(world.up)).toEqual(['RekeyInd']);
    expect(names(world.down)).toEqual(['RekeyConf']);
    expect(world.up[0]!.payload).toEqual({ minor: 1 });
  });

  it('breaks no law', () => {
    expect(judge(world.rows, networkOf({ type: OTAA }))).toEqual({});
  });

  it('delivers all that it sends', () => {
    const verdicts = world.of('uplinkCollected').map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['joined', 'accepted']));
  });
});

describe('the downlink counters of a 1.1 session', () => {
  const commands = [2, 4, 6].map((n) => downlink(n * MINUTE_US));
  const network = { type: OTAA, traffic: { confirmedPpm: 1_000_000 } };
  const world = macWorld(network, 10 * MINUTE_US, commands);
  const heard = world.of('deviceReceives').filter(({ purpose }) => purpose === 'data');

  it('are two: of the network, and of the application', () => {
    const counters = (ofApplication: boolean) =>
      heard
        .filter((row) => (row.ofApplication ?? false) === ofApplication)
        .map((row) => row.counter);
    expect(counters(true)).toEqual([0, 1, 2]);
    expect(counters(false)).toEqual(counters(false).map((_, i) => i));
    expect(counters(false).length).toBeGreaterThan(4);
  });

  it('keep every law', () => {
    expect(judge(world.rows, networkOf(network))).toEqual({});
  });
});

describe('real frames of a 1.1 session', () => {
  const keysOf = (keys: SessionKeysRow): FrameKeys11 => ({
    fNwkSIntKey: keys.nwkSKey as Key,
    sNwkSIntKey: keys.sNwkSIntKey as Key,
    nwkSEncKey: keys.nwkSEncKey as Key,
    appSKey: keys.appSKey as Key,
  });
  const network = networkOf({ frames: 'real', type: OTAA, traffic: { confirmedPpm: 500_000 } });
  const trace = watch(
    network,
    HOUR_US,
    [2, 4].map((n) => downlink(n * MINUTE_US, true)),
  );

  it('bear the MIC over data rate, channel and acknowledged counter', () => {
    const frames = trace.of('uplinkBegins').filter(({ keys }) => keys !== undefined);
    expect(frames.length).toBeGreaterThan(50);
    const plain = frames.filter(
      ({ phyPayload }) => (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x20) === 0,
    );
    for (const { phyPayload, keys, channel, spreadingFactor } of plain) {
      const context = { txDr: 12 - spreadingFactor, txCh: channel! };
      const bytes = Uint8Array.from(Buffer.from(phyPayload, 'hex'));
      const frame = decodeFrame(bytes, { ...keysOf(keys!), ...context });
      expect(frame).toMatchObject({ ok: true, value: { micOk: true } });
    }
  });

  it('lead to the same outcome as counted ones', () => {
    const counted = watch(
      { ...network, frames: 'counted' },
      HOUR_US,
      [2, 4].map((n) => downlink(n * MINUTE_US, true)),
    );
    expect(counted.world.digest().outcome).toBe(trace.world.digest().outcome);
  });
});

describe('a 1.1 device on a 1.0 network', () => {
  const world = macWorld({ type: OTAA, server: { lorawan: '1.0' } }, HOUR_US);

  it('falls back to a 1.0 session with keys from its NwkKey', () => {
    const last = world.of('uplinkBegins').at(-1)!;
    expect(Object.keys(last.keys!)).toEqual(['nwkSKey', 'appSKey']);
    expect(world.of('uplinkCollected').every(({ verdict }) => verdict !== 'badMic')).toBe(true);
    expect(world.up).toEqual([]);
  });
});

describe('a personalised 1.1 device', () => {
  const world = macWorld({ type: ABP }, HOUR_US);

  it('says ResetInd until ResetConf comes', () => {
    expect(names(world.up)).toEqual(['ResetInd']);
    expect(names(world.down)).toEqual(['ResetConf']);
  });

  it('repeats ResetInd while no downlink reaches it', () => {
    const deaf = macWorld({ type: ABP, backhaul: { lossPpm: 1_000_000 } }, 10 * MINUTE_US);
    expect(names(deaf.up)).toEqual(Array(10).fill('ResetInd'));
  });
});

describe('a 1.1 device of class C', () => {
  const type = { ...OTAA, deviceClass: 'C' } as const;
  const world = macWorld({ type }, 20 * MINUTE_US, [downlink(10 * MINUTE_US + 30 * SECOND_US)]);

  it('indicates its class with DeviceModeInd until DeviceModeConf comes', () => {
    expect(names(world.up)).toEqual(['RekeyInd', 'DeviceModeInd']);
    expect(world.up[1]!.payload).toEqual({ deviceClass: 2 });
    expect(names(world.down)).toEqual(['RekeyConf', 'DeviceModeConf']);
  });

  it('is sent to at once from then on', () => {
    expect(world.of('downlinkPlanned').at(-1)).toMatchObject({ window: 0 });
  });
});

describe('a session whose RekeyInd the network never answers', () => {
  it('ends after 64 uplinks: the device joins anew', () => {
    const network = networkOf({ type: OTAA });
    const { eui: gatewayEui } = network.gateways[0]!;
    const gone = { kind: 'gateway.remove', by: 'default', eui: gatewayEui } as const;
    const joined = watch(network, HOUR_US).of('deviceReceives')[0]!;
    const trace = watch(network, 3 * HOUR_US, [{ atUs: joined.atUs + 1, command: gone }]);
    const purposes = trace.of('uplinkBegins').map(({ purpose }) => purpose);
    expect(purposes.slice(0, 66)).toEqual(['join', ...Array(64).fill('data'), 'join']);
  });
});

describe('ForceRejoinReq', () => {
  // Type 0, DR 3, no retries; type 2.
  it.each([
    ['0e0300', 0],
    ['0e2300', 2],
  ])('%s leads to a rejoin request of type %i, a new session and RekeyInd', (commands, type) => {
    const world = macWorld({ type: OTAA }, HOUR_US, [request(10 * MINUTE_US, commands)]);
    const rejoins = world.of('uplinkBegins').filter(({ purpose }) => purpose === 'rejoin');
    expect(rejoins).toHaveLength(1);
    expect(rejoins[0]!.phyPayload.slice(0, 4)).toBe(`c00${type}`);
    expect(rejoins[0]!.spreadingFactor).toBe(9);
    expect(world.of('deviceReceives').filter(({ purpose }) => purpose === 'join')).toHaveLength(2);
    expect(names(world.up)).toEqual(['RekeyInd', 'RekeyInd']);
    expect(judge(world.rows, networkOf({ type: OTAA }))).toEqual({});
  });

  it.each([
    ['DR0, the slowest', '0e0000', 12],
    ['DR5', '0e0500', 7],
    ['a data rate that no channel carries, which leaves the present one', '0e0d00', 7],
  ])('may name %s', (_, commands, spreadingFactor) => {
    const type = { ...OTAA, dataRate: { from: 'fixed', dataRate: 5 } } as const;
    const world = macWorld({ type }, HOUR_US, [request(10 * MINUTE_US, commands)]);
    const rejoins = world.of('uplinkBegins').filter(({ purpose }) => purpose === 'rejoin');
    expect(rejoins.map((row) => row.spreadingFactor)).toEqual([spreadingFactor]);
  });

  it.each([
    ['of type 0: full power, each message sent once', '0e0300', 0, 1],
    ['of type 2: power and repetitions stay', '0e2300', 5, 2],
  ])('%s, at the device and in the network’s eyes', (_, commands, txPowerIndex, nbTrans) => {
    // DR 5, TXPower 5, all channels, each message twice.
    const world = macWorld({ type: { ...OTAA, adr: true } }, HOUR_US, [
      request(5 * MINUTE_US, '0355070002'),
      request(20 * MINUTE_US, commands),
    ]);
    const data = world.of('uplinkBegins').filter(({ purpose }) => purpose === 'data');
    expect(data.some(({ attempt, atUs }) => attempt === 2 && atUs < 20 * MINUTE_US)).toBe(true);
    expect(data.at(-1)!.eirpCentiDbm).toBe(data[0]!.eirpCentiDbm - 200 * txPowerIndex);
    const { devices, registrations } = world.world.snapshot().network.sides;
    for (const table of [devices.table, registrations.table]) {
      const stored = ['txPowerIndex', 'nbTrans'].flatMap((name) => savedColumn(table, name));
      expect(stored).toEqual([txPowerIndex, nbTrans]);
    }
  });

  it('is repeated as often as it says, and the session goes on meanwhile', () => {
    const network = networkOf({ type: OTAA });
    const { eui: gatewayEui } = network.gateways[0]!;
    const probe = macWorld({ type: OTAA }, HOUR_US, [request(10 * MINUTE_US, '0e0302')]);
    const heard = probe.of('deviceReceives').find(({ atUs }) => atUs > 10 * MINUTE_US)!;
    const gone = { kind: 'gateway.remove', by: 'default', eui: gatewayEui } as const;
    const trace = watch(network, HOUR_US, [
      request(10 * MINUTE_US, '0e0302'),
      { atUs: heard.atUs + 1, command: gone },
    ]);
    const rows = trace.of('uplinkBegins').filter(({ atUs }) => atUs >= heard.atUs);
    expect(
      rows.filter(({ purpose }) => purpose === 'rejoin').map(({ counter }) => counter),
    ).toEqual([0, 1, 2]);
    expect(rows.filter(({ purpose }) => purpose === 'data').length).toBeGreaterThan(40);
  });
});

describe('RejoinParamSetupReq', () => {
  it('is answered with TimeOK, and every 16th uplink is followed by a rejoin of type 0', () => {
    const world = macWorld({ type: OTAA }, 2 * HOUR_US, [request(10 * MINUTE_US, '0ff0')]);
    expect(names(world.up).filter((name) => name === 'RejoinParamSetupAns')).toHaveLength(1);
    expect(world.up.find(({ name }) => name === 'RejoinParamSetupAns')!.payload).toEqual({
      timeOk: true,
    });
    const rejoins = world.of('uplinkBegins').filter(({ purpose }) => purpose === 'rejoin');
    expect(rejoins.length).toBeGreaterThan(4);
    expect(judge(world.rows, networkOf({ type: OTAA }))).toEqual({});
  });
});

describe('ADRParamSetupReq', () => {
  it('sets when the device asks for an answer', () => {
    // Limit 2^3, delay 2^2.
    const type = { ...OTAA, adr: true } as const;
    const world = macWorld({ type }, HOUR_US, [request(5 * MINUTE_US, '0c32')]);
    expect(names(world.up)).toContain('ADRParamSetupAns');
    const asks = world
      .of('uplinkBegins')
      .filter(
        ({ phyPayload, purpose }) =>
          purpose === 'data' && (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x40) !== 0,
      )
      .map(({ counter }) => counter);
    expect(asks.length).toBeGreaterThan(3);
    for (const [i, counter] of asks.entries()) if (i > 0) expect(counter - asks[i - 1]!).toBe(9);
  });
});
