/**
 * The public face `fleetwave/sim`: the LoRaWAN standard as functions and literal tables, for
 * programs that want a frame, an air time or a coded fragment without running a world. Every export
 * is documented where it is defined; the source of each figure stands there.
 */
export { type AdrSettings, type AdrUplink, adrDecision } from './lorawan/adr.ts';
export { fskTimeOnAirUs, type LoRaFrame, symbolUs, timeOnAirUs } from './lorawan/airtime.ts';
export { nextPingSlot, type PingSlot, pingOffset } from './lorawan/class-b.ts';
export {
  encodeFragments,
  type FragmentationVersion,
  FragmentDecoder,
  parityRow,
} from './lorawan/fragmentation-code.ts';
export { RankModel } from './lorawan/fragmentation-rank.ts';
export {
  type DataFrame,
  decodeFrame,
  encodeFrame,
  type FrameKeys,
  type NewDataFrame,
} from './lorawan/frame-codec.ts';
export { deriveMulticastKeys, deriveSessionKeys, type Key } from './lorawan/keys.ts';
export { REGION_NAMES, type Region, type RegionName, region } from './lorawan/region.ts';

import { clockSync } from './lorawan/packages/ts003-clock-sync.ts';
import { fragmentation } from './lorawan/packages/ts004-fragmentation.ts';
import { multicastSetup } from './lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from './lorawan/packages/ts006-firmware.ts';

/** Application packages by document and version: `messages.ts004.v1.downlink.DataFragment`. */
export const messages = {
  ts003: { v1: clockSync[1], v2: clockSync[2] },
  ts004: { v1: fragmentation[1], v2: fragmentation[2] },
  ts005: { v1: multicastSetup[1], v2: multicastSetup[2] },
  ts006: { v1: firmwareManagement[1] },
} as const;
