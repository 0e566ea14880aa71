/** Class B in living worlds (LoRaWAN 1.0.4 §8…§14): beacons, ping slots, and life without them. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';
import { fromHex } from '../../sim/base/bytes.ts';
import { beaconFrequencyHz, decodeBeacon, nextPingSlot } from '../../sim/lorawan/class-b.ts';
import { gpsMsOfUnixMs } from '../../sim/lorawan/gps-time.ts';
import { region } from '../../sim/lorawan/region.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { SENSITIVITIES } from '../../sim/radio/tables.ts';
import { CLASS_B_PLAN, classBTrace } from '../support/class-b-bugs.ts';
import {
  beaconsOf,
  classBCampaign,
  classBNetwork,
  downlinkAt,
  hasClassBBit,
  pingsOf,
} from '../support/class-b-world.ts';
import { HOUR_US, MINUTE_US, SECOND_US, watch } from '../support/small-network.ts';

const gpsUs = ({ startUnixMs }: NetworkPlan, atUs: number): number =>
  gpsMsOfUnixMs(startUnixMs) * 1000 + atUs;

describe('a gateway with GPS time', () => {
  it('sends a beacon of 17 bytes 1.5 ms after every multiple of 128 s of GPS time', () => {
    const network = classBNetwork();
    const beacons = beaconsOf(watch(network, HOUR_US));
    expect(beacons).toHaveLength(28);
    for (const { startsAtUs, phyPayload, frequencyHz, airtimeUs, spreadingFactor } of beacons) {
      const beaconUs = gpsUs(network, startsAtUs) - 1_500;
      expect(beaconUs % (128 * SECOND_US)).toBe(0);
      expect([frequencyHz, spreadingFactor, airtimeUs]).toEqual([869_525_000, 9, 152_576]);
      expect(frequencyHz).toBe(beaconFrequencyHz(region('EU868').beacon, beaconUs / SECOND_US));
      const beacon = decodeBeacon(9, fromHex(phyPayload));
      expect(beacon).toMatchObject({ ok: true, value: { timeS: beaconUs / SECOND_US } });
      expect(beacon).toMatchObject({ value: { positionOk: true } });
    }
  });

  it('refuses what would reach into a beacon’s guard or reserved time', () => {
    const traffic = { meanUs: 20 * SECOND_US, confirmedPpm: 1_000_000 };
    const network = classBNetwork({ type: { deviceClass: 'A' }, traffic, devices: 5 });
    const trace = watch(network, 2 * HOUR_US);
    const reasons = trace.of('downlinkRefused').map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'collisionBeacon').length).toBeGreaterThan(10);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('is not class B’s business without GPS time: no beacon, no ping slot', () => {
    const network = classBNetwork({ gateway: { gps: false } });
    const trace = watch(network, HOUR_US, [downlinkAt(30 * MINUTE_US, network)]);
    expect(beaconsOf(trace)).toEqual([]);
    expect(pingsOf(trace)).toEqual([]);
    expect(trace.of('uplinkBegins').some(({ phyPayload }) => hasClassBBit(phyPayload))).toBe(false);
  });
});

describe('a class B device', () => {
  it('hears the beacon, reports its ping slots, and then sets the ClassB bit', () => {
    const network = classBNetwork();
    const trace = watch(network, HOUR_US);
    const [first] = trace.of('beaconDecided');
    expect(first).toMatchObject({ device: 'meter-1', fate: 'heard' });
    const uplinks = trace.of('uplinkBegins');
    // PingSlotInfoReq with periodicity 4 in FOpts.
    const asks = uplinks.findIndex(({ phyPayload }) => phyPayload.slice(16, 22).includes('1004'));
    expect(asks).toBe(0);
    expect(uplinks[0]!.atUs).toBeGreaterThan(first!.beganAtUs);
    expect(hasClassBBit(uplinks[0]!.phyPayload)).toBe(false);
    expect(uplinks.slice(1).every(({ phyPayload }) => hasClassBBit(phyPayload))).toBe(true);
  });

  it('gets a downlink in its next ping slot instead of after its next uplink', () => {
    const network = classBNetwork();
    const askedAtUs = 30 * MINUTE_US;
    const trace = watch(network, HOUR_US, [downlinkAt(askedAtUs, network)]);
    const [ping] = pingsOf(trace);
    const devAddr = Number.parseInt(
      ping!.phyPayload.slice(2, 10).match(/../g)!.reverse().join(''),
      16,
    );
    const slot = nextPingSlot(gpsUs(network, ping!.startsAtUs) - 1, devAddr, 4);
    expect(slot.startUs).toBe(gpsUs(network, ping!.startsAtUs));
    expect(ping!.startsAtUs - askedAtUs).toBeLessThan(17 * SECOND_US);
    const received = trace.of('deviceReceives').find(({ counter }) => counter === ping!.counter);
    expect(received?.atUs).toBe(ping!.startsAtUs + ping!.airtimeUs);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('gets one frame a slot when several wait, each but the last with FPending', () => {
    const network = classBNetwork({ type: { pingSlotPeriodicity: 0 } });
    const three = [1, 2, 3].map(() => downlinkAt(30 * MINUTE_US, network));
    const trace = watch(network, HOUR_US, three);
    const pings = pingsOf(trace);
    expect(pings.map(({ phyPayload }) => hasClassBBit(phyPayload))).toEqual([true, true, false]);
    const gaps = pings.slice(1).map((row, i) => row.startsAtUs - pings[i]!.startsAtUs);
    expect(gaps).toEqual([960_000, 960_000]);
    expect(trace.of('deviceReceives').length).toBe(pings.length + 1);
  });

  it('acknowledges a confirmed frame within CLASS_B_RESP_TIMEOUT', () => {
    const network = classBNetwork();
    const trace = watch(network, HOUR_US, [downlinkAt(30 * MINUTE_US, network, true)]);
    const [ping] = pingsOf(trace);
    const endsAtUs = ping!.startsAtUs + ping!.airtimeUs;
    const answer = trace.of('uplinkBegins').find(({ atUs }) => atUs > endsAtUs);
    expect(answer!.atUs - endsAtUs).toBeLessThan(8 * SECOND_US);
    expect(Number.parseInt(answer!.phyPayload.slice(10, 12), 16) & 0x20).toBe(0x20);
    expect(pingsOf(trace)).toHaveLength(1);
  });

  it('is sent a confirmed frame again only after the time for its answer', () => {
    const network = classBNetwork({ type: { frameLossPpm: 1_000_000 } });
    const hears = classBNetwork({ type: { frameLossPpm: 300_000, pingSlotPeriodicity: 0 } });
    const trace = watch(hears, 3 * HOUR_US, [downlinkAt(HOUR_US, hears, true)]);
    const starts = pingsOf(trace).map(({ startsAtUs, airtimeUs }) => startsAtUs + airtimeUs);
    const gaps = starts.slice(1).map((atUs, i) => atUs - starts[i]!);
    expect(gaps.every((gap) => gap >= 8 * SECOND_US)).toBe(true);
    expect(pingsOf(watch(network, HOUR_US, [downlinkAt(1, network)]))).toEqual([]);
  });
});

describe('the MAC commands of class B', () => {
  const request = (atUs: number, network: NetworkPlan, commandsHex: string) => ({
    atUs,
    command: {
      kind: 'mac.request',
      by: 'default',
      devEui: network.devices[0]!.devEui,
      commandsHex,
    } as const,
  });

  it('PingSlotChannelReq moves the ping slots to another channel, on both sides', () => {
    const network = classBNetwork();
    // 869.475 MHz, DR5.
    const trace = watch(network, 2 * HOUR_US, [
      request(20 * MINUTE_US, network, '11deab8405'),
      downlinkAt(HOUR_US, network),
    ]);
    const [ping] = pingsOf(trace);
    expect([ping!.frequencyHz, ping!.spreadingFactor]).toEqual([869_475_000, 7]);
    expect(trace.of('deviceReceives').map(({ counter }) => counter)).toContain(ping!.counter);
    const answers = trace.of('uplinkBegins').filter(({ phyPayload }) => /1103/.test(phyPayload));
    expect(answers.length).toBeGreaterThan(0);
  });

  it.each([
    ['100 MHz, DR5', '1140420f05', '1102'],
    ['869.475 MHz, DR7, which is FSK', '11deab8407', '1101'],
    ['100 MHz, DR15', '1140420f0f', '1100'],
  ])(
    'a PingSlotChannelReq that the region does not allow changes nothing: %s',
    (_, hex, status) => {
      const network = classBNetwork();
      const trace = watch(network, 2 * HOUR_US, [
        request(20 * MINUTE_US, network, hex),
        downlinkAt(HOUR_US, network),
      ]);
      const [ping] = pingsOf(trace);
      expect([ping!.frequencyHz, ping!.spreadingFactor]).toEqual([869_525_000, 9]);
      expect(trace.of('deviceReceives').map(({ counter }) => counter)).toContain(ping!.counter);
      const answers = trace.of('uplinkBegins').map(({ phyPayload }) => phyPayload);
      expect(answers.some((payload) => payload.includes(status))).toBe(true);
    },
  );

  it('BeaconFreqReq makes a device look elsewhere: it hears no beacon, and leaves class B', () => {
    const network = classBNetwork();
    // 868.3 MHz.
    const trace = watch(network, 4 * HOUR_US, [request(30 * MINUTE_US, network, '13387d84')]);
    const last = trace.of('beaconDecided').at(-1)!;
    expect(last.beganAtUs).toBeLessThan(50 * MINUTE_US);
    const bits = trace.of('uplinkBegins').map(({ phyPayload }) => hasClassBBit(phyPayload));
    expect([bits.includes(true), bits.at(-1)]).toEqual([true, false]);
  });

  it('a device that hears no beacon any more is sent to after its next uplink', () => {
    const network = classBNetwork();
    const trace = watch(network, 4 * HOUR_US, [
      request(30 * MINUTE_US, network, '13387d84'),
      downlinkAt(3.5 * HOUR_US, network),
    ]);
    expect(judge(trace.rows, network)).toEqual({});
    expect(pingsOf(trace)).toEqual([]);
    const sent = trace
      .of('downlinkPlanned')
      .find(({ atUs, purpose }) => atUs > 3.5 * HOUR_US && purpose === 'data');
    expect(sent).toMatchObject({ window: 1 });
  });

  it('a beacon below the sensitivity of a device is not heard', () => {
    const weakest = SENSITIVITIES.ns3EndDevice[9 - 5]!;
    const fatesAt = (aboveCentiDb: number) => {
      const lossDb = (2915 - weakest - aboveCentiDb) / 100;
      const radio = { pathLoss: { model: 'constant', lossDb } } as const;
      const trace = watch(classBNetwork({ radio }), HOUR_US);
      return new Set(trace.of('beaconDecided').map(({ fate }) => fate));
    };
    expect([fatesAt(-100), fatesAt(100)]).toEqual([new Set(['tooWeak']), new Set(['heard'])]);
  });

  it('a radio that fails or works again within a beacon has not heard it', () => {
    const network = classBNetwork({ devices: 2 });
    const { startsAtUs, airtimeUs, counter } = beaconsOf(watch(network, HOUR_US))[10]!;
    const middleUs = startsAtUs + Math.floor(airtimeUs / 2);
    const { devEui } = network.devices[1]!;
    const radio = (atUs: number, on: boolean) => ({
      atUs,
      command: { kind: 'device.fault', by: 'default', devEui, fault: 'radio', on } as const,
    });
    const spans: [number, number][] = [
      [startsAtUs - SECOND_US, middleUs],
      [middleUs, middleUs + SECOND_US],
      [middleUs, middleUs + 1],
    ];
    for (const [failsUs, worksUs] of spans) {
      const trace = watch(network, HOUR_US, [radio(failsUs, true), radio(worksUs, false)]);
      const heard = trace.of('beaconDecided').filter(({ beacon }) => beacon === counter);
      expect(heard.map(({ device, fate }) => [device, fate])).toEqual([['meter-1', 'heard']]);
      expect(judge(trace.rows, network)).toEqual({});
    }
  });

  it('DeviceTimeReq goes with the first uplink', () => {
    const network = classBNetwork();
    const trace = watch(network, HOUR_US);
    // DeviceTimeReq and PingSlotInfoReq in FOpts.
    expect(trace.of('uplinkBegins')[0]!.phyPayload.slice(16, 22)).toBe('0d1004');
  });

  it('BeaconTimingReq of LoRaWAN 1.0.2 is answered with the time to the next beacon', () => {
    const network = classBNetwork({ type: { lorawan: '1.0.2' } });
    const trace = watch(network, HOUR_US);
    const first = trace.of('uplinkEnds')[0]!;
    const answer = trace.of('downlinkPlanned').find(({ purpose }) => purpose === 'data')!;
    const at = answer.phyPayload.indexOf('12', 16);
    const delay = Number.parseInt(
      answer.phyPayload.slice(at + 4, at + 6) + answer.phyPayload.slice(at + 2, at + 4),
      16,
    );
    const next = beaconsOf(trace).find(({ startsAtUs }) => startsAtUs > first.atUs)!;
    const leftUs = next.startsAtUs - first.atUs;
    expect(leftUs - delay * 30_000).toBeGreaterThanOrEqual(0);
    expect(leftUs - delay * 30_000).toBeLessThan(30_000);
  });
});

describe('without a beacon', () => {
  const gone = (atUs: number, network: NetworkPlan) => ({
    atUs,
    command: { kind: 'gateway.remove', by: 'default', eui: network.gateways[0]!.eui } as const,
  });
  /** A second gateway that has no GPS time keeps the network alive. */
  const halfBlind = (wanted = {}): NetworkPlan => {
    const network = classBNetwork({ gatewaysAt: [100, 120], ...wanted });
    const gateways = network.gateways.map((one, i) => ({ ...one, gps: i === 0 }));
    return { ...network, gateways };
  };

  it('a device stays in class B for 120 minutes, then is class A and says so', () => {
    const network = halfBlind();
    const trace = watch(network, 5 * HOUR_US, [gone(HOUR_US, network)]);
    const beacons = trace.of('beaconDecided').filter(({ fate }) => fate === 'heard');
    const lastUs = Math.max(...beacons.map(({ beganAtUs }) => beganAtUs));
    const bits = trace
      .of('uplinkBegins')
      .filter(({ atUs }) => atUs > HOUR_US)
      .map(({ atUs, phyPayload }) => [atUs - lastUs <= 120 * MINUTE_US, hasClassBBit(phyPayload)]);
    expect(bits.filter(([inTime, bit]) => inTime !== bit)).toEqual([]);
    expect(bits.filter(([inTime]) => inTime).length).toBeGreaterThan(5);
    expect(bits.filter(([inTime]) => !inTime).length).toBeGreaterThan(5);
    const next = trace.of('uplinkBegins').find(({ atUs }) => atUs > lastUs + 120 * MINUTE_US);
    expect(next!.atUs - lastUs).toBeLessThan(122 * MINUTE_US);
  });

  it('is met in its ping slots all the same, by a window as wide as its clock may err', () => {
    const type = { driftPpb: 60_000, pingSlotPeriodicity: 0 };
    const network = halfBlind({ type, traffic: { meanUs: 20 * SECOND_US } });
    // The gateway is back for 128 s between two beacons, and hears an uplink.
    const backAtUs = (110 + 76 * 128 + 1) * SECOND_US;
    const trace = watch(network, backAtUs + 120 * SECOND_US, [
      gone(HOUR_US, network),
      {
        atUs: backAtUs,
        command: { kind: 'gateway.create', by: 'default', gateway: network.gateways[0]! },
      },
      downlinkAt(backAtUs + 60 * SECOND_US, network),
    ]);
    const [ping] = pingsOf(trace);
    const heard = trace.of('beaconDecided').filter(({ fate }) => fate === 'heard');
    const silenceUs = ping!.startsAtUs - heard.at(-1)!.beganAtUs;
    const { driftPpb } = trace.of('deviceStarts')[0]!;
    expect(silenceUs).toBeGreaterThan(104 * MINUTE_US);
    // Far more than a preamble, or the window of a device that has just heard a beacon.
    expect(Math.abs((silenceUs * driftPpb) / 1e9)).toBeGreaterThan(40_000);
    expect(trace.of('deviceReceives').map(({ counter }) => counter)).toContain(ping!.counter);
  });

  it('a device that joins anew after days looks for the next beacon, not for one long gone', () => {
    const { result, trace } = runScenario(`
scenario: away-for-two-days
duration: 4 d
gateways: [{ name: roof, gps: true, placement: [[0 km, 0 km]] }]
devices:
  - name: m
    count: 3
    class: B
    lorawan: "1.1"
    placement: { disc: 300 m }
    joinWithin: 1 min
    traffic: { every: 30 min, payload: 4 B }
timeline:
  - { at: 90 s, removeGateway: roof }
  - { at: 2 d, addGateway: { name: roof2, gps: true, placement: [[0 km, 0 km]] } }
`);
    const joins = trace.rows.filter(
      (row) => row.kind === 'deviceReceives' && row.purpose === 'join',
    );
    expect(joins.filter(({ atUs }) => atUs > 48 * HOUR_US)).toHaveLength(3);
    expect(result.complete).toBe(true);
    const data = trace.rows.flatMap((row) =>
      row.kind === 'uplinkBegins' && row.purpose === 'data' && row.atUs > 60 * HOUR_US ? [row] : [],
    );
    const inClassB = new Set(
      data.flatMap(({ device, phyPayload }) => (hasClassBBit(phyPayload) ? [device] : [])),
    );
    expect([...inClassB].sort()).toEqual(['m-1', 'm-2', 'm-3']);
    expect(checkInvariants(trace)).toEqual({});
  });

  it('rests for an hour after three missed beacons: one that comes meanwhile is not heard', () => {
    const network = classBNetwork({ gateway: { gps: false } });
    const [gateway] = network.gateways;
    const other = { ...gateway!, name: 'late', eui: 'AA00000000000009', gps: true };
    const trace = watch(network, 3 * HOUR_US, [
      { atUs: 20 * MINUTE_US, command: { kind: 'gateway.create', by: 'default', gateway: other } },
    ]);
    const [first] = trace.of('beaconDecided');
    expect(first!.beganAtUs).toBeGreaterThan(HOUR_US);
    expect(first!.beganAtUs).toBeLessThan(HOUR_US + 12 * MINUTE_US);
  });

  it('looks for it again, and goes back to class B when it is heard', () => {
    const network = halfBlind();
    const [gateway] = network.gateways;
    const back = {
      atUs: 5 * HOUR_US,
      command: { kind: 'gateway.create', by: 'default', gateway: gateway! } as const,
    };
    const trace = watch(network, 7 * HOUR_US, [
      gone(HOUR_US, network),
      back,
      downlinkAt(6.5 * HOUR_US, network),
    ]);
    expect(pingsOf(trace)).toHaveLength(1);
    expect(judge(trace.rows, network)).toEqual({});
  });
});

describe('a campaign in ping slots', () => {
  const fragmentsOf = (trace: ReturnType<typeof classBCampaign>['trace']) =>
    trace.of('downlinkPlanned').filter(({ purpose }) => purpose === 'multicast');
  const success = (trace: ReturnType<typeof classBCampaign>['trace']) =>
    trace.world.result().campaigns[0]!.success;

  it.each(['A', 'B'] as const)('updates class %s devices', (deviceClass) => {
    const { network, trace } = classBCampaign({
      devices: 3,
      type: { deviceClass },
      traffic: { meanUs: 10 * MINUTE_US },
    });
    expect(success(trace)).toBe(3);
    expect(fragmentsOf(trace)).toHaveLength(20);
    expect(trace.of('multicastDecided').every(({ fate }) => fate === 'heard')).toBe(true);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('updates classes A and B in one group, given no class', () => {
    const change = (network: NetworkPlan): NetworkPlan => ({
      ...network,
      deviceTypes: (['A', 'B'] as const).map((deviceClass) => ({
        ...network.deviceTypes[0]!,
        name: deviceClass,
        deviceClass,
      })),
      devices: network.devices.map((device, i) => ({ ...device, type: i % 2 })),
    });
    const { network, trace } = classBCampaign(
      { devices: 4 },
      { redundancy: 0.5 },
      () => [],
      'EU868',
      change,
    );
    expect(success(trace)).toBe(4);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('is heard by a device that speaks once in seven hours, its beacons too', () => {
    const { network, trace } = classBCampaign(
      { traffic: { meanUs: 400 * MINUTE_US }, type: { deviceClass: 'A' } },
      { multicast_setup_time: 100 * 3600, frag_send_delay: 600, pingSlotPeriodicity: 7 },
      () => [],
      'EU868',
      (plan) => plan,
      160 * HOUR_US,
    );
    const fates = trace.of('multicastDecided').map(({ fate }) => fate);
    expect(fates).toEqual(Array.from({ length: 20 }, () => 'heard'));
    expect(success(trace)).toBe(1);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('is not heard by a device that looks for the beacon elsewhere', () => {
    const { network, trace } = classBCampaign({ type: { deviceClass: 'A' } }, {}, ({ devices }) => [
      // BeaconFreqReq: 868.3 MHz.
      {
        atUs: 10 * MINUTE_US,
        command: {
          kind: 'mac.request',
          by: 'default',
          devEui: devices[0]!.devEui,
          commandsHex: '13387d84',
        },
      },
    ]);
    expect(judge(trace.rows, network)).toEqual({});
    const fates = trace.of('multicastDecided').map(({ fate }) => fate);
    expect(new Set(fates)).toEqual(new Set(['noBeacon']));
  });

  it('is not heard by a device whose latest beacon is more than two hours old', () => {
    const late = { multicast_setup_time: 4 * 3600 };
    const elsewhere = ({ devices }: NetworkPlan) => [
      // BeaconFreqReq: 868.3 MHz. The device has heard beacons before.
      {
        atUs: 30 * MINUTE_US,
        command: {
          kind: 'mac.request',
          by: 'default',
          devEui: devices[0]!.devEui,
          commandsHex: '13387d84',
        },
      } as const,
    ];
    const wanted = { devices: 1 };
    const same = (plan: NetworkPlan) => plan;
    const campaign = classBCampaign(wanted, late, elsewhere, 'EU868', same, 7 * HOUR_US);
    const { network, trace } = campaign;
    expect(judge(trace.rows, network)).toEqual({});
    const fates = trace.of('multicastDecided').map(({ fate }) => fate);
    expect(new Set(fates)).toEqual(new Set(['noBeacon']));
  });

  it('begins at a multiple of 128 s of GPS time and sends in slots of McAddr only', () => {
    const { network, trace } = classBCampaign({ devices: 1 });
    const [opens] = trace.of('multicastSessionOpens');
    expect(gpsUs(network, opens!.slots!.fromUs) % (128 * SECOND_US)).toBe(0);
    expect(opens!.slots!.periodicity).toBe(1);
    // Two beacons are heard before the session begins.
    expect(opens!.slots!.fromUs - opens!.opensAtUs).toBeGreaterThan(250 * SECOND_US);
    for (const { startsAtUs } of fragmentsOf(trace)) {
      const at = gpsUs(network, startsAtUs);
      expect(nextPingSlot(at - 1, opens!.mcAddr, 1).startUs).toBe(at);
    }
  });

  it('asks by McClassBSessionReq, and is answered with TimeToStart', () => {
    const { trace } = classBCampaign({ devices: 1, frames: 'counted' });
    const request = trace
      .of('downlinkPlanned')
      .find(({ phyPayload }) => /^.{16}(..)?.*?c805/.test(phyPayload));
    expect(request).toBeDefined();
    const answers = trace.of('uplinkBegins').filter(({ phyPayload }) => /c80500/.test(phyPayload));
    expect(answers.length).toBeGreaterThan(0);
  });

  it('names McClassBSessionReq in its debug lines', () => {
    const { trace } = classBCampaign({ devices: 1 }, { is_debug: true });
    const list = trace.world.ask({ kind: 'campaign.list', by: 'default' });
    const { campaign_id } = list.ok ? list.value[0]! : { campaign_id: '' };
    const shown = JSON.stringify(
      trace.world.ask({ kind: 'campaign.get', by: 'default', campaign_id }),
    );
    expect(shown).toContain('McClassBSessionReq');
    expect(shown).not.toContain('McClassCSession');
  });

  it('sends each fragment through all gateways with GPS time in one slot', () => {
    const { trace } = classBCampaign({ devices: 1, gatewaysAt: [100, 3000] }, {}, () => []);
    const byCounter = new Map<number, number[]>();
    for (const { counter, startsAtUs } of fragmentsOf(trace)) {
      byCounter.set(counter, [...(byCounter.get(counter) ?? []), startsAtUs]);
    }
    expect(byCounter.size).toBe(20);
    for (const starts of byCounter.values()) expect(new Set(starts).size).toBe(1);
  });

  it('makes a class A device follow the beacon for its session only', () => {
    const { trace } = classBCampaign({ devices: 2, type: { deviceClass: 'A' } }, {}, () => []);
    const heard = trace.of('beaconDecided').filter(({ fate }) => fate === 'heard');
    const opens = trace.of('multicastSessionOpens')[0]!;
    expect(heard.every(({ beganAtUs }) => beganAtUs > opens.opensAtUs)).toBe(true);
    expect(heard.every(({ beganAtUs }) => beganAtUs < opens.closesAtUs)).toBe(true);
  });

  it('cannot be planned without a gateway that has GPS time', () => {
    const { trace } = classBCampaign({ gateway: { gps: false } });
    expect(fragmentsOf(trace)).toEqual([]);
    expect(trace.world.result().campaigns).toEqual([]);
  });

  it('is not for class C devices: they know no McClassBSessionReq', () => {
    const { trace } = classBCampaign({ devices: 1, type: { deviceClass: 'C' } });
    expect(trace.of('multicastSessionOpens')).toEqual([]);
    expect(success(trace)).toBe(0);
  });

  it.each([
    ['waits', 80, 0],
    ['is open', 90.1, 1],
  ])('ends for a device that becomes class C while its session %s', (_, minutes, opened) => {
    const atUs = minutes * MINUTE_US;
    const { trace, network } = classBCampaign(
      { devices: 1, type: { deviceClass: 'A' } },
      {},
      ({ devices }) => [
        {
          atUs,
          command: {
            kind: 'device.class',
            by: 'default',
            devEui: devices[0]!.devEui,
            deviceClass: 'C',
          },
        },
      ],
    );
    expect(trace.of('multicastSessionOpens')).toHaveLength(opened);
    const closes = trace.of('multicastSessionCloses').map((row) => row.atUs);
    expect(closes).toEqual(opened === 1 ? [atUs] : []);
    expect(trace.of('beaconDecided').filter(({ beganAtUs }) => beganAtUs > atUs)).toEqual([]);
    expect(judge(trace.rows, network)).toEqual({});
  });
});

describe('a device of class C', () => {
  it('hears what is sent in ping slots without any beacon', () => {
    const rows = classBTrace().filter(({ kind }) => kind !== 'beaconDecided');
    const switches = CLASS_B_PLAN.devices.map(
      ({ name: device }) => ({ kind: 'deviceSwitchesClass', atUs: 0, device, to: 'C' }) as const,
    );
    const at = rows.findLastIndex(({ atUs }) => atUs === 0) + 1;
    expect(judge(rows, CLASS_B_PLAN)).toHaveProperty('pingSlotsNeedBeacons');
    expect(judge(rows.toSpliced(at, 0, ...switches), CLASS_B_PLAN)).not.toHaveProperty(
      'pingSlotsNeedBeacons',
    );
  });
});
