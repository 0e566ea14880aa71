/** Class B in the channels of every region (RP002-1.0.4): where beacons and ping slots are. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { fromHex } from '../../sim/base/bytes.ts';
import {
  beaconFrequencyHz,
  decodeBeacon,
  nextPingSlot,
  pingSlotFrequencyHz,
} from '../../sim/lorawan/class-b.ts';
import { gpsMsOfUnixMs } from '../../sim/lorawan/gps-time.ts';
import { loraDataRate, REGION_NAMES, type RegionName, region } from '../../sim/lorawan/region.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import {
  beaconsOf,
  classBCampaign,
  classBNetwork,
  downlinkAt,
  hasClassBBit,
  pingsOf,
} from '../support/class-b-world.ts';
import { MINUTE_US, SECOND_US, type Wanted, watch } from '../support/small-network.ts';
import { vectors } from '../support/vectors.ts';

/** What class B devices near a gateway are in a region. */
function wantedIn(name: RegionName): Wanted {
  const plan = region(name);
  return {
    type: {
      dataRate: { from: 'fixed', dataRate: plan.maxAdrDataRate },
      maxEirpCentiDbm: Math.min(1600, plan.maxEirpCentiDbm),
    },
    server: { rx2DataRate: plan.rx2.dataRate },
  };
}

const networkIn = (name: RegionName, wanted: Wanted = {}): NetworkPlan => {
  const usual = wantedIn(name);
  const network = classBNetwork({
    ...usual,
    ...wanted,
    type: { ...usual.type, ...wanted.type },
  });
  return { ...network, region: name };
};

/** GPS time of the beacon period that holds a world instant, s. */
const beaconTimeS = ({ startUnixMs }: NetworkPlan, atUs: number): number =>
  Math.floor((gpsMsOfUnixMs(startUnixMs) * 1000 + atUs) / (128 * SECOND_US)) * 128;

const devAddrOf = (phyPayload: string): number =>
  Number.parseInt((phyPayload.slice(2, 10).match(/../g) ?? []).reverse().join(''), 16);

describe.each(REGION_NAMES)('%s', (name) => {
  const plan = region(name);

  it('has its beacon heard, its ping slots reported, and a downlink received in one', () => {
    const network = networkIn(name);
    const times = Array.from({ length: 10 }, (_, i) => 30 * MINUTE_US + i * 5 * MINUTE_US);
    const trace = watch(
      network,
      90 * MINUTE_US,
      times.map((atUs) => downlinkAt(atUs, network)),
    );
    const beacons = beaconsOf(trace);
    const factor = loraDataRate(plan, plan.beacon.dataRate)!.spreadingFactor;
    expect(beacons.length).toBeGreaterThan(40);
    for (const { startsAtUs, frequencyHz, phyPayload } of beacons) {
      const timeS = beaconTimeS(network, startsAtUs);
      expect(frequencyHz).toBe(beaconFrequencyHz(plan.beacon, timeS));
      const beacon = decodeBeacon(factor, fromHex(phyPayload));
      expect(beacon).toMatchObject({ ok: true, value: { timeS, positionOk: true } });
    }
    const decided = trace.of('beaconDecided');
    expect(decided.filter(({ fate }) => fate === 'heard').length).toBeGreaterThan(25);
    // Set once PingSlotInfoReq has been answered.
    expect(trace.of('uplinkBegins').some(({ phyPayload }) => hasClassBBit(phyPayload))).toBe(true);

    const pings = pingsOf(trace);
    expect(pings).toHaveLength(10);
    const received = new Set(trace.of('deviceReceives').map(({ counter }) => counter));
    for (const { startsAtUs, frequencyHz, phyPayload, spreadingFactor, counter } of pings) {
      const gpsUs = gpsMsOfUnixMs(network.startUnixMs) * 1000 + startsAtUs;
      const slot = nextPingSlot(gpsUs - 1, devAddrOf(phyPayload), 4);
      expect(slot.startUs).toBe(gpsUs);
      expect(frequencyHz).toBe(
        pingSlotFrequencyHz(plan.pingSlot, devAddrOf(phyPayload), slot.beaconTimeS),
      );
      const rate = loraDataRate(plan, plan.pingSlot.dataRate)!;
      expect(spreadingFactor).toBe(rate.spreadingFactor);
      expect(received.has(counter)).toBe(true);
    }
    const hopping = new Set(pings.map(({ frequencyHz }) => frequencyHz)).size;
    expect(hopping > 1).toBe(plan.pingSlot.frequenciesHz.length > 1);
    expect(judge(trace.rows, network)).toEqual({});
  });
});

describe('US915 and AU915', () => {
  interface Row {
    readonly addr: string;
    readonly beaconTime: number;
    readonly pingFreqHz: number;
    readonly beaconFreqHz: number;
  }
  const { hoppingUS915 } = vectors<{ readonly hoppingUS915: readonly Row[] }>('classb');

  /** Row of the vectors for an address and a beacon's time, moved by whole turns of eight. */
  const rowOf = (address: number, timeS: number): Row => {
    const index = (beacon: number, addr: number) => (addr + Math.floor(beacon / 128)) % 8;
    const found = hoppingUS915.find(
      ({ addr, beaconTime }) =>
        index(beaconTime, 0) === index(timeS, 0) &&
        index(beaconTime, Number.parseInt(addr, 16)) === index(timeS, address),
    );
    return found!;
  };

  it.each(['US915', 'AU915'] as const)('%s hops as the vectors do, frame by frame', (name) => {
    const network = networkIn(name, { devices: 4 });
    const times = Array.from({ length: 24 }, (_, i) => (30 + i * 2) * MINUTE_US);
    const trace = watch(
      network,
      90 * MINUTE_US,
      times.flatMap((atUs) =>
        network.devices.map(({ devEui }) => ({
          atUs,
          command: {
            kind: 'downlink.enqueue' as const,
            by: 'default',
            devEui,
            fPort: 9,
            payloadHex: 'a5',
            confirmed: false,
          },
        })),
      ),
    );
    const met = new Set<Row>();
    for (const { startsAtUs, frequencyHz, phyPayload } of pingsOf(trace)) {
      const row = rowOf(devAddrOf(phyPayload), beaconTimeS(network, startsAtUs));
      if (row === undefined) continue;
      met.add(row);
      expect(frequencyHz).toBe(row.pingFreqHz);
    }
    for (const { startsAtUs, frequencyHz } of beaconsOf(trace)) {
      const row = rowOf(0, beaconTimeS(network, startsAtUs));
      if (row === undefined) continue;
      expect(frequencyHz).toBe(row.beaconFreqHz);
    }
    expect(met.size).toBeGreaterThan(5);
  });
});

describe('a class B multicast campaign', () => {
  it.each([
    ['US915', 8],
    ['US915', 10],
    ['AS923-1', 4],
    ['KR920', 5],
    ['RU864', 5],
    ['CN470', 4],
  ] as const)(
    'updates all devices in %s at DR%i, on the channel that it names',
    (name, dataRate) => {
      const { network, trace } = classBCampaign(
        { ...wantedIn(name), devices: 3 },
        { mcast_dr: dataRate, frag_size: 40, redundancy: 0.2 },
        () => [],
        name,
      );
      const { rx2, dataRates } = region(name);
      const fragments = trace
        .of('downlinkPlanned')
        .filter(({ purpose }) => purpose === 'multicast');
      expect(fragments).toHaveLength(30);
      expect(trace.world.result().campaigns[0]!.success).toBe(3);
      const fates = trace.of('multicastDecided').map(({ fate }) => fate);
      expect(fates.filter((fate) => fate !== 'heard' && fate !== 'ownUplink')).toEqual([]);
      expect(fates.filter((fate) => fate === 'heard').length).toBeGreaterThan(70);
      for (const { startsAtUs, frequencyHz, phyPayload, spreadingFactor } of fragments) {
        const gpsUs = gpsMsOfUnixMs(network.startUnixMs) * 1000 + startsAtUs;
        expect(nextPingSlot(gpsUs - 1, devAddrOf(phyPayload), 1).startUs).toBe(gpsUs);
        expect(frequencyHz).toBe(rx2.frequencyHz);
        expect(dataRates[dataRate]).toMatchObject({ spreadingFactor });
      }
      expect(judge(trace.rows, network)).toEqual({});
    },
  );
});
