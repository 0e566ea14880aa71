/** IN865-867 (RP002-1.0.4 §2.12). */
import { DR0_TO_5, fsk50, type RegionalPlan, stepsOf2Db } from '../regional-plan.ts';

export const IN865: RegionalPlan = {
  name: 'IN865',
  // DR6 is reserved.
  dataRates: [...DR0_TO_5, undefined, fsk50],
  uplinkChannels: [865_062_500, 865_402_500, 865_985_000].map((firstHz) => ({
    firstHz,
    stepHz: 0,
    count: 1,
    minDataRate: 0,
    maxDataRate: 5,
  })),
  maxUplinkChannels: 16,
  downlinkChannels: 'asUplink',
  join: { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 },
  rx1DataRates: [
    [0, 0, 0, 0, 0, 0, 1, 2],
    [1, 0, 0, 0, 0, 0, 2, 3],
    [2, 1, 0, 0, 0, 0, 3, 4],
    [3, 2, 1, 0, 0, 0, 4, 5],
    [4, 3, 2, 1, 0, 0, 5, 5],
    [5, 4, 3, 2, 1, 0, 5, 5],
    undefined,
    [7, 6, 5, 4, 3, 2, 7, 7],
  ],
  rx2: { frequencyHz: 866_550_000, dataRate: 2 },
  maxEirpCentiDbm: 3000,
  txPowerStepsCentiDb: stepsOf2Db(11),
  maxAdrDataRate: 5,
  cfListType: 0,
  channelMask: 'bank16',
  txParamSetup: false,
  dwellAtStart: { uplink: false, downlink: false },
  beacon: { dataRate: 4, frequenciesHz: [866_550_000], bytes: 19 },
  pingSlot: { dataRate: 4, frequenciesHz: [866_550_000] },
  subBands: [
    { minHz: 865_000_000, maxHz: 867_000_000, dutyCyclePpm: 1_000_000, maxEirpCentiDbm: 1615 },
  ],
};
