/** The Semtech UDP protocol between gateways and servers, datagram by datagram. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATAGRAMS } from '../../sim/gateway/forwarder-datagram.ts';
import {
  counterAfter,
  type DatagramName,
  decodeDatagram,
  departureOf,
  encodeDatagram,
  type ForwarderDatagram,
  fromHex,
  toHex,
} from '../../sim/library.ts';
import { vectors } from '../support/vectors.ts';

interface Row {
  readonly name: string;
  readonly direction: string;
  readonly identifier: number;
  readonly token: string;
  readonly json: Record<string, Record<string, unknown>> | null;
  readonly datagramHex: string;
}

const rows = vectors<{ vectors: Row[] }>('udp').vectors;
const GATEWAY = 'aa555a0000000101';

describe('the datagrams of the vectors', () => {
  it.each(rows)('are read: $name', (row) => {
    const read = decodeDatagram(fromHex(row.datagramHex));
    expect(DATAGRAMS[read.name].id).toBe(row.identifier);
    expect(read.token).toBe(Number.parseInt(row.token, 16));
    expect(read.gatewayEui).toBe(row.direction === 'gateway->server' ? GATEWAY : undefined);
    expect(read.json ?? null).toEqual(row.json);
  });

  it.each(rows)('are written: $name', (row) => {
    const written = encodeDatagram(decodeDatagram(fromHex(row.datagramHex)));
    // A number of JSON may be written in several ways: 100.0 is 100.
    const expected = Buffer.from(row.datagramHex, 'hex').toString('latin1').replace('100.0', '100');
    expect(Buffer.from(written).toString('latin1')).toBe(expected);
  });

  it('carry frames with their size', () => {
    const frames = rows.flatMap(({ json }) => {
      const rxpk = json?.rxpk as unknown as { size: number; data: string }[] | undefined;
      const txpk = json?.txpk as unknown as { size: number; data: string } | undefined;
      return [...(rxpk ?? []), ...(txpk === undefined ? [] : [txpk])];
    });
    expect(frames).toHaveLength(4);
    for (const { size, data } of frames) expect(Buffer.from(data, 'base64')).toHaveLength(size);
  });

  it('answer in RX1 one second after the end of the uplink, immediately, or by GPS time', () => {
    const [uplink] = rows[0]!.json!.rxpk as unknown as { tmst: number }[];
    const departures = rows.flatMap(({ json }) =>
      json?.txpk === undefined ? [] : [departureOf(json.txpk)],
    );
    expect(departures).toEqual([
      { by: 'counter', tmst: counterAfter(uplink!.tmst, 1_000_000) },
      { by: 'now' },
      { by: 'gps', tmms: 1_384_035_228_000 },
    ]);
  });
});

describe('a datagram', () => {
  const names = Object.keys(DATAGRAMS) as DatagramName[];
  const datagrams = fc
    .record({
      name: fc.constantFrom(...names),
      token: fc.nat(0xffff),
      eui: fc.uint8Array({ minLength: 8, maxLength: 8 }).map(toHex),
      content: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 })),
      hasJson: fc.boolean(),
    })
    .map(({ name, token, eui, content, hasJson }): ForwarderDatagram => {
      const row = DATAGRAMS[name];
      const carries = row.json === 'needed' || (row.json === 'allowed' && hasJson);
      // Through JSON once: it knows no negative zero.
      const json = JSON.parse(JSON.stringify(content)) as Record<string, unknown>;
      return {
        name,
        token,
        ...(row.eui ? { gatewayEui: eui } : {}),
        ...(carries ? { json } : {}),
      };
    });

  it('is read as it was written, whatever its text', () => {
    fc.assert(
      fc.property(datagrams, (datagram) => {
        expect(decodeDatagram(encodeDatagram(datagram))).toEqual(datagram);
      }),
    );
  });

  it('that is cut short is refused, or is another one without its object', () => {
    fc.assert(
      fc.property(datagrams, fc.nat(), (datagram, at) => {
        const whole = encodeDatagram(datagram);
        const cut = whole.subarray(0, at % whole.length);
        const headerOnly = cut.length === 12 && datagram.name === 'TX_ACK';
        if (headerOnly) expect(decodeDatagram(cut).json).toBe(undefined);
        else expect(() => decodeDatagram(cut)).toThrow(RangeError);
      }),
    );
  });

  it.each([
    ['0212', '2 bytes are no header'],
    ['01123401', "the protocol's version is 2, not 1"],
    ['02123406', 'there is no datagram 6, but 0 to 5'],
    ['02123402aa', "PULL_DATA has the gateway's EUI of 8 bytes"],
    ['0212340100', 'PUSH_ACK ends after 4 bytes'],
    ['02123403', 'PULL_RESP carries an object'],
    ['021234037b', 'PULL_RESP carries an object in JSON'],
    ['0212340322ff22', 'PULL_RESP carries an object in JSON'],
    ['021234035b5d', 'PULL_RESP carries an object in JSON'],
  ])('is refused with a reason: %s', (hex, reason) => {
    expect(() => decodeDatagram(fromHex(hex))).toThrow(new RangeError(reason));
  });

  it.each([
    [{ name: 'PUSH' as DatagramName, token: 1 }, /^name is one of PUSH_DATA, /],
    [{ name: 'PUSH_ACK', token: 65_536 }, /^token is a whole number from 0 to 65535, not 65536$/],
    [{ name: 'PULL_DATA', token: 1 }, /^PULL_DATA has a gatewayEui$/],
    [{ name: 'PUSH_ACK', token: 1, gatewayEui: GATEWAY }, /^PUSH_ACK has no gatewayEui$/],
    [{ name: 'PULL_DATA', token: 1, gatewayEui: 'aa' }, /^gatewayEui has 16 hexadecimal digits/],
    [{ name: 'PULL_RESP', token: 1 }, /^PULL_RESP carries an object$/],
    [{ name: 'PULL_ACK', token: 1, json: {} }, /^PULL_ACK carries no object$/],
  ] satisfies [ForwarderDatagram, RegExp][])('is not written from %o', (datagram, reason) => {
    expect(() => encodeDatagram(datagram)).toThrow(reason);
  });
});

describe('the counter of a forwarder', () => {
  it('goes around after 2^32 µs', () => {
    expect(counterAfter(0xffff_ffff, 1)).toBe(0);
    expect(counterAfter(3_512_348_611, 1_000_000)).toBe(3_513_348_611);
    expect(counterAfter(5, -10)).toBe(0xffff_fffb);
  });

  it('counts for nothing when a txpk is immediate', () => {
    expect(departureOf({ imme: true, tmst: 1, tmms: 2 })).toEqual({ by: 'now' });
    expect(departureOf({ tmst: 1, tmms: 2 })).toEqual({ by: 'counter', tmst: 1 });
    expect(departureOf({})).toBe(undefined);
  });

  it.each([0, 1, 0xffff_ffff])('is at the counter %d of 32 bits', (tmst) => {
    expect(departureOf({ tmst })).toEqual({ by: 'counter', tmst });
  });

  it.each([-1, 1.5, 2 ** 32, 2 ** 33, Number.NaN, '7'])('is at no counter %s', (tmst) => {
    expect(departureOf({ tmst })).toBe(undefined);
    expect(departureOf({ tmst, tmms: 5 })).toBe(undefined);
  });
});
