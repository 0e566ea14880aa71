/**
 * Worlds in which frames are lost to noise: shares agree with the theory's curve
 * (docs/standard.md, Reception in noise), for uplinks at gateways, downlinks at devices and
 * multicast copies at members.
 */
import { describe, expect, it } from 'vitest';
import { packetErrorRate } from '../../sim/library.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';
import { formulaSensitivity } from '../../sim/radio/tables.ts';
import { runCampaign } from '../campaigns/notation.ts';
import { PLAIN_RADIO } from '../support/plain-radio.ts';
import {
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Trace,
  watch,
} from '../support/small-network.ts';

/** Noise in 125 kHz at a noise figure of 6 dB, dBm. */
const NOISE_DBM = -117.03;
const SF7_LOSS_DB = 1.1;

/** A world of links with this loss, in which nothing but noise takes frames. */
const noisy = (lossDb: number): Partial<RadioPlan> => ({
  pathLoss: { model: 'constant', lossDb },
  reception: { ...PLAIN_RADIO.reception, model: 'theory' },
  gatewaySensitivityCentiDbm: formulaSensitivity(6),
  deviceSensitivityCentiDbm: formulaSensitivity(6),
  interference: { model: 'off', sirCentiDb: noMatrix(), window: 'wholeFrame' },
});

function noMatrix(): number[][] {
  return Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => 0));
}

/** The share of many draws is this near the probability. */
function expectShare(lost: number, all: number, rate: number): void {
  expect(all).toBeGreaterThan(1_000);
  const deviation = Math.sqrt((rate * (1 - rate)) / all);
  expect(Math.abs(lost / all - rate)).toBeLessThan(4 * deviation);
}

const errorRate = (snrDb: number, phyPayloadBytes: number, crc: boolean): number =>
  packetErrorRate({
    spreadingFactor: 7,
    snrDb,
    phyPayloadBytes,
    crc,
    implementationLossDb: SF7_LOSS_DB,
  });

describe('uplinks under the theory of noise', () => {
  it.each([-8.5, -7.5, -7, -6.5, -6, -4])('are lost as the curve says at %f dB', (snrDb) => {
    const lossDb = 16 - NOISE_DBM - snrDb;
    const wanted = { devices: 40, traffic: { meanUs: 10 * SECOND_US }, radio: noisy(lossDb) };
    const trace = watch(networkOf({ ...wanted, gateway: { receptionPaths: 99 } }), 20 * MINUTE_US);
    const fates = trace.of('uplinkEnds').flatMap(({ gateways }) => gateways);
    const lost = fates.filter(({ fate }) => fate === 'noise').length;
    expect(fates.every(({ fate }) => fate === 'noise' || fate === 'received')).toBe(true);
    expectShare(lost, fates.length, errorRate(snrDb, 23, true));
  });

  it('are the same ones when other devices are there', () => {
    const fates = (devices: number): string[] => {
      const radio = noisy(16 - NOISE_DBM + 8);
      const network = networkOf({ devices, radio, gateway: { receptionPaths: 99 } });
      const rows = watch(network, HOUR_US).of('uplinkEnds');
      return rows
        .filter(({ device }) => device === 'meter-1')
        .map(({ gateways }) => gateways[0].fate);
    };
    const alone = fates(1);
    expect(new Set(alone)).toEqual(new Set(['noise', 'received']));
    expect(fates(5)).toEqual(alone);
  });
});

describe('downlinks under the theory of noise', () => {
  it('are lost as the curve says for their own length', () => {
    const snrDb = -7;
    // 14 dBm from the gateway are 2 dB less than the device's 16 dBm.
    const trace = watch(
      networkOf({
        devices: 40,
        traffic: { meanUs: 15 * SECOND_US, confirmedPpm: 1_000_000 },
        type: { confirmedTries: 1 },
        gateway: { maxEirpCentiDbm: 1400, receptionPaths: 99, dutyCycle: false },
        radio: noisy(14 - NOISE_DBM - snrDb),
      }),
      60 * MINUTE_US,
    );
    const bytes = new Map(
      trace.of('downlinkBegins').map((row) => [row.downlink, row.phyBytes] as const),
    );
    const heard = trace
      .of('downlinkEnds')
      .flatMap(({ downlink, devices }) => devices.map(({ fate }) => ({ downlink, fate })))
      .filter(({ downlink }) => bytes.get(downlink) === 12);
    const lost = heard.filter(({ fate }) => fate === 'noise').length;
    expectShare(lost, heard.length, errorRate(snrDb, 12, false));
  });
});

/** Share of group frames that noise took from members. */
function multicast(trace: Trace) {
  const decided = trace.of('multicastDecided');
  const judged = decided.filter(({ fate }) => fate === 'heard' || fate === 'noise');
  return { all: judged.length, lost: judged.filter(({ fate }) => fate === 'noise').length };
}

describe('fragments under the theory of noise', () => {
  it('are lost to each member by itself, as the curve says', () => {
    const snrDb = -6.5;
    const trace = runCampaign({
      devices: 60,
      imageBytes: 8_000,
      minutes: 60,
      campaign: { multicast_setup_time: 1200 },
      type: { deviceClass: 'C' },
      traffic: { meanUs: 30 * SECOND_US },
      gateway: { maxEirpCentiDbm: 1400, receptionPaths: 99, dutyCycle: false },
      radio: noisy(14 - NOISE_DBM - snrDb),
    });
    const { all, lost } = multicast(trace);
    expectShare(lost, all, errorRate(snrDb, 66, false));
    const masks = new Map<string, string>();
    for (const { device, fate, fCnt } of trace.of('multicastDecided')) {
      if (fCnt < 40) masks.set(device, (masks.get(device) ?? '') + fate.charAt(0));
    }
    expect(new Set(masks.values()).size).toBeGreaterThan(8);
  });
});

describe('reception without a threshold', () => {
  it('takes what is 10 dB below every sensitivity, up to the bound of what counts', () => {
    const radio = (lossDb: number): Partial<RadioPlan> => ({
      ...noisy(lossDb),
      reception: { ...PLAIN_RADIO.reception, model: 'off' },
    });
    const fatesAt = (lossDb: number) => {
      const trace = watch(networkOf({ radio: radio(lossDb) }), 10 * MINUTE_US);
      return new Set(trace.of('uplinkEnds').flatMap(({ gateways }) => gateways.map((g) => g.fate)));
    };
    expect(fatesAt(160)).toEqual(new Set(['received']));
    expect(fatesAt(166)).toEqual(new Set(['received']));
    expect(fatesAt(166.01)).toEqual(new Set(['tooWeak']));
  });
});

describe('uplinks and downlinks', () => {
  it('do not disturb each other: their IQ differs', () => {
    // Two devices answer-by-answer on one channel: gateways' frames never touch an uplink's fate
    // but by half duplex at their own gateway.
    const trace = watch(
      networkOf({
        devices: 20,
        gatewaysAt: [0, 3_000],
        traffic: { meanUs: 15 * SECOND_US, confirmedPpm: 1_000_000 },
        gateway: { receptionPaths: 99, dutyCycle: false },
      }),
      12 * MINUTE_US,
    );
    const ups = trace.of('uplinkBegins');
    const clean = trace.of('uplinkEnds').filter(({ atUs, device, frame }) => {
      const own = ups.find((row) => row.device === device && row.frame === frame)!;
      return !ups.some(
        (row) =>
          row !== own &&
          row.frequencyHz === own.frequencyHz &&
          row.atUs < atUs &&
          row.atUs + row.airtimeUs > own.atUs,
      );
    });
    const downs = trace.of('downlinkBegins');
    const met = clean.filter(({ atUs, device, frame }) => {
      const own = ups.find((row) => row.device === device && row.frame === frame)!;
      return downs.some(
        (row) =>
          row.frequencyHz === own.frequencyHz &&
          row.atUs < atUs &&
          row.atUs + row.airtimeUs > own.atUs,
      );
    });
    expect(met.length).toBeGreaterThan(10);
    for (const { gateways } of met) {
      expect(gateways.some(({ fate }) => fate === 'interfered')).toBe(false);
    }
  });
});

describe('fading', () => {
  it('lets a frame live and the next die on one link', () => {
    const radio = {
      pathLoss: { model: 'constant', lossDb: 140 },
      fading: { model: 'rayleigh' },
    } as const;
    const trace = watch(networkOf({ radio }), 10 * HOUR_US);
    const rows = trace.of('uplinkEnds').map(({ gateways }) => gateways[0]);
    const levels = new Set(rows.map(({ rssiCentiDbm }) => rssiCentiDbm));
    expect(levels.size).toBeGreaterThan(300);
    // 16 − 140 dBm are 6 dB above ns-3's −130 dBm: Rayleigh falls below with 1 − exp(−10^−0.6).
    const weak = rows.filter(({ fate }) => fate === 'tooWeak').length;
    expect(Math.abs(weak / rows.length - (1 - Math.exp(-(10 ** -0.6))))).toBeLessThan(0.07);
  });
});
