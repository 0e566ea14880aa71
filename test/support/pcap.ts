/** Reads a capture of LoRaTap frames of header version 0, and lines of Wireshark's keys. */

export interface ReadFrame {
  readonly atUnixUs: number;
  readonly frequencyHz: number;
  readonly bandwidthHz: number;
  readonly spreadingFactor: number;
  /** Packet, maximum and current; undefined where the header says that nobody measured it. */
  readonly rssiDbm: readonly (number | undefined)[];
  readonly snrDb: number;
  /** Recognised by sync word 0. */
  readonly isBeacon?: true;
  readonly phyPayload: Uint8Array;
}

/** Throws a sentence at the first byte that is not as the format says. */
export function readPcap(file: Uint8Array): ReadFrame[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  demand(view.getUint32(0, true), 0xa1b2c3d4, 'magic');
  demand(view.getUint16(4, true) * 10 + view.getUint16(6, true), 24, 'version');
  demand(view.getUint32(20, true), 270, 'link type');
  const frames: ReadFrame[] = [];
  for (let at = 24; at < file.length; ) {
    const length = view.getUint32(at + 8, true);
    demand(view.getUint32(at + 12, true), length, 'original length');
    const atUnixUs = view.getUint32(at, true) * 1e6 + view.getUint32(at + 4, true);
    frames.push({ atUnixUs, ...readFrame(file.subarray(at + 16, at + 16 + length), length) });
    at += 16 + length;
  }
  return frames;
}

function readFrame(bytes: Uint8Array, length: number): Omit<ReadFrame, 'atUnixUs'> {
  demand(bytes.length, length, 'bytes of a record');
  const header = new DataView(bytes.buffer, bytes.byteOffset);
  demand(header.getUint32(0), 15, 'LoRaTap version, padding and header length');
  const isBeacon = header.getUint8(14) === 0;
  if (!isBeacon) demand(header.getUint8(14), 0x34, 'sync word');
  const rssi = (at: number) => (bytes[at] === 255 ? undefined : bytes[at]! - 139);
  return {
    frequencyHz: header.getUint32(4),
    bandwidthHz: bytes[8]! * 125_000,
    spreadingFactor: bytes[9]!,
    rssiDbm: [rssi(10), rssi(11), rssi(12)],
    snrDb: header.getInt8(13) / 4,
    phyPayload: bytes.slice(15),
    ...(isBeacon ? { isBeacon } : {}),
  };
}

function demand(actual: number, wanted: number, what: string): void {
  if (actual !== wanted) throw new Error(`${what} is ${actual}, not ${wanted}`);
}

export interface KeyLine {
  /** In the order of the air. */
  readonly devAddr: string;
  readonly nwkSKey: string;
  readonly appSKey: string;
  readonly joinEui: string;
}

/** Lines of `encryption_keys_lorawan`. */
export function readKeys(text: string): KeyLine[] {
  return text.split(/(?<=\n)/).map((line) => {
    const found = /^"([0-9a-f]{8})","([0-9a-f]{32})","([0-9a-f]{32})","([0-9a-f]{16})"\n$/.exec(
      line,
    );
    if (found === null) throw new Error(`no line of keys: ${line}`);
    const [, devAddr, nwkSKey, appSKey, joinEui] = found as unknown as [string, ...string[]];
    return { devAddr: devAddr!, nwkSKey: nwkSKey!, appSKey: appSKey!, joinEui: joinEui! };
  });
}
