/** LoRaWAN 1.0.4 and 1.1 §6.2: join requests, join accepts, and the session keys that follow. */
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import {
  decodeJoinAccept,
  decodeJoinRequest,
  encodeJoinAccept,
  encodeJoinRequest,
  type JoinAccept,
  type JoinAcceptKeys,
} from '../../sim/lorawan/join.ts';
import { deriveJoinServerKeys, deriveSessionKeys } from '../../sim/lorawan/keys.ts';
import { vectors } from '../support/vectors.ts';

interface JoinRow {
  name: string;
  type: 'JoinRequest' | 'JoinAccept 1.0.x' | 'JoinAccept 1.1';
  phyPayload: string;
  joinEui: string;
  devEui: string;
  devNonce: number;
  key: string;
  appKey: string;
  nwkKey: string;
  joinNonce: number;
  netId: string;
  devAddr: string;
  dlSettings: number;
  rxDelay: number;
  cfList: string;
  joinReqTypeInMic: number;
  jsIntKey: string;
  jsEncKey: string;
  session: Record<string, string>;
}

const rows = vectors<{ joins: JoinRow[] }>('frames').joins;
const requests = rows.filter((row) => row.type === 'JoinRequest');
const accepts = rows.filter((row) => row.type !== 'JoinRequest');

function acceptOf(row: JoinRow): JoinAccept {
  return {
    joinNonce: row.joinNonce,
    netId: Number.parseInt(row.netId, 16),
    devAddr: Number.parseInt(row.devAddr, 16),
    optNeg: row.dlSettings >= 128,
    rx1DrOffset: (row.dlSettings >> 4) & 7,
    rx2DataRate: row.dlSettings & 15,
    rxDelay: row.rxDelay,
    cfList: row.cfList === '' ? undefined : fromHex(row.cfList),
  };
}

function keysOf(row: JoinRow): JoinAcceptKeys {
  if (row.type === 'JoinAccept 1.0.x') return { version: '1.0', appKey: row.appKey };
  return {
    version: '1.1',
    encryptionKey: row.nwkKey,
    jsIntKey: row.jsIntKey,
    joinReqType: row.joinReqTypeInMic,
    joinEui: row.joinEui,
    devNonce: row.devNonce,
  };
}

const hexValues = (keys: object): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, toHex(key)]));

describe.each(requests)('$name', (row) => {
  const { devNonce } = row;
  const request = {
    joinEui: row.joinEui.toUpperCase(),
    devEui: row.devEui.toUpperCase(),
    devNonce,
  };

  it('is encoded and decoded', () => {
    expect(toHex(encodeJoinRequest(request, row.key))).toBe(row.phyPayload);
    const decoded = decodeJoinRequest(fromHex(row.phyPayload), row.key);
    expect(decoded).toEqual({ ok: true, value: { ...request, micOk: true } });
  });

  it('fails its MIC under another key', () => {
    const other = decodeJoinRequest(fromHex(row.phyPayload), '0'.repeat(32));
    expect(other).toMatchObject({ ok: true, value: { micOk: false } });
  });
});

describe.each(accepts)('$name', (row) => {
  it('is encoded and decoded', () => {
    expect(toHex(encodeJoinAccept(acceptOf(row), keysOf(row)))).toBe(row.phyPayload);
    const decoded = decodeJoinAccept(fromHex(row.phyPayload), keysOf(row));
    expect(decoded).toEqual({ ok: true, value: { ...acceptOf(row), micOk: true } });
  });

  it('gives the session its keys', () => {
    const { joinNonce, devNonce, appKey } = row;
    const keys =
      row.type === 'JoinAccept 1.0.x'
        ? deriveSessionKeys({
            version: '1.0',
            appKey,
            joinNonce,
            netId: Number.parseInt(row.netId, 16),
            devNonce,
          })
        : deriveSessionKeys({
            version: '1.1',
            appKey,
            nwkKey: row.nwkKey,
            joinNonce,
            joinEui: row.joinEui,
            devNonce,
          });
    expect(hexValues(keys)).toEqual(row.session);
  });

  it('fails its MIC when a byte of it is changed', () => {
    const spoilt = fromHex(row.phyPayload);
    spoilt[spoilt.length - 1]! ^= 1;
    expect(decodeJoinAccept(spoilt, keysOf(row))).toMatchObject({ value: { micOk: false } });
  });
});

describe('a join', () => {
  it('of a 1.1 device has keys for its join server', () => {
    const row = accepts.find((each) => each.type === 'JoinAccept 1.1')!;
    expect(hexValues(deriveJoinServerKeys(row.nwkKey, row.devEui))).toEqual({
      jsIntKey: row.jsIntKey,
      jsEncKey: row.jsEncKey,
    });
  });

  it('is refused at every other length and type', () => {
    const request = fromHex(requests[0]!.phyPayload);
    const accept = fromHex(accepts[0]!.phyPayload);
    for (let length = 0; length < 40; length++) {
      const cut = (bytes: Uint8Array): Uint8Array => {
        const copy = new Uint8Array(length);
        copy.set(bytes.subarray(0, length));
        return copy;
      };
      expect(decodeJoinRequest(cut(request)).ok).toBe(length === 23);
      expect(decodeJoinAccept(cut(accept), keysOf(accepts[0]!)).ok).toBe(
        length === 17 || length === 33,
      );
    }
    request[0] = 0x40;
    accept[0] = 0x40;
    expect(decodeJoinRequest(request)).toMatchObject({ failure: { code: 'frame.malformed' } });
    expect(decodeJoinAccept(accept, keysOf(accepts[0]!)).ok).toBe(false);
  });
});
