/**
 * Multicast groups of management in living worlds: what members receive (LoRaWAN 1.0.4 §15.1 and
 * §9…§12; docs/decisions/0058).
 */
import { createRequire } from 'node:module';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { nextPingSlot } from '../../sim/lorawan/class-b.ts';
import { gpsMsOfUnixMs } from '../../sim/lorawan/gps-time.ts';
import type { EnergyPlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { classBNetwork, downlinkAt, pingsOf } from '../support/class-b-world.ts';
import {
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  Trace,
  type Wanted,
  watch,
} from '../support/small-network.ts';
import {
  APP_KEY,
  at,
  copiesOf,
  fatesOf,
  GROUP_EUI,
  groupOf,
  MC_ADDR,
  messageTo,
  NWK_KEY,
  type WantedGroup,
} from '../support/standing-groups.ts';

const classC = (wanted: Wanted = {}) =>
  networkOf({ devices: 3, ...wanted, type: { deviceClass: 'C', ...wanted.type } });

const BATTERY: EnergyPlan = {
  chip: 'test',
  supplyMilliVolt: 3_000,
  sleepNanoAmp: 2_000,
  standbyMicroAmp: 500,
  rxMicroAmp: 5_000,
  txMicroAmp: [{ centiDbm: 0, microAmp: 40_000 }],
  antennaGainCentiDb: 0,
  mcuMicroAmp: 3_500,
  awakeUs: 50_000,
  flashMicroJoulePerKib: 900,
  batteryMilliAmpHours: 2_400,
  dies: false,
};

const OTHER = { Frequency: 868_300_000, DataRate: 3 };
const TEN_US = 10 * MINUTE_US;

/** A group of all from the start, and a message in the middle of each of that many ten minutes. */
function talk(
  network: NetworkPlan,
  group: WantedGroup,
  commands: readonly TimedCommand[] = [],
  messages = 1,
) {
  const sent = Array.from({ length: messages }, (_, i) =>
    at(i * TEN_US + 5 * MINUTE_US, messageTo(GROUP_EUI, 'C0FFEE')),
  );
  const timeline = [at(0, groupOf(network, group)), ...sent, ...commands];
  const trace = watch(
    network,
    messages * TEN_US,
    timeline.sort((a, b) => a.atUs - b.atUs),
  );
  expect(judge(trace.rows, network)).toEqual({});
  return trace;
}

const euiOf = (network: NetworkPlan, place = 0): string => network.devices[place]!.devEui;

/** A scenario's world, run to its end under observation. */
function readScenario(text: string) {
  const plan = populate(scenarioOf(text), 'both');
  const trace = new Trace();
  const world = World.create(plan, 'both', { observer: trace });
  world.runUntil(world.endUs);
  return { plan, trace, world };
}

const loraPacket = createRequire(import.meta.url)('lora-packet') as typeof lora.default;

describe('a class C group', () => {
  it.each([{}, OTHER])('is heard on its channel %j, by its members alone', (channel) => {
    const network = classC();
    const two = [euiOf(network), euiOf(network, 1)];
    const trace = talk(network, { ...channel, devices: two });
    expect(copiesOf(trace)).toHaveLength(1);
    expect(fatesOf(trace)).toEqual({ 'meter-1': ['heard'], 'meter-2': ['heard'] });
  });

  it('is heard by who joins over the air, once it has joined', () => {
    const network = classC({ type: { activation: 'otaa' } });
    const early = [at(SECOND_US, messageTo(GROUP_EUI, '00'))];
    const trace = talk(network, {}, early);
    const all = ['notListening', 'heard'];
    expect(fatesOf(trace)).toEqual({ 'meter-1': all, 'meter-2': all, 'meter-3': all });
  });

  it('has frames that another implementation reads with the keys of the group', () => {
    const trace = talk(classC({ frames: 'real' }), {}, [], 3);
    expect(fatesOf(trace)['meter-1']).toEqual(['heard', 'heard', 'heard']);
    for (const [i, { phyPayload }] of copiesOf(trace).entries()) {
      const packet = loraPacket.fromWire(Buffer.from(phyPayload, 'hex'));
      const nwkSKey = Buffer.from(NWK_KEY, 'hex');
      const appSKey = Buffer.from(APP_KEY, 'hex');
      expect(loraPacket.verifyMIC(packet, nwkSKey)).toBe(true);
      expect(loraPacket.decrypt(packet, appSKey, nwkSKey)?.toString('hex')).toBe('c0ffee');
      expect(packet.DevAddr?.toString('hex')).toBe('01abcdef');
      expect(packet.getMType()).toBe('Unconfirmed Data Down');
      expect([packet.getFPort(), packet.getFCnt()]).toEqual([9, i]);
      expect([packet.FCtrl?.readUInt8(0), packet.FOpts?.length]).toEqual([0, 0]);
    }
  });

  it('may have the address of one that is gone, and counts its frames anew', () => {
    const network = classC({ devices: 2 });
    const [a, b] = [euiOf(network), euiOf(network, 1)];
    const gone = { kind: 'multicastGroup.delete', by: 'default', MulticastDevEUI: GROUP_EUI };
    const again = at(TEN_US + 1, groupOf(network, { devices: [b] }));
    const trace = talk(network, { devices: [a] }, [at(TEN_US, gone), again], 2);
    expect(fatesOf(trace)).toEqual({ 'meter-1': ['heard'], 'meter-2': ['heard'] });
    expect(copiesOf(trace).map(({ counter }) => counter)).toEqual([0, 0]);
  });

  it('is not heard by a device of class A, nor by one that becomes class A', () => {
    const network = classC();
    const devEui = euiOf(network);
    const to = (deviceClass: 'A' | 'C') => ({
      kind: 'device.class',
      by: 'default',
      devEui,
      deviceClass,
    });
    const trace = talk(network, {}, [at(10 * MINUTE_US, to('A')), at(20 * MINUTE_US, to('C'))], 3);
    const fates = fatesOf(trace);
    expect(fates['meter-1']).toEqual(['heard', 'notListening', 'heard']);
    expect(fates['meter-2']).toEqual(['heard', 'heard', 'heard']);
  });

  it('is heard from then on by who is added, and no more by who is removed', () => {
    const network = classC();
    const [a, b] = [euiOf(network), euiOf(network, 1)];
    const change = (verb: string, devEui: string) => ({
      kind: `multicastGroup.${verb}Devices`,
      by: 'default',
      MulticastDevEUI: GROUP_EUI,
      Devices: [devEui],
    });
    const commands = [at(TEN_US, change('add', b)), at(2 * TEN_US, change('remove', a))];
    const trace = talk(network, { devices: [a] }, commands, 3);
    expect(fatesOf(trace)).toEqual({
      'meter-1': ['heard', 'heard'],
      'meter-2': ['heard', 'heard'],
    });
  });

  it('has left who is removed, and has again who comes back and is added', () => {
    const network = classC({ devices: 2 });
    const devEui = euiOf(network);
    const commands = [
      at(TEN_US, { kind: 'device.remove', by: 'default', devEui }),
      at(TEN_US + 1, { kind: 'device.create', by: 'default', device: { devEui, name: 'back' } }),
    ];
    const trace = talk(network, {}, commands, 2);
    expect(fatesOf(trace)).toEqual({ 'meter-1': ['heard'], 'meter-2': ['heard', 'heard'] });
  });

  it('is retuned with its members', () => {
    const network = classC();
    const group = { Frequency: 868_100_000, DataRate: 5 };
    const update = {
      kind: 'multicastGroup.update',
      by: 'default',
      MulticastDevEUI: GROUP_EUI,
      group,
    };
    const trace = talk(network, {}, [at(TEN_US, update)], 2);
    expect(copiesOf(trace).map(({ frequencyHz }) => frequencyHz)).toEqual([
      869_525_000, 868_100_000,
    ]);
    expect(fatesOf(trace)['meter-3']).toEqual(['heard', 'heard']);
  });

  it('is forgotten when it is deleted; what waits is dropped', () => {
    const network = classC();
    const gone = { kind: 'multicastGroup.delete', by: 'default', MulticastDevEUI: GROUP_EUI };
    const late = 5 * MINUTE_US + 100;
    const trace = talk(network, {}, [at(late, messageTo(GROUP_EUI, '01')), at(late + 1, gone)]);
    // The first message was on its way.
    expect(copiesOf(trace)).toHaveLength(1);
    expect(fatesOf(trace)).toEqual({});
  });

  it('goes out through one gateway after the other, and is heard once', () => {
    const network = classC({ gatewaysAt: [100, 200, 300] });
    const trace = talk(network, {});
    const copies = copiesOf(trace);
    expect(copies.map(({ gateway }) => gateway)).toEqual(['gateway-1', 'gateway-2', 'gateway-3']);
    expect(new Set(copies.map(({ counter }) => counter))).toEqual(new Set([0]));
    for (const [i, copy] of copies.entries()) {
      const before = copies[i - 1];
      if (before !== undefined) {
        expect(copy.startsAtUs).toBeGreaterThan(before.startsAtUs + before.airtimeUs);
      }
    }
  });

  it('waits for the air time of its sub-band, and goes first in, first out', () => {
    // At SF12 a frame takes a second and more of the 36 s that an hour has at 868.3 MHz.
    const network = classC({ devices: 1 });
    const messages = Array.from({ length: 40 }, (_, i) =>
      at(MINUTE_US + i, messageTo(GROUP_EUI, i.toString(16).padStart(2, '0'))),
    );
    const group = groupOf(network, { Frequency: 868_300_000 });
    const trace = watch(network, 3 * HOUR_US, [at(0, group), ...messages]);
    expect(judge(trace.rows, network)).toEqual({});
    const copies = copiesOf(trace);
    expect(copies.map(({ counter }) => counter)).toEqual(messages.map((_, i) => i));
    expect(copies.at(-1)!.startsAtUs - copies[0]!.startsAtUs).toBeGreaterThan(HOUR_US);
    const fates = fatesOf(trace)['meter-1']!;
    expect(fates).toHaveLength(40);
    expect(fates.filter((fate) => fate === 'heard').length).toBeGreaterThan(35);
  });

  it('flushes what waits, and not what is on its way', () => {
    const network = classC();
    const soon = (ms: number, hex: string, more = {}) =>
      at(5 * MINUTE_US + ms * 1000, messageTo(GROUP_EUI, hex, more));
    const commands = [soon(1, '01'), soon(2, '02'), soon(3, '03', { FlushQueue: true })];
    expect(copiesOf(talk(network, {}, commands)).map(({ counter }) => counter)).toEqual([0, 1]);
  });

  it('goes out to nobody where it has no members', () => {
    const trace = talk(classC(), { devices: [] });
    expect([copiesOf(trace).length, fatesOf(trace)]).toEqual([1, {}]);
  });
});

describe('a member’s one radio', () => {
  const enqueue = (network: NetworkPlan) => ({
    kind: 'downlink.enqueue',
    by: 'default',
    devEui: euiOf(network),
    fPort: 3,
    payloadHex: 'aa',
    confirmed: false,
  });

  /** Purposes of unicast frames that the first device received. */
  const received = (trace: ReturnType<typeof talk>) =>
    trace
      .of('downlinkEnds')
      .flatMap(({ devices }) =>
        devices.filter(({ device, fate }) => device === 'meter-1' && fate === 'received'),
      ).length;

  it('hears unicast class C where the group is on RX2’s channel, and nowhere else', () => {
    const quiet = { traffic: { meanUs: 60 * MINUTE_US } };
    const heardOn = (channel: object) => {
      const network = classC({ devices: 1, ...quiet });
      // The server has to know a gateway that hears it.
      const timeline = [
        at(0, groupOf(network, channel)),
        at(70 * MINUTE_US, enqueue(network)),
        at(80 * MINUTE_US, messageTo(GROUP_EUI, '00')),
      ];
      const trace = watch(network, 130 * MINUTE_US, timeline);
      expect(judge(trace.rows, network)).toEqual({});
      return [received(trace), fatesOf(trace)['meter-1']];
    };
    expect(heardOn({})).toEqual([1, ['heard']]);
    expect(heardOn(OTHER)).toEqual([0, ['heard']]);
  });

  it('serves of two groups on two channels the one that came first', () => {
    const network = classC({ devices: 1 });
    const [second, address] = ['0C00000000000002', MC_ADDR + 1];
    const trace = watch(network, TEN_US, [
      at(0, groupOf(network)),
      at(1, groupOf(network, { ...OTHER, eui: second, address })),
      at(5 * MINUTE_US, messageTo(GROUP_EUI, '01')),
      at(7 * MINUTE_US, messageTo(second, '02')),
    ]);
    expect(judge(trace.rows, network)).toEqual({});
    expect(fatesOf(trace)).toEqual({ 'meter-1': ['heard'] });
    expect(fatesOf(trace, address)).toEqual({ 'meter-1': ['notListening'] });
  });

  it('serves the other group once the first one has let it go', () => {
    const network = classC({ devices: 1 });
    const [second, address] = ['0C00000000000002', MC_ADDR + 1];
    const trace = watch(network, TEN_US, [
      at(0, groupOf(network)),
      at(1, groupOf(network, { ...OTHER, eui: second, address })),
      at(2 * MINUTE_US, {
        kind: 'multicastGroup.removeDevices',
        by: 'default',
        MulticastDevEUI: GROUP_EUI,
        Devices: [euiOf(network)],
      }),
      at(7 * MINUTE_US, messageTo(second, '02')),
    ]);
    expect(judge(trace.rows, network)).toEqual({});
    expect(fatesOf(trace, address)).toEqual({ 'meter-1': ['heard'] });
  });

  it('misses a frame that meets its own uplink', () => {
    // It sends at SF12 for seconds, every few seconds.
    const network = classC({
      devices: 1,
      type: { dataRate: { from: 'fixed', dataRate: 0 } },
      traffic: { process: 'exponential', meanUs: 8 * SECOND_US, payloadBytes: 40 },
    });
    const fates = fatesOf(talk(network, {}, [], 12))['meter-1']!;
    expect(fates).toContain('ownUplink');
    expect(fates).toHaveLength(12);
  });
});

describe('a member that is updated by multicast', () => {
  /** A class C campaign by TS005, and a message to a group of the same devices every minute. */
  const updated = (channel: string) => {
    const eui = GROUP_EUI;
    const send = `{ kind: message.send, DevEUI: '${eui}', Payload: '01', TargetPort: '9' }`;
    // In step with nothing else.
    const seconds = Array.from({ length: 100 }, (_, i) => 600 + 47 * i);
    const scenario = readScenario(`
scenario: update
duration: 3 h
seed: both
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways: [{ name: mast }]
devices:
  - { name: lamp, count: 3, class: C, activation: abp, dataRate: DR5, adr: false, joinWithin: 1 s,
      traffic: { every: 2 min } }
images: [{ name: app-1.1.0.bin, bytes: 2 kB }]
groups: [{ name: all, devices: [lamp], gateways: [mast] }]
campaigns:
  - { name: spring, image: app-1.1.0.bin, group: all, at: 30 min, multicast_setup_time: 20 min,
      mcast_dr: DR4, mcast_freq: 868.3 MHz }
multicastGroups:
  - { name: lamps, eui: '${eui}', address: '01ABCDEF', devices: [lamp], gateways: [mast],
      ${channel} }
timeline: [${seconds.map((second) => `{ at: ${second} s, command: ${send} }`).join(', ')}]
`);
    const { plan, trace, world } = scenario;
    expect(judge(trace.rows, plan.network)).toEqual({});
    const [campaign] = world.result().campaigns;
    return { campaign, fates: fatesOf(trace)['lamp-2']! };
  };

  it('serves the session first, and the group before and after it', () => {
    const { campaign, fates } = updated('class: C');
    // Messages meet its unicast frames at the gateway, so one device may miss the end.
    expect(campaign!.success).toBeGreaterThan(1);
    const first = fates.indexOf('notListening');
    const last = fates.lastIndexOf('notListening');
    expect(first).toBeGreaterThan(0);
    expect(fates.slice(0, first)).not.toContain('notListening');
    expect(fates.slice(last + 1)).toContain('heard');
  });

  it('does not hear what sets it up where its group is not on RX2’s channel', () => {
    const { campaign, fates } = updated('dataRate: DR3');
    expect(campaign).toMatchObject({ success: 0, failures: { 'set-up unanswered': 3 } });
    expect(fates).not.toContain('notListening');
  });
});

describe('a class B group', () => {
  const B = { type: 'B', period: 16, DataRate: 3 } as const;
  const send = (atUs: number) => at(atUs, messageTo(GROUP_EUI, 'C0FFEE'));

  it('is heard in the ping slots of its address by its members in class B', () => {
    const network = classBNetwork({ devices: 2, gatewaysAt: [100, 150] });
    const trace = watch(network, 2 * HOUR_US, [
      at(0, groupOf(network, B)),
      send(HOUR_US),
      send(HOUR_US + SECOND_US),
    ]);
    expect(judge(trace.rows, network)).toEqual({});
    const startUs = gpsMsOfUnixMs(network.startUnixMs) * 1000;
    const copies = copiesOf(trace);
    // Both gateways send in one slot; 16 s are periodicity 4.
    expect(copies).toHaveLength(4);
    for (const { startsAtUs } of copies) {
      const gpsUs = startUs + startsAtUs;
      expect(nextPingSlot(gpsUs - 1, MC_ADDR, 4).startUs).toBe(gpsUs);
    }
    expect(new Set(copies.map(({ startsAtUs }) => startsAtUs)).size).toBe(2);
    expect(fatesOf(trace)).toEqual({
      'meter-1': ['heard', 'heard'],
      'meter-2': ['heard', 'heard'],
    });
  });

  it('leaves its own slots to a device, and so does a group of class C', () => {
    const network = classBNetwork();
    for (const group of [B, { type: 'C' } as const]) {
      const trace = watch(network, 2 * HOUR_US, [
        at(0, groupOf(network, group)),
        downlinkAt(HOUR_US, network),
      ]);
      expect(judge(trace.rows, network)).toEqual({});
      const [ping] = pingsOf(trace);
      expect(trace.of('deviceReceives').map(({ counter }) => counter)).toContain(ping!.counter);
    }
  });

  it('costs a device as many ping slots as its own, for as long as it belongs to it', () => {
    const network = classBNetwork({ type: { energy: BATTERY } });
    const change = (verb: string) => ({
      kind: `multicastGroup.${verb}Devices`,
      by: 'default',
      MulticastDevEUI: GROUP_EUI,
      Devices: [euiOf(network)],
    });
    const trace = watch(network, 3 * HOUR_US, [
      at(0, groupOf(network, { ...B, devices: [] })),
      at(HOUR_US, change('add')),
      at(2 * HOUR_US, change('remove')),
    ]);
    const shares = trace.of('deviceListens').map(({ sinceUs, slotPpb }) => ({ sinceUs, slotPpb }));
    const shareAt = (atUs: number) => shares.findLast(({ sinceUs }) => sinceUs <= atUs)!.slotPpb;
    const own = shareAt(HOUR_US - MINUTE_US);
    expect(own).toBeGreaterThan(0);
    // From the instant on, not only from the next beacon.
    for (const atUs of [HOUR_US + SECOND_US, 2 * HOUR_US - MINUTE_US]) {
      expect(Math.abs(shareAt(atUs) / own - 2)).toBeLessThan(0.01);
    }
    for (const atUs of [2 * HOUR_US + SECOND_US, 3 * HOUR_US - MINUTE_US]) {
      expect(Math.abs(shareAt(atUs) / own - 1)).toBeLessThan(0.01);
    }
    // No update: a group that stands belongs to the steady state.
    expect(trace.of('deviceListens').every(({ sessionPpb }) => sessionPpb === 0)).toBe(true);
  });

  it('is not heard before a device has heard a beacon, and by no other class', () => {
    const network = classBNetwork();
    const early = watch(network, 10 * MINUTE_US, [at(0, groupOf(network, B)), send(5 * SECOND_US)]);
    expect(fatesOf(early)['meter-1']).toEqual(['noBeacon']);
    const classA = classBNetwork({ type: { deviceClass: 'A' } });
    const trace = watch(classA, 2 * HOUR_US, [at(0, groupOf(classA, B)), send(HOUR_US)]);
    expect(fatesOf(trace)['meter-1']).toEqual(['notListening']);
  });

  it('goes out through gateways with GPS time alone', () => {
    const network = classBNetwork({ gatewaysAt: [100, 150] });
    const [one, two] = network.gateways;
    const mixed = { ...network, gateways: [one!, { ...two!, gps: false }] };
    const trace = watch(mixed, 2 * HOUR_US, [at(0, groupOf(mixed, B)), send(HOUR_US)]);
    expect(copiesOf(trace).map(({ gateway }) => gateway)).toEqual(['gateway-1']);
  });
});

describe('a group of many frames', () => {
  it('keeps no more of them than two rounds over its members need', () => {
    const network = classC({ devices: 5, traffic: { meanUs: 24 * HOUR_US } });
    const messages = Array.from({ length: 400 }, (_, i) =>
      at((i + 1) * MINUTE_US, messageTo(GROUP_EUI, '00')),
    );
    const group = groupOf(network, { Frequency: 869_525_000, DataRate: 5 });
    const { world } = watch(network, 401 * MINUTE_US, [at(0, group), ...messages]);
    const saved = JSON.stringify(
      world.snapshot().network.sides.groups.standing[0]!.log.rows.length,
    );
    expect(Number(saved)).toBeLessThan(150);
  });

  it('is heard whole by who stays, though others leave whenever its turn has come', () => {
    const network = classC({ devices: 12, traffic: { meanUs: 24 * HOUR_US } });
    const messages = Array.from({ length: 60 }, (_, i) =>
      at((i + 1) * MINUTE_US, messageTo(GROUP_EUI, '00')),
    );
    const leaving = [8, 18, 27, 35].map((frames, i) =>
      at((frames + 0.5) * MINUTE_US, {
        kind: 'multicastGroup.removeDevices',
        by: 'default',
        MulticastDevEUI: GROUP_EUI,
        Devices: [euiOf(network, i)],
      }),
    );
    const group = groupOf(network, { Frequency: 869_525_000, DataRate: 5 });
    const timeline = [at(0, group), ...messages, ...leaving].sort((a, b) => a.atUs - b.atUs);
    const heard = fatesOf(watch(network, 61 * MINUTE_US, timeline));
    for (let number = 5; number <= 12; number++) {
      // The latest ones may not be looked at yet.
      expect(heard[`meter-${number}`]!.slice(0, 50)).toEqual(Array(50).fill('heard'));
    }
  });
});
