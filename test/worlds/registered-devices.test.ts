/**
 * Devices that are registered at run time with keys of their own: what they send is read by another
 * implementation (lora-packet) with exactly those keys, and sessions are derived here anew (LoRaWAN
 * 1.0.4 §6.2.6, 1.1 §6.2.5).
 */
import { createCipheriv } from 'node:crypto';
import { createRequire } from 'node:module';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { expandSeed } from '../../sim/base/random.ts';
import { Agenda } from '../../sim/kernel/agenda.ts';
import { Network } from '../../sim/network/network.ts';
import { carryOut } from '../../sim/network/requests.ts';
import { LiveView } from '../../sim/network/view.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, Trace } from '../support/small-network.ts';

const { decrypt, decryptJoinAccept, fromWire, generateSessionKeys10, verifyMIC } = createRequire(
  import.meta.url,
)('lora-packet') as typeof lora.default;

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const turned = (text: string): Buffer => Buffer.from(hex(text)).reverse();

const DEV_EUI = 'C0FFEE0000000001';
const JOIN_EUI = 'A1B2C3D4E5F60718';
const APP_KEY = '00112233445566778899AABBCCDDEEFF';
const NWK_KEY = 'F0E1D2C3B4A5968778695A4B3C2D1E0F';
const NWK_S_KEY = '0F1E2D3C4B5A69788796A5B4C3D2E1F0';
const APP_S_KEY = 'FFEEDDCCBBAA99887766554433221100';
const DEV_ADDR = '260B1A2F';

const OTAA = {
  ActivationType: 'OTAA',
  ApplicationEUI: JOIN_EUI,
  ApplicationKey: APP_KEY,
} as const;
const ABP = {
  ActivationType: 'ABP',
  DevAddr: DEV_ADDR,
  NetworkSkey: NWK_S_KEY,
  ApplicationSKey: APP_S_KEY,
} as const;

type Type = Partial<Omit<DeviceTypePlan, 'traffic'>>;

/** A world of one population of other devices; the type's own activation is never the device's. */
function registered(keys: object, type: Type, frames: NetworkPlan['frames'] = 'real') {
  const trace = new Trace();
  const network = networkOf({ frames, type, gatewaysAt: [100, 200] });
  const plan = { name: 'x', description: '', durationUs: 2 * HOUR_US, network, timeline: [] };
  const world = World.create(plan, 'seed', { observer: trace });
  world.runUntil(10 * MINUTE_US);
  const list = <Answer>(answer: { ok: boolean; value?: Answer }): Answer => answer.value!;
  const by = 'default';
  const { DeviceProfiles } = list(world.ask({ by, kind: 'deviceProfile.list' }));
  const { ServiceProfiles } = list(world.ask({ by, kind: 'serviceProfile.list' }));
  const device = {
    Name: 'own',
    DevEUI: DEV_EUI,
    ServiceProfile: ServiceProfiles[0]!.Id,
    DeviceProfile: DeviceProfiles[0]!.Id,
    ...keys,
  } as never;
  expect(world.submit({ by, kind: 'endDevice.create', device })).toMatchObject({ ok: true });
  world.runUntil(40 * MINUTE_US);
  const payloadHex = 'C0FFEE';
  world.submit({ by, kind: 'downlink.enqueue', devEui: DEV_EUI, fPort: 5, payloadHex });
  world.runUntil(2 * HOUR_US);
  const uplinks = trace.of('uplinkBegins').filter(({ device }) => device === 'own');
  const downlinks = trace.of('downlinkPlanned').filter(({ devEui }) => devEui === DEV_EUI);
  return {
    world,
    packets: (purpose: 'join' | 'data') => ({
      up: uplinks
        .filter((row) => row.purpose === purpose)
        .map((row) => ({ ...row, packet: fromWire(hex(row.phyPayload)) })),
      down: downlinks
        .filter((row) => row.purpose === purpose)
        .map((row) => ({ ...row, packet: fromWire(hex(row.phyPayload)) })),
    }),
    verdicts: trace
      .of('uplinkCollected')
      .filter((row) => row.device === 'own')
      .map(({ verdict }) => verdict),
    device: list(world.ask({ by, kind: 'endDevice.get', DevEUI: DEV_EUI })),
  };
}

type Registered = ReturnType<typeof registered>;

/** A 1.0 session of these keys carries every frame, both ways. */
function expectSession10(
  { packets }: Registered,
  nwkSKey: Buffer,
  appSKey: Buffer,
  devAddr: Buffer,
) {
  const { up, down } = packets('data');
  expect(up.length).toBeGreaterThan(10);
  for (const { packet } of [...up, ...down]) {
    expect(packet.DevAddr).toEqual(devAddr);
    expect(verifyMIC(packet, nwkSKey)).toBe(true);
  }
  for (const { packet } of up) expect(decrypt(packet, appSKey, nwkSKey)).toHaveLength(10);
  const payloads = down
    .filter(({ packet }) => packet.getFPort() === 5)
    .map(({ packet }) => decrypt(packet, appSKey, nwkSKey).toString('hex'));
  expect(new Set(payloads)).toEqual(new Set(['c0ffee']));
}

describe('a device that is registered with its AppKey (OTAA)', () => {
  const own = registered(OTAA, { activation: 'abp', answers: [] });

  it('asks to join by its JoinEUI and DevEUI, signed by that key', () => {
    const { up } = own.packets('join');
    expect(up.length).toBeGreaterThan(0);
    for (const { packet } of up) {
      expect(packet.JoinEUI).toEqual(hex(JOIN_EUI));
      expect(packet.DevEUI).toEqual(hex(DEV_EUI));
      expect(verifyMIC(packet, undefined, hex(APP_KEY))).toBe(true);
    }
  });

  it('has the session that its join gives', () => {
    const { up, down } = own.packets('join');
    expect(down).toHaveLength(1);
    const accept = fromWire(decryptJoinAccept(down[0]!.packet, hex(APP_KEY)));
    expect(verifyMIC(accept, undefined, hex(APP_KEY))).toBe(true);
    const { NetID, AppNonce, DevAddr } = accept;
    const { NwkSKey, AppSKey } = generateSessionKeys10(
      hex(APP_KEY),
      NetID!,
      AppNonce!,
      up.at(-1)!.packet.DevNonce!,
    );
    expectSession10(own, NwkSKey, AppSKey, DevAddr!);
    expect(own.verdicts[0]).toBe('joined');
  });

  it('is reported as one that joins, whatever its type does', () => {
    expect(own.device).toMatchObject({ ActivationType: 'OTAA' });
  });
});

describe('a device that is registered with its session (ABP)', () => {
  const own = registered(ABP, { activation: 'otaa', answers: [] });

  it('has it at once, from counter 0 on, and is believed', () => {
    expectSession10(own, hex(NWK_S_KEY), hex(APP_S_KEY), hex(DEV_ADDR));
    expect(own.packets('join')).toEqual({ up: [], down: [] });
    expect(own.packets('data').up[0]!.counter).toBe(0);
    expect(new Set(own.verdicts)).toEqual(new Set(['accepted']));
    expect(own.device).toMatchObject({ ActivationType: 'ABP' });
  });
});

/** AES-128 of one block (FIPS 197). */
function aes(key: string, block: Buffer): Buffer {
  const cipher = createCipheriv('aes-128-ecb', hex(key), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

describe('a device of LoRaWAN 1.1', () => {
  const about = ({ spreadingFactor, channel = 0 }: { spreadingFactor: number; channel?: number }) =>
    Buffer.from([0, 0, 12 - spreadingFactor, channel]);

  it('has its four session keys of NwkKey and AppKey', () => {
    const own = registered(
      { ...OTAA, NetworkKey: NWK_KEY },
      { activation: 'otaa', lorawan: '1.1', answers: [] },
    );
    const { up, down } = own.packets('join');
    for (const { packet } of up) {
      expect(packet.JoinEUI).toEqual(hex(JOIN_EUI));
      expect(verifyMIC(packet, undefined, hex(NWK_KEY))).toBe(true);
    }
    const accept = fromWire(decryptJoinAccept(down[0]!.packet, hex(NWK_KEY)));
    const nonces = [
      Buffer.from(accept.AppNonce!).reverse(),
      turned(JOIN_EUI),
      Buffer.from(up.at(-1)!.packet.DevNonce!).reverse(),
    ];
    const derived = (key: string, label: number) =>
      aes(key, Buffer.concat([Buffer.from([label]), ...nonces, Buffer.alloc(2)]));
    const keys = {
      nwkSKey: derived(NWK_KEY, 1).toString('hex'),
      appSKey: derived(APP_KEY, 2).toString('hex'),
      sNwkSIntKey: derived(NWK_KEY, 3).toString('hex'),
      nwkSEncKey: derived(NWK_KEY, 4).toString('hex'),
    };
    const data = own.packets('data').up;
    expect(data.length).toBeGreaterThan(10);
    for (const row of data) expect(row.keys).toEqual(keys);
    const plain = data.filter(({ packet }) => !packet.getFCtrlACK() && packet.getFPort() === 7);
    expect(plain.length).toBeGreaterThan(10);
    for (const row of plain) {
      const [f, s] = [hex(keys.nwkSKey), hex(keys.sNwkSIntKey)];
      expect(verifyMIC(row.packet, f, s, undefined, about(row))).toBe(true);
      expect(decrypt(row.packet, hex(keys.appSKey), hex(keys.nwkSEncKey))).toHaveLength(10);
    }
    expect(own.verdicts[0]).toBe('joined');
  });

  it('has its one network session key for all three when it is personalised', () => {
    const own = registered(ABP, { activation: 'otaa', lorawan: '1.1', answers: [] });
    const data = own.packets('data').up;
    expect(data.length).toBeGreaterThan(10);
    const key = NWK_S_KEY.toLowerCase();
    for (const row of data) {
      expect(row.keys).toEqual({
        nwkSKey: key,
        sNwkSIntKey: key,
        nwkSEncKey: key,
        appSKey: APP_S_KEY.toLowerCase(),
      });
      if (row.packet.getFCtrlACK()) continue;
      const s = hex(NWK_S_KEY);
      expect(verifyMIC(row.packet, s, s, undefined, about(row))).toBe(true);
    }
    expect(new Set(own.verdicts)).toEqual(new Set(['accepted']));
  });
});

describe('registered devices', () => {
  it.each([
    ['OTAA', OTAA, {}],
    ['ABP', ABP, {}],
    ['OTAA 1.1', { ...OTAA, NetworkKey: NWK_KEY }, { lorawan: '1.1' }],
    ['ABP 1.1', ABP, { lorawan: '1.1' }],
  ] as const)('lead to the same outcome with counted frames: %s', (_, keys, type) => {
    const [real, counted] = (['real', 'counted'] as const).map(
      (frames) => registered(keys, type, frames).world.digest().outcome,
    );
    expect(counted).toBe(real);
  });

  it('go on from a snapshot as if there had been none', () => {
    const { world } = registered(OTAA, {});
    const copy = World.restore(world.plan, world.seed, world.snapshot());
    expect(copy.digest()).toEqual(world.digest());
    const get = { by: 'default', kind: 'endDevice.get', DevEUI: DEV_EUI } as const;
    expect(copy.ask(get)).toEqual(world.ask(get));
  });
});

describe('the server', () => {
  it('knows the root of a device’s multicast keys as long as it is reported to', () => {
    const network = new Network(networkOf({}), expandSeed('seed'), new Agenda(), {});
    network.populate();
    const devEui = eui('02', 1);
    const device = () => new LiveView(network).device(devEui)!;
    const wrapped = device().wrapMcKey(new Uint8Array(16));
    for (const known of [false, true]) {
      carryOut(network, { kind: 'device.rootKey', devEui, known }, 0);
      expect(device().rootKeyKnown).toBe(known);
    }
    expect(device().wrapMcKey(new Uint8Array(16))).toEqual(wrapped);
  });

  it('finds devices by what people call them now', () => {
    const network = new Network(networkOf({ devices: 3 }), expandSeed('seed'), new Agenda(), {});
    network.populate();
    const named = (name: string) =>
      new LiveView(network).devicesNamed(name).map(({ devEui }) => devEui);
    const [one, two, three] = [1, 2, 3].map((number) => eui('02', number)) as [
      string,
      string,
      string,
    ];
    expect(named('meter-1')).toEqual([one]);
    const rename = (devEui: string, name: string) =>
      carryOut(network, { kind: 'device.change', devEui, name }, 0);
    rename(one, 'pump');
    rename(two, 'pump');
    expect([named('meter-1'), named('pump').sort()]).toEqual([[], [one, two]]);
    carryOut(network, { kind: 'device.remove', devEui: one }, 0);
    expect([named('pump'), named('meter-3')]).toEqual([[two], [three]]);
    const saved = network.save();
    const copy = new Network(networkOf({ devices: 3 }), expandSeed('seed'), new Agenda(), {});
    copy.load(saved);
    expect(new LiveView(copy).devicesNamed('pump').map(({ devEui }) => devEui)).toEqual([two]);
  });
});
