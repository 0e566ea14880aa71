/**
 * A network's working copy of its regional plan: the tables that the hot paths read, by data rate,
 * by channel and by sub-band.
 */
import { assert } from '../base/assert.ts';
import { HOUR_US, MILLION } from '../base/units.ts';
import {
  FSK,
  FSK_BANDWIDTH_HZ,
  frameAirtimeUs,
  preambleSymbols,
  symbolUs,
} from '../lorawan/airtime.ts';
import {
  DWELL_TIME_US,
  defaultUplinkChannels,
  eirpCentiDbm,
  type Region,
  region,
  rx1DataRate,
  rx1FrequencyHz,
  subBandOf,
} from '../lorawan/region.ts';
import type { DataRate, UplinkChannel } from '../lorawan/regional-plan.ts';
import type { NetworkPlan } from '../plan/network-plan.ts';
import type { DownlinkSignal } from '../radio/downlink-air.ts';
import { noticedFromCentiDbm, weakestCentiDbm } from '../radio/noise.ts';
import type { UplinkSignal } from '../radio/uplink-air.ts';
import { type Channel, type ChannelMask, type ChannelSet, maskOf } from './channel-set.ts';

/** In plans with 500 kHz downlinks these have the data rates from this one on. */
const WIDE_DOWNLINKS = 8;

/** What people call the channel of RX2 where it is none of the others. */
const RX2_CHANNEL = 127;

export interface Band {
  readonly name: string;
  /** Time on air per transmitter in any hour, µs. */
  readonly budgetUs: number;
  /** Whether the budget is less than all of the time. */
  readonly isLimited: boolean;
  readonly maxEirpCentiDbm: number;
  /** Whether beacons go out in it. */
  readonly hasBeacons: boolean;
}

/** What a device knows before its first join accept or MAC command. */
interface StartingChannels {
  readonly set: ChannelSet;
  readonly mask: ChannelMask;
}

export class ChannelPlan {
  readonly region: Region;

  // By data rate; 0 where a data rate is not LoRa.
  readonly spreadingFactor: readonly number[];
  readonly bandwidthHz: readonly number[];
  readonly symbolUs: readonly number[];
  readonly maxMacPayload: readonly number[];
  /** The same under a dwell time limit of 400 ms; 0 where a data rate is then of no use. */
  readonly maxMacPayloadDwell: readonly number[];
  readonly gatewaySensitivityCentiDbm: readonly number[];
  readonly deviceSensitivityCentiDbm: readonly number[];
  /** From which level on receivers begin to demodulate: the sensitivity with a hard threshold. */
  readonly gatewayNoticesCentiDbm: readonly number[];
  readonly deviceNoticesCentiDbm: readonly number[];

  /** Channels that every device of the region has. */
  readonly defaults: ChannelSet;
  /** Channels that the network uses, by index as its devices are to know them … */
  readonly channels: ChannelSet;
  /** … and which of them are on. */
  readonly channelMask: ChannelMask;

  readonly bands: readonly Band[];
  readonly rx2DataRate: number;
  readonly rx2FrequencyHz: number;
  readonly maxTxPowerIndex: number;
  /** Data rates of joins and of uplinks, 125 kHz, without a dwell time limit. */
  readonly slowestDataRate: number;
  readonly fastestDataRate: number;
  readonly #heardHz: ReadonlySet<number>;
  readonly #starts: Readonly<Record<'network' | 'region', StartingChannels>>;
  readonly #indexes: ReadonlyMap<number, number>;

  /** Limits that personalised devices of the network are set up with (TxParamSetupReq). */
  readonly limits: {
    readonly uplinkDwell: boolean;
    readonly downlinkDwell: boolean;
    readonly maxEirpDbm: number;
  };

  constructor(network: NetworkPlan) {
    this.region = region(network.region);
    const { dwellAtStart, maxEirpCentiDbm } = this.region;
    this.limits = network.server.txParamSetup ?? {
      uplinkDwell: dwellAtStart.uplink,
      downlinkDwell: dwellAtStart.downlink,
      maxEirpDbm: maxEirpCentiDbm / 100,
    };
    const { radio } = network;
    const rates = this.region.dataRates.map(onAir);
    this.spreadingFactor = rates.map((rate) => rate?.spreadingFactor ?? 0);
    this.bandwidthHz = rates.map((rate) => rate?.bandwidthHz ?? 0);
    this.symbolUs = rates.map((rate) =>
      rate === undefined ? 0 : symbolUs(rate.spreadingFactor, rate.bandwidthHz),
    );
    this.maxMacPayload = rates.map((rate) => rate?.maxMacPayload ?? 0);
    this.maxMacPayloadDwell = rates.map((rate) => rate?.maxMacPayloadDwell ?? 0);
    const levels = (of: (spreadingFactor: number, bandwidthHz: number) => number) =>
      rates.map((rate) => (rate === undefined ? 0 : of(rate.spreadingFactor, rate.bandwidthHz)));
    this.gatewaySensitivityCentiDbm = levels((sf, hz) => weakestCentiDbm(radio, 'gateway', sf, hz));
    this.deviceSensitivityCentiDbm = levels((sf, hz) => weakestCentiDbm(radio, 'device', sf, hz));
    this.gatewayNoticesCentiDbm = levels((sf, hz) => noticedFromCentiDbm(radio, 'gateway', sf, hz));
    this.deviceNoticesCentiDbm = levels((sf, hz) => noticedFromCentiDbm(radio, 'device', sf, hz));

    const beaconBands = this.region.beacon.frequenciesHz.map((hz) => bandOf(this.region, hz));
    this.bands = this.region.subBands.map((band, at) => ({
      name: `${band.minHz / 1e6}-${band.maxHz / 1e6}`,
      budgetUs: Math.floor((HOUR_US * band.dutyCyclePpm) / MILLION),
      isLimited: band.dutyCyclePpm < MILLION,
      maxEirpCentiDbm: band.maxEirpCentiDbm,
      hasBeacons: beaconBands.includes(at),
    }));
    this.rx2DataRate = this.region.rx2.dataRate;
    this.rx2FrequencyHz = this.region.rx2.frequencyHz;
    this.maxTxPowerIndex = this.region.txPowerStepsCentiDb.length - 1;
    const lowest = this.region.uplinkChannels.map((row) => row.minDataRate);
    this.slowestDataRate = Math.min(...lowest);
    this.fastestDataRate = this.region.maxAdrDataRate;

    this.defaults = defaultUplinkChannels(this.region).map((one) => this.#channel(one));
    const wanted = new Set(network.uplinkChannelsHz);
    const isWanted = (hz: number) => wanted.size === 0 || wanted.has(hz);
    const extras = this.isFixed ? [] : this.#extras(network);
    this.channels = extras.length === 0 ? this.defaults : [...this.defaults, ...extras];
    assert(
      this.channels.length <= this.region.maxUplinkChannels,
      'a network has no more channels than its devices can know',
    );
    const on = (index: number) => isWanted(this.channels[index]!.frequencyHz);
    this.channelMask = maskOf(on, this.channels.length);
    this.#heardHz = new Set(this.channels.filter((_, i) => on(i)).map((one) => one!.frequencyHz));
    this.#starts = {
      network: this.#startingChannels('network'),
      region: this.#startingChannels('region'),
    };
    this.#indexes = new Map(this.defaults.map((one, index) => [one!.frequencyHz, index]));
  }

  /** Whether channels are the region's, and are only switched on and off (US915, AU915, CN470). */
  get isFixed(): boolean {
    return this.region.channelMask !== 'bank16';
  }

  start(preset: 'network' | 'region'): StartingChannels {
    return this.#starts[preset];
  }

  #startingChannels(preset: 'network' | 'region'): StartingChannels {
    const all = maskOf(() => true, this.defaults.length);
    if (preset === 'region') return { set: this.defaults, mask: all };
    const mask = this.channelMask.map((word, i) => (word & all[i]!) >>> 0);
    if (mask.some((word) => word !== 0)) return { set: this.defaults, mask };
    return { set: this.channels, mask: this.channelMask };
  }

  /** A channel as NewChannelReq or a CFList defines it. */
  newChannel(frequencyHz: number, minDataRate: number, maxDataRate: number): Channel {
    return this.#channel({ frequencyHz, minDataRate, maxDataRate });
  }

  /** Where gateways of the network listen, by the channels' index. */
  get heardHz(): readonly number[] {
    return [...this.#heardHz];
  }

  /** Whether gateways of the network listen on a frequency. */
  hears(frequencyHz: number): boolean {
    return this.#heardHz.has(frequencyHz);
  }

  #channel(one: UplinkChannel): Channel {
    const { frequencyHz, minDataRate, maxDataRate } = one;
    return { frequencyHz, minDataRate, maxDataRate, band: this.bandOf(frequencyHz), rx1Hz: 0 };
  }

  /** Channels of a network beyond the region's defaults; those that a CFList can hold go first. */
  #extras({ uplinkChannelsHz, uplinkDataRates = [] }: NetworkPlan): Channel[] {
    const { minDataRate, maxDataRate } = this.defaults[0]!;
    const known = new Set(this.defaults.map((one) => one!.frequencyHz));
    const usual = [minDataRate, maxDataRate] as const;
    const isUsual = (one: Channel) =>
      one.minDataRate === minDataRate && one.maxDataRate === maxDataRate;
    const extras = uplinkChannelsHz.flatMap((hz, i) =>
      known.has(hz) ? [] : [this.newChannel(hz, ...(uplinkDataRates[i] ?? usual))],
    );
    return [...extras.filter(isUsual), ...extras.filter((one) => !isUsual(one))];
  }

  /** Most bytes of a MACPayload at a data rate; 0 where it does not exist. */
  mostBytes(dataRate: number, dwell: boolean): number {
    return (dwell ? this.maxMacPayloadDwell : this.maxMacPayload)[dataRate] ?? 0;
  }

  /** Slowest data rate of uplinks that carries data, under a dwell time limit or without. */
  slowest(dwell: boolean): number {
    let dataRate = this.slowestDataRate;
    while (this.mostBytes(dataRate, dwell) === 0) dataRate++;
    return dataRate;
  }

  /** Whether a data rate is of a modulation that worlds know. */
  isUplinkModulation(dataRate: number): boolean {
    return (this.symbolUs[dataRate] ?? 0) > 0;
  }

  /** Whether a RX1DROffset exists in the region. */
  isRx1DrOffset(offset: number): boolean {
    return this.region.rx1DataRates.some((row) => row !== undefined && offset < row.length);
  }

  /** Whether downlinks may be sent at a data rate; where they are wide, low ones are uplinks'. */
  isDownlinkDataRate(dataRate: number): boolean {
    const lowest = this.region.rx2.dataRate >= WIDE_DOWNLINKS ? WIDE_DOWNLINKS : 0;
    return dataRate >= lowest && this.isUplinkModulation(dataRate);
  }

  /** Whether a downlink may be sent on a frequency. */
  isDownlinkFrequency(frequencyHz: number): boolean {
    const row = this.region.downlinkChannels;
    if (row === 'asUplink') return this.isInSubBand(frequencyHz);
    const steps = (frequencyHz - row.firstHz) / row.stepHz;
    return Number.isInteger(steps) && steps >= 0 && steps < row.count;
  }

  isInSubBand(frequencyHz: number): boolean {
    return subBandOf(this.region, frequencyHz) >= 0;
  }

  bandOf(frequencyHz: number): number {
    return bandOf(this.region, frequencyHz);
  }

  /**
   * Number of the channel at a frequency, from 1 on: those of uplinks, else those of downlinks
   * alone, else that of RX2; undefined: it is none of these.
   */
  channelNumber(frequencyHz: number): number | undefined {
    const up = this.channels.findIndex((one) => one?.frequencyHz === frequencyHz);
    if (up >= 0) return up + 1;
    const row = this.region.downlinkChannels;
    if (row !== 'asUplink' && this.isDownlinkFrequency(frequencyHz)) {
      return (frequencyHz - row.firstHz) / row.stepHz + 1;
    }
    return frequencyHz === this.rx2FrequencyHz ? RX2_CHANNEL : undefined;
  }

  uplinkAirtimeUs(dataRate: number, phyBytes: number): number {
    return frameAirtimeUs(
      this.spreadingFactor[dataRate]!,
      this.bandwidthHz[dataRate]!,
      phyBytes,
      true,
    );
  }

  /** Whether a downlink keeps a dwell time limit, if there is one. */
  isWithinDwell(dataRate: number, phyBytes: number, dwell: boolean): boolean {
    return !dwell || this.downlinkAirtimeUs(dataRate, phyBytes) <= DWELL_TIME_US;
  }

  /** Downlinks carry no payload CRC. */
  downlinkAirtimeUs(dataRate: number, phyBytes: number): number {
    return frameAirtimeUs(
      this.spreadingFactor[dataRate]!,
      this.bandwidthHz[dataRate]!,
      phyBytes,
      false,
    );
  }

  /** Data rate of RX1; −1 when there is none. */
  rx1DataRate(uplinkDataRate: number, rx1DrOffset: number, downlinkDwell: boolean): number {
    return rx1DataRate(this.region, uplinkDataRate, rx1DrOffset, downlinkDwell);
  }

  /** Frequency of RX1 after an uplink, where no DlChannelReq has moved it. */
  rx1FrequencyHz(uplinkHz: number): number {
    const index = this.#indexes.get(uplinkHz) ?? 0;
    return rx1FrequencyHz(this.region, index, uplinkHz);
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
  fastestAbove(levelCentiDbm: number, dwell: boolean): number {
    const slowest = this.slowest(dwell);
    for (let dataRate = this.fastestDataRate; dataRate > slowest; dataRate--) {
      if (levelCentiDbm > this.deviceSensitivityCentiDbm[dataRate]!) return dataRate;
    }
    return slowest;
  }

  uplinkSignal(
    frequencyHz: number,
    dataRate: number,
    airtimeUs: number,
    eirp: number,
  ): UplinkSignal {
    return {
      frequencyHz,
      isHeard: this.hears(frequencyHz),
      spreadingFactor: this.spreadingFactor[dataRate]!,
      bandwidthHz: this.bandwidthHz[dataRate]!,
      symbolUs: this.symbolUs[dataRate]!,
      preambleSymbols: preambleSymbols(this.spreadingFactor[dataRate]!),
      airtimeUs,
      eirpCentiDbm: eirp,
      sensitivityCentiDbm: this.gatewayNoticesCentiDbm[dataRate]!,
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
      bandwidthHz: this.bandwidthHz[dataRate]!,
      symbolUs: this.symbolUs[dataRate]!,
      preambleSymbols: preambleSymbols(this.spreadingFactor[dataRate]!),
      airtimeUs,
      eirpCentiDbm: eirp,
      sensitivityCentiDbm: this.deviceNoticesCentiDbm[dataRate]!,
    };
  }
}

/** A data rate as the air knows it; undefined for LR-FHSS, which stays a table. */
function onAir(rate: DataRate | undefined) {
  if (rate === undefined || rate.modulation === 'lrFhss') return undefined;
  if (rate.modulation === 'lora') return rate;
  return { ...rate, spreadingFactor: FSK, bandwidthHz: FSK_BANDWIDTH_HZ };
}

function bandOf(plan: Region, frequencyHz: number): number {
  const band = subBandOf(plan, frequencyHz);
  assert(band >= 0, 'a channel lies in a sub-band');
  return band;
}
