/**
 * A year of three subscribers on one network: managed campaigns with a session each day,
 * delegations that expire, jobs, devices that come and go. What is over is deleted now and then,
 * and leaves nothing: state grows with what there is, not with days.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOut, type Step } from '../support/service-commands.ts';
import { audit } from '../support/service-laws.ts';
import { isOver, WHO } from '../support/service-model.ts';
import { Driven, sharedPlan } from '../support/service-world.ts';
import { HOUR_US } from '../support/small-network.ts';

const DAY_US = 24 * HOUR_US;
const WEEKS = 52;

const WEEKLY: readonly Step['does'][] = [
  ...(['managed', 'managed', 'campaign', 'group', 'group', 'job', 'delegate', 'delegate'] as const),
  ...([
    'device',
    'device',
    'deviceRemove',
    'managedHalt',
    'campaignRestart',
    'jobRestart',
  ] as const),
];

const week = fc.array(
  fc.record({
    does: fc.constantFrom(...WEEKLY),
    who: fc.nat(2),
    asOwner: fc.constant(true),
    a: fc.nat(63),
    b: fc.nat(63),
  }),
  { maxLength: 5 },
);

/** What devices reported, the few patterns that delegations had once, and whose things are. */
const LEFT_BYTES = 4_000;
/** 21 kB of them are the world before the year. */
const MOST_BYTES = 100_000;

/** Without what is stored of uplinks, some for a week and some for a month. */
function recordBytes({ world }: Driven): number {
  const { resources, ...platform } = world.snapshot().platform;
  const { statistics: _, log: __, ...records } = resources;
  return JSON.stringify({ ...platform, records }).length;
}

function wait(driven: Driven, days: number): void {
  for (let day = 0; day < days; day++) driven.world.runUntil(driven.world.nowUs + DAY_US);
  audit(driven);
}

/** Everybody deletes what is over. */
function tidy(driven: Driven): void {
  const { model, nowMs } = driven;
  for (const who of WHO) {
    for (const { id, stage } of model.of(model.managed, who)) {
      if (stage < 8) continue;
      driven.give(who, { kind: 'managedCampaign.delete', managed_campaign_id: id }, []);
      model.managed.delete(id);
    }
    for (const campaign of model.of(model.campaigns, who)) {
      if (!isOver(campaign.stage) || campaign.managedId !== undefined) continue;
      driven.give(who, { kind: 'campaign.delete', campaign_id: campaign.id }, []);
      campaign.goneByUs = driven.world.nowUs + 1_000_000;
    }
    for (const { id, status } of model.of(model.jobs, who)) {
      if (status === 'running') continue;
      driven.give(who, { kind: 'reliableDownlink.delete', job_id: id }, []);
      model.jobs.delete(id);
    }
  }
  for (const one of [...model.delegations.values()]) {
    if (one.expiresMs >= nowMs) continue;
    driven.give(one.from, { kind: 'delegation.delete', delegation_id: one.id }, []);
    model.delegations.delete(one.id);
    model.former.push(one);
  }
  wait(driven, 1);
  for (const { id, owner } of [...model.groups.values()]) {
    const device_group_id = id;
    const answer = driven.try(owner, { kind: 'deviceGroup.delete', device_group_id });
    if (answer.ok) model.groups.delete(id);
  }
  audit(driven);
}

/** Ends all that is not over, and waits until it is cleared up. */
function end(driven: Driven): void {
  const { model } = driven;
  for (const { id, owner } of model.managed.values()) {
    driven.give(owner, { kind: 'managedCampaign.halt', managed_campaign_id: id }, []);
    model.managed.get(id)!.isHalted = true;
  }
  for (const campaign of model.campaigns.values()) {
    driven.try(campaign.owner, { kind: 'campaign.halt', campaign_id: campaign.id });
    campaign.isHalted = true;
  }
  for (const { id, owner } of model.jobs.values()) {
    driven.try(owner, { kind: 'reliableDownlink.stop', job_id: id });
  }
}

describe('a year of managed campaigns, jobs and delegations', () => {
  it('keeps every law each week, leaves nothing when all is deleted, and ends idle', () => {
    fc.assert(
      fc.property(fc.array(week, { minLength: WEEKS, maxLength: WEEKS, size: 'max' }), (weeks) => {
        const driven = new Driven(sharedPlan(4 * HOUR_US));
        const records = recordBytes(driven);
        weeks.forEach((steps, i) => {
          for (const step of steps) carryOut(driven, step);
          wait(driven, 6);
          if (i % 4 === 3) tidy(driven);
          else wait(driven, 1);
        });
        end(driven);
        wait(driven, 9);
        expect(driven.world.facts.isIdle).toBe(true);
        tidy(driven);
        const { managed, campaigns, jobs, groups } = driven.model;
        expect([managed, campaigns, jobs, groups].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
        expect(recordBytes(driven) - records).toBeLessThan(LEFT_BYTES);
        // The network has rows for devices that came, and what was on the air lately.
        const bare = driven.world.fork({ records: false });
        expect(bare.toBytes().length).toBeLessThan(MOST_BYTES);
      }),
      { numRuns: 1 },
    );
  });
});
