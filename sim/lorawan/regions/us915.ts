/** US902-928 (RP002-1.0.4 §2.5): 64 + 8 uplink channels, 8 downlink channels, no duty cycle. */
import { eight, lora, lrFhss, type RegionalPlan, stepsOf2Db } from '../regional-plan.ts';

export const US915: RegionalPlan = {
  name: 'US915',
  // DR0…6 are for uplinks, DR8…13 for downlinks.
  dataRates: [
    lora(10, 125_000, 19),
    lora(9, 125_000, 61),
    lora(8, 125_000, 133),
    lora(7, 125_000, 250),
    lora(8, 500_000, 250),
    lrFhss(1_523_000, '1/3', 58),
    lrFhss(1_523_000, '2/3', 133),
    undefined,
    lora(12, 500_000, 61),
    lora(11, 500_000, 137),
    lora(10, 500_000, 250),
    lora(9, 500_000, 250),
    lora(8, 500_000, 250),
    lora(7, 500_000, 250),
  ],
  uplinkChannels: [
    { firstHz: 902_300_000, stepHz: 200_000, count: 64, minDataRate: 0, maxDataRate: 3 },
    { firstHz: 903_000_000, stepHz: 1_600_000, count: 8, minDataRate: 4, maxDataRate: 4 },
  ],
  maxUplinkChannels: 72,
  downlinkChannels: { firstHz: 923_300_000, stepHz: 600_000, count: 8 },
  join: { kind: 'alternating', tries: 8, dataRate: 0, wideDataRate: 4 },
  rx1DataRates: [
    [10, 9, 8, 8],
    [11, 10, 9, 8],
    [12, 11, 10, 9],
    [13, 12, 11, 10],
    [13, 13, 12, 11],
    [10, 9, 8, 8],
    [11, 10, 9, 8],
  ],
  rx2: { frequencyHz: 923_300_000, dataRate: 8 },
  maxEirpCentiDbm: 3000,
  txPowerStepsCentiDb: stepsOf2Db(15),
  maxAdrDataRate: 3,
  cfListType: 1,
  channelMask: 'banks72',
  txParamSetup: false,
  dwellAtStart: { uplink: true, downlink: false },
  beacon: { dataRate: 8, frequenciesHz: eight(923_300_000, 600_000), bytes: 23 },
  pingSlot: { dataRate: 8, frequenciesHz: eight(923_300_000, 600_000) },
  subBands: [
    { minHz: 902_300_000, maxHz: 914_900_000, dutyCyclePpm: 1_000_000, maxEirpCentiDbm: 2315 },
    { minHz: 923_300_000, maxHz: 927_500_000, dutyCyclePpm: 1_000_000, maxEirpCentiDbm: 2815 },
  ],
};
