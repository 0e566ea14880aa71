/** Update history (firmware update service). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UpdateAttempt } from '../../../core/update-service/update-history.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { got, Subscriber, service } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';

const ATTEMPT: UpdateAttempt = {
  atUs: 60 * S,
  status: 'success',
  reason: '',
  initialVersion: '0100000000000001',
  postUpdateVersion: '0102030000000001',
  expectedVersion: '01020300........',
  campaignId: 'spring',
};

function bench() {
  const us = service();
  us.devices(2);
  const { platform, view } = us.bench;
  const { history } = platform.resources;
  const who = (by: string) => new Subscriber(us.bench, by);
  const all = (by: string) => who(by).ask({ kind: 'history.all' });
  const of = (by: string, deveui: string) => who(by).tryAsk({ kind: 'history.get', deveui });
  return { history, all, of, view };
}

describe('the history of a device', () => {
  it('row 21: has an entry for every attempt, the oldest first', () => {
    const { history, of, view } = bench();
    history.add('ann', A, ATTEMPT);
    const failure = { status: 'failure', reason: 'no uplink', postUpdateVersion: null } as const;
    history.add('ann', A, { ...ATTEMPT, ...failure, atUs: 90 * S, campaignId: null });
    const entries = got(of('ann', A.toLowerCase()));
    expect(entries).toEqual([
      {
        entry_date: expect.any(String),
        status: 'success',
        reason: '',
        initial_version: '0100000000000001',
        post_update_version: '0102030000000001',
        expected_version: '01020300........',
        campaign_id: 'spring',
      },
      expect.objectContaining({
        status: 'failure',
        reason: 'no uplink',
        post_update_version: null,
        campaign_id: null,
      }),
    ]);
    const dates = entries.map(({ entry_date }) => new Date(entry_date).getTime());
    expect(dates).toEqual([view.unixMs(60 * S), view.unixMs(90 * S)]);
  });

  it('row 21: is empty where nothing was tried, and unknown where there is no device', () => {
    const { of } = bench();
    expect(of('default', A)).toEqual({ ok: true, value: [] });
    expect(of('default', 'F000000000000000')).toMatchObject({
      failure: { code: 'device.unknown' },
    });
  });

  it('row 20: is told of every device that has one', () => {
    const { history, all } = bench();
    history.add('ann', B, ATTEMPT);
    history.add('ann', A, ATTEMPT);
    history.add('bob', 'C000000000000000', ATTEMPT);
    expect(Object.keys(all('ann'))).toEqual([A, B]);
    expect(Object.keys(all('bob'))).toEqual(['C000000000000000']);
  });

  it('row 5: loses what a campaign wrote when the campaign is deleted, and nothing else', () => {
    const step = fc.oneof(
      fc.record({ devEui: fc.constantFrom(A, B), campaignId: fc.constantFrom('x', 'y', null) }),
      fc.record({ deleted: fc.constantFrom('x', 'y') }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { history, all } = bench();
        let model: { devEui: string; campaignId: string | null; reason: string }[] = [];
        steps.forEach((each, i) => {
          if ('deleted' in each) {
            history.forgetCampaign('ann', each.deleted);
            model = model.filter(({ campaignId }) => campaignId !== each.deleted);
          } else {
            const entry = { ...each, reason: `${i}` };
            history.add('ann', each.devEui, { ...ATTEMPT, ...entry });
            model.push(entry);
          }
          history.load(history.save());
        });
        const told = Object.entries(all('ann')).flatMap(([devEui, entries]) =>
          entries.map(({ campaign_id, reason }) => ({ devEui, campaignId: campaign_id, reason })),
        );
        const sorted = [...model].sort((a, b) =>
          a.devEui < b.devEui ? -1 : a.devEui > b.devEui ? 1 : 0,
        );
        expect(told).toEqual(sorted);
      }),
    );
  });
});

testIsolation(
  'history',
  (ann, devEui) => {
    const { platform } = ann.bench;
    const saved = platform.save();
    const history = [{ owner: ann.by, devEui, attempts: [ATTEMPT] }];
    platform.load({ ...saved, resources: { ...saved.resources, history } });
    return devEui;
  },
  {
    'history.all': () => ({}),
    'history.get': (devEui) => ({ deveui: devEui }),
  },
);
