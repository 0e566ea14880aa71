/** Captures for Wireshark: pcap files of LoRaTap frames (linktype 270, header version 0 or 1). */
import { assert } from '../../sim/base/assert.ts';

export interface CapturedFrame {
  /** µs since 1970, UTC; before 2106. */
  readonly atUnixUs: number;
  readonly frequencyHz: number;
  readonly bandwidthHz: number;
  /** 7…12; 0 for FSK. */
  readonly spreadingFactor: number;
  /** Whole dBm, −139…115; absent where nobody measured it. */
  readonly rssiDbm?: number | undefined;
  /** 1/100 dB, −3200…3175; rounded to quarters of a dB. 0 when absent. */
  readonly snrCentiDb?: number | undefined;
  /** Maximum and current RSSI are written as not measured, and not as the packet's. */
  readonly onlyPacketRssi?: boolean;
  /** A class B beacon: no LoRaWAN frame, and sent with an implicit header. */
  readonly isBeacon?: boolean;
  /** In header version 1 only; uplinks have a payload CRC, downlinks inverted IQ. */
  readonly direction?: 'up' | 'down';
  /** 16 hexadecimal digits; zeros when no gateway is meant. */
  readonly gatewayEui?: string;
  /** The gateway's counter, µs modulo 2^32. */
  readonly counterUs?: number;
  /** IF channel of the gateway, from 0. */
  readonly channel?: number;
  /** Without payload CRC; at most 255 bytes. */
  readonly phyPayload: Uint8Array;
}

const LINKTYPE_LORATAP = 270;
const SNAPSHOT_BYTES = 65_535;
const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
/** Bytes of the header by its version. */
const LORATAP_BYTES = [15, 35] as const;
export type LoRaTapVersion = 0 | 1;
/** Header version 1. */
const FLAG_IQ_INVERTED = 0x02;
const FLAG_IMPLICIT_HEADER = 0x04;
const FLAG_CRC_OK = 0x08;
const FLAG_NO_CRC = 0x20;
/** LoRaWAN sends with coding rate 4/5. */
const CODING_RATE = 5;
/** Public networks; Wireshark dissects no other frames as LoRaWAN. */
const SYNC_WORD = 0x34;
/** Beacons have the same one; it is left unset, so that Wireshark does not read them as LoRaWAN. */
const NO_SYNC_WORD = 0;
const BANDWIDTH_STEP_HZ = 125_000;
/** RSSI 0 of the header is −139 dBm. */
const RSSI_OFFSET_DB = 139;
const NOT_MEASURED = 255;
const SECOND_US = 1_000_000;

/** What a capture begins with: 24 bytes, little-endian, times in µs (libpcap file format 2.4). */
export function pcapFileHeader(): Uint8Array {
  const bytes = new Uint8Array(FILE_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xa1b2c3d4, true);
  view.setUint16(4, 2, true);
  view.setUint16(6, 4, true);
  view.setUint32(16, SNAPSHOT_BYTES, true);
  view.setUint32(20, LINKTYPE_LORATAP, true);
  return bytes;
}

/** One frame of a capture: record header, LoRaTap header (big-endian), PHYPayload. */
export function pcapRecord(frame: CapturedFrame, version: LoRaTapVersion = 0): Uint8Array {
  const { atUnixUs, phyPayload } = frame;
  assert(atUnixUs >= 0 && atUnixUs < 0x1_0000_0000 * SECOND_US, 'a capture ends before 2106');
  assert(phyPayload.length <= 255, 'a LoRa frame has at most 255 bytes');
  const header = LORATAP_BYTES[version];
  const captured = header + phyPayload.length;
  const bytes = new Uint8Array(RECORD_HEADER_BYTES + captured);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(atUnixUs / SECOND_US), true);
  view.setUint32(4, Math.floor(atUnixUs % SECOND_US), true);
  view.setUint32(8, captured, true);
  view.setUint32(12, captured, true);
  const tap = new DataView(bytes.buffer, RECORD_HEADER_BYTES);
  writeLoRaTap(tap, frame, version);
  if (version === 1) writeVersion1(tap, frame);
  bytes.set(phyPayload, RECORD_HEADER_BYTES + header);
  return bytes;
}

/**
 * Fields of both versions. Packet, maximum and current RSSI are all given the packet's, since
 * Wireshark shows the code for "not measured" as 116 dBm.
 */
function writeLoRaTap(header: DataView, frame: CapturedFrame, version: LoRaTapVersion): void {
  const { frequencyHz, bandwidthHz, spreadingFactor, rssiDbm, snrCentiDb = 0 } = frame;
  header.setUint8(0, version);
  header.setUint16(2, LORATAP_BYTES[version]);
  header.setUint32(4, frequencyHz);
  header.setUint8(8, Math.floor(bandwidthHz / BANDWIDTH_STEP_HZ));
  header.setUint8(9, spreadingFactor);
  const rssi = rssiDbm === undefined ? NOT_MEASURED : rssiDbm + RSSI_OFFSET_DB;
  assert(rssi >= 0 && rssi <= NOT_MEASURED, 'RSSI lies in −139…116 dBm');
  const others = frame.onlyPacketRssi === true ? NOT_MEASURED : rssi;
  header.setUint8(10, rssi);
  for (const at of [11, 12]) header.setUint8(at, others);
  const snrQuarters = Math.round(snrCentiDb / 25);
  assert(snrQuarters >= -128 && snrQuarters <= 127, 'SNR lies in −32…31.75 dB');
  header.setInt8(13, snrQuarters);
  header.setUint8(14, frame.isBeacon === true ? NO_SYNC_WORD : SYNC_WORD);
}

/** Version 1: gateway, counter, flags, coding rate, IF channel; RF chain and tag stay 0. */
function writeVersion1(header: DataView, frame: CapturedFrame): void {
  const { gatewayEui = NO_EUI, counterUs = 0, channel = 0 } = frame;
  header.setBigUint64(15, BigInt(`0x${gatewayEui}`));
  header.setUint32(23, counterUs % 0x1_0000_0000);
  header.setUint8(27, flagsOf(frame));
  header.setUint8(28, CODING_RATE);
  header.setUint8(31, channel);
}

/** A beacon has no inverted IQ (RP002-1.0.4 §2); its missing CRC has no flag either. */
function flagsOf({ isBeacon = false, direction = 'up' }: CapturedFrame): number {
  if (isBeacon) return FLAG_IMPLICIT_HEADER;
  return direction === 'up' ? FLAG_CRC_OK : FLAG_IQ_INVERTED | FLAG_NO_CRC;
}

const NO_EUI = '0000000000000000';

// ── keys ─────────────────────────────────────────────────────────────────────────────────────────

const NO_APP_EUI = '0000000000000000';
const NO_DEV_ADDR = '00000000';

/**
 * A line of Wireshark's `encryption_keys_lorawan` for a session of a device or a group. `devAddr`
 * is 8 hexadecimal digits in the order of the air (least significant byte first), as in FHDR.
 */
export function sessionKeysLine(devAddr: string, nwkSKey: string, appSKey: string): string {
  assert(devAddr.length === 8, 'a DevAddr has 8 digits');
  return `"${devAddr}","${nwkSKey}","${appSKey}","${NO_APP_EUI}"\n`;
}

/**
 * A line of it for join requests. `joinEui` is 16 hexadecimal digits in the order of the air, as in
 * the join request.
 */
export function joinKeyLine(joinEui: string, appKey: string): string {
  assert(joinEui.length === 16, 'a JoinEUI has 16 digits');
  return `"${NO_DEV_ADDR}","${appKey}","${appKey}","${joinEui}"\n`;
}
