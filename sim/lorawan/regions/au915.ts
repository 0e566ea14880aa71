/**
 * AU915-928 (RP002-1.0.4 §2.8): channels as US915's, with a dwell time limit that TxParamSetupReq
 * lifts.
 */
import { eight, lora, lrFhss, type RegionalPlan, stepsOf2Db } from '../regional-plan.ts';

export const AU915: RegionalPlan = {
  name: 'AU915',
  // DR0…7 are for uplinks, DR8…13 for downlinks.
  dataRates: [
    lora(12, 125_000, 59, 0),
    lora(11, 125_000, 59, 0),
    lora(10, 125_000, 59, 19),
    lora(9, 125_000, 123, 61),
    lora(8, 125_000, 250, 133),
    lora(7, 125_000, 250),
    lora(8, 500_000, 250),
    lrFhss(1_523_000, '1/3', 58),
    lora(12, 500_000, 61),
    lora(11, 500_000, 137),
    lora(10, 500_000, 250),
    lora(9, 500_000, 250),
    lora(8, 500_000, 250),
    lora(7, 500_000, 250),
  ],
  uplinkChannels: [
    { firstHz: 915_200_000, stepHz: 200_000, count: 64, minDataRate: 0, maxDataRate: 5 },
    { firstHz: 915_900_000, stepHz: 1_600_000, count: 8, minDataRate: 6, maxDataRate: 6 },
  ],
  maxUplinkChannels: 72,
  downlinkChannels: { firstHz: 923_300_000, stepHz: 600_000, count: 8 },
  join: { kind: 'alternating', tries: 8, dataRate: 2, wideDataRate: 6 },
  rx1DataRates: [
    [8, 8, 8, 8, 8, 8],
    [9, 8, 8, 8, 8, 8],
    [10, 9, 8, 8, 8, 8],
    [11, 10, 9, 8, 8, 8],
    [12, 11, 10, 9, 8, 8],
    [13, 12, 11, 10, 9, 8],
    [13, 13, 12, 11, 10, 9],
    [9, 8, 8, 8, 8, 8],
  ],
  rx2: { frequencyHz: 923_300_000, dataRate: 8 },
  maxEirpCentiDbm: 3000,
  txPowerStepsCentiDb: stepsOf2Db(15),
  maxAdrDataRate: 5,
  cfListType: 1,
  channelMask: 'banks72',
  txParamSetup: true,
  dwellAtStart: { uplink: true, downlink: false },
  beacon: { dataRate: 8, frequenciesHz: eight(923_300_000, 600_000), bytes: 23 },
  pingSlot: { dataRate: 8, frequenciesHz: eight(923_300_000, 600_000) },
  subBands: [
    { minHz: 915_000_000, maxHz: 928_000_000, dutyCyclePpm: 1_000_000, maxEirpCentiDbm: 3000 },
  ],
};
