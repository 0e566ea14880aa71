/**
 * Packet forwarders of the bridge, message by message: against the datagrams of the vectors, and
 * what they do with what no server should send (docs/bridge.md, Messages).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Departures } from '../../api/bridge/departures.ts';
import { Forwarder } from '../../api/bridge/forwarder.ts';
import { Lag } from '../../api/bridge/lag.ts';
import { inaudible, readTxpk, rxpk, stat, txpkAck } from '../../api/bridge/packets.ts';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { GATEWAY_REFUSALS, type GatewayRefusal } from '../../sim/base/counts.ts';
import type { TransmissionAnswer } from '../../sim/contract/forwarding.ts';
import { readDatagram, writeDatagram } from '../../sim/gateway/forwarder-datagram.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import { networkOf } from '../support/small-network.ts';
import { vectors } from '../support/vectors.ts';

interface Row {
  readonly name: string;
  readonly token: string;
  readonly json: Record<string, Record<string, unknown>> | null;
  readonly datagramHex: string;
}

const ROWS = vectors<{ vectors: Row[] }>('udp').vectors;
const GATEWAY = 'AA555A0000000101';
const RATES = new ChannelPlan(networkOf({}));
const named = (name: string) => ROWS.find((row) => row.name.startsWith(name))!;
const bytesOf = (name: string) => fromHex(named(name).datagramHex);
const sent = (refusal?: GatewayRefusal): TransmissionAnswer => ({
  id: 1,
  gatewayEui: GATEWAY,
  atUs: 0,
  arrivesAtUs: 0,
  startsAtUs: 0,
  shortOfUs: 0,
  sendsAtCentiDbm: 1_400,
  ...(refusal && { refusal }),
});

/** A forwarder whose tokens begin at one of the vectors. */
function forwarder(token = 0) {
  const out: string[] = [];
  const one = new Forwarder(GATEWAY, token, (bytes) => out.push(toHex(bytes)));
  return { one, out };
}

describe('a forwarder writes what the vectors have', () => {
  it('PULL_DATA', () => {
    const { one, out } = forwarder(Number.parseInt(named('PULL_DATA').token, 16));
    one.pull();
    expect(out).toEqual([named('PULL_DATA').datagramHex]);
  });

  it('PUSH_DATA with the object that a forwarder makes of an uplink', () => {
    const row = named('PUSH_DATA with one rxpk');
    const [wanted] = row.json!.rxpk as unknown as Record<string, unknown>[];
    const object = rxpk(
      {
        gatewayEui: GATEWAY,
        endedAtUs: 0,
        arrivesAtUs: 0,
        tmst: 3_512_348_611,
        tmms: 1_384_035_218_000,
        frequencyHz: 868_100_000,
        dataRate: 5,
        rssiCentiDbm: -9_700,
        snrCentiDb: 750,
        phyPayload: new Uint8Array(Buffer.from(wanted!.data as string, 'base64')),
      },
      RATES,
      Date.UTC(2023, 10, 14, 22, 13, 20),
    );
    // The vector's channel is another one of its gateway.
    expect({ ...object, chan: wanted!.chan }).toEqual(wanted);
    const { one, out } = forwarder(Number.parseInt(row.token, 16));
    one.push([wanted!]);
    expect(out).toEqual([row.datagramHex]);
  });

  it('a stat with the counters since the one before', () => {
    const place = { latitude: 46.24, longitude: 3.2523 };
    const { one, out } = forwarder();
    one.push([{}, {}]);
    one.pushStat((counts, share) => stat(counts, share, Date.UTC(2023, 10, 14, 22, 13, 20), place));
    one.pushStat((counts, share) => stat(counts, share, 0, place));
    const objects = out.slice(1).map((hex) => {
      const read = readDatagram(fromHex(hex));
      return read.ok ? read.value.json?.stat : undefined;
    });
    expect(objects[0]).toMatchObject({
      time: '2023-11-14 22:13:20 GMT',
      rxnb: 2,
      rxfw: 2,
      ackr: 0,
    });
    expect(objects[0]).toMatchObject({ lati: 46.24, long: 3.2523, alti: 0, dwnb: 0, txnb: 0 });
    expect(objects[1]).toMatchObject({ rxnb: 0, rxfw: 0 });
  });

  it.each([
    ['NONE', undefined, 'TX_ACK without error (JSON form)'],
    ['TOO_LATE', 'tooLate', 'TX_ACK TOO_LATE'],
    ['TOO_EARLY', 'tooEarly', 'TX_ACK TOO_EARLY'],
    ['COLLISION_PACKET', 'collision', 'TX_ACK COLLISION_PACKET'],
    ['COLLISION_BEACON', 'collisionBeacon', 'TX_ACK COLLISION_BEACON'],
    ['TX_FREQ', 'frequency', 'TX_ACK TX_FREQ'],
    ['GPS_UNLOCKED', 'gpsUnlocked', 'TX_ACK GPS_UNLOCKED'],
  ] as const)('TX_ACK %s', (_, refusal, name) => {
    const { one, out } = forwarder();
    one.opens(1, Number.parseInt(named(name).token, 16), 1_400, 0);
    one.answer(sent(refusal));
    expect(out).toEqual([named(name).datagramHex]);
  });

  it('TX_ACK with a word for each refusal, and the power where it is less', () => {
    for (const refusal of GATEWAY_REFUSALS) {
      const { txpk_ack } = txpkAck(sent(refusal), 1_400) as { txpk_ack: { error: string } };
      expect(txpk_ack.error).toMatch(/^[A-Z_]+$/);
    }
    expect(txpkAck(sent(), 2_700)).toEqual({ txpk_ack: { warn: 'TX_POWER', value: 14 } });
  });
});

describe('a forwarder reads', () => {
  it('PUSH_ACK and PULL_ACK by their tokens, each once', () => {
    const { one } = forwarder(0x1234);
    one.push([{}]);
    expect(one.receive(bytesOf('PUSH_ACK'))).toBeUndefined();
    one.receive(bytesOf('PUSH_ACK'));
    expect(one.counts).toMatchObject({ pushed: 1, pushAcked: 1, unexpected: 1 });
    const other = forwarder(0x2345).one;
    other.receive(bytesOf('PULL_ACK'));
    expect(other.isConnected).toBe(false);
    other.pull();
    other.receive(bytesOf('PULL_ACK'));
    expect(other.isConnected).toBe(true);
  });

  it.each(['PULL_RESP RX1', 'PULL_RESP class C', 'PULL_RESP GPS'])('%s', (name) => {
    const request = forwarder().one.receive(bytesOf(name));
    const read = readTxpk(request!.json, RATES, 200);
    if (!read.ok) throw new Error(read.failure.message);
    const { txpk } = named(name).json! as { txpk: Record<string, unknown> };
    expect(read.value.frequencyHz).toBe(Math.round((txpk.freq as number) * 1e6));
    expect(read.value.eirpCentiDbm).toBe((txpk.powe as number) * 100 + 200);
    expect(Buffer.from(read.value.phyPayload).toString('base64')).toBe(txpk.data);
    const by = { 'PULL_RESP RX1': 'counter', 'PULL_RESP class C': 'now', 'PULL_RESP GPS': 'gps' };
    expect(read.value.departure.by).toBe(by[name as keyof typeof by]);
  });

  it.each([
    [{}, 'PULL_RESP carries a txpk'],
    [{ imme: true, datr: 'SF9BW125', data: 'AA==' }, 'txpk.freq is a frequency'],
    [{ freq: 868.1, datr: 'SF9BW125', data: 'AA==' }, 'a txpk has imme, tmst or tmms'],
    [{ imme: true, freq: 868.1, datr: 'SF99BW125', data: 'AA==' }, 'is none of the region'],
    [{ imme: true, freq: 868.1, datr: 'SF9BW125', data: '%' }, 'txpk.data is base64'],
    [{ imme: true, freq: 868.1, datr: 'SF9BW125', data: '' }, 'txpk.data is base64'],
    [{ imme: true, freq: 868.1, datr: 'SF9BW125', data: 'AA==', powe: 99 }, 'txpk.powe is'],
    [{ imme: true, freq: 868.1, datr: 'SF9BW125', data: 'AA=='.padStart(400, 'A') }, 'base64 of 1'],
  ])('no txpk such as %j', (txpk, message) => {
    const read = readTxpk(Object.keys(txpk).length === 0 ? {} : { txpk }, RATES, 0);
    expect(read.ok ? '' : read.failure.message).toContain(message);
  });

  it.each([
    [{ modu: 'LORA', ipol: true }, undefined],
    [{ modu: 'LORA', ipol: false }, 'txpk.ipol is false'],
    [{ modu: 'LORA' }, 'txpk.ipol is nothing'],
    [{ modu: 'FSK' }, undefined],
  ])('the polarity of %j, which no device hears unless it is inverted', (txpk, sentence) => {
    const said = inaudible({ txpk });
    if (sentence === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(`${sentence}; devices listen with inverted polarity`);
  });

  it('any bytes without a throw, and counts those that are no datagram', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const { one } = forwarder();
        const request = one.receive(bytes);
        if (request !== undefined) readTxpk(request.json, RATES, 0);
        const { malformed, unexpected } = one.counts;
        expect(malformed + unexpected + (request === undefined ? 0 : 1)).toBe(1);
      }),
    );
  });

  it('nothing that only forwarders send', () => {
    const { one } = forwarder();
    const gatewayEui = GATEWAY.toLowerCase();
    expect(one.receive(writeDatagram({ name: 'PULL_DATA', token: 1, gatewayEui }))).toBeUndefined();
    expect(one.counts.unexpected).toBe(1);
  });
});

describe('a forwarder has bounds', () => {
  it('of requests at once: more are refused at once, until some are answered or forgotten', () => {
    const { one, out } = forwarder();
    for (let id = 1; id <= 256; id++) expect(one.opens(id, id, 1_400, 0)).toBe(true);
    expect(one.opens(257, 0x4002, 1_400, 1_000)).toBe(false);
    expect(out).toEqual([named('TX_ACK COLLISION_PACKET').datagramHex]);
    expect(one.counts).toMatchObject({ transmissions: 256, flooded: 1 });
    one.answer({ ...sent(), id: 7 });
    expect(one.opens(258, 1, 1_400, 1_000)).toBe(true);
    expect(one.opens(259, 1, 1_400, 131_000)).toBe(true);
  });

  it('of its answers: one that is not open is not sent', () => {
    const { one, out } = forwarder();
    one.answer(sent());
    expect(out).toEqual([]);
  });

  it('of what it awaits, and a server that is back is counted', () => {
    const { one } = forwarder(0);
    const ack = (token: number) => one.receive(writeDatagram({ name: 'PULL_ACK', token }));
    one.pull();
    ack(0);
    for (let i = 0; i < 400; i++) one.pull();
    expect(one.isConnected).toBe(false);
    ack(1);
    expect(one.isConnected).toBe(false);
    ack(400);
    expect(one.isConnected).toBe(true);
    expect(one.counts.reconnects).toBe(1);
  });
});

describe('what waits for its instant', () => {
  it('leaves in the order of time, then of its coming', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), (instants) => {
        const waiting = new Departures<number>();
        for (const [order, atUs] of instants.entries()) waiting.add(atUs, order);
        const left: number[] = [];
        for (let nowUs = 0; nowUs <= 50; nowUs++) {
          for (let one = waiting.takeDue(nowUs); one !== undefined; one = waiting.takeDue(nowUs)) {
            expect(instants[one]).toBe(nowUs);
            left.push(one);
          }
        }
        const order = instants
          .map((_, i) => i)
          .sort((a, b) => instants[a]! - instants[b]! || a - b);
        expect(left).toEqual(order);
        expect(waiting.nextUs).toBe(Number.POSITIVE_INFINITY);
      }),
    );
  });

  it('has a lag whose quantiles are those of what was added', () => {
    const lag = new Lag();
    for (let i = 0; i < 99; i++) lag.add(0.1);
    lag.add(90);
    expect(lag.figures()).toEqual({ turns: 100, p50Ms: 0.25, p99Ms: 0.25, mostMs: 90 });
    for (let i = 0; i < 10; i++) lag.add(90);
    expect(lag.figures().p99Ms).toBe(90);
  });
});
