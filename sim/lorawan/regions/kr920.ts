/** KR920-923 (RP002-1.0.4 §2.11): listen before talk instead of a duty cycle. */
import {
  DR0_TO_5,
  defaultChannels,
  type RegionalPlan,
  RX1_MINUS_OFFSET,
  stepsOf2Db,
} from '../regional-plan.ts';

export const KR920: RegionalPlan = {
  name: 'KR920',
  dataRates: DR0_TO_5,
  uplinkChannels: defaultChannels(922_100_000, 200_000, 3),
  maxUplinkChannels: 16,
  downlinkChannels: 'asUplink',
  join: { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 },
  rx1DataRates: RX1_MINUS_OFFSET.slice(0, 6),
  rx2: { frequencyHz: 921_900_000, dataRate: 0 },
  maxEirpCentiDbm: 1400,
  txPowerStepsCentiDb: stepsOf2Db(8),
  maxAdrDataRate: 5,
  cfListType: 0,
  channelMask: 'bank16',
  txParamSetup: false,
  dwellAtStart: { uplink: false, downlink: false },
  beacon: { dataRate: 3, frequenciesHz: [923_100_000], bytes: 17 },
  pingSlot: { dataRate: 3, frequenciesHz: [923_100_000] },
  subBands: [
    { minHz: 920_000_000, maxHz: 923_000_000, dutyCyclePpm: 1_000_000, maxEirpCentiDbm: 1615 },
  ],
  listenBeforeTalk: { durationUs: 6_000, levelCentiDbm: -6500 },
};
