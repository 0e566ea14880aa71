/**
 * What a regional plan says: the types of the tables in regions/ and the words they are written in
 * (RP002-1.0.4).
 */

/** Limits of a data rate: M of the standard counts FHDR, FPort and FRMPayload. */
interface PayloadLimits {
  readonly maxMacPayload: number;
  /** Under a dwell time limit of 400 ms; 0 when the data rate is then unusable. */
  readonly maxMacPayloadDwell: number;
}

export interface LoRaDataRate extends PayloadLimits {
  readonly modulation: 'lora';
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
}

export interface FskDataRate extends PayloadLimits {
  readonly modulation: 'fsk';
  readonly bitRate: number;
}

export interface LrFhssDataRate extends PayloadLimits {
  readonly modulation: 'lrFhss';
  readonly occupiedHz: number;
  readonly codingRate: '1/3' | '2/3';
}

export type DataRate = LoRaDataRate | FskDataRate | LrFhssDataRate;

export interface UplinkChannel {
  readonly frequencyHz: number;
  readonly minDataRate: number;
  readonly maxDataRate: number;
}

/** Equally spaced channels. */
export interface ChannelRow {
  readonly firstHz: number;
  readonly stepHz: number;
  readonly count: number;
}

export interface UplinkChannelRow extends ChannelRow {
  readonly minDataRate: number;
  readonly maxDataRate: number;
}

/** Who tries which data rate in a join. */
export type JoinPlan =
  /** Any default channel, any of these data rates. */
  | { readonly kind: 'anyChannel'; readonly minDataRate: number; readonly maxDataRate: number }
  /**
   * `tries` requests on random channels of the first row, then one on the second, and again
   * (LoRaMac-node).
   */
  | {
      readonly kind: 'alternating';
      readonly tries: number;
      readonly dataRate: number;
      readonly wideDataRate: number;
    };

/**
 * How LinkADRReq's ChMaskCntl reads: one bank of 16, or 64 + 8 channels in banks, or 96 in banks.
 */
export type ChannelMaskKind = 'bank16' | 'banks72' | 'banks96';

export interface SubBand {
  /** Both ends belong to it; where two meet, the lower one takes the frequency. */
  readonly minHz: number;
  readonly maxHz: number;
  /** Parts per million of an hour that one transmitter may use; 1 000 000 is no limit. */
  readonly dutyCyclePpm: number;
  readonly maxEirpCentiDbm: number;
}

/** Class B on one frequency, or hopping over eight. */
export interface ClassBChannel {
  readonly dataRate: number;
  readonly frequenciesHz: readonly number[];
}

export interface RegionalPlan {
  readonly name: string;
  /** By data rate index; gaps are undefined. */
  readonly dataRates: readonly (DataRate | undefined)[];
  /** Channels a device has from the start, in order of their index. */
  readonly uplinkChannels: readonly UplinkChannelRow[];
  /** Channels that can be defined, defaults included. */
  readonly maxUplinkChannels: number;
  /** RX1 frequency: that of the uplink, or channel n of this row, n = uplink channel mod count. */
  readonly downlinkChannels: ChannelRow | 'asUplink';
  readonly join: JoinPlan;
  /** `[uplink data rate][RX1DROffset]`; gaps are undefined. */
  readonly rx1DataRates: readonly (readonly number[] | undefined)[];
  /** The same under a downlink dwell time limit, where it differs. */
  readonly rx1DataRatesDwell?: readonly (readonly number[] | undefined)[];
  readonly rx2: { readonly frequencyHz: number; readonly dataRate: number };
  readonly maxEirpCentiDbm: number;
  /** By TXPower index: 1/100 dB to add to the maximum EIRP. */
  readonly txPowerStepsCentiDb: readonly number[];
  /** Highest data rate that ADR gives. */
  readonly maxAdrDataRate: number;
  /** 0: five frequencies; 1: channel masks. */
  readonly cfListType: 0 | 1;
  readonly channelMask: ChannelMaskKind;
  /** Whether TxParamSetupReq exists here. */
  readonly txParamSetup: boolean;
  /** Dwell time limits of 400 ms before any TxParamSetupReq. */
  readonly dwellAtStart: { readonly uplink: boolean; readonly downlink: boolean };
  readonly beacon: ClassBChannel & { readonly bytes: number };
  readonly pingSlot: ClassBChannel;
  readonly subBands: readonly SubBand[];
  /** Listen before talk: a channel is free when quieter than this for so long. */
  readonly listenBeforeTalk?: { readonly durationUs: number; readonly levelCentiDbm: number };
}

// ── words for the tables ─────────────────────────────────────────────────────────────────────────

/** A LoRa data rate of 125, 250 or 500 kHz. */
export const lora = (
  spreadingFactor: number,
  bandwidthHz: number,
  maxMacPayload: number,
  maxMacPayloadDwell = maxMacPayload,
): LoRaDataRate => ({
  modulation: 'lora',
  spreadingFactor,
  bandwidthHz,
  maxMacPayload,
  maxMacPayloadDwell,
});

/** The FSK data rate of 50 kbit/s. */
export const fsk50: FskDataRate = {
  modulation: 'fsk',
  bitRate: 50_000,
  maxMacPayload: 250,
  maxMacPayloadDwell: 250,
};

export const lrFhss = (
  occupiedHz: number,
  codingRate: '1/3' | '2/3',
  maxMacPayload: number,
): LrFhssDataRate => ({
  modulation: 'lrFhss',
  occupiedHz,
  codingRate,
  maxMacPayload,
  maxMacPayloadDwell: maxMacPayload,
});

/** `count` power steps of 2 dB down from the maximum EIRP. */
export const stepsOf2Db = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => 0 - 200 * index);

/** Frequencies of eight hopping channels. */
export const eight = (firstHz: number, stepHz: number): readonly number[] =>
  Array.from({ length: 8 }, (_, index) => firstHz + stepHz * index);

/** Default channels `firstHz`, `firstHz + stepHz` …, for DR0…5. */
export const defaultChannels = (
  firstHz: number,
  stepHz: number,
  count: number,
): readonly UplinkChannelRow[] => [{ firstHz, stepHz, count, minDataRate: 0, maxDataRate: 5 }];

/** SF12…7 at 125 kHz, as most plans without dwell time limits have them. */
export const DR0_TO_5: readonly DataRate[] = [
  lora(12, 125_000, 59),
  lora(11, 125_000, 59),
  lora(10, 125_000, 59),
  lora(9, 125_000, 123),
  lora(8, 125_000, 250),
  lora(7, 125_000, 250),
];

/** RX1 data rates of DR0…7: uplink data rate minus offset, at least DR0. */
export const RX1_MINUS_OFFSET: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0],
  [1, 0, 0, 0, 0, 0],
  [2, 1, 0, 0, 0, 0],
  [3, 2, 1, 0, 0, 0],
  [4, 3, 2, 1, 0, 0],
  [5, 4, 3, 2, 1, 0],
  [6, 5, 4, 3, 2, 1],
  [7, 6, 5, 4, 3, 2],
];
