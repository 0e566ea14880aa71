/** RP002-1.0.4: regional plans against the tables of The Things Stack, and their lookups. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADR_ACK_DELAY,
  ADR_ACK_LIMIT,
  applyChannelMask,
  CLASS_B_C_RESP_TIMEOUT_US,
  cfListFrequencies,
  cfListOfFrequencies,
  cfListOfMask,
  dataRateOf,
  defaultUplinkChannels,
  eirpCentiDbm,
  JOIN_ACCEPT_DELAY1_US,
  loraDataRate,
  MAX_FCNT_GAP,
  maxFrmPayload,
  maxMacPayload,
  RECEIVE_DELAY1_US,
  REGION_NAMES,
  RETRANSMIT_TIMEOUT_MAX_US,
  RETRANSMIT_TIMEOUT_MIN_US,
  type Region,
  type RegionName,
  RX2_AFTER_RX1_US,
  readCfListMask,
  region,
  rx1DataRate,
  rx1FrequencyHz,
  subBandOf,
} from '../../sim/lorawan/region.ts';
import { vectors } from '../support/vectors.ts';

interface DataRateRow {
  dr: number;
  mod: 'LoRa' | 'FSK' | 'LR-FHSS';
  sf: number;
  bwHz: number;
  ocwHz: number;
  codingRate: string;
  bitrateSpec: number;
  maxM: number;
  maxMRepeater?: number;
  maxMDwell400?: number;
}

interface PlanRow {
  dataRates: DataRateRow[];
  uplinkChannels?: { freqHz: number; minDR: number; maxDR: number }[];
  joinRequest?: { channels?: number[]; minDR?: number; maxDR?: number };
  rx1DrOffset: Record<string, number[]>;
  rx1DrOffsetDownlinkDwell400?: Record<string, number[]>;
  rx2: { freqHz: number; dr: number };
  maxEirpDbm: number;
  txPowerOffsets: number[];
  maxAdrDr?: number;
  cfListType: number;
  txParamSetupReq?: boolean;
  bootDwellTime?: { Uplinks: boolean | null; Downlinks: boolean | null };
  maxUplinkChannels?: number;
  beacon: { dr: number; freqsHz?: number[]; bytes?: number };
  pingSlot: { dr?: number; freqsHz?: number[] };
  subBands?: { minHz: number; maxHz: number; dutyCycle: number; maxEirpDbm: number }[];
}

const rows = vectors<{ regions: Record<RegionName, PlanRow> }>('regions').regions;
const plans = Object.entries(rows).map(([name, row]) => ({
  name,
  row,
  plan: region(name as RegionName),
}));

function expectDataRate(plan: Region, row: DataRateRow): void {
  const rate = plan.dataRates[row.dr]!;
  expect(rate.maxMacPayload).toBe(row.maxM);
  expect(rate.maxMacPayloadDwell).toBe(row.maxMDwell400 ?? row.maxM);
  if (row.maxMRepeater !== undefined) {
    expect(Math.min(rate.maxMacPayload, 230)).toBe(row.maxMRepeater);
  }
  if (row.mod === 'LoRa') {
    expect(rate).toMatchObject({
      modulation: 'lora',
      spreadingFactor: row.sf,
      bandwidthHz: row.bwHz,
    });
  } else if (row.mod === 'FSK') {
    expect(rate).toMatchObject({ modulation: 'fsk', bitRate: row.bitrateSpec });
  } else {
    expect(rate).toMatchObject({
      modulation: 'lrFhss',
      occupiedHz: row.ocwHz,
      codingRate: row.codingRate,
    });
  }
}

describe.each(plans)('$name', ({ name, row, plan }) => {
  it('has the data rates and payload limits of the standard, and no others', () => {
    expect(plan.name).toBe(name);
    for (const rate of row.dataRates) expectDataRate(plan, rate);
    const defined = plan.dataRates.filter((rate) => rate !== undefined);
    expect(defined).toHaveLength(row.dataRates.length);
  });

  it('has its RX1 data rates and RX2', () => {
    const tables = [
      [row.rx1DrOffset, false],
      [row.rx1DrOffsetDownlinkDwell400 ?? row.rx1DrOffset, true],
    ] as const;
    for (const [table, dwell] of tables) {
      for (const [uplink, rates] of Object.entries(table)) {
        rates.forEach((rate, offset) => {
          expect(rx1DataRate(plan, Number(uplink), offset, dwell)).toBe(rate);
        });
        expect(rx1DataRate(plan, Number(uplink), rates.length, dwell)).toBe(-1);
      }
    }
    expect(plan.rx2).toEqual({ frequencyHz: row.rx2.freqHz, dataRate: row.rx2.dr });
  });

  it('has its power steps and sub-bands', () => {
    expect(plan.maxEirpCentiDbm).toBe(row.maxEirpDbm * 100);
    expect(plan.txPowerStepsCentiDb.map((step) => step / 100)).toEqual(row.txPowerOffsets);
    const last = row.txPowerOffsets.length - 1;
    expect(eirpCentiDbm(plan, 15)).toBe(
      Math.round(100 * (row.maxEirpDbm + row.txPowerOffsets[last]!)),
    );
    if (row.subBands === undefined) return;
    const bands = row.subBands.map(({ minHz, maxHz, dutyCycle, maxEirpDbm }) => ({
      minHz,
      maxHz,
      dutyCyclePpm: dutyCycle * 1_000_000,
      maxEirpCentiDbm: Math.round(maxEirpDbm * 100),
    }));
    expect(plan.subBands).toEqual(bands);
  });
});

describe.each(plans)('$name on the air', ({ row, plan }) => {
  it('has its channels, and may send on each of them and on RX2', () => {
    const channels = defaultUplinkChannels(plan);
    if (row.uplinkChannels !== undefined) {
      const reports = row.uplinkChannels.map(({ freqHz, minDR, maxDR }) => ({
        frequencyHz: freqHz,
        minDataRate: minDR,
        maxDataRate: maxDR,
      }));
      expect(channels).toEqual(reports);
    }
    if (row.maxUplinkChannels !== undefined) {
      expect(plan.maxUplinkChannels).toBe(row.maxUplinkChannels);
    }
    expect(channels.length).toBeLessThanOrEqual(plan.maxUplinkChannels);
    for (const { frequencyHz } of channels) expect(subBandOf(plan, frequencyHz)).not.toBe(-1);
    for (const { frequencyHz } of channels) {
      expect(subBandOf(plan, rx1FrequencyHz(plan, 0, frequencyHz))).not.toBe(-1);
    }
    expect(subBandOf(plan, plan.rx2.frequencyHz)).not.toBe(-1);
  });

  it('joins at the data rates reported', () => {
    if (row.joinRequest?.channels === undefined) return;
    const { channels, minDR, maxDR } = row.joinRequest;
    expect(plan.join).toEqual({ kind: 'anyChannel', minDataRate: minDR, maxDataRate: maxDR });
    expect(defaultUplinkChannels(plan).map((channel) => channel.frequencyHz)).toEqual(channels);
  });

  it('has its beacon, ping slots, channel lists and dwell time limits', () => {
    const { beacon, pingSlot } = row;
    expect(plan.beacon.dataRate).toBe(beacon.dr);
    if (beacon.bytes !== undefined) expect(plan.beacon.bytes).toBe(beacon.bytes);
    if (beacon.freqsHz !== undefined) expect(plan.beacon.frequenciesHz).toEqual(beacon.freqsHz);
    if (pingSlot.freqsHz !== undefined) {
      expect(plan.pingSlot).toEqual({ dataRate: pingSlot.dr, frequenciesHz: pingSlot.freqsHz });
    }
    expect(plan.cfListType).toBe(row.cfListType);
    expect(plan.txParamSetup).toBe(row.txParamSetupReq ?? false);
    if (row.maxAdrDr !== undefined) expect(plan.maxAdrDataRate).toBe(row.maxAdrDr);
    const boot = row.bootDwellTime;
    if (typeof boot?.Uplinks === 'boolean') {
      expect(plan.dwellAtStart).toEqual({ uplink: boot.Uplinks, downlink: boot.Downlinks });
    }
  });
});

describe('what holds in every region', () => {
  const seconds = (us: number): number => us / 1e6;
  const { constants } = vectors<{ constants: Record<string, unknown> }>('regions');
  /** Defaults that stand in the regional tables and in the knobs of scenarios. */
  const elsewhere = {
    DownlinkDwellTime_default: 'region',
    PING_SLOT_PERIODICITY_default: 7,
    PING_SLOT_DATARATE: 'beacon DR',
  };

  it('is what the stacks agree on', () => {
    expect({
      RECEIVE_DELAY1_s: seconds(RECEIVE_DELAY1_US),
      RECEIVE_DELAY2_s: seconds(RECEIVE_DELAY1_US + RX2_AFTER_RX1_US),
      JOIN_ACCEPT_DELAY1_s: seconds(JOIN_ACCEPT_DELAY1_US),
      JOIN_ACCEPT_DELAY2_s: seconds(JOIN_ACCEPT_DELAY1_US + RX2_AFTER_RX1_US),
      'MAX_FCNT_GAP(1.0.x<=1.0.3)': MAX_FCNT_GAP,
      ADR_ACK_LIMIT,
      ADR_ACK_DELAY,
      RETRANSMIT_TIMEOUT_s: [RETRANSMIT_TIMEOUT_MIN_US, RETRANSMIT_TIMEOUT_MAX_US].map(seconds),
      CLASS_B_RESP_TIMEOUT_s: seconds(CLASS_B_C_RESP_TIMEOUT_US),
      CLASS_C_RESP_TIMEOUT_s: seconds(CLASS_B_C_RESP_TIMEOUT_US),
      ...elsewhere,
    }).toEqual(constants);
  });

  it('is that ping slots use the data rate of the beacon', () => {
    for (const name of REGION_NAMES) {
      const { beacon, pingSlot } = region(name);
      expect(pingSlot.dataRate, name).toBe(beacon.dataRate);
    }
  });
});

describe('lookups', () => {
  it('know all twelve plans', () => {
    expect([...REGION_NAMES].sort()).toEqual(Object.keys(rows).sort());
  });

  it('find data rates by spreading factor', () => {
    expect(dataRateOf(region('EU868'), 12, 125_000)).toBe(0);
    expect(dataRateOf(region('EU868'), 7, 250_000)).toBe(6);
    expect(dataRateOf(region('US915'), 12, 125_000)).toBe(-1);
    expect(loraDataRate(region('EU868'), 7)).toBeUndefined();
    expect(loraDataRate(region('US915'), 7)).toBeUndefined();
    expect(loraDataRate(region('US915'), 8)?.spreadingFactor).toBe(12);
  });

  it('subtract FHDR, FPort and FOpts from the MACPayload', () => {
    expect(maxFrmPayload(region('EU868'), 0)).toBe(51);
    expect(maxFrmPayload(region('EU868'), 0, false, 5)).toBe(46);
    expect(maxFrmPayload(region('AS923-1'), 2, true)).toBe(11);
    expect(maxFrmPayload(region('AS923-1'), 0, true)).toBe(0);
    expect(maxMacPayload(region('EU868'), 15)).toBe(0);
  });

  it('place RX1 on the uplink’s channel, or on its channel modulo 8 or 48', () => {
    expect(rx1FrequencyHz(region('EU868'), 2, 868_500_000)).toBe(868_500_000);
    expect(rx1FrequencyHz(region('US915'), 9, 904_100_000)).toBe(923_900_000);
    expect(rx1FrequencyHz(region('CN470'), 95, 489_300_000)).toBe(509_700_000);
  });

  it('give a frequency to one sub-band at most', () => {
    const plan = region('EU868');
    expect(subBandOf(plan, 868_100_000)).toBe(2);
    expect(subBandOf(plan, 869_525_000)).toBe(4);
    expect(subBandOf(plan, 868_650_000)).toBe(-1);
    expect(subBandOf(plan, 862_000_000)).toBe(-1);
  });
});

describe('channel masks', () => {
  const on = (enabled: Uint8Array): number[] =>
    [...enabled.keys()].filter((index) => enabled[index] === 1);

  it('of one bank name channels 0 to 15, and refuse undefined ones', () => {
    const plan = region('EU868');
    const defined = Uint8Array.of(1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const enabled = new Uint8Array(16);
    expect(applyChannelMask(plan, 0, 0b1010, enabled, defined)).toBe(true);
    expect(on(enabled)).toEqual([1, 3]);
    expect(applyChannelMask(plan, 0, 0b10000, enabled, defined)).toBe(false);
    expect(applyChannelMask(plan, 6, 0, enabled, defined)).toBe(true);
    expect(on(enabled)).toEqual([0, 1, 2, 3]);
    for (const reserved of [1, 2, 3, 4, 5, 7]) {
      expect(applyChannelMask(plan, reserved, 1, enabled, defined)).toBe(false);
    }
  });

  it('of 72 channels come in banks, in groups and as a whole', () => {
    const plan = region('US915');
    const defined = new Uint8Array(72).fill(1);
    const enabled = new Uint8Array(72).fill(1);
    const apply = (cntl: number, mask: number): number[] => {
      expect(applyChannelMask(plan, cntl, mask, enabled, defined)).toBe(true);
      return on(enabled);
    };
    expect(apply(7, 0b10)).toEqual([65]);
    expect(apply(0, 0xff00)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 65]);
    expect(apply(4, 0)).toHaveLength(8);
    expect(apply(3, 0x8000).at(-1)).toBe(63);
    expect(apply(5, 0b100)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 66]);
    expect(apply(6, 1)).toHaveLength(65);
  });

  it('of 96 channels come in six banks', () => {
    const plan = region('CN470');
    const defined = new Uint8Array(96).fill(1);
    const enabled = new Uint8Array(96);
    expect(applyChannelMask(plan, 5, 0x8001, enabled, defined)).toBe(true);
    expect(on(enabled)).toEqual([80, 95]);
    expect(applyChannelMask(plan, 6, 0, enabled, defined)).toBe(true);
    expect(on(enabled)).toHaveLength(96);
    expect(applyChannelMask(plan, 7, 0, enabled, defined)).toBe(false);
  });
});

describe('channel lists', () => {
  it('of frequencies come back', () => {
    const frequency = fc.integer({ min: 0, max: 0xffffff }).map((steps) => steps * 100);
    const five = fc.array(frequency, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(five, (frequenciesHz) => {
        expect(cfListFrequencies(cfListOfFrequencies(frequenciesHz))).toEqual(frequenciesHz);
      }),
    );
    expect(cfListFrequencies(cfListOfFrequencies([867_100_000]))).toEqual([
      867_100_000, 0, 0, 0, 0,
    ]);
  });

  it('of masks come back, and one type is not read as the other', () => {
    const bits = fc.array(fc.nat(1), { minLength: 72, maxLength: 72 });
    fc.assert(
      fc.property(bits, (list) => {
        const enabled = Uint8Array.from(list);
        const cfList = cfListOfMask(enabled);
        const read = new Uint8Array(72);
        expect(readCfListMask(cfList, read)).toBe(true);
        expect(read).toEqual(enabled);
        expect(cfListFrequencies(cfList)).toBeUndefined();
      }),
    );
    expect(readCfListMask(new Uint8Array(16), new Uint8Array(72))).toBe(false);
  });
});

describe.each(REGION_NAMES)('the sub-bands of %s', (name) => {
  const plan = region(name);

  it('reach to their edges, with the bandwidth of a channel within them', () => {
    for (const [row, { minHz, maxHz }] of plan.subBands.entries()) {
      const isLast = row === plan.subBands.length - 1;
      const below = plan.subBands.findIndex((band) => band.maxHz === minHz);
      expect(subBandOf(plan, minHz)).toBe(below >= 0 && below < row ? below : row);
      if (isLast) expect(subBandOf(plan, maxHz)).toBe(row);
      expect(subBandOf(plan, minHz + 62_500, 125_000)).toBe(row);
      expect(subBandOf(plan, maxHz - 62_500, 125_000)).toBe(row);
      expect(subBandOf(plan, minHz + 62_499, 125_000)).not.toBe(row);
      expect(subBandOf(plan, maxHz - 62_499, 125_000)).not.toBe(row);
    }
  });
});
