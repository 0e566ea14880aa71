/** EU863-870 (RP002-1.0.4 §2.4; duty cycles of ETSI EN 300 220-2). */
import {
  DR0_TO_5,
  defaultChannels,
  fsk50,
  lora,
  lrFhss,
  type RegionalPlan,
  RX1_MINUS_OFFSET,
  stepsOf2Db,
} from '../regional-plan.ts';

export const EU868: RegionalPlan = {
  name: 'EU868',
  dataRates: [
    ...DR0_TO_5,
    lora(7, 250_000, 250),
    fsk50,
    lrFhss(137_000, '1/3', 58),
    lrFhss(137_000, '2/3', 123),
    lrFhss(336_000, '1/3', 58),
    lrFhss(336_000, '2/3', 123),
  ],
  uplinkChannels: defaultChannels(868_100_000, 200_000, 3),
  maxUplinkChannels: 16,
  downlinkChannels: 'asUplink',
  join: { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 },
  rx1DataRates: [
    ...RX1_MINUS_OFFSET,
    [1, 0, 0, 0, 0, 0],
    [2, 1, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0],
    [2, 1, 0, 0, 0, 0],
  ],
  rx2: { frequencyHz: 869_525_000, dataRate: 0 },
  maxEirpCentiDbm: 1600,
  txPowerStepsCentiDb: stepsOf2Db(8),
  maxAdrDataRate: 5,
  cfListType: 0,
  channelMask: 'bank16',
  txParamSetup: false,
  dwellAtStart: { uplink: false, downlink: false },
  beacon: { dataRate: 3, frequenciesHz: [869_525_000], bytes: 17 },
  pingSlot: { dataRate: 3, frequenciesHz: [869_525_000] },
  // ERP 14 dBm is EIRP 16.15 dBm, ERP 27 dBm is EIRP 29.15 dBm.
  subBands: [
    { minHz: 863_000_000, maxHz: 865_000_000, dutyCyclePpm: 1_000, maxEirpCentiDbm: 1615 },
    { minHz: 865_000_000, maxHz: 868_000_000, dutyCyclePpm: 10_000, maxEirpCentiDbm: 1615 },
    { minHz: 868_000_000, maxHz: 868_600_000, dutyCyclePpm: 10_000, maxEirpCentiDbm: 1615 },
    { minHz: 868_700_000, maxHz: 869_200_000, dutyCyclePpm: 1_000, maxEirpCentiDbm: 1615 },
    { minHz: 869_400_000, maxHz: 869_650_000, dutyCyclePpm: 100_000, maxEirpCentiDbm: 2915 },
    { minHz: 869_700_000, maxHz: 870_000_000, dutyCyclePpm: 10_000, maxEirpCentiDbm: 1615 },
  ],
};
