/** RejoinRequests of type 1 in worlds, which a device sends by itself (LoRaWAN 1.1 §6.2.4.2). */
import { createCipheriv } from 'node:crypto';
import { createRequire } from 'node:module';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { euiBytes } from '../../sim/lorawan/keys.ts';
import { Injector } from '../support/injector.ts';
import { macWorld, names, request } from '../support/mac.ts';
import {
  eui,
  HOUR_US,
  MINUTE_US,
  networkOf,
  type Trace,
  type Wanted,
  watch,
} from '../support/small-network.ts';

const { fromWire, verifyMIC } = createRequire(import.meta.url)(
  'lora-packet',
) as typeof lora.default;

const DEV_EUI = eui('02', 1);
const JOIN_EUI = '70B3D00000000001';
const type = { activation: 'otaa', lorawan: '1.1', rejoinType1EveryUs: 20 * MINUTE_US } as const;

const rejoinsOf = (trace: Trace) =>
  trace.of('uplinkBegins').filter(({ purpose }) => purpose === 'rejoin');

/** A gateway that sends so softly that no device hears it. */
const MUTE = { maxEirpCentiDbm: -20_000 };

describe('a device that sends RejoinRequests of type 1', () => {
  const world = macWorld({ type }, 2 * HOUR_US);
  const rejoins = rejoinsOf(world);
  const joins = world.of('deviceReceives').filter(({ purpose }) => purpose === 'join');

  it('names its join server, itself and RJcount1, which grows over all sessions', () => {
    const onAir = (text: string) => Buffer.from(euiBytes(text)).toString('hex');
    const text = rejoins.map(({ phyPayload }) => phyPayload.slice(0, -8));
    const named = `c001${onAir(JOIN_EUI)}${onAir(DEV_EUI)}`;
    expect(text).toEqual([0, 1, 2, 3, 4].map((count) => `${named}0${count}00`));
    expect(rejoins.map(({ counter }) => counter)).toEqual([0, 1, 2, 3, 4]);
  });

  it('waits the pause after each session began', () => {
    for (const [i, { atUs }] of rejoins.entries()) {
      const pauseUs = atUs - joins[i]!.atUs;
      expect(pauseUs).toBeGreaterThanOrEqual(20 * MINUTE_US);
      expect(pauseUs).toBeLessThan(21 * MINUTE_US);
    }
  });

  it('has joined when its first session began, and once', () => {
    const { devices, series } = world.world.result();
    const firstUs = joins[0]!.atUs - world.of('deviceStarts')[0]!.atUs;
    expect(devices.joinSeconds?.max).toBeCloseTo(firstUs / 1e6, 5);
    expect(series.joined.at(-1)).toBe(1);
  });

  it('gets a fresh session each time, and says RekeyInd in it', () => {
    expect(joins.map(({ counter }) => counter)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(names(world.up)).toEqual(Array(6).fill('RekeyInd'));
    const addresses = world
      .of('uplinkBegins')
      .filter(({ purpose }) => purpose === 'data')
      .map(({ phyPayload }) => phyPayload.slice(2, 10));
    expect(new Set(addresses).size).toBe(6);
    const first = world
      .of('uplinkBegins')
      .find(({ purpose, atUs }) => purpose === 'data' && atUs > joins[1]!.atUs)!;
    expect(first.counter).toBe(0);
  });

  it('keeps every law, and every uplink is delivered', () => {
    expect(judge(world.rows, networkOf({ type }))).toEqual({});
    const verdicts = new Set(world.of('uplinkCollected').map(({ verdict }) => verdict));
    expect(verdicts).toEqual(new Set(['joined', 'accepted']));
  });

  it('goes on in its session when no accept comes, and asks again after the pause', () => {
    const probe = macWorld({ type }, HOUR_US).of('deviceReceives')[1]!;
    const mute = networkOf({}).gateways[0]!;
    const commands = [
      {
        atUs: probe.atUs + 1,
        command: { kind: 'gateway.remove', by: 'default', eui: mute.eui } as const,
      },
      {
        atUs: probe.atUs + 2,
        command: { kind: 'gateway.create', by: 'default', gateway: { ...mute, ...MUTE } } as const,
      },
    ];
    const deaf = macWorld({ type, traffic: { meanUs: 5 * MINUTE_US } }, 3 * HOUR_US, commands);
    const asked = rejoinsOf(deaf);
    expect(asked.length).toBeGreaterThan(6);
    expect(asked.map(({ counter }) => counter)).toEqual(asked.map((_, i) => i));
    const data = deaf.of('uplinkBegins').filter(({ purpose }) => purpose === 'data');
    const last = data.at(-1)!;
    expect(last.counter).toBeGreaterThan(20);
    expect(judge(deaf.rows, networkOf({ type }))).toEqual({});
  });

  it('lets forced requests go first', () => {
    // Type 0, DR 3, five retries, a second request 64 to 96 s after the first.
    const wanted: Wanted = { type: { ...type, rejoinType1EveryUs: 11 * MINUTE_US } };
    const order = request(10 * MINUTE_US, '0e030d');
    const heard = macWorld(wanted, HOUR_US, [order])
      .of('deviceReceives')
      .find(({ atUs }) => atUs > 10 * MINUTE_US)!;
    const { eui: gatewayEui } = networkOf({}).gateways[0]!;
    const gone = { kind: 'gateway.remove', by: 'default', eui: gatewayEui } as const;
    const commands = [order, { atUs: heard.atUs + 1, command: gone }];
    const types = rejoinsOf(macWorld(wanted, HOUR_US, commands)).map(({ phyPayload }) =>
      phyPayload.slice(2, 4),
    );
    expect(types.slice(0, 7)).toEqual([...Array(6).fill('00'), '01']);
  });
});

describe('who sends no RejoinRequest of type 1', () => {
  it.each([
    ['a device of LoRaWAN 1.0.4', { type: { ...type, lorawan: '1.0.4' } }],
    ['a 1.1 device on a 1.0 network', { type, server: { lorawan: '1.0' } }],
    ['a personalised device', { type: { ...type, activation: 'abp' } }],
  ] as const)('%s', (_, wanted) => {
    expect(rejoinsOf(macWorld(wanted, 2 * HOUR_US))).toEqual([]);
  });
});

describe('a RejoinRequest of type 1 in real frames', () => {
  const grown = (untilUs: number): Injector => {
    const injector = new Injector(networkOf({ frames: 'real', type }));
    injector.runUntil(untilUs);
    return injector;
  };
  const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
  const lastRejoin = ({ observer }: Injector) => bytesOf(rejoinsOf(observer).at(-1)!.phyPayload);

  it('is signed by JSIntKey = E(NwkKey, 06 | DevEUI | 0…), as lora-packet reads it', () => {
    const { network, observer } = grown(HOUR_US);
    const nwkKey = network.sides.server.registrations.rootKeys.nwk.copyOf(0);
    const cipher = createCipheriv('aes-128-ecb', nwkKey, null).setAutoPadding(false);
    const jsIntKey = cipher.update(Buffer.from([6, ...euiBytes(DEV_EUI), ...Array(7).fill(0)]));
    const rejoins = rejoinsOf(observer);
    expect(rejoins).toHaveLength(2);
    for (const { phyPayload } of rejoins) {
      const packet = fromWire(Buffer.from(phyPayload, 'hex'));
      expect(verifyMIC(packet, undefined, jsIntKey)).toBe(true);
      expect(verifyMIC(packet, undefined, Buffer.from(nwkKey))).toBe(false);
    }
  });

  it('is refused when its RJcount1 was used, in whatever session', () => {
    const injector = grown(HOUR_US);
    const { joinNonce } = injector.network.sides.server.registrations.column;
    const before = joinNonce[0];
    expect(before).toBe(3);
    for (const { phyPayload } of rejoinsOf(injector.observer)) {
      expect(injector.inject(bytesOf(phyPayload))).toBe('replayed');
    }
    expect(joinNonce[0]).toBe(before);
  });

  it('is refused when a single bit of it is another', () => {
    const injector = grown(HOUR_US);
    const frame = lastRejoin(injector);
    for (let bit = 0; bit < frame.length * 8; bit += 3) {
      const changed = frame.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(['badMic', 'malformed', 'unknownDevice']).toContain(injector.inject(changed));
    }
  });

  it('gives a device back to a server that lost its session', () => {
    const injector = grown(10 * MINUTE_US);
    const { column, nwkSKeys } = injector.network.sides.server.registrations;
    for (const keys of [column.sNwkSIntKey, column.nwkSEncKey]) keys.fill(0);
    nwkSKeys.set(0, new Uint8Array(16));
    const verdicts = (fromUs: number, untilUs: number) => {
      injector.runUntil(untilUs);
      const rows = injector.observer.of('uplinkCollected');
      return new Set(rows.filter(({ atUs }) => atUs > fromUs).map(({ verdict }) => verdict));
    };
    expect(verdicts(10 * MINUTE_US, 19 * MINUTE_US)).toEqual(new Set(['badMic']));
    injector.runUntil(22 * MINUTE_US);
    expect(verdicts(22 * MINUTE_US, 30 * MINUTE_US)).toEqual(new Set(['accepted']));
  });
});

describe('real and counted frames', () => {
  it('lead to the same outcome with rejoins of every type', () => {
    const commands = [request(10 * MINUTE_US, '0e0300'), request(50 * MINUTE_US, '0e2300')];
    const worlds = (['real', 'counted'] as const).map((frames) => {
      const trace = watchRejoins(frames, commands);
      return { digest: trace.world.digest().outcome, types: trace.types };
    });
    expect(worlds[0]).toEqual(worlds[1]);
    expect(new Set(worlds[0]!.types)).toEqual(new Set(['00', '01', '02']));
  });
});

function watchRejoins(frames: 'real' | 'counted', commands: Parameters<typeof watch>[2]) {
  const trace = watch(networkOf({ frames, type }), 2 * HOUR_US, commands);
  const types = rejoinsOf(trace).map(({ phyPayload }) => phyPayload.slice(2, 4));
  return { world: trace.world, types };
}
