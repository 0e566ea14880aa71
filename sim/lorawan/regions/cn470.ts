/**
 * CN470-510, the plan of 96 uplink channels from before RP002's 20 and 26 MHz plans (RP002-1.0.1
 * payload sizes).
 */
import {
  eight,
  fsk50,
  lora,
  type RegionalPlan,
  RX1_MINUS_OFFSET,
  stepsOf2Db,
} from '../regional-plan.ts';

export const CN470: RegionalPlan = {
  name: 'CN470',
  // DR0 carries no MACPayload.
  dataRates: [
    lora(12, 125_000, 0),
    lora(11, 125_000, 31),
    lora(10, 125_000, 94),
    lora(9, 125_000, 192),
    lora(8, 125_000, 250),
    lora(7, 125_000, 250),
    lora(7, 500_000, 250),
    fsk50,
  ],
  uplinkChannels: [
    { firstHz: 470_300_000, stepHz: 200_000, count: 96, minDataRate: 0, maxDataRate: 5 },
  ],
  maxUplinkChannels: 96,
  downlinkChannels: { firstHz: 500_300_000, stepHz: 200_000, count: 48 },
  join: { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 },
  rx1DataRates: RX1_MINUS_OFFSET.slice(0, 6),
  rx2: { frequencyHz: 505_300_000, dataRate: 0 },
  maxEirpCentiDbm: 1900,
  txPowerStepsCentiDb: stepsOf2Db(8),
  maxAdrDataRate: 5,
  cfListType: 1,
  channelMask: 'banks96',
  txParamSetup: false,
  dwellAtStart: { uplink: false, downlink: false },
  beacon: { dataRate: 2, frequenciesHz: eight(508_300_000, 200_000), bytes: 19 },
  pingSlot: { dataRate: 2, frequenciesHz: eight(508_300_000, 200_000) },
  subBands: [
    { minHz: 470_000_000, maxHz: 510_000_000, dutyCyclePpm: 1_000_000, maxEirpCentiDbm: 1900 },
  ],
};
