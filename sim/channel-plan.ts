/**
 * A network's working copy of its regional plan: the tables that the hot paths read, by data rate,
 * by channel and by sub-band.
 */
import { assert } from './base/assert.ts';
import { HOUR_US, MILLION } from './base/units.ts';
import { loraAirtimeUs, preambleSymbols, symbolUs } from './lorawan/airtime.ts';
import {
  defaultUplinkChannels,
  eirpCentiDbm,
  loraDataRate,
  type Region,
  region,
  rx1DataRate,
  rx1FrequencyHz,
  subBandOf,
} from './lorawan/region.ts';
import type { NetworkPlan } from './network-plan.ts';
import type { DownlinkSignal } from './radio/downlink-air.ts';
import type { UplinkSignal } from './radio/uplink-air.ts';

/** Channels that a 16-bit channel mask can hold. */
export const MOST_CHANNELS = 16;

/** Sensitivity tables are for 125 kHz; each doubling of the bandwidth costs 3.01 dB. */
const CENTI_DB_PER_DOUBLING = 301;
const LOWEST_SF = 5;

export interface Band {
  readonly name: string;
  /** Time on air per transmitter in any hour, µs. */
  readonly budgetUs: number;
  readonly maxEirpCentiDbm: number;
}

export class ChannelPlan {
  readonly region: Region;

  // By data rate; 0 where a data rate is not LoRa.
  readonly spreadingFactor: readonly number[];
  readonly bandwidthHz: readonly number[];
  readonly symbolUs: readonly number[];
  readonly maxMacPayload: readonly number[];
  readonly gatewaySensitivityCentiDbm: readonly number[];
  readonly deviceSensitivityCentiDbm: readonly number[];

  // By channel.
  readonly channelsHz: readonly number[];
  readonly channelBand: readonly number[];
  readonly channelCount: number;

  // Masks over channels, a bit each.
  readonly allChannels: number;
  /** Channels a device knows before its join. */
  readonly joinChannels: number;

  readonly bands: readonly Band[];
  readonly fastestJoin: number;
  readonly slowestJoin: number;
  readonly rx2DataRate: number;
  readonly rx2FrequencyHz: number;
  readonly maxTxPowerIndex: number;
  readonly #minDataRate: readonly number[];
  readonly #maxDataRate: readonly number[];

  constructor(network: NetworkPlan) {
    this.region = region(network.region);
    const { radio } = network;
    const rates = this.region.dataRates.map((_, index) => loraDataRate(this.region, index));
    this.spreadingFactor = rates.map((rate) => rate?.spreadingFactor ?? 0);
    this.bandwidthHz = rates.map((rate) => rate?.bandwidthHz ?? 0);
    this.symbolUs = rates.map((rate) =>
      rate === undefined ? 0 : symbolUs(rate.spreadingFactor, rate.bandwidthHz),
    );
    this.maxMacPayload = rates.map((rate) => rate?.maxMacPayload ?? 0);
    const floor = (table: readonly number[]) => rates.map((rate) => sensitivity(table, rate));
    this.gatewaySensitivityCentiDbm = floor(radio.gatewaySensitivityCentiDbm);
    this.deviceSensitivityCentiDbm = floor(radio.deviceSensitivityCentiDbm);

    const channels = channelsOf(this.region, network.uplinkChannelsHz);
    this.channelsHz = channels.map((channel) => channel.frequencyHz);
    this.channelCount = channels.length;
    this.channelBand = this.channelsHz.map((hz) => bandOf(this.region, hz));
    this.#minDataRate = channels.map((channel) => channel.minDataRate);
    this.#maxDataRate = channels.map((channel) => channel.maxDataRate);
    this.allChannels = (1 << channels.length) - 1;
    this.joinChannels = joinMask(this.region, this.channelsHz);

    this.bands = this.region.subBands.map((band) => ({
      name: `${band.minHz / 1e6}-${band.maxHz / 1e6}`,
      budgetUs: Math.floor((HOUR_US * band.dutyCyclePpm) / MILLION),
      maxEirpCentiDbm: band.maxEirpCentiDbm,
    }));
    const { join } = this.region;
    assert(join.kind === 'anyChannel', 'devices of this plan join on any default channel');
    this.fastestJoin = join.maxDataRate;
    this.slowestJoin = join.minDataRate;
    this.rx2DataRate = this.region.rx2.dataRate;
    this.rx2FrequencyHz = this.region.rx2.frequencyHz;
    this.maxTxPowerIndex = this.region.txPowerStepsCentiDb.length - 1;
  }

  /** Whether a channel carries a data rate. */
  carries(channel: number, dataRate: number): boolean {
    return dataRate >= this.#minDataRate[channel]! && dataRate <= this.#maxDataRate[channel]!;
  }

  /** Whether some channel carries this LoRa data rate. */
  isUplinkDataRate(dataRate: number): boolean {
    if ((this.spreadingFactor[dataRate] ?? 0) === 0) return false;
    return this.channelsHz.some((_, channel) => this.carries(channel, dataRate));
  }

  bandOf(frequencyHz: number): number {
    return bandOf(this.region, frequencyHz);
  }

  uplinkAirtimeUs(dataRate: number, phyBytes: number): number {
    return loraAirtimeUs(
      this.spreadingFactor[dataRate]!,
      this.bandwidthHz[dataRate]!,
      phyBytes,
      true,
    );
  }

  /** Downlinks carry no payload CRC. */
  downlinkAirtimeUs(dataRate: number, phyBytes: number): number {
    return loraAirtimeUs(
      this.spreadingFactor[dataRate]!,
      this.bandwidthHz[dataRate]!,
      phyBytes,
      false,
    );
  }

  rx1DataRate(uplinkDataRate: number, rx1DrOffset: number): number {
    return rx1DataRate(this.region, uplinkDataRate, rx1DrOffset);
  }

  rx1FrequencyHz(channel: number): number {
    return rx1FrequencyHz(this.region, channel, this.channelsHz[channel]!);
  }

  /**
   * Radiated power at a TXPower index: steps down from the device's maximum, within the sub-band's
   * limit.
   */
  uplinkEirp(maxEirpCentiDbm: number, txPowerIndex: number, band: number): number {
    const step = eirpCentiDbm(this.region, txPowerIndex) - this.region.maxEirpCentiDbm;
    return Math.min(maxEirpCentiDbm + step, this.bands[band]!.maxEirpCentiDbm);
  }

  /** Fastest 125 kHz data rate whose device sensitivity a level reaches, else the slowest. */
  fastestAbove(levelCentiDbm: number): number {
    for (let dataRate = this.fastestJoin; dataRate > this.slowestJoin; dataRate--) {
      if (levelCentiDbm > this.deviceSensitivityCentiDbm[dataRate]!) return dataRate;
    }
    return this.slowestJoin;
  }

  uplinkSignal(channel: number, dataRate: number, airtimeUs: number, eirp: number): UplinkSignal {
    return {
      frequencyHz: this.channelsHz[channel]!,
      spreadingFactor: this.spreadingFactor[dataRate]!,
      symbolUs: this.symbolUs[dataRate]!,
      preambleSymbols: preambleSymbols(this.spreadingFactor[dataRate]!),
      airtimeUs,
      eirpCentiDbm: eirp,
      sensitivityCentiDbm: this.gatewaySensitivityCentiDbm[dataRate]!,
    };
  }

  downlinkSignal(
    frequencyHz: number,
    dataRate: number,
    airtimeUs: number,
    eirp: number,
  ): DownlinkSignal {
    return {
      frequencyHz,
      dataRate,
      spreadingFactor: this.spreadingFactor[dataRate]!,
      symbolUs: this.symbolUs[dataRate]!,
      preambleSymbols: preambleSymbols(this.spreadingFactor[dataRate]!),
      airtimeUs,
      eirpCentiDbm: eirp,
      sensitivityCentiDbm: this.deviceSensitivityCentiDbm[dataRate]!,
    };
  }
}

/**
 * Sensitivity of a LoRa data rate from a table for SF5…SF12 at 125 kHz; 0 for other modulations.
 */
function sensitivity(
  table: readonly number[],
  rate: { spreadingFactor: number; bandwidthHz: number } | undefined,
): number {
  if (rate === undefined) return 0;
  const doublings = rate.bandwidthHz === 125_000 ? 0 : rate.bandwidthHz === 250_000 ? 1 : 2;
  return table[rate.spreadingFactor - LOWEST_SF]! + doublings * CENTI_DB_PER_DOUBLING;
}

/** The network's channels: the region's defaults, or the frequencies asked for at DR0…5. */
function channelsOf(plan: Region, frequenciesHz: readonly number[]) {
  const defaults = defaultUplinkChannels(plan);
  const channels =
    frequenciesHz.length === 0
      ? defaults
      : frequenciesHz.map((frequencyHz) => ({ ...defaults[0]!, frequencyHz }));
  assert(channels.length <= MOST_CHANNELS, 'a network has at most 16 uplink channels');
  return channels;
}

/** Channels that are among the region's defaults; all of them when none is. */
function joinMask(plan: Region, channelsHz: readonly number[]): number {
  const defaults = new Set(defaultUplinkChannels(plan).map((channel) => channel.frequencyHz));
  const mask = channelsHz.reduce((bits, hz, n) => (defaults.has(hz) ? bits | (1 << n) : bits), 0);
  return mask === 0 ? (1 << channelsHz.length) - 1 : mask;
}

function bandOf(plan: Region, frequencyHz: number): number {
  const band = subBandOf(plan, frequencyHz);
  assert(band >= 0, 'a channel lies in a sub-band');
  return band;
}
