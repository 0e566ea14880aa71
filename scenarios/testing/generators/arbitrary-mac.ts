/** LoRaWAN versions, time, link checks, status and MAC requests of generated worlds. */
import * as fc from 'fast-check';
import { LORAWAN_VERSIONS } from '../../../sim/lorawan/versions.ts';
import { answerRules } from './arbitrary-answers.ts';

const MINUTE_US = 60_000_000;

/** What a device type may say of its MAC and its answers; any of it may be absent. */
export const macTypeParts = fc.record(
  {
    lorawan: fc.constantFrom(...LORAWAN_VERSIONS),
    timeSyncEveryUs: fc.integer({ min: MINUTE_US, max: 30 * MINUTE_US }),
    linkCheckEvery: fc.integer({ min: 1, max: 6 }),
    rejoinType1EveryUs: fc.integer({ min: MINUTE_US, max: 10 * MINUTE_US }),
    answers: answerRules,
  },
  { requiredKeys: [] },
);

export const macServerParts = fc.record(
  {
    lorawan: fc.constantFrom('1.1' as const, '1.0' as const),
    devStatusEveryUs: fc.integer({ min: MINUTE_US, max: 30 * MINUTE_US }),
    adrAlgorithm: fc.constantFrom('semtech' as const, 'tts' as const),
  },
  { requiredKeys: [] },
);

/** Runs of requests by what they ask, and what is refused as no run of whole commands. */
export const macRequests = fc.constantFrom(
  // DevStatusReq, that many that the answers need FPort 0.
  '06',
  '060606060606',
  // ADRParamSetupReq: from 8 uplinks without an answer on, every 4; later.
  '0c32',
  '060c65',
  // RejoinParamSetupReq; ForceRejoinReq of types 0 and 2.
  '0ff0',
  '0e0301',
  '0e2300',
  // RXTimingSetupReq of 15 s, and of 0, which means 1 s.
  '080f',
  '0800',
  // RXParamSetupReq: RX2 at 869.525 MHz, DR3 after an offset of 1; offset 7, RX2 at 923.3 MHz, DR8.
  '0513d2ad84',
  '0578e8e28c',
  // NewChannelReq of 868.9 MHz as channel 7, DlChannelReq of channel 0 to it.
  '070788958450',
  '0a00889584',
  // LinkADRReq: all channels, five groups of eight and their wide ones, the first bank; keep else.
  '03ff000160',
  '03ff1f0051',
  '03ffffff01',
  // TxParamSetupReq without and with dwell time limits, DutyCycleReq of 1/8.
  '0905',
  '0935',
  '0403',
  // Commands of vendors, alone and behind one of the standard; one that nobody has; one cut short.
  '80',
  'ff',
  '0680aa',
  '14',
  '03',
);
