/**
 * Frames that a 1.1 world really sends, read by another implementation (lora-packet): MICs over
 * data rate, channel and acknowledged counter, encrypted FOpts, payloads.
 */
import { createRequire } from 'node:module';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { downlinkCommands, uplinkCommands } from '../../sim/lorawan/mac-commands.ts';
import { readCommands } from '../../sim/lorawan/message.ts';
import type { DownlinkPlanned, UplinkBegins } from '../../sim/observation/observer.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, watch } from '../support/small-network.ts';

const { decrypt, fromWire, verifyMIC } = createRequire(import.meta.url)(
  'lora-packet',
) as typeof lora.default;

const hex = (text = ''): Buffer => Buffer.from(text, 'hex');

const commands: readonly TimedCommand[] = Array.from({ length: 20 }, (_, i) => ({
  atUs: (i + 3) * 5 * MINUTE_US,
  command:
    i % 2 === 0
      ? {
          kind: 'downlink.enqueue',
          by: 'default',
          devEui: eui('02', 1),
          fPort: 5,
          payloadHex: 'c0ffee',
          confirmed: i % 4 === 0,
        }
      : {
          kind: 'mac.request',
          by: 'default',
          devEui: eui('02', 1),
          commandsHex: i % 4 === 1 ? '06' : '06'.repeat(16),
        },
}));

/** ConfFCnt of an uplink as lora-packet takes it, which turns it round. */
const confFCnt = (counter: number): Buffer => Buffer.from([counter >> 8, counter & 255]);

class Reader {
  readonly seen = new Map<string, number>();
  #confirmedUp = 0;
  #confirmedDown = 0;

  uplink(row: UplinkBegins): void {
    const packet = fromWire(hex(row.phyPayload));
    const { nwkSKey, sNwkSIntKey, nwkSEncKey, appSKey } = row.keys!;
    const acknowledged = packet.getFCtrlACK() ? this.#confirmedDown : 0;
    const about = Buffer.concat([
      confFCnt(acknowledged),
      Buffer.from([12 - row.spreadingFactor, row.channel!]),
    ]);
    expect(verifyMIC(packet, hex(nwkSKey), hex(sNwkSIntKey), undefined, about)).toBe(true);
    if (row.confirmed) this.#confirmedUp = row.counter;
    this.#count(packet.getFCtrlACK() ? 'uplink with ACK' : 'uplink');
    this.#commands(packet, uplinkCommands, nwkSEncKey!, 'up');
    if (packet.getFPort() === 7) {
      expect(decrypt(packet, hex(appSKey), hex(nwkSEncKey))).toHaveLength(10);
    }
  }

  downlink(row: DownlinkPlanned): void {
    const packet = fromWire(hex(row.phyPayload));
    const { nwkSKey, sNwkSIntKey, nwkSEncKey, appSKey } = row.keys!;
    const counter = packet.getFCtrlACK() ? this.#confirmedUp : 0;
    const acknowledged = Buffer.from([counter & 255, counter >> 8]);
    const keys = [hex(nwkSKey), hex(sNwkSIntKey)] as const;
    expect(verifyMIC(packet, ...keys, undefined, acknowledged)).toBe(true);
    if (packet.isConfirmed()) this.#confirmedDown = row.counter;
    this.#count(packet.getFCtrlACK() ? 'downlink with ACK' : 'downlink');
    this.#commands(packet, downlinkCommands, nwkSEncKey!, 'down');
    if (packet.getFPort() === 5) {
      expect(decrypt(packet, hex(appSKey), hex(nwkSEncKey)).toString('hex')).toBe('c0ffee');
      this.#count('payload down');
    }
  }

  #commands(
    packet: ReturnType<typeof fromWire>,
    set: typeof uplinkCommands | typeof downlinkCommands,
    nwkSEncKey: string,
    direction: string,
  ): void {
    if (packet.getFPort() === 0) {
      const run = decrypt(packet, undefined, hex(nwkSEncKey));
      expect(readCommands(set, run).unreadBytes).toBe(0);
      this.#count(`FPort 0 ${direction}`);
    } else if (packet.FOpts!.length > 0) {
      const run = packet.decryptFOpts(hex(nwkSEncKey));
      expect(readCommands(set, run).unreadBytes).toBe(0);
      this.#count(`FOpts ${direction}`);
    }
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

describe('frames that a 1.1 session really sends', () => {
  const type = { activation: 'otaa', lorawan: '1.1', nbTrans: 2 } as const;
  const network = networkOf({ frames: 'real', type, traffic: { confirmedPpm: 300_000 } });
  const reader = new Reader();
  for (const row of watch(network, 3 * HOUR_US, commands).rows) {
    if (row.kind === 'uplinkBegins' && row.purpose === 'data') reader.uplink(row);
    if (row.kind === 'downlinkPlanned' && row.purpose === 'data') reader.downlink(row);
  }

  it.each([
    'uplink',
    'uplink with ACK',
    'downlink',
    'downlink with ACK',
    'payload down',
    'FOpts up',
    'FOpts down',
    'FPort 0 up',
    'FPort 0 down',
  ])('are good and say what was meant: %s', (kind) => {
    expect(reader.seen.get(kind)).toBeGreaterThan(2);
  });
});
