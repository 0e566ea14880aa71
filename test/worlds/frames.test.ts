/**
 * Every kind of frame that a world really sends, read by another implementation (lora-packet): its
 * integrity code is good, and it says what the trace says.
 */
import { createRequire } from 'node:module';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import type { TraceRow, UplinkBegins } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, type Trace, watch } from '../support/small-network.ts';

const { decrypt, decryptJoinAccept, fromWire, generateSessionKeys10, verifyMIC } = createRequire(
  import.meta.url,
)('lora-packet') as typeof lora.default;

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const appKeyOf = (number: number): string => `${number}`.padStart(32, '5a');

/** Twelve devices that join, are asked to change their data rate, acknowledge and are answered. */
function busyNetwork(
  frames: NetworkPlan['frames'],
  uplinkChannelsHz: readonly number[],
): NetworkPlan {
  const network = networkOf({
    frames,
    devices: 12,
    gatewaysAt: [300, 600],
    type: {
      activation: 'otaa',
      dataRate: { from: 'join' },
      adr: true,
      nbTrans: 2,
      answers: [],
    },
    traffic: { confirmedPpm: 300_000, jitterPpm: 200_000, meanUs: 2 * MINUTE_US },
    server: { adr: true, netId: 0x13, rx1DelayS: 3, rx1DrOffset: 1, rx2DataRate: 3 },
  });
  const devices = network.devices.map((device, i) => ({ ...device, appKey: appKeyOf(i + 1) }));
  return { ...network, devices, uplinkChannelsHz };
}

const PAYLOADS = ['', '01', 'c0ffee', '00112233445566778899aabbccddeeff0011'];

/** Downlinks for every device, some of them confirmed. */
const downlinks: readonly TimedCommand[] = Array.from({ length: 60 }, (_, i) => ({
  atUs: (i + 10) * 2 * MINUTE_US,
  command: {
    kind: 'downlink.enqueue',
    by: 'default',
    devEui: eui('02', 1 + (i % 12)),
    fPort: 1 + i,
    payloadHex: PAYLOADS[i % PAYLOADS.length],
    confirmed: i % 3 === 0,
  },
}));

interface Keys {
  readonly nwkSKey: Buffer;
  readonly appSKey: Buffer;
}

/** Reads a trace as an eavesdropper who knows the root keys only. */
class Reader {
  readonly seen = new Map<string, number>();
  readonly payloads: string[] = [];
  readonly #euis = new Map<string, string>();
  readonly #requests = new Map<string, ReturnType<typeof fromWire>>();
  readonly #pending = new Map<string, Keys>();
  readonly #sessions = new Map<string, Keys>();

  read(row: TraceRow): void {
    if (row.kind === 'deviceStarts') this.#euis.set(row.device, row.devEui);
    if (row.kind === 'uplinkBegins' && row.purpose === 'join') this.#joinRequest(row);
    if (row.kind === 'uplinkBegins' && row.purpose === 'data') this.#uplink(row);
    if (row.kind === 'downlinkPlanned' && row.purpose === 'join') this.#joinAccept(row);
    if (row.kind === 'downlinkPlanned' && row.purpose === 'data') this.#downlink(row);
    if (row.kind === 'deviceReceives' && row.purpose === 'join') {
      const devEui = this.#euis.get(row.device)!;
      this.#sessions.set(devEui, this.#pending.get(devEui)!);
    }
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  #appKey(devEui: string): Buffer {
    return hex(appKeyOf(Number.parseInt(devEui.slice(2), 16)));
  }

  #joinRequest({ device, phyPayload, counter }: UplinkBegins): void {
    const packet = fromWire(hex(phyPayload));
    const devEui = this.#euis.get(device)!;
    expect(packet.isJoinRequestMessage()).toBe(true);
    expect(packet.DevEUI!.toString('hex').toUpperCase()).toBe(devEui);
    expect(packet.DevNonce!.readUInt16BE()).toBe(counter);
    expect(verifyMIC(packet, undefined, this.#appKey(devEui))).toBe(true);
    this.#requests.set(devEui, packet);
    this.#count('join request');
  }

  #joinAccept(row: Extract<TraceRow, { kind: 'downlinkPlanned' }>): void {
    const appKey = this.#appKey(row.devEui);
    const packet = fromWire(decryptJoinAccept(fromWire(hex(row.phyPayload)), appKey));
    expect(packet.isJoinAcceptMessage()).toBe(true);
    expect(verifyMIC(packet, undefined, appKey)).toBe(true);
    expect(packet.JoinNonce.readUIntBE(0, 3)).toBe(row.counter);
    expect(packet.NetID!.readUIntBE(0, 3)).toBe(0x13);
    expect(packet.getDLSettingsRxOneDRoffset()).toBe(1);
    expect(packet.getDLSettingsRxTwoDataRate()).toBe(3);
    expect(packet.getRxDelayDel()).toBe(3);
    const { DevNonce } = this.#requests.get(row.devEui)!;
    const keys = generateSessionKeys10(appKey, packet.NetID!, packet.AppNonce!, DevNonce!);
    this.#pending.set(row.devEui, { nwkSKey: keys.NwkSKey, appSKey: keys.AppSKey });
    this.#count(packet.CFList!.length === 16 ? 'join accept with CFList' : 'join accept');
  }

  #uplink(row: UplinkBegins): void {
    const packet = fromWire(hex(row.phyPayload));
    const { nwkSKey, appSKey } = this.#sessions.get(this.#euis.get(row.device)!)!;
    expect({ nwkSKey: nwkSKey.toString('hex'), appSKey: appSKey.toString('hex') }).toEqual(
      row.keys,
    );
    expect(packet.getDir()).toBe('up');
    expect(packet.isConfirmed()).toBe(row.confirmed);
    expect(packet.getFCnt()).toBe(row.counter & 0xffff);
    expect(packet.getFPort()).toBe(7);
    expect(verifyMIC(packet, nwkSKey)).toBe(true);
    this.payloads.push(decrypt(packet, appSKey, nwkSKey).toString('hex'));
    this.#count(row.confirmed ? 'confirmed uplink' : 'unconfirmed uplink');
    if (packet.FOpts!.length > 0) this.#count(`FOpts up ${packet.FOpts![0]}`);
    if (packet.getFCtrlACK()) this.#count('uplink with ACK');
    expect(packet.getFCtrlADR()).toBe(true);
  }

  #downlink(row: Extract<TraceRow, { kind: 'downlinkPlanned' }>): void {
    const packet = fromWire(hex(row.phyPayload));
    const { nwkSKey, appSKey } = this.#sessions.get(row.devEui)!;
    expect(packet.getDir()).toBe('down');
    expect(packet.getFCnt()).toBe(row.counter & 0xffff);
    expect(verifyMIC(packet, nwkSKey)).toBe(true);
    if (packet.getFCtrlACK()) this.#count('downlink with ACK');
    if (packet.FOpts!.length > 0) {
      expect(packet.FOpts![0]).toBe(0x03);
      expect(packet.FOpts).toHaveLength(5);
      this.#count('LinkADRReq');
    }
    if (packet.getFPort() === null) return;
    expect(decrypt(packet, appSKey, nwkSKey).toString('hex')).toBe(
      PAYLOADS[(packet.getFPort()! - 1) % PAYLOADS.length],
    );
    this.#count(packet.isConfirmed() ? 'confirmed payload' : 'unconfirmed payload');
  }
}

function readAll(trace: Trace): Reader {
  const reader = new Reader();
  for (const row of trace.rows) reader.read(row);
  return reader;
}

describe('frames that are really sent', () => {
  const reader = readAll(watch(busyNetwork('real', []), 4 * HOUR_US, downlinks));

  it.each([
    'join request',
    'join accept',
    'confirmed uplink',
    'unconfirmed uplink',
    'FOpts up 3',
    'uplink with ACK',
    'downlink with ACK',
    'LinkADRReq',
    'confirmed payload',
    'unconfirmed payload',
  ])('are good and say what the trace says: %s', (kind) => {
    expect(reader.seen.get(kind)).toBeGreaterThan(10);
  });

  it('carry channels beyond the default ones in a join accept', () => {
    const channels = [868.1e6, 868.3e6, 868.5e6, 867.1e6, 867.3e6];
    const more = readAll(watch(busyNetwork('real', channels), HOUR_US));
    expect(more.seen.get('join accept with CFList')).toBeGreaterThan(10);
    expect(more.seen.get('unconfirmed uplink')).toBeGreaterThan(100);
  });

  it('hide the payload that counted frames show', () => {
    const { rows } = watch(busyNetwork('counted', []), 4 * HOUR_US, downlinks);
    const clear = rows.flatMap((row) =>
      row.kind === 'uplinkBegins' && row.purpose === 'data'
        ? [fromWire(hex(row.phyPayload)).FRMPayload!.toString('hex')]
        : [],
    );
    expect(clear).toEqual(reader.payloads);
    expect(clear.length).toBeGreaterThan(1000);
  });
});
