/** Retries and restarts of campaigns (firmware update service), as a subscriber sees them. */
import { describe, expect, it } from 'vitest';
import { Bench } from '../bench.ts';
import {
  campaignOf,
  deaf,
  finish,
  full,
  go,
  restart,
  subscriber,
  summary,
} from './campaign-notation.ts';
import type { Subscriber } from './service.ts';

/** A campaign with a device that never takes a fragment. */
function failing(automatic_retry_count: number) {
  const us = subscriber(new Bench());
  const devices = us.devices(1, () => deaf({ now: false }));
  const retries = { automatic_retry_count, automatic_retry_interval: 7_200 };
  return { us, devEui: devices[0]!, campaign_id: campaignOf(us, devices, retries) };
}

function shortOf(us: Subscriber, campaign_id: string, devEui: string) {
  const answer = us.ask({ kind: 'campaign.shortStatus', campaign_id });
  return 'devices' in answer ? answer.devices[devEui]! : undefined;
}

describe('the stage of a failed device', () => {
  it.each([1, 2])('is 7 only once none of %i automatic retries is left for it', (count) => {
    const { us, devEui, campaign_id } = failing(count);
    const waits = new Set<number>();
    for (let hour = 0; hour < 200; hour++) {
      go(us, 1_800);
      const { stage, stage_str } = summary(us, campaign_id);
      const device = shortOf(us, campaign_id, devEui);
      if (stage_str === 'WAITING_FOR_RETRY') {
        expect(device).toMatchObject({ stage: 6, failure_reason: expect.any(String) });
        waits.add(device!.attempts);
      }
      expect(device?.stage === 7).toBe(stage === 7);
    }
    expect([...waits]).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    expect(shortOf(us, campaign_id, devEui)).toMatchObject({ stage: 7, attempts: count + 1 });
  });

  it('is 6 while a restart waits for its start', () => {
    const { us, devEui, campaign_id } = failing(0);
    finish(us);
    expect(shortOf(us, campaign_id, devEui)).toMatchObject({ stage: 7 });
    const scheduled_start_at = '2090-01-01T00:00:00Z';
    expect(restart(us, campaign_id, { scheduled_start_at }).ok).toBe(true);
    go(us, 60);
    expect(summary(us, campaign_id)).toMatchObject({ stage_str: 'WAITING_FOR_START' });
    expect(shortOf(us, campaign_id, devEui)).toMatchObject({ stage: 6 });
  });
});

describe('campaign.restart: a restart that omits', () => {
  function restartedTwice(original: { multicast_setup_time?: number }) {
    const us = subscriber(new Bench());
    const devices = us.devices(1, () => deaf({ now: false }));
    const campaign_id = campaignOf(us, devices, { ...original, redundancy: 0.2 });
    finish(us);
    const first = { multicast_setup_time: 9_000, redundancy: 0.5, automatic_retry_count: 1 };
    for (const changes of [first, {}]) {
      expect(restart(us, campaign_id, changes).ok).toBe(true);
      go(us, 10);
      finish(us);
    }
    return full(us, campaign_id);
  }

  it('multicast_setup_time has that of the creation; others stay as they were before', () => {
    expect(restartedTwice({ multicast_setup_time: 4_000 })).toMatchObject({
      multicast_setup_time: 4_000,
      redundancy: 0.5,
      automatic_retry_count: 1,
    });
  });

  it('multicast_setup_time of a campaign that was created without one is automatic again', () => {
    const created = full(...createdAlone());
    expect(restartedTwice({}).multicast_setup_time).toBe(created.multicast_setup_time);
  });

  function createdAlone(): [Subscriber, string] {
    const us = subscriber(new Bench());
    const id = campaignOf(us, us.devices(1), { redundancy: 0.2 });
    go(us, 10);
    return [us, id];
  }
});
