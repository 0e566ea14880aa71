/** Versions that devices reported (firmware update service). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../sim/base/bytes.ts';
import { someRuns } from '../../support/long.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, Subscriber, service } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';
const C = 'D000000000000003';

function withDevices() {
  const us = service();
  us.devices(3);
  return us;
}

describe('a version that a device reported', () => {
  it('deviceVersion.get: is reported in hexadecimal digits and with dots, and when it was reported', () => {
    const us = withDevices();
    us.bench.runUntil(90 * S);
    us.report(A, '0102030A00000007');
    us.bench.runUntil(1000 * S);
    const answer = us.ask({ kind: 'deviceVersion.get', deveui: A.toLowerCase() });
    expect(answer).toEqual({
      version_hex: '0102030A00000007',
      reported_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      firmware_version: '1.2.3.10',
    });
    expect(new Date(answer.reported_at).getTime()).toBe(us.bench.view.unixMs(90 * S));
  });

  it('deviceVersion.get: is the latest', () => {
    const us = withDevices();
    us.report(A, '0102030400000001');
    us.report(A, '0102030500000001');
    expect(us.ask({ kind: 'deviceVersion.get', deveui: A })).toMatchObject({
      firmware_version: '1.2.3.5',
    });
  });

  it('deviceVersion.get, noVersion: is none for a device that never reported one', () => {
    const us = withDevices();
    us.report(A, '0102030400000001');
    expect(us.refusedQuery({ kind: 'deviceVersion.get', deveui: B })).toBe('deviceVersion.none');
    const unknown = { kind: 'deviceVersion.get', deveui: 'F000000000000000' } as const;
    expect(us.refusedQuery(unknown)).toBe('device.unknown');
  });

  it.each(['', 'D0', `${A}0`, 'x'.repeat(16)])(
    'deviceVersion.get, malformedField: is not reported of “%s”',
    (deveui) => {
      const us = withDevices();
      expect(us.refusedQuery({ kind: 'deviceVersion.get', deveui })).toBe('eui.malformed');
      expect(us.refusedQuery({ kind: 'deviceVersion.several', deveuis: [A, deveui] })).toBe(
        'eui.malformed',
      );
    },
  );

  it('deviceVersion.several: is reported of several devices by DevEUI; who reported none is left out', () => {
    const us = withDevices();
    us.report(A, '0102030400000001');
    us.report(C, '0000000000000000');
    const deveuis = [A.toLowerCase(), A, B, 'F000000000000000'];
    expect(us.ask({ kind: 'deviceVersion.several', deveuis })).toEqual({
      [A]: us.ask({ kind: 'deviceVersion.get', deveui: A }),
    });
  });

  it('deviceVersion.all: is reported of all devices that ever reported one', () => {
    const us = withDevices();
    us.report(C, '0102030400000001');
    us.report(A, '0102030400000001');
    expect(Object.keys(us.ask({ kind: 'deviceVersion.all' }))).toEqual([A, C]);
  });

  it('deviceVersion.all, notDelegated: is not reported of devices that nobody delegates', () => {
    const query = { kind: 'deviceVersion.all', delegated_subscriber_id: 'bob' } as const;
    expect(withDevices().refusedQuery(query)).toBe('delegation.none');
    const ann = new Subscriber(withDevices().bench, 'a'.repeat(250));
    const failure = failureOf(ann.tryAsk({ ...query, delegated_subscriber_id: 'b'.repeat(250) }));
    expect(failure.message.length).toBeLessThan(300);
  });

  it('deviceVersion.all, notDelegated: is reported of devices that another delegates, and of no other of theirs', () => {
    const [ann, bob] = annAndBob();
    ann.devices(2);
    const delegate = (include: string, exclude: readonly string[] = []) => {
      const expires_at = '2090-01-01T00:00:00Z';
      const patterns = { include_devices: [include], exclude_devices: exclude };
      const delegation = { delegate_to: 'bob', expires_at, ...patterns };
      return ann.do({ kind: 'delegation.create', delegation });
    };
    const query = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;
    delegate('E...............');
    delegate('................', ['................']);
    expect(bob.refusedQuery(query)).toBe('delegation.none');
    delegate(B.toLowerCase());
    expect(bob.ask(query)).toEqual({});
    for (const devEui of [A, B]) ann.report(devEui, '0102030400000001');
    expect(bob.ask(query)).toEqual({ [B]: ann.ask({ kind: 'deviceVersion.get', deveui: B }) });
    ann.bench.remove(B);
    expect(bob.refusedQuery(query)).toBe('delegation.none');
    expect(ann.refusedQuery({ ...query, delegated_subscriber_id: 'bob' })).toBe('delegation.none');
  });

  it('deviceVersion.several to get: is shown to the receiver of a delegation, while that lasts', () => {
    const [ann, bob] = annAndBob();
    ann.devices(3);
    ann.report(A, '0102030400000001');
    ann.report(B, '0102030400000001');
    const covers = { include_devices: [A, C], exclude_devices: [] };
    const delegation = { delegate_to: 'bob', expires_at: '2090-01-01T00:00:00Z', ...covers };
    const { delegation_id } = ann.do({ kind: 'delegation.create', delegation });
    const get = (deveui: string) => ({ kind: 'deviceVersion.get', deveui }) as const;
    const several = { kind: 'deviceVersion.several', deveuis: [A, B, C] } as const;
    const response = ann.ask(get(A));
    expect(bob.ask(get(A))).toEqual(response);
    expect(bob.refusedQuery(get(B))).toBe('device.unknown');
    expect(bob.refusedQuery(get(C))).toBe('deviceVersion.none');
    expect(bob.ask(several)).toEqual({ [A]: response });
    ann.do({ kind: 'delegation.delete', delegation_id });
    expect(bob.refusedQuery(get(A))).toBe('device.unknown');
    expect(bob.ask(several)).toEqual({});
  });

  it('is read from an application uplink on FPort 223 of its form', () => {
    const us = withDevices();
    us.hear(A, 223, fromHex('46575601010203040000000f'));
    expect(us.ask({ kind: 'deviceVersion.get', deveui: A })).toMatchObject({
      version_hex: '010203040000000F',
    });
  });

  it.each([
    [222, '46575601010203040000000f'],
    [223, '46575602010203040000000f'],
    [223, '46575601010203040000000f00'],
    [223, '4657560101020304000000'],
    [223, ''],
    [203, '0101020304'],
    [203, '0004'],
    [10, '010102030400000001'],
  ])('is not read from an uplink on FPort %i of %s', (fPort, hex) => {
    const us = withDevices();
    us.hear(A, fPort, fromHex(hex));
    expect(us.ask({ kind: 'deviceVersion.all' })).toEqual({});
  });

  it('is read behind other commands in the uplink', () => {
    const us = withDevices();
    us.hear(A, 203, fromHex(`000401${'01'}0403020107000000`));
    expect(us.ask({ kind: 'deviceVersion.get', deveui: A })).toMatchObject({
      version_hex: '0102030400000007',
    });
  });

  it('goes with the device', () => {
    const us = withDevices();
    us.report(A, '0102030400000001');
    us.bench.remove(A);
    expect(us.ask({ kind: 'deviceVersion.all' })).toEqual({});
    expect(us.refusedQuery({ kind: 'deviceVersion.get', deveui: A })).toBe('device.unknown');
  });

  it('is the last of any reports, saved and loaded between them', () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    const digits = (n: number) => n.toString(16).padStart(8, '0').toUpperCase();
    const report = fc.tuple(fc.constantFrom(A, B, C), word, word);
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
        const us = withDevices();
        for (const [devEui, fw, hw] of reports) {
          us.report(devEui, digits(fw) + digits(hw));
          us.bench.reload();
        }
        const response = us.ask({ kind: 'deviceVersion.all' });
        const latest = new Map(
          reports.map(([devEui, fw, hw]) => [devEui, digits(fw) + digits(hw)]),
        );
        expect(
          Object.entries(response).map(([devEui, each]) => [devEui, each.version_hex]),
        ).toEqual([...latest].sort());
        for (const { firmware_version, version_hex } of Object.values(response)) {
          const bytes = firmware_version.split('.').map(Number);
          expect(Buffer.from(bytes).toString('hex').toUpperCase()).toBe(version_hex.slice(0, 8));
        }
      }),
      { numRuns: someRuns(250) },
    );
  });
});

testIsolation(
  'deviceVersion',
  (ann, devEui) => {
    ann.report(devEui, '0102030400000001');
    return devEui;
  },
  {
    'deviceVersion.all': () => ({}),
    'deviceVersion.several': (devEui) => ({ deveuis: [devEui] }),
    'deviceVersion.get': (devEui) => ({ deveui: devEui }),
  },
);
