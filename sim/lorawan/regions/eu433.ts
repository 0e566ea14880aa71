/** EU433 (RP002-1.0.4 §2.7). */
import {
  DR0_TO_5,
  defaultChannels,
  fsk50,
  lora,
  type RegionalPlan,
  RX1_MINUS_OFFSET,
  stepsOf2Db,
} from '../regional-plan.ts';

export const EU433: RegionalPlan = {
  name: 'EU433',
  dataRates: [...DR0_TO_5, lora(7, 250_000, 250), fsk50],
  uplinkChannels: defaultChannels(433_175_000, 200_000, 3),
  maxUplinkChannels: 16,
  downlinkChannels: 'asUplink',
  join: { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 },
  rx1DataRates: RX1_MINUS_OFFSET,
  rx2: { frequencyHz: 434_665_000, dataRate: 0 },
  maxEirpCentiDbm: 1215,
  txPowerStepsCentiDb: stepsOf2Db(6),
  maxAdrDataRate: 5,
  cfListType: 0,
  channelMask: 'bank16',
  txParamSetup: false,
  dwellAtStart: { uplink: false, downlink: false },
  beacon: { dataRate: 3, frequenciesHz: [434_665_000], bytes: 17 },
  pingSlot: { dataRate: 3, frequenciesHz: [434_665_000] },
  subBands: [
    { minHz: 433_175_000, maxHz: 434_665_000, dutyCyclePpm: 100_000, maxEirpCentiDbm: 1215 },
  ],
};
