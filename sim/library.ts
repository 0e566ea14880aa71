/**
 * The public face `fleetwave/sim`: the LoRaWAN standard and its radio as functions and tables. It
 * is for programs that want a frame, an air time or a coded fragment without running a world. What
 * does not fit is a RangeError that says what would; the source of each figure stands where the
 * house computes it, in sim/lorawan/. `docs/library.md` shows all in use.
 */
export { toHex } from './base/bytes.ts';
export {
  counterAfter,
  type DatagramJson,
  type DatagramName,
  type Departure,
  departureOf,
  type ForwarderDatagram,
} from './gateway/forwarder-datagram.ts';
export {
  fskTimeOnAirUs,
  nextPingSlot,
  pingOffset,
  symbolUs,
  timeOnAirUs,
} from './library/air.ts';
export { fromHex } from './library/bytes.ts';
export { decodeDatagram, encodeDatagram } from './library/datagrams.ts';
export { encodeFragments, FragmentDecoder, parityRow, RankModel } from './library/fragments.ts';
export { type DecodedFrame, decodeFrame, encodeFrame } from './library/frames.ts';
export {
  dataBlockMic,
  deriveDataBlockIntKey,
  deriveMulticastKeys,
  deriveSessionKeys,
  type MulticastGroupKeys,
  type SignedBlock,
} from './library/keys.ts';
export {
  messages,
  type NewFields,
  type PackageMessage,
  readCommands,
} from './library/messages.ts';
export { type AdrDevice, adrDecision, region } from './library/network.ts';
export {
  type Listening,
  type NoisyFrame,
  type OkumuraHata,
  PATH_LOSS_NAMES,
  type PathLossName,
  packetErrorRate,
  pathLossDb,
  type SensitivityName,
  type SirMatrixName,
  sensitivityDbm,
  sirThresholdDb,
  snrFloorDb,
} from './library/radio.ts';
export type { AdrSettings } from './lorawan/adr.ts';
export type { FskFrame, LoRaFrame } from './lorawan/airtime.ts';
export type { PingSlot } from './lorawan/class-b.ts';
export type { FragmentationVersion } from './lorawan/fragmentation-code.ts';
export type {
  DataFrame,
  DataMType,
  FrameControl,
  FrameKeys,
  NewDataFrame,
} from './lorawan/frame-codec.ts';
export type {
  Join10,
  Join11,
  Key,
  MulticastKeys,
  SessionKeys10,
  SessionKeys11,
} from './lorawan/keys.ts';
export { REGION_NAMES, type Region, type RegionName } from './lorawan/region.ts';
