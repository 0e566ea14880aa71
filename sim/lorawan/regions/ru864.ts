/** RU864-870 (RP002-1.0.4 §2.13). */
import {
  DR0_TO_5,
  defaultChannels,
  fsk50,
  lora,
  type RegionalPlan,
  RX1_MINUS_OFFSET,
  stepsOf2Db,
} from '../regional-plan.ts';

export const RU864: RegionalPlan = {
  name: 'RU864',
  dataRates: [...DR0_TO_5, lora(7, 250_000, 250), fsk50],
  uplinkChannels: defaultChannels(868_900_000, 200_000, 2),
  maxUplinkChannels: 16,
  downlinkChannels: 'asUplink',
  join: { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 },
  rx1DataRates: RX1_MINUS_OFFSET,
  rx2: { frequencyHz: 869_100_000, dataRate: 0 },
  maxEirpCentiDbm: 1600,
  txPowerStepsCentiDb: stepsOf2Db(8),
  maxAdrDataRate: 5,
  cfListType: 0,
  channelMask: 'bank16',
  txParamSetup: false,
  dwellAtStart: { uplink: false, downlink: false },
  beacon: { dataRate: 3, frequenciesHz: [869_100_000], bytes: 17 },
  pingSlot: { dataRate: 3, frequenciesHz: [868_900_000] },
  subBands: [
    { minHz: 864_000_000, maxHz: 870_000_000, dutyCyclePpm: 10_000, maxEirpCentiDbm: 2215 },
  ],
};
