/** Captures of a run for Wireshark: a file a gateway, one of all the air, and the keys. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CapturedFrame,
  joinKeyLine,
  type LoRaTapVersion,
  pcapFileHeader,
  pcapRecord,
  sessionKeysLine,
} from '../../../reports/trace/pcap.ts';
import { assert } from '../../../sim/base/assert.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import type {
  DownlinkPlanned,
  Observer,
  RadioSignal,
  SessionKeysRow,
  TraceRow,
  UplinkBegins,
  UplinkEnds,
} from '../../../sim/observation/observer.ts';
import { noiseFloorCentiDbm } from '../../../sim/radio/power.ts';
import { makeFolder } from '../process/make-folder.ts';
import { namingFile } from '../process/system-error.ts';

/** Where Wireshark looks for keys in its configuration folder. */
export const KEYS_FILE = 'encryption_keys_lorawan';
/** Everything on the air, each frame once. */
const AIR_FILE = 'air.pcap';

/** What of a run a capture must know. */
export interface CaptureStart {
  /** UTC instant of virtual time zero, ms since 1970. */
  readonly startUnixMs: number;
  readonly noiseFigureDb: number;
  /** Version of the LoRaTap header; 0 when absent. */
  readonly version?: LoRaTapVersion;
  /** Keys of frames that are too long for Wireshark are written all the same. */
  readonly allKeys?: boolean;
}

/**
 * From this FRMPayload on Wireshark 4.0 takes a good integrity code for a bad one when it has the
 * keys. From 240 bytes on it crashes: its buffer for decryption is too short. Without keys it reads
 * such frames as it does others.
 */
const TOO_LONG_FOR_WIRESHARK_BYTES = 238;

/** A receiver does not report more than this, 1/100 dB. */
const HIGHEST_SNR_CENTI_DB = 1_000;
/** What the header can say. */
const RSSI_DBM = { least: -139, most: 115 };
const LOWEST_SNR_CENTI_DB = -3_200;

/**
 * Writes while the world runs; in memory are only frames not yet on the air, on the air, or not yet
 * worth a write. A frame is stamped with its end. A frame that never leaves the air, because its
 * device is removed or the run ends, is in no capture.
 */
export class PcapFiles implements Observer {
  /** Paths, in the order in which they were made. */
  readonly paths: string[] = [];
  readonly #folder: string;
  readonly #start: CaptureStart;
  readonly #keys: AppendedFile;
  readonly #air: AppendedFile;
  readonly #gateways = new Map<string, AppendedFile>();
  readonly #gatewayEuis = new Map<string, string>();
  /** By device: NwkKey in LoRaWAN 1.1, whose joins it secures, else AppKey. */
  readonly #joinKeys = new Map<string, string>();
  /** Lines of the keys file, each with its DevAddr; none for a join key. */
  readonly #known = new Map<string, string>();
  /** DevAddr whose frames are too long for Wireshark. */
  readonly #tooLong = new Set<string>();
  /** By device. */
  readonly #uplinks = new Map<string, UplinkBegins>();
  /** By gateway, then by number of the downlink. */
  readonly #planned = new Map<string, Map<number, DownlinkPlanned>>();
  readonly #sending = new Map<string, DownlinkPlanned>();

  /** Makes the folder, and creates or empties its files. */
  constructor(folder: string, start: CaptureStart) {
    this.#folder = folder;
    this.#start = start;
    makeFolder(folder);
    this.#keys = this.#create(KEYS_FILE, new Uint8Array(0));
    this.#air = this.#create(AIR_FILE, pcapFileHeader());
  }

  trace(row: TraceRow): void {
    switch (row.kind) {
      case 'deviceStarts':
        this.#joinKeys.set(row.device, row.nwkKey ?? row.appKey);
        return;
      case 'deviceRemoved':
        this.#joinKeys.delete(row.device);
        this.#uplinks.delete(row.device);
        return;
      case 'gatewayStarts':
        this.#gatewayEuis.set(row.gateway, row.eui);
        // A gateway that returns appends to its file.
        this.#planned.set(row.gateway, new Map());
        if (this.#gateways.has(row.gateway)) return;
        this.#gateways.set(
          row.gateway,
          this.#create(this.#fileNameOf(row.gateway), pcapFileHeader()),
        );
        return;
      case 'gatewayRemoved':
        this.#planned.get(row.gateway)?.clear();
        return;
      case 'uplinkBegins':
        this.#uplinks.set(row.device, row);
        return;
      case 'uplinkEnds':
        return this.#onUplinkEnds(row);
      case 'downlinkPlanned':
        return this.#onPlanned(row);
      case 'downlinkRefused':
        this.#planned.get(row.gateway)?.delete(row.downlink);
        return;
      case 'downlinkBegins':
        return this.#onDownlinkBegins(row.gateway, row.downlink);
      case 'downlinkEnds':
        return this.#onDownlinkEnds(row.gateway, row.downlink, row.atUs);
    }
  }

  /** Addresses of devices and groups whose keys are left out of the keys file. */
  get addressesLeftOut(): number {
    return this.#tooLong.size;
  }

  /** Writes what is not written yet; keys that turned out to do harm are taken out. */
  close(): void {
    if (this.#tooLong.size > 0) {
      const good = [...this.#known].filter(([, devAddr]) => !this.#tooLong.has(devAddr));
      this.#keys.replace(Buffer.from(good.map(([line]) => line).join('')));
    }
    for (const file of [this.#keys, this.#air, ...this.#gateways.values()]) file.flush();
  }

  /** A file of its own for each gateway, whatever characters its name has. */
  #fileNameOf(gateway: string): string {
    const plain = `gateway-${gateway.replace(/[^\p{L}\p{N} ._-]/gu, '_')}`;
    const isTaken = (name: string) => this.paths.includes(join(this.#folder, `${name}.pcap`));
    let name = plain;
    for (let number = 2; isTaken(name); number++) name = `${plain}-${number}`;
    return `${name}.pcap`;
  }

  #create(name: string, head: Uint8Array): AppendedFile {
    const path = join(this.#folder, name);
    this.paths.push(path);
    return new AppendedFile(path, head);
  }

  // ── up ─────────────────────────────────────────────────────────────────────────────────────────

  #onUplinkEnds({ device, atUs, gateways }: UplinkEnds): void {
    const uplink = this.#uplinks.get(device);
    assert(uplink !== undefined, 'an uplink that ends has begun');
    this.#uplinks.delete(device);
    this.#keepUplinkKeys(uplink);
    const frame = this.#frameOf(uplink, uplink.phyPayload, atUs, 'up');
    this.#air.append(this.#record(frame));
    const noise = noiseFloorCentiDbm(uplink.bandwidthHz, this.#start.noiseFigureDb);
    for (const { gateway, rssiCentiDbm, fate } of gateways) {
      if (fate !== 'received') continue;
      const { least, most } = RSSI_DBM;
      const rssiDbm = Math.min(Math.max(Math.round(rssiCentiDbm / 100), least), most);
      const snr = Math.min(
        Math.max(rssiCentiDbm - noise, LOWEST_SNR_CENTI_DB),
        HIGHEST_SNR_CENTI_DB,
      );
      const at = this.#atGateway(gateway, atUs);
      const heard = this.#record({ ...frame, ...at, rssiDbm, snrCentiDb: snr });
      this.#fileOf(gateway).append(heard);
    }
  }

  #keepUplinkKeys({ purpose, device, phyPayload, keys }: UplinkBegins): void {
    if (purpose === 'data') return this.#keepSession(phyPayload, keys);
    const joinKey = this.#joinKeys.get(device);
    assert(joinKey !== undefined, 'a device that joins has started');
    // MHDR, then JoinEUI.
    this.#keepLine(joinKeyLine(phyPayload.slice(2, 18), joinKey), '');
  }

  // ── down ───────────────────────────────────────────────────────────────────────────────────────

  #onPlanned(row: DownlinkPlanned): void {
    const planned = this.#planned.get(row.gateway);
    assert(planned !== undefined, 'a gateway that is to send has started');
    // What was lost on the way to the gateway is neither sent nor refused.
    for (const [number, { startsAtUs }] of planned) {
      if (startsAtUs >= row.atUs) break;
      planned.delete(number);
    }
    planned.set(row.downlink, row);
  }

  #onDownlinkBegins(gateway: string, downlink: number): void {
    const row = this.#planned.get(gateway)?.get(downlink);
    assert(row !== undefined, 'a downlink that begins was planned');
    this.#planned.get(gateway)?.delete(downlink);
    this.#sending.set(`${gateway} ${downlink}`, row);
  }

  #onDownlinkEnds(gateway: string, downlink: number, atUs: number): void {
    const key = `${gateway} ${downlink}`;
    const row = this.#sending.get(key);
    assert(row !== undefined, 'a downlink that ends has begun');
    this.#sending.delete(key);
    if (row.purpose !== 'join') this.#keepSession(row.phyPayload, row.keys);
    const isBeacon = row.purpose === 'beacon';
    const frame = { ...this.#frameOf(row, row.phyPayload, atUs, 'down'), isBeacon };
    this.#air.append(this.#record(frame));
    const sent = this.#record({ ...frame, ...this.#atGateway(gateway, atUs) });
    this.#fileOf(gateway).append(sent);
  }

  // ── both ───────────────────────────────────────────────────────────────────────────────────────

  #fileOf(gateway: string): AppendedFile {
    const file = this.#gateways.get(gateway);
    assert(file !== undefined, 'a gateway on the air has started');
    return file;
  }

  #record(frame: CapturedFrame): Uint8Array {
    return pcapRecord(frame, this.#start.version);
  }

  /** A gateway's EUI, and its counter, which has run since the world's start. */
  #atGateway(name: string, atUs: number): { gatewayEui: string; counterUs: number } {
    const gatewayEui = this.#gatewayEuis.get(name);
    assert(gatewayEui !== undefined, 'a gateway on the air has started');
    return { gatewayEui, counterUs: atUs };
  }

  #frameOf(
    signal: RadioSignal,
    phyPayload: string,
    atUs: number,
    direction: 'up' | 'down',
  ): CapturedFrame {
    const { frequencyHz, bandwidthHz, spreadingFactor } = signal;
    const atUnixUs = this.#start.startUnixMs * 1000 + atUs;
    const bytes = fromHex(phyPayload);
    const signalOf = { frequencyHz, bandwidthHz, spreadingFactor };
    return { atUnixUs, ...signalOf, direction, counterUs: atUs, phyPayload: bytes };
  }

  #keepSession(phyPayload: string, keys: SessionKeysRow | undefined): void {
    if (keys === undefined) return;
    // MHDR, then DevAddr.
    const devAddr = phyPayload.slice(2, 10);
    // FRMPayload bytes of a data frame in hexadecimal: without MHDR, FHDR, FPort and MIC.
    const fOptsBytes = Number.parseInt(phyPayload.slice(10, 12), 16) & 15;
    const isTooLong =
      Math.max(0, phyPayload.length / 2 - (1 + 7 + fOptsBytes + 1 + 4)) >=
      TOO_LONG_FOR_WIRESHARK_BYTES;
    if (isTooLong && this.#start.allKeys !== true) this.#tooLong.add(devAddr);
    this.#keepLine(sessionKeysLine(devAddr, keys.nwkSKey, keys.appSKey), devAddr);
  }

  #keepLine(line: string, devAddr: string): void {
    if (this.#known.has(line)) return;
    this.#known.set(line, devAddr);
    if (!this.#tooLong.has(devAddr)) this.#keys.append(Buffer.from(line));
  }
}

/** Bytes that are gathered before they are written. */
const BUFFER_BYTES = 1 << 16;

/** A file that grows. It is open only while it is written, so there may be thousands of them. */
class AppendedFile {
  readonly #path: string;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(path: string, head: Uint8Array) {
    this.#path = path;
    namingFile(path, () => writeFileSync(path, head));
  }

  append(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= BUFFER_BYTES) this.flush();
  }

  /** Begins anew, with this content. */
  replace(content: Uint8Array): void {
    this.#chunks = [];
    this.#bytes = 0;
    namingFile(this.#path, () => writeFileSync(this.#path, content));
  }

  flush(): void {
    if (this.#bytes === 0) return;
    const bytes = Buffer.concat(this.#chunks);
    namingFile(this.#path, () => appendFileSync(this.#path, bytes));
    this.#chunks = [];
    this.#bytes = 0;
  }
}
