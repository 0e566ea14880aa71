/** AS923-1 … AS923-4 (RP002-1.0.4 §2.10): one plan at four offsets. */
import {
  type DataRate,
  defaultChannels,
  fsk50,
  lora,
  type RegionalPlan,
  stepsOf2Db,
} from '../regional-plan.ts';

const DATA_RATES: readonly DataRate[] = [
  lora(12, 125_000, 59, 0),
  lora(11, 125_000, 59, 0),
  lora(10, 125_000, 123, 19),
  lora(9, 125_000, 123, 61),
  lora(8, 125_000, 250, 133),
  lora(7, 125_000, 250),
  lora(7, 250_000, 250),
  fsk50,
];

const RX1_DATA_RATES: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0, 1, 2],
  [1, 0, 0, 0, 0, 0, 2, 3],
  [2, 1, 0, 0, 0, 0, 3, 4],
  [3, 2, 1, 0, 0, 0, 4, 5],
  [4, 3, 2, 1, 0, 0, 5, 6],
  [5, 4, 3, 2, 1, 0, 6, 7],
  [6, 5, 4, 3, 2, 1, 7, 7],
  [7, 6, 5, 4, 3, 2, 7, 7],
];

/** With a downlink dwell time limit no downlink is slower than DR2. */
const RX1_DATA_RATES_DWELL = RX1_DATA_RATES.map((row) => row.map((rate) => Math.max(rate, 2)));

function as923(name: string, offsetHz: number, minHz: number, maxHz: number): RegionalPlan {
  const beaconHz = 923_400_000 + offsetHz;
  return {
    name,
    dataRates: DATA_RATES,
    uplinkChannels: defaultChannels(923_200_000 + offsetHz, 200_000, 2),
    maxUplinkChannels: 16,
    downlinkChannels: 'asUplink',
    join: { kind: 'anyChannel', minDataRate: 2, maxDataRate: 5 },
    rx1DataRates: RX1_DATA_RATES,
    rx1DataRatesDwell: RX1_DATA_RATES_DWELL,
    rx2: { frequencyHz: 923_200_000 + offsetHz, dataRate: 2 },
    maxEirpCentiDbm: 1600,
    txPowerStepsCentiDb: stepsOf2Db(8),
    maxAdrDataRate: 5,
    cfListType: 0,
    channelMask: 'bank16',
    txParamSetup: true,
    dwellAtStart: { uplink: true, downlink: true },
    beacon: { dataRate: 3, frequenciesHz: [beaconHz], bytes: 17 },
    pingSlot: { dataRate: 3, frequenciesHz: [beaconHz] },
    subBands: [{ minHz, maxHz, dutyCyclePpm: 10_000, maxEirpCentiDbm: 1600 }],
  };
}

export const AS923_1 = as923('AS923-1', 0, 923_000_000, 923_500_000);
export const AS923_2 = as923('AS923-2', -1_800_000, 921_400_000, 922_000_000);
export const AS923_3 = as923('AS923-3', -6_600_000, 916_500_000, 917_000_000);
export const AS923_4 = as923('AS923-4', -5_900_000, 917_300_000, 917_500_000);
