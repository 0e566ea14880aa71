/** Reliable downlink jobs (firmware update service). */
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type { JobAnswer, JobInput } from '../../../core/update-service/reliable-downlinks/rows.ts';
import type { DownlinkFateNews } from '../../../sim/contract/downlinks.ts';
import { GATEWAY, S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, type Subscriber, service } from './service.ts';

const HOUR = 3_600 * S;
const SENT: DownlinkFateNews = { kind: 'sent', gatewayEui: GATEWAY };

const INPUT: JobInput = {
  name: 'ping',
  downlink_hex: 'c0ffee',
  downlink_fport: 20,
  expected_uplink_hex: 'c0ffee',
  expected_uplink_fport: 20,
};
const ANSWER = Uint8Array.of(0xc0, 0xff, 0xee);

const create = (job: Partial<JobInput>) =>
  ({ kind: 'reliableDownlink.create', job: { ...INPUT, ...job } }) as const;
const LIST = { kind: 'reliableDownlink.list' } as const;
const get = (who: Subscriber, { job_id }: { job_id: string }): JobAnswer =>
  who.ask({ kind: 'reliableDownlink.get', job_id });
const stop = ({ job_id }: { job_id: string }) =>
  ({ kind: 'reliableDownlink.stop', job_id }) as const;
const restart = ({ job_id }: { job_id: string }) =>
  ({ kind: 'reliableDownlink.restart', job_id }) as const;
const remove = ({ job_id }: { job_id: string }) =>
  ({ kind: 'reliableDownlink.delete', job_id }) as const;

const SILENT = { uplinkEveryS: 0 } as const;

/** Devices that say nothing but what a test has them say. */
function quiet(count: number, job: Partial<JobInput> = {}) {
  const us = service();
  const devices = us.devices(count, () => SILENT);
  const created = us.do(create({ devices, ...job }));
  const { bench } = us;
  const at = (ms: number) => formatInstant(bench.view.unixMs(0) + ms);
  const waits = (devEui: string) => bench.view.device(devEui)!.waitingDownlinks.length;
  return { us, bench, devices, created, at, waits };
}

describe('a reliable downlink job', () => {
  it('reliableDownlink.create: is answered with what was given, its defaults, and how far its devices are', () => {
    const { created, at, devices } = quiet(2);
    const pending = {
      state: 'pending',
      attempts: 0,
      last_sent_at: null,
      completed_at: null,
      reason: null,
    };
    expect(created).toEqual({
      job_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: 'ping',
      downlink_hex: 'C0FFEE',
      downlink_fport: 20,
      expected_uplink_hex: 'C0FFEE',
      expected_uplink_fport: 20,
      device_group_id: null,
      max_retries: 3,
      retry_interval: 300,
      created_at: at(0),
      status: 'running',
      num_devices_pending: 2,
      num_devices_success: 0,
      num_devices_fail: 0,
      devices: { [devices[0]!]: pending, [devices[1]!]: pending },
    });
  });

  it('reliableDownlink.list and get: is listed in the order of creation, and read by its id in any case', () => {
    const { us, created } = quiet(1);
    const other = us.do(create({ name: 'other', devices: Object.keys(created.devices) }));
    expect(us.ask(LIST)).toEqual([created, other]);
    expect(get(us, { job_id: other.job_id.toUpperCase() })).toEqual(other);
    expect(us.refusedQuery({ kind: 'reliableDownlink.get', job_id: 'x' })).toBe(
      'reliableDownlink.unknown',
    );
  });

  it('sends, and counts a try when the downlink is on the air', () => {
    const { us, bench, created, devices, at, waits } = quiet(1);
    const [devEui] = devices as [string];
    expect(waits(devEui)).toBe(1);
    bench.runUntil(7 * HOUR);
    expect(get(us, created).devices[devEui]).toMatchObject({ attempts: 0, last_sent_at: null });
    bench.reportNext(devEui, SENT);
    expect(get(us, created).devices[devEui]).toMatchObject({
      attempts: 1,
      last_sent_at: at(7 * 3_600_000),
    });
    expect(waits(devEui)).toBe(0);
  });

  it('sends again retry_interval after each sending, and fails one interval after the last', () => {
    const { us, bench, created, devices, at, waits } = quiet(1, { max_retries: 2 });
    const [devEui] = devices as [string];
    for (let attempts = 1; attempts <= 3; attempts++) {
      bench.reportNext(devEui, SENT);
      bench.runUntil(attempts * 300 * S - 1);
      expect(waits(devEui)).toBe(0);
      expect(get(us, created).devices[devEui]).toMatchObject({ state: 'pending', attempts });
      bench.runUntil(attempts * 300 * S);
      expect(waits(devEui)).toBe(attempts < 3 ? 1 : 0);
    }
    expect(get(us, created)).toMatchObject({
      status: 'finished',
      num_devices_pending: 0,
      num_devices_fail: 1,
      devices: {
        [devEui]: {
          state: 'failed',
          attempts: 3,
          last_sent_at: at(600_000),
          completed_at: at(900_000),
          reason: 'no answer',
        },
      },
    });
  });

  it('is over after one try where no retries are asked for', () => {
    const { us, bench, created, devices } = quiet(1, { max_retries: 0, retry_interval: 1 });
    bench.reportNext(devices[0]!, SENT);
    bench.runUntil(1 * S);
    expect(get(us, created)).toMatchObject({ status: 'finished', num_devices_fail: 1 });
  });

  it('counts a downlink that is lost before it goes on the air as a try, and says so', () => {
    const { us, bench, created, devices } = quiet(1, { max_retries: 1 });
    const [devEui] = devices as [string];
    for (let i = 1; i <= 2; i++) {
      bench.reportNext(devEui, { kind: 'dropped', reason: 'noBudget' });
      bench.runUntil(i * 300 * S);
    }
    expect(get(us, created).devices[devEui]).toMatchObject({
      state: 'failed',
      attempts: 2,
      last_sent_at: null,
      reason: 'not sent',
    });
  });

  it('has no device fail unheard that speaks once an hour', () => {
    const us = service();
    const hourly = { uplinkEveryS: 3_600, firstUplinkS: 1_800, mute: ['echo'] };
    const devices = us.devices(3, () => hourly);
    const created = us.do(create({ devices, max_retries: 3, retry_interval: 60 }));
    us.bench.runUntil(3 * HOUR);
    expect(get(us, created)).toMatchObject({ status: 'running', num_devices_pending: 3 });
    us.bench.runUntil(4 * HOUR);
    expect(get(us, created)).toMatchObject({ status: 'finished', num_devices_fail: 3 });
    expect(get(us, created).devices[devices[0]!]).toMatchObject({
      attempts: 4,
      reason: 'no answer',
    });
  });

  it.each([
    ['a day', {}, 24 * HOUR],
    ['as long as all tries take', { max_retries: 4, retry_interval: 21_600 }, 30 * HOUR],
  ])('fails a device that is silent for %s', (_, job, patience) => {
    const { us, bench, created, devices, waits } = quiet(1, job);
    const [devEui] = devices as [string];
    bench.reportNext(devEui, { kind: 'unheard' });
    bench.runUntil(patience - 1);
    expect(get(us, created)).toMatchObject({ status: 'running', num_devices_pending: 1 });
    bench.runUntil(patience);
    expect(get(us, created)).toMatchObject({
      status: 'finished',
      devices: { [devEui]: { state: 'failed', attempts: 0, reason: 'no uplink' } },
    });
    expect([waits(devEui), bench.isWatched(devEui)]).toEqual([0, false]);
    // A restart begins anew.
    bench.runUntil(100 * HOUR);
    us.do(restart(created));
    bench.runUntil(100 * HOUR + patience - 1);
    expect(get(us, created)).toMatchObject({ num_devices_pending: 1 });
    bench.runUntil(100 * HOUR + patience);
    expect(get(us, created)).toMatchObject({ status: 'finished' });
  });

  it('waits a day again after each sending and each uplink, saved and loaded between', () => {
    const { us, bench, created, devices } = quiet(1);
    const [devEui] = devices as [string];
    const pending = () => get(us, created).num_devices_pending;
    bench.runUntil(20 * HOUR);
    bench.reportNext(devEui, SENT);
    bench.reload();
    bench.runUntil(40 * HOUR);
    us.hear(devEui, 7, Uint8Array.of(1));
    bench.device(devEui).lastUplinkAtUs = 40 * HOUR;
    bench.runUntil(64 * HOUR - 1);
    bench.reload();
    expect(pending()).toBe(1);
    bench.runUntil(64 * HOUR);
    expect(get(us, created).devices[devEui]).toMatchObject({ attempts: 1, reason: 'no uplink' });
  });

  it('does not count the time in which no gateway that hears the device is connected', () => {
    const { us, bench, created } = quiet(1);
    bench.backhaul = { up: false, sinceUs: 20 * HOUR };
    bench.runUntil(60 * HOUR);
    bench.backhaul = { up: true, sinceUs: 60 * HOUR };
    bench.runUntil(84 * HOUR - 1);
    expect(get(us, created)).toMatchObject({ num_devices_pending: 1 });
    bench.runUntil(84 * HOUR);
    expect(get(us, created)).toMatchObject({ status: 'finished', num_devices_fail: 1 });
  });

  it.each(['A', 'C'] as const)('ends well with devices of class %s that answer', (deviceClass) => {
    const us = service();
    const devices = us.devices(5, () => ({ deviceClass }));
    const created = us.do(create({ devices }));
    us.bench.runUntil(HOUR);
    expect(get(us, created)).toMatchObject({ status: 'finished', num_devices_success: 5 });
    expect(get(us, created).devices[devices[0]!]).toMatchObject({
      state: 'success',
      attempts: 1,
      reason: null,
    });
    expect(us.bench.platform.resources.reliableDownlink.isIdle).toBe(true);
  });
});

describe('the expected uplink', () => {
  const heard = (
    { us, created, devices }: ReturnType<typeof quiet>,
    fPort: number,
    payload: Uint8Array,
  ) => {
    us.hear(devices[0]!, fPort, payload);
    return get(us, created).devices[devices[0]!]!.state;
  };

  it('ends a device well, and clears what waits of the job and of nobody else', () => {
    const all = quiet(1);
    const { us, bench, devices, created, waits } = all;
    const [devEui] = devices as [string];
    us.do({ kind: 'downlink.enqueue', devEui, fPort: 3, payloadHex: '03' });
    const second = us.do(create({ devices, expected_uplink_hex: '00' }));
    bench.reportNext(devEui, SENT);
    bench.runUntil(300 * S);
    expect(waits(devEui)).toBe(3);
    expect(heard(all, 20, ANSWER)).toBe('success');
    expect(waits(devEui)).toBe(2);
    expect(get(us, created).status).toBe('finished');
    expect(get(us, second).status).toBe('running');
    expect(bench.isWatched(devEui)).toBe(true);
  });

  it.each([
    ['another port', 21, ANSWER],
    ['no port', -1, ANSWER],
    ['another payload', 20, Uint8Array.of(0xc0, 0xff, 0xef)],
    ['a shorter payload', 20, ANSWER.subarray(0, 2)],
    ['a longer payload', 20, Uint8Array.of(...ANSWER, 0)],
  ])('is not one with %s', (_, fPort, payload) => {
    const all = quiet(1);
    all.bench.reportNext(all.devices[0]!, SENT);
    all.bench.runUntil(1 * S);
    expect(heard(all, fPort, payload)).toBe('pending');
    expect(heard(all, 20, ANSWER)).toBe('success');
  });

  it('is none before the downlink is on the air, nor when it ends as that begins', () => {
    const all = quiet(1);
    expect(heard(all, 20, ANSWER)).toBe('pending');
    all.bench.reportNext(all.devices[0]!, SENT);
    expect(heard(all, 20, ANSWER)).toBe('pending');
    all.bench.runUntil(1);
    expect(heard(all, 20, ANSWER)).toBe('success');
  });

  it('may come after any of the tries, and after the last until the interval is over', () => {
    const all = quiet(1, { max_retries: 0 });
    all.bench.reportNext(all.devices[0]!, SENT);
    all.bench.runUntil(300 * S - 1);
    expect(heard(all, 20, ANSWER)).toBe('success');
  });

  it.each(['downlink_hex', 'expected_uplink_hex'])(
    'malformedField: has one byte at least: %s',
    (name) => {
      const us = service();
      const devices = us.devices(1, () => SILENT);
      const { code, path } = failureOf(us.try(create({ devices, [name]: '' })));
      expect([code, path]).toEqual(['reliableDownlink.payload', `/${name}`]);
      expect(us.do(create({ devices, [name]: '00' }))).toMatchObject({ [name]: '00' });
    },
  );

  it('may be that of several jobs', () => {
    const us = service();
    const devices = us.devices(1, () => SILENT);
    const jobs = [us.do(create({ devices })), us.do(create({ devices }))];
    for (const _ of jobs) us.bench.reportNext(devices[0]!, SENT);
    us.bench.runUntil(1 * S);
    us.hear(devices[0]!, 20, ANSWER);
    expect(us.ask(LIST).map(({ status }) => status)).toEqual(['finished', 'finished']);
  });
});

describe('a job', () => {
  it('reliableDownlink.stop: that is stopped fails what is pending, and hears nothing more', () => {
    const { us, bench, created, devices, at, waits } = quiet(3);
    const [a, b, c] = devices as [string, string, string];
    for (const devEui of [a, b]) bench.reportNext(devEui, SENT);
    bench.runUntil(1 * S);
    us.hear(a, 20, ANSWER);
    const stopped = us.do(stop(created));
    expect(stopped).toMatchObject({
      status: 'stopped',
      num_devices_pending: 0,
      num_devices_success: 1,
      num_devices_fail: 2,
    });
    expect(stopped.devices[a]!.state).toBe('success');
    expect(stopped.devices[b]).toMatchObject({ state: 'failed', reason: 'stopped' });
    expect(stopped.devices[c]).toMatchObject({ attempts: 0, completed_at: at(1_000) });
    us.hear(b, 20, ANSWER);
    bench.runUntil(HOUR);
    expect(get(us, created)).toEqual(stopped);
    expect(devices.map(waits)).toEqual([0, 0, 0]);
    expect(devices.some((each) => bench.isWatched(each))).toBe(false);
  });

  it('jobState: is not stopped when it is not running', () => {
    const { us, created } = quiet(1);
    us.do(stop(created));
    expect(us.refused(stop(created))).toBe('reliableDownlink.not-running');
  });

  it('jobState: is not restarted while a device is pending, nor when all have succeeded', () => {
    const { us, bench, created, devices } = quiet(2);
    expect(us.refused(restart(created))).toBe('reliableDownlink.running');
    for (const devEui of devices) bench.reportNext(devEui, SENT);
    bench.runUntil(1 * S);
    for (const devEui of devices) us.hear(devEui, 20, ANSWER);
    expect(us.refused(restart(created))).toBe('reliableDownlink.nothing-to-restart');
  });

  it('reliableDownlink.restart: that is restarted gives the failed fresh tries, and leaves the others', () => {
    const { us, bench, created, devices, waits } = quiet(2, { max_retries: 0 });
    const [a, b] = devices as [string, string];
    for (const devEui of devices) bench.reportNext(devEui, SENT);
    bench.runUntil(1 * S);
    us.hear(a, 20, ANSWER);
    bench.runUntil(301 * S);
    const before = get(us, created);
    expect(before).toMatchObject({ status: 'finished', num_devices_fail: 1 });
    const again = us.do(restart(created));
    expect(again).toMatchObject({ status: 'running', num_devices_pending: 1 });
    expect(again.devices[a]).toEqual(before.devices[a]);
    expect(again.devices[b]).toEqual({
      state: 'pending',
      attempts: 0,
      last_sent_at: null,
      completed_at: null,
      reason: null,
    });
    expect([waits(a), waits(b)]).toEqual([0, 1]);
    // What comes before the first new try answers none of them.
    us.hear(b, 20, ANSWER);
    expect(get(us, created).num_devices_pending).toBe(1);
    bench.reportNext(b, SENT);
    bench.runUntil(302 * S);
    us.hear(b, 20, ANSWER);
    expect(get(us, created)).toMatchObject({ status: 'finished', num_devices_success: 2 });
  });

  it('reliableDownlink.delete: that is deleted is gone with what waits of it, and others go on', () => {
    const { us, bench, created, devices, waits } = quiet(2);
    const other = us.do(create({ devices }));
    us.do(remove(created));
    expect(us.ask(LIST)).toEqual([other]);
    expect(us.refused(remove(created))).toBe('reliableDownlink.unknown');
    expect(devices.map(waits)).toEqual([1, 1]);
    us.do(remove(other));
    expect(devices.map(waits)).toEqual([0, 0]);
    expect(devices.some((each) => bench.isWatched(each))).toBe(false);
    expect(bench.platform.resources.reliableDownlink.isIdle).toBe(true);
    bench.runUntil(HOUR);
  });
});

describe('a job that is deleted', () => {
  const ID = '01234567-89ab-4cde-8f01-23456789abcd';

  it('gives its id back once what waits of it is cleared up, and not before', () => {
    const us = service();
    const devices = us.devices(2, () => SILENT);
    const jobs = us.bench.platform.resources.reliableDownlink;
    us.do({ ...create({ devices }), id: ID });
    expect(us.refused({ ...create({ devices }), id: ID })).toBe('reliableDownlink.exists');
    us.do(remove({ job_id: ID }));
    expect(jobs.isIdle).toBe(true);
    expect(us.do({ ...create({ devices }), id: ID }).job_id).toBe(ID);
  });
});

describe('devices of a job', () => {
  it('are those that are listed and the members of the group at its creation, each once', () => {
    const us = service();
    const devices = us.devices(4, () => SILENT);
    const [a, b, c, d] = devices as [string, string, string, string];
    const group = { name: 'two', devices: [b, c] };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    const created = us.do(create({ devices: [c, a], device_group_id }));
    expect(Object.keys(created.devices)).toEqual([c, a, b]);
    us.do({ kind: 'deviceGroup.addDevices', device_group_id, devices: [d] });
    expect(Object.keys(get(us, created).devices)).toEqual([c, a, b]);
    expect(created.device_group_id).toBe(device_group_id);
  });

  it('unknownInBody: use their group while the job is running, and no longer', () => {
    const us = service();
    const devices = us.devices(1, () => SILENT);
    const group = { name: 'one', devices };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    const end = { kind: 'deviceGroup.delete', device_group_id } as const;
    const jobs = [0, 1].map(() => us.do(create({ device_group_id })));
    us.bench.reload();
    for (const each of jobs) {
      expect(us.refused(end)).toBe('deviceGroup.in-use');
      us.do(stop(each));
    }
    us.do(restart(jobs[0]!));
    expect(us.refused(end)).toBe('deviceGroup.in-use');
    us.do(remove(jobs[0]!));
    expect(us.try(end)).toMatchObject({ ok: true });
    expect(us.do(restart(jobs[1]!)).num_devices_pending).toBe(1);
  });

  it.each([
    ['reliableDownlink.devices', '/devices', {}],
    ['reliableDownlink.devices', '/devices', { devices: [] }],
    ['reliableDownlink.devices', '/devices', { devices: null, device_group_id: null }],
    [
      'reliableDownlink.devices',
      '/devices/1',
      { devices: ['d000000000000001', 'D000000000000001'] },
    ],
    ['eui.malformed', '/devices/0', { devices: ['D0'] }],
    ['reliableDownlink.unknown-device', '/devices/0', { devices: ['D0000000000000FF'] }],
    ['deviceGroup.unknown', '/device_group_id', { device_group_id: 'aaaaaa' }],
    ['reliableDownlink.payload', '/downlink_hex', { downlink_hex: 'abc' }],
    ['reliableDownlink.payload', '/downlink_hex', { downlink_hex: '00'.repeat(243) }],
    ['reliableDownlink.payload', '/expected_uplink_hex', { expected_uplink_hex: 'x0' }],
    ['reliableDownlink.port', '/downlink_fport', { downlink_fport: 0 }],
    ['reliableDownlink.port', '/downlink_fport', { downlink_fport: 224 }],
    ['reliableDownlink.port', '/expected_uplink_fport', { expected_uplink_fport: 226 }],
    ['reliableDownlink.invalid', '/max_retries', { max_retries: -1 }],
    ['reliableDownlink.invalid', '/max_retries', { max_retries: 1.5 }],
    ['reliableDownlink.invalid', '/retry_interval', { retry_interval: 0 }],
    ['reliableDownlink.name', '/name', { name: '' }],
  ] as const)(
    'reliableDownlink.create, jobDevices: a job is refused with %s at %s: %j',
    (code, path, wrong) => {
      const us = service();
      us.devices(1, () => SILENT);
      const failure = failureOf(us.try(create(wrong as Partial<JobInput>)));
      expect([failure.code, failure.path]).toEqual([code, path]);
      expect(us.ask(LIST)).toEqual([]);
    },
  );

  it('jobDevices: are none where the group is empty, which fails', () => {
    const us = service();
    const devices = us.devices(2, () => SILENT);
    const [a, b] = devices as [string, string];
    const group = { name: 'one', devices: [a] };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    us.do({ kind: 'device.remove', devEui: a });
    expect(us.refused(create({ device_group_id }))).toBe('reliableDownlink.empty-group');
    expect(Object.keys(us.do(create({ device_group_id, devices: [b] })).devices)).toEqual([b]);
  });

  it('foreignThing: are never another subscriber’s', () => {
    const [ann, bob] = annAndBob();
    const devices = ann.devices(1, () => SILENT);
    expect(bob.refused(create({ devices }))).toBe('reliableDownlink.unknown-device');
  });

  it('fail in all their jobs when they are removed, anyone who has their name later', () => {
    const [ann, bob] = annAndBob();
    const [a, b] = ann.devices(2, () => SILENT) as [string, string];
    const jobs = [0, 1].map(() => ann.do(create({ devices: [a, b] })));
    ann.bench.reportNext(a, SENT);
    ann.bench.runUntil(1 * S);
    ann.do({ kind: 'device.remove', devEui: a });
    bob.do({ kind: 'device.create', device: { devEui: a } });
    bob.hear(a, 20, ANSWER);
    for (const job of jobs) {
      expect(get(ann, job).devices[a]).toMatchObject({ state: 'failed', reason: 'device removed' });
      expect(get(ann, job).num_devices_pending).toBe(1);
      ann.do(stop(job));
      expect(ann.do(restart(job)).devices[a]).toMatchObject({ reason: 'device removed' });
    }
    expect(ann.bench.isWatched(a)).toBe(false);
    expect(bob.bench.view.device(a)!.waitingDownlinks).toEqual([]);
  });
});

describe('a device that two watch', () => {
  /** A device in a campaign, and in a job. */
  function inBoth() {
    const us = service();
    const devices = us.devices(1, () => ({ ...SILENT, deviceClass: 'A' }));
    us.upload('app-1.2.3.bin', '00'.repeat(500));
    const group = { name: 'g', devices };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'c', image_name: 'app-1.2.3.bin', device_group_id };
    const { campaign_id } = us.do({ kind: 'campaign.create', campaign });
    const job = us.do(create({ devices }));
    us.bench.runUntil(60 * S);
    return { us, bench: us.bench, job, campaign_id, devEui: devices[0]! };
  }

  it('is watched on when the campaign is halted, and no more when the job ends, too', () => {
    const { us, bench, job, campaign_id, devEui } = inBoth();
    us.do({ kind: 'campaign.halt', campaign_id });
    bench.runUntil(120 * S);
    expect(bench.isWatched(devEui)).toBe(true);
    us.do(stop(job));
    expect(bench.isWatched(devEui)).toBe(false);
  });

  it('is watched on when the job ends, and no more when the campaign is halted, too', () => {
    const { us, bench, job, campaign_id, devEui } = inBoth();
    us.do(remove(job));
    expect(bench.isWatched(devEui)).toBe(true);
    bench.reload();
    us.do({ kind: 'campaign.halt', campaign_id });
    bench.runUntil(120 * S);
    expect(bench.isWatched(devEui)).toBe(false);
  });

  it('is watched for the other job alone when one ends, saved and loaded', () => {
    const { us, bench, devices, created } = quiet(1);
    const other = us.do(create({ devices }));
    bench.reload();
    us.do(stop(created));
    expect(bench.isWatched(devices[0]!)).toBe(true);
    us.do(stop(other));
    expect(bench.isWatched(devices[0]!)).toBe(false);
  });

  it('is not watched when it is created anew after its removal', () => {
    const { us, bench, campaign_id, devEui } = inBoth();
    us.do({ kind: 'campaign.halt', campaign_id });
    us.do({ kind: 'device.remove', devEui });
    us.do({ kind: 'device.create', device: { devEui } });
    bench.runUntil(120 * S);
    expect(bench.isWatched(devEui)).toBe(false);
    const next = us.do(create({ devices: [devEui] }));
    expect(bench.isWatched(devEui)).toBe(true);
    us.do(stop(next));
    expect(bench.isWatched(devEui)).toBe(false);
  });
});

describe('a job of very many devices', () => {
  const MANY = 1_000;
  const LONGEST_SLICE = 256;

  /** The most downlinks, clearings or watches of one instant since a place in the log. */
  const mostAtOnce = ({ us }: ReturnType<typeof quiet>, from: number, kind: string) => {
    const counts = new Map<number, number>();
    for (const { atUs, request } of us.bench.log.slice(from)) {
      if (request.kind === kind) counts.set(atUs, (counts.get(atUs) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  };

  it('is begun, stopped and deleted in slices of 256, whatever comes between', () => {
    const all = quiet(MANY);
    const { us, bench, created, devices, waits } = all;
    expect(devices.filter(waits)).toHaveLength(LONGEST_SLICE);
    const { reliableDownlink } = bench.platform.resources;
    bench.runUntil(1_500);
    us.do(stop(created));
    expect(get(us, created).num_devices_fail).toBe(MANY);
    expect(reliableDownlink.isIdle).toBe(false);
    us.do(restart(created));
    bench.reload();
    bench.runUntil(10_000);
    expect(devices.map(waits)).toEqual(devices.map(() => 1));
    expect(mostAtOnce(all, 0, 'downlink')).toBe(LONGEST_SLICE);
    const before = bench.log.length;
    us.do(remove(created));
    expect(us.ask(LIST)).toEqual([]);
    bench.runUntil(20_000);
    expect(devices.some(waits)).toBe(false);
    expect(devices.some((each) => bench.isWatched(each))).toBe(false);
    expect(mostAtOnce(all, before, 'clearDownlinks')).toBe(LONGEST_SLICE);
    expect(bench.platform.resources.reliableDownlink.isIdle).toBe(true);
    expect(bench.platform.resources.reliableDownlink.save().jobs).toEqual([]);
  });

  it('sends again to 256 of them at once at most', () => {
    const all = quiet(MANY, { retry_interval: 1, max_retries: 1 });
    const { us, bench, devices, created, waits } = all;
    bench.runUntil(10_000);
    for (const devEui of devices) bench.reportNext(devEui, SENT);
    const before = bench.log.length;
    bench.runUntil(2 * S);
    expect(devices.map(waits)).toEqual(devices.map(() => 1));
    expect(mostAtOnce(all, before, 'downlink')).toBe(LONGEST_SLICE);
    for (const devEui of devices) bench.reportNext(devEui, SENT);
    bench.runUntil(4 * S);
    expect(get(us, created)).toMatchObject({ status: 'finished', num_devices_fail: MANY });
  });
});

testIsolation('reliableDownlink', (ann, devEui) => ann.do(create({ devices: [devEui] })), {
  'reliableDownlink.create': ({ devices }) => ({
    job: { ...INPUT, devices: Object.keys(devices) },
  }),
  'reliableDownlink.list': () => ({}),
  'reliableDownlink.get': ({ job_id }) => ({ job_id }),
  'reliableDownlink.delete': ({ job_id }) => ({ job_id }),
  'reliableDownlink.restart': ({ job_id }) => ({ job_id }),
  'reliableDownlink.stop': ({ job_id }) => ({ job_id }),
});
