/**
 * A short lawful trace written by hand: a device that joins, one with preset keys, a neighbour that
 * disturbs it, two gateways, one with a single path. The laws' own tests break it.
 */

import { airtimeUs } from '../../scenarios/testing/laws/airtime.ts';
import type { DownlinkFate, UplinkFate } from '../../sim/base/counts.ts';
import type { TraceRow, WindowRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { PLAIN_RADIO } from './plain-radio.ts';
import { GPS_EPOCH_MS } from './small-network.ts';

const SECOND_US = 1_000_000;
/** RX2, and the data rates of this scene: SF7 up and in RX1, SF12 in RX2. */
const RX2_HZ = 869_525_000;

const device = (name: string, devEui: string, type: number) => ({
  name,
  devEui,
  xMeters: 0,
  yMeters: 0,
  type,
});

const deviceType = (name: string, activation: 'otaa' | 'abp') => ({
  name,
  deviceClass: 'A' as const,
  pingSlotPeriodicity: 4,
  activation,
  startSpreadUs: 0,
  traffic: {
    process: 'periodic' as const,
    meanUs: 600 * SECOND_US,
    jitterPpm: 0,
    payloadBytes: 12,
    fPort: 1,
    confirmedPpm: 0,
  },
  dataRate: { from: 'fixed' as const, dataRate: 5 },
  adr: false,
  maxEirpCentiDbm: 1600,
  antennaGainCentiDb: 0,
  indoorPpm: 0,
  driftPpb: 20_000,
  nbTrans: 1,
  confirmedTries: 8,
  dutyCycle: true,
  firmwareVersion: 0x01000000,
  hardwareVersion: 0x01000000,
  frameLossPpm: 0,
});

const gateway = (name: string, eui: string, receptionPaths: number) => ({
  name,
  eui,
  xMeters: 0,
  yMeters: 0,
  receptionPaths,
  antennaGainCentiDb: 200,
  maxEirpCentiDbm: 2700,
  dutyCycle: true,
  gps: false,
  backhaul: { latencyUs: 20_000, jitterUs: 0, lossPpm: 0 },
});

/** 6 dB on the own spreading factor, −16 dB or better across (Goursaud & Gorce, shortened). */
const sirCentiDb = [7, 8, 9, 10, 11, 12].map((wanted) =>
  [7, 8, 9, 10, 11, 12].map((other) => (wanted === other ? 600 : -1600)),
);

export const SCENE_PLAN: NetworkPlan = {
  region: 'EU868',
  startUnixMs: GPS_EPOCH_MS,
  frames: 'real',
  verifyAllImages: false,
  radio: {
    pathLoss: { model: 'constant', lossDb: 100 },
    shadowingSigmaDb: 0,
    ...PLAIN_RADIO,
    noiseFigureDb: 6,
    gatewaySensitivityCentiDbm: [-12000, -12500, -13000, -13250, -13500, -13750, -14000, -14250],
    deviceSensitivityCentiDbm: [-11500, -12000, -12400, -12700, -13000, -13300, -13500, -13700],
    interference: { model: 'energy', sirCentiDb, window: 'afterLock' },
    ignoredBelowCentiDbm: -14300,
  },
  gateways: [gateway('north', 'AA00000000000001', 8), gateway('south', 'AA00000000000002', 1)],
  deviceTypes: [deviceType('joiner', 'otaa'), deviceType('preset', 'abp')],
  devices: [
    device('heron', 'BB00000000000001', 0),
    device('otter', 'BB00000000000002', 1),
    device('vole', 'BB00000000000003', 1),
  ],
  server: {
    deduplicationUs: 200_000,
    netId: 0,
    rx1DelayS: 1,
    rx1DrOffset: 0,
    rx2DataRate: 0,
    adr: false,
    adrMarginCentiDb: 1000,
  },
  uplinkChannelsHz: [],
};

/** Gains with the gateway's antenna, 1/100 dB: north hears heron and otter well, vole less. */
const GAINS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  heron: { north: -11000, south: -12000 },
  otter: { north: -11500, south: -12100 },
  vole: { north: -13000, south: -12500 },
};

interface UplinkPlot {
  readonly frame: number;
  readonly purpose?: 'join' | 'data';
  readonly counter: number;
  readonly attempt?: number;
  readonly confirmed?: boolean;
  readonly fates: Readonly<Record<string, UplinkFate>>;
}

interface DownlinkPlot {
  readonly gateway: string;
  readonly downlink: number;
  readonly to: string;
  readonly window: 1 | 2;
  readonly purpose: 'join' | 'data';
  readonly counter: number;
  readonly fate: DownlinkFate;
  readonly acknowledges?: boolean;
}

const UPLINK = { frequencyHz: 868_100_000, spreadingFactor: 7, bandwidthHz: 125_000 };
const RX2 = { frequencyHz: RX2_HZ, spreadingFactor: 12, bandwidthHz: 125_000 };

const window = (opensAtUs: number, symbols: number, where: typeof UPLINK): WindowRow => ({
  opensAtUs,
  closesAtUs: opensAtUs + (symbols * 2 ** where.spreadingFactor * 1e6) / where.bandwidthHz,
  ...where,
});

class Writer {
  readonly rows: TraceRow[] = [];

  starts(name: string, activation: 'otaa' | 'abp', devEui: string, driftPpb: number): void {
    const appKey = '0'.repeat(32);
    const given = { devEui, powerOnAtUs: 0, driftPpb, activation, appKey };
    this.rows.push({ kind: 'deviceStarts', atUs: 0, device: name, ...given });
  }

  /** Writes an uplink with its windows; returns its end. */
  uplink(device: string, atUs: number, plot: UplinkPlot): number {
    const { frame, purpose = 'data', counter, attempt = 1, confirmed = false, fates } = plot;
    const phyBytes = purpose === 'join' ? 23 : 25;
    const airtime = airtimeUs({ ...UPLINK, phyBytes }, 1);
    const endUs = atUs + airtime;
    this.rows.push({
      kind: 'uplinkBegins',
      atUs,
      device,
      frame,
      purpose,
      counter,
      attempt,
      confirmed,
      ...UPLINK,
      eirpCentiDbm: 1400,
      airtimeUs: airtime,
      phyBytes,
      phyPayload: `${device}${purpose}${counter}`,
      ...(purpose === 'data' ? { keys: { nwkSKey: '00', appSKey: '11' } } : {}),
    });
    const gateways = Object.entries(fates).map(([gateway, fate]) => ({
      gateway,
      rssiCentiDbm: 1400 + GAINS[device]![gateway]!,
      fate,
    }));
    this.rows.push({ kind: 'uplinkEnds', atUs: endUs, device, frame, gateways });
    const delayUs = (purpose === 'join' ? 5 : 1) * SECOND_US;
    const rx1 = window(endUs + delayUs - 9000, 24, UPLINK);
    const rx2 = window(endUs + delayUs + SECOND_US + 32_000, 6, RX2);
    this.rows.push({ kind: 'receiveWindows', atUs: endUs, device, frame, purpose, rx1, rx2 });
    const copies = gateways.filter(({ fate }) => fate === 'received').length;
    if (copies > 0) {
      const at = { atUs: endUs + 220_000, device, frame, copies };
      const genuine = attempt === 1 ? 'accepted' : 'repeated';
      const verdict = purpose === 'join' ? 'joined' : genuine;
      this.rows.push({ kind: 'uplinkCollected', ...at, verdict });
    }
    return endUs;
  }

  /** Writes the answer to an uplink that ended at `uplinkEndUs`; returns its end. */
  downlink(uplinkEndUs: number, plot: DownlinkPlot): number {
    const { gateway, downlink, to, purpose, counter, fate, acknowledges = false } = plot;
    const phyBytes = purpose === 'join' ? 33 : 12;
    const where = plot.window === 1 ? UPLINK : RX2;
    const delayS = (purpose === 'join' ? 5 : 1) + plot.window - 1;
    const startsAtUs = uplinkEndUs + delayS * SECOND_US;
    const airtime = airtimeUs({ ...where, phyBytes }, 0);
    const signal = { ...where, eirpCentiDbm: 1400, airtimeUs: airtime, phyBytes };
    const { devEui } = SCENE_PLAN.devices.find(({ name }) => name === to)!;
    this.rows.push({
      kind: 'downlinkPlanned',
      atUs: uplinkEndUs + 220_000,
      gateway,
      downlink,
      devEui,
      window: plot.window,
      purpose,
      startsAtUs,
      counter,
      phyPayload: '60',
      ...signal,
    });
    this.rows.push({ kind: 'downlinkBegins', atUs: startsAtUs, gateway, downlink, ...signal });
    const rssiCentiDbm = 1400 - 200 + GAINS[to]![gateway]!;
    const atUs = startsAtUs + airtime;
    const devices = [{ device: to, rssiCentiDbm, fate }];
    this.rows.push({ kind: 'downlinkEnds', atUs, gateway, downlink, devices });
    if (fate === 'received') {
      this.rows.push({ kind: 'deviceReceives', atUs, device: to, purpose, counter, acknowledges });
    }
    return atUs;
  }
}

/** Heron joins and is acknowledged at its second try; otter and vole meet on the air. */
export function lawfulTrace(): TraceRow[] {
  const w = new Writer();
  w.starts('heron', 'otaa', 'BB00000000000001', 15_000);
  w.starts('otter', 'abp', 'BB00000000000002', -20_000);
  w.starts('vole', 'abp', 'BB00000000000003', 0);
  const heard = { north: 'received', south: 'received' } as const;
  const joined = w.uplink('heron', 1e6, { frame: 0, purpose: 'join', counter: 0, fates: heard });
  const accept = {
    gateway: 'north',
    downlink: 0,
    to: 'heron',
    counter: 1,
    fate: 'received',
  } as const;
  w.downlink(joined, { ...accept, window: 1, purpose: 'join' });

  w.uplink('otter', 20e6, {
    frame: 0,
    counter: 0,
    fates: { north: 'received', south: 'interfered' },
  });
  w.uplink('vole', 20.01e6, {
    frame: 0,
    counter: 0,
    fates: { north: 'interfered', south: 'noPath' },
  });

  const first = { frame: 1, counter: 0, confirmed: true, fates: heard };
  const tried = w.uplink('heron', 40e6, first);
  const lost = {
    gateway: 'south',
    downlink: 0,
    to: 'heron',
    counter: 0,
    fate: 'frameLoss',
  } as const;
  w.downlink(tried, { ...lost, window: 2, purpose: 'data' });
  const again = w.uplink('heron', 45e6, { ...first, frame: 2, attempt: 2 });
  const answer = {
    gateway: 'north',
    downlink: 1,
    to: 'heron',
    counter: 1,
    fate: 'received',
  } as const;
  w.downlink(again, { ...answer, window: 1, purpose: 'data', acknowledges: true });
  w.uplink('vole', again + 990_000, {
    frame: 1,
    counter: 1,
    fates: { north: 'halfDuplex', south: 'received' },
  });

  w.uplink('heron', 60e6, { frame: 3, counter: 1, fates: heard });
  const order = w.rows.map((row, i) => ({ row, i }));
  order.sort((a, b) => a.row.atUs - b.row.atUs || a.i - b.i);
  return order.map(({ row }) => row);
}
