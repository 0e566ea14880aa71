/** Payloads of devices (device and gateway management, row 75; the search of row 84). */
import { describe, expect, it } from 'vitest';
import { finish } from '../../../core/base/in-steps.ts';
import { USUAL_LOG_ENTRIES } from '../../../core/management/logs/log-store.ts';
import { MOST_DAYS, MOST_LISTED } from '../../../core/management/payloads/payloads.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import { frameOf, type Heard, USUAL_FRAME } from '../../support/heard-frames.ts';
import { itLong } from '../../support/long.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, type Subscriber, viewOfAll } from './service.ts';

const A = 'D000000000000001';
const DAY_US = 86_400 * S;

/** An uplink with this payload, of the device or another, at an instant. */
function send(who: Subscriber, payloadHex: string, heard: Partial<Heard> = {}): void {
  const { bench } = who;
  const atUs = heard.atUs ?? bench.nowUs;
  const payload = fromHex(payloadHex);
  const frame = frameOf({ ...USUAL_FRAME, devEui: A, atUs, payload, ...heard });
  bench.platform.hear({ kind: 'frameUp', frame }, Math.max(atUs, bench.nowUs));
}

const list = (range: { StartTime?: string; EndTime?: string } = {}, DevEUI = A) =>
  ({ kind: 'payload.list', DevEUI, ...range }) as const;
const hexOf = (who: Subscriber, range = {}, DevEUI = A) =>
  who.ask(list(range, DevEUI)).Payloads.map(({ Data }) => Data.PayloadHex);

/** Whether one of Ann's devices sent a payload, or anything, between two instants. */
function hasSent(
  ann: Subscriber,
  hex: string | undefined,
  fromUs: number,
  untilUs: number,
  of = A,
) {
  const { platform, nowUs } = ann.bench;
  const asking = { by: 'ann', nowUs, view: viewOfAll(ann.bench) };
  return finish(platform.resources.payload.sentBy([of], hex, { fromUs, untilUs }, asking)).has(of);
}

/** Ann, whose device A sent 00 to 09, a second apart from each other. */
function tenSent() {
  const [ann, bob] = annAndBob();
  ann.devices(2);
  for (let i = 0; i < 10; i++) send(ann, `0${i}`, { atUs: i * S, fCnt: i });
  ann.bench.runUntil(100 * S);
  const times = ann.ask(list()).Payloads.map(({ Time }) => Time);
  return { ann, bob, times };
}

describe('payloads of a device', () => {
  it('payload.list: are reported with time, port, counter and bytes, the latest first', () => {
    const [ann] = annAndBob();
    ann.devices(1);
    send(ann, 'ab01', { fPort: 7, fCnt: 70_000, atUs: S });
    send(ann, '', { fPort: 8, fCnt: 70_001, atUs: 2 * S });
    expect(ann.ask(list())).toEqual({
      Payloads: [
        {
          Time: '2025-12-17T09:46:24Z',
          Data: { FPort: 8, FCnt: 70_001, PayloadHex: '' },
          ApplicationData: {},
        },
        {
          Time: '2025-12-17T09:46:23Z',
          Data: { FPort: 7, FCnt: 70_000, PayloadHex: 'AB01' },
          ApplicationData: {},
        },
      ],
    });
  });

  it('payload.list: are those of ports 1 to 223 and 225, of frames that were accepted', () => {
    const [ann] = annAndBob();
    ann.devices(1);
    for (const fPort of [null, 0, 1, 200, 223, 224, 225, 226, 255]) send(ann, '00', { fPort });
    send(ann, '01', { verdict: 'repeated' });
    send(ann, '02', { verdict: 'badMic' });
    const ports = ann.ask(list()).Payloads.map(({ Data }) => Data.FPort);
    expect(ports).toEqual([225, 223, 200, 1]);
  });

  it('payload.list: are those between two instants, both included', () => {
    const { ann, times } = tenSent();
    const [StartTime, EndTime] = [times[7]!, times[4]!];
    expect(hexOf(ann, { StartTime, EndTime })).toEqual(['05', '04', '03', '02']);
    expect(hexOf(ann, { StartTime })).toHaveLength(8);
    expect(hexOf(ann, { EndTime })).toHaveLength(6);
    expect(hexOf(ann, { StartTime, EndTime: StartTime })).toEqual(['02']);
  });

  it('payload.list: are found by the time that is reported of them, which has whole milliseconds', () => {
    const [ann] = annAndBob();
    ann.devices(1);
    send(ann, '0a', { atUs: 1_234_999 });
    const [Time] = ann.ask(list()).Payloads.map((each) => each.Time);
    expect(Time).toBe('2025-12-17T09:46:23.234Z');
    expect(hexOf(ann, { StartTime: Time, EndTime: Time })).toEqual(['0A']);
  });

  it('payload.list, endBeforeStart: are 400 where the end is before the start', () => {
    const { ann, times } = tenSent();
    const asked = ann.tryAsk(list({ StartTime: times[0]!, EndTime: times[1]! }));
    expect(asked).toMatchObject({
      ok: false,
      failure: { code: 'payload.range', path: '/EndTime' },
    });
    expect(ann.refusedQuery(list({ StartTime: 'yesterday' }))).toBe('command.malformed');
  });

  it('payload.list, unknownId: are unknown of a device that is not there, and none of a silent one', () => {
    const { ann } = tenSent();
    expect(ann.refusedQuery(list({}, 'FFFFFFFFFFFFFFFF'))).toBe('device.unknown');
    expect(hexOf(ann, {}, 'D000000000000002')).toEqual([]);
  });

  it('payload.list: go with their device: one that comes with its name has sent nothing', () => {
    const { ann } = tenSent();
    const device = ann.bench.device(A);
    ann.do({ kind: 'device.remove', devEui: A });
    expect(ann.refusedQuery(list())).toBe('device.unknown');
    device.createdAtUs = ann.bench.nowUs;
    ann.bench.devices.set(A, device);
    ann.bench.platform.onPlanned({ devices: [[A, 'ann']], gateways: [] });
    expect(hexOf(ann)).toEqual([]);
    send(ann, '77', { atUs: ann.bench.nowUs + 1 });
    expect(hexOf(ann)).toEqual(['77']);
  });

  it('payload.list: stay empty of what came while the device’s data were private, ever after', () => {
    const [ann] = annAndBob();
    const [, other] = ann.devices(2) as [string, string];
    const makePrivate = (PrivateData: boolean) =>
      ann.do({ kind: 'endDevice.update', DevEUI: A, device: { PrivateData } });
    send(ann, 'aa', { fCnt: 0 });
    makePrivate(true);
    send(ann, 'bb', { fCnt: 1, fPort: 9 });
    send(ann, 'cc', { devEui: other });
    makePrivate(false);
    send(ann, 'dd', { fCnt: 2 });
    const reports = ann.ask(list()).Payloads.map(({ Data }) => [Data.FPort, Data.PayloadHex]);
    expect(reports).toEqual([
      [1, 'DD'],
      [9, ''],
      [1, 'AA'],
    ]);
    expect(hexOf(ann, {}, other)).toEqual(['CC']);
    const saved = ann.bench.platform.resources.log.save();
    expect([...saved[0]!.log.open.bytes]).toEqual([0xaa, 0xcc, 0xdd]);
    // A payload that is not known is none that anybody may search for.
    const found = ['aa', 'bb', '', undefined].map((hex) => hasSent(ann, hex, 0, S));
    expect(found).toEqual([true, false, false, true]);
  });

  it('payload.list: are private for all devices of a type for which the subscriber said so', () => {
    const [ann] = annAndBob();
    ann.devices(1);
    const [profile] = ann.ask({ kind: 'deviceProfile.list' }).DeviceProfiles;
    const preset = { PrivateData: true };
    ann.do({ kind: 'deviceProfile.preset', Id: profile!.Id, preset });
    send(ann, 'bb');
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { PrivateData: false } });
    send(ann, 'cc', { fCnt: 1 });
    expect(hexOf(ann)).toEqual(['CC', '']);
  });
});

describe('what is stored', () => {
  itLong(
    'payload.list, foreignThing: is a hundred thousand entries of each subscriber, nobody else’s',
    () => {
      const { ann, bob } = tenSent();
      const [his] = bob.devices(1) as [string];
      send(bob, '66', { devEui: his });
      const B = 'D000000000000002';
      for (let i = 10; i < USUAL_LOG_ENTRIES + 3; i++)
        send(ann, '55', { devEui: B, fCnt: i, atUs: 10 * S });
      expect(hexOf(ann)).toEqual(['09', '08', '07', '06', '05', '04', '03']);
      for (let i = 0; i < 7; i++) send(ann, '55', { devEui: B, fCnt: i, atUs: 10 * S });
      expect(hexOf(ann)).toEqual([]);
      expect(hexOf(ann, {}, B)).toHaveLength(MOST_LISTED);
      expect(hexOf(bob, {}, his)).toEqual(['66']);
      expect(bob.refusedQuery(list())).toBe('device.unknown');
    },
  );

  it('payload.list: is thirty days, whether others sent meanwhile or not', () => {
    const { ann, times } = tenSent();
    ann.bench.nowUs = MOST_DAYS * DAY_US + 5 * S;
    const stored = ['09', '08', '07', '06', '05'];
    expect(hexOf(ann)).toEqual(stored);
    const B = 'D000000000000002';
    for (let i = 0; i < 3000; i++) send(ann, '55', { devEui: B, fCnt: i });
    expect(hexOf(ann)).toEqual(stored);
    expect(hexOf(ann, { EndTime: times[3]! })).toEqual(['06', '05']);
    expect(hasSent(ann, '04', 0, DAY_US)).toBe(false);
    expect(hasSent(ann, '05', 0, DAY_US)).toBe(true);
    ann.bench.nowUs = 70 * DAY_US;
    for (let i = 0; i < 3000; i++) send(ann, '55', { devEui: B, fCnt: i });
    expect(hexOf(ann)).toEqual([]);
    expect(hexOf(ann, {}, B)).toHaveLength(MOST_LISTED);
  });

  it('payload.list: is found again after saving, at any number of frames', () => {
    const { ann } = tenSent();
    for (let i = 10; i < 2600; i++) {
      const devEui = `D00000000000000${1 + (i % 2)}`;
      send(
        ann,
        i
          .toString(16)
          .padStart(4, '0')
          .repeat(1 + (i % 90)),
        { devEui, fCnt: i, atUs: i },
      );
      if (i % 500 !== 0) continue;
      const before = hexOf(ann);
      ann.bench.reload();
      expect(hexOf(ann)).toEqual(before);
    }
    const all = [...hexOf(ann, {}), ...hexOf(ann, {}, 'D000000000000002')];
    expect(new Set(all.map((hex) => Number.parseInt(hex.slice(0, 4), 16))).size).toBe(2600);
  });

  it('endDeviceGroup.recent: is searched by payload and time, those of one device alone', () => {
    const { ann } = tenSent();
    const sent = (hex: string | undefined, fromUs: number, untilUs: number, devEui = A) =>
      hasSent(ann, hex, fromUs, untilUs, devEui);
    expect(sent('05', 0, 100 * S)).toBe(true);
    expect(sent('05', 5 * S, 5 * S)).toBe(true);
    expect(sent('05', 5 * S + 1000, 100 * S)).toBe(false);
    expect(sent('05', 0, 5 * S - 1000)).toBe(false);
    expect(sent('55', 0, 100 * S)).toBe(false);
    expect(sent('0505', 0, 100 * S)).toBe(false);
    expect(sent(undefined, 3 * S, 4 * S)).toBe(true);
    expect(sent(undefined, 9 * S + 1000, 100 * S)).toBe(false);
    expect(sent(undefined, 0, 100 * S, 'D000000000000002')).toBe(false);
  });

  it('payload.list: is nothing in a platform that keeps no records', () => {
    const { ann } = tenSent();
    const { bench } = ann;
    const saved = bench.platform.save();
    const fresh = bench.newPlatform(false);
    fresh.load(saved);
    expect(fresh.ask({ ...list(), by: 'ann' }, bench.nowUs)).toEqual({
      ok: true,
      value: { Payloads: [] },
    });
  });
});

testIsolation(
  'payload',
  (ann, devEui) => {
    send(ann, 'ab', { devEui });
    return devEui;
  },
  { 'payload.list': (DevEUI) => ({ DevEUI }) },
);
