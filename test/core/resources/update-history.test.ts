/** Update history (firmware update service). */
import { describe, expect, it } from 'vitest';
import {
  historyResource,
  type UpdateAttempt,
} from '../../../core/update-service/update-history.ts';
import { type Bench, ready, S } from '../bench.ts';
import { annsCampaign, testIsolation } from './isolation.ts';
import { got, Subscriber, service, viewOfAll } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';

const ATTEMPT: UpdateAttempt = {
  atUs: 60 * S,
  reason: null,
  initialVersion: '0100000000000001',
  finalVersion: '0102030000000001',
  expectedVersion: '01020300........',
  campaignId: 'spring',
};

/** A history of these attempts, of the device A. */
function historyOf(attempts: readonly UpdateAttempt[]) {
  const us = service();
  us.devices(1);
  const { handle } = historyResource.make({
    campaign: {
      attemptsOf: (_, devEui) => (devEui === A ? attempts : []),
      attemptsOfAll: () => [[A, attempts]],
    },
  });
  return { handle, asking: { by: 'default', nowUs: 0, view: viewOfAll(us.bench) } };
}

const entries = (bench: Bench, deveui: string) =>
  new Subscriber(bench, 'default').ask({ kind: 'history.get', deveui });

describe('the history of a device', () => {
  it('history.get: has an entry for every attempt, in the document’s words', () => {
    const failed = { ...ATTEMPT, reason: 'no uplink', finalVersion: null } as const;
    const { handle, asking } = historyOf([ATTEMPT, { ...failed, atUs: 90 * S }]);
    expect(got(handle['history.get']({ deveui: A }, asking))).toEqual([
      {
        entry_date: '2025-12-17T09:47:22Z',
        status: 'success',
        reason: '',
        initial_version: '0100000000000001',
        post_update_version: '0102030000000001',
        expected_version: '01020300........',
        campaign_id: 'spring',
      },
      expect.objectContaining({
        entry_date: '2025-12-17T09:47:52Z',
        status: 'timeout',
        reason: 'no uplink',
        post_update_version: null,
      }),
    ]);
  });

  it('history.get: calls an answer that never came a timeout, all else a failure', () => {
    const reasons = ['no uplink', 'set-up unanswered', 'session missed', 'halted'] as const;
    const { handle, asking } = historyOf(reasons.map((reason) => ({ ...ATTEMPT, reason })));
    const reports = got(handle['history.get']({ deveui: A }, asking));
    expect(reports.map(({ status }) => status)).toEqual([
      'timeout',
      'timeout',
      'failure',
      'failure',
    ]);
  });

  it('history.get: is empty where nothing was tried, and unknown where there is no device', () => {
    const us = service();
    us.devices(1);
    expect(us.tryAsk({ kind: 'history.get', deveui: A })).toEqual({ ok: true, value: [] });
    expect(us.tryAsk({ kind: 'history.get', deveui: 'F000000000000000' })).toMatchObject({
      failure: { code: 'device.unknown' },
    });
  });

  it('history.all: is reported of every device that has one, in the order of their DevEUIs', () => {
    const bench = ready(2);
    const us = new Subscriber(bench, 'default');
    us.do({ kind: 'deviceGroup.create', group: { name: 'backwards', devices: [B, A] } });
    const [, group] = us.ask({ kind: 'deviceGroup.list' }).map((each) => each.device_group_id);
    bench.campaign({ device_group_id: group! });
    expect(us.ask({ kind: 'history.all' })).toEqual({});
    bench.finish();
    expect(Object.keys(us.ask({ kind: 'history.all' }))).toEqual([A, B]);
  });

  it('has the attempts of all rounds of all campaigns, the oldest first', () => {
    const bench = ready(2, (i) => (i === 0 ? {} : { mute: ['McGroupSetupReq'] }));
    const us = new Subscriber(bench, 'default');
    const first = bench.campaign({ automatic_retry_count: 2 });
    us.do({ kind: 'campaign.halt', campaign_id: first });
    us.do({ kind: 'campaign.restart', campaign_id: first, changes: {} });
    bench.finish();
    const second = bench.campaign();
    bench.runUntil(bench.nowUs + 86_400 * S);
    us.do({ kind: 'campaign.restart', campaign_id: first, changes: {} });
    bench.runUntil(bench.nowUs + 3 * 86_400 * S);
    const of = (deveui: string) => entries(bench, deveui).map(({ campaign_id }) => campaign_id);
    expect(of(A)).toEqual([first, second]);
    expect(of(B)).toEqual([first, first, first, second, first, first, first]);
    const dates = entries(bench, B).map(({ entry_date }) => entry_date);
    expect(dates).toEqual([...dates].sort());
  });

  it('begins with what the service knew, and ends with what was new after that', () => {
    const bench = ready(1, () => ({ losesFragment: () => true }));
    const us = new Subscriber(bench, 'default');
    bench.campaign();
    bench.runUntil(bench.nowUs + 86_400 * S);
    us.report(A, '0100000000000007');
    bench.campaign();
    bench.runUntil(bench.nowUs + 86_400 * S);
    expect(entries(bench, A)).toMatchObject([
      { status: 'failure', initial_version: null, post_update_version: null },
      { status: 'failure', initial_version: '0100000000000007', post_update_version: null },
    ]);
  });

  it('does not call what a failed device ran before, and runs still, a version after', () => {
    const version = '0100000000000001';
    const report = (initialVersion: string | null) => {
      const failed = { ...ATTEMPT, reason: 'version mismatch', finalVersion: version } as const;
      const { handle, asking } = historyOf([{ ...failed, initialVersion }]);
      return got(handle['history.get']({ deveui: A }, asking))[0]!.post_update_version;
    };
    expect([null, '0200000000000001', version].map(report)).toEqual([version, version, null]);
  });

  it('has nothing of a campaign that never began', () => {
    const bench = ready(1);
    const campaign_id = bench.campaign();
    new Subscriber(bench, 'default').do({ kind: 'campaign.halt', campaign_id });
    expect(bench.result).toMatchObject({ failed: 1, failures: { halted: 1 } });
    expect(entries(bench, A)).toEqual([]);
  });

  it('outlives the device', () => {
    const bench = ready(1);
    bench.campaign();
    bench.finish();
    const before = entries(bench, A);
    bench.remove(A);
    expect(entries(bench, A)).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it('campaign.delete: loses what a campaign tried when the campaign is deleted, and nothing else', () => {
    const bench = ready(2, () => ({ mute: ['McGroupSetupReq'] }));
    const us = new Subscriber(bench, 'default');
    const campaigns = [bench.campaign({ automatic_retry_count: 1 })];
    bench.finish();
    campaigns.push(bench.campaign());
    bench.runUntil(bench.nowUs + 86_400 * S);
    const [first, second] = campaigns;
    const of = () => entries(bench, A).map(({ campaign_id }) => campaign_id);
    expect(of()).toEqual([first, first, second]);
    us.do({ kind: 'campaign.delete', campaign_id: first! });
    bench.runUntil(bench.nowUs + 2 * S);
    expect(of()).toEqual([second]);
    bench.reload();
    expect(of()).toEqual([second]);
  });
});

testIsolation(
  'history',
  (ann, devEui) => {
    const { campaign_id } = annsCampaign(ann, devEui);
    ann.bench.runUntil(10 * S);
    ann.do({ kind: 'campaign.halt', campaign_id });
    return devEui;
  },
  {
    'history.all': () => ({}),
    'history.get': (devEui) => ({ deveui: devEui }),
  },
);
