/** Campaigns that begin when an earlier one is over (docs/decisions/0074). */
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../../core/update-service/campaigns/commands.ts';
import { toHex } from '../../../sim/base/bytes.ts';
import { S, someImage } from '../bench.ts';
import { annsCampaign, IMAGE, testIsolation } from './isolation.ts';
import { annAndBob, type Subscriber, service } from './service.ts';

/** A group of canaries, some without answers, and another group that waits for them. */
class Fleet {
  readonly us: Subscriber;
  readonly canary: string;
  readonly #group: string;

  constructor(us: Subscriber, canaries: number, mute = 0) {
    this.us = us;
    us.upload(IMAGE, toHex(someImage(500)));
    const devices = us.devices(canaries, (i) => (i < mute ? { mute: ['McGroupSetupReq'] } : {}));
    const others = us.devices(1);
    this.canary = this.create({ device_group_id: this.group(devices) });
    this.#group = this.group(others);
  }

  group(devices: readonly string[]): string {
    const group = { name: 'g', devices };
    return this.us.do({ kind: 'deviceGroup.create', group }).device_group_id;
  }

  create(input: Partial<CampaignInput>): string {
    return this.us.do({ kind: 'campaign.create', campaign: this.input('canary', input) })
      .campaign_id;
  }

  input(name: string, input: Partial<CampaignInput> = {}): CampaignInput {
    return { name, image_name: IMAGE, device_group_id: this.#group, ...input };
  }

  /** One that follows; its id. */
  follow(
    name: string,
    least: { least_updated?: number; least_updated_share?: number } = {},
    after = this.canary,
    input: Partial<CampaignInput> = {},
  ): string {
    const campaign = this.input(name, input);
    return this.us.do({ kind: 'followUp.create', campaign, after, ...least }).campaign_id;
  }

  stage(campaign_id: string): string {
    const { campaign } = this.us.bench.platform.resources;
    return campaign.stagesOf(this.us.by, campaign_id)?.at(-1)?.stage ?? 'none';
  }

  /** Until a campaign is over, or two days have passed. */
  finish(id: string): void {
    const { bench, by } = this.us;
    const endUs = bench.nowUs + 2 * 86_400 * S;
    const { campaign } = bench.platform.resources;
    while (bench.nowUs < endUs && campaign.isRunning(by, id) !== false) {
      bench.runUntil(bench.nowUs + 60 * S);
    }
  }

  get reported() {
    return this.us.bench.platform.resources.followUp.results();
  }
}

describe('a campaign that follows another', () => {
  it('is none before the earlier one is over, and is created in that very instant', () => {
    const fleet = new Fleet(service(), 2);
    const id = fleet.follow('fleet', { least_updated_share: 1 });
    expect(fleet.stage(id)).toBe('none');
    expect(fleet.reported).toMatchObject([{ name: 'fleet', after: 'canary', stage: 'waiting' }]);
    fleet.finish(fleet.canary);
    const { campaign } = fleet.us.bench.platform.resources;
    const over = campaign.stagesOf('default', fleet.canary)!.at(-1)!;
    expect(over.stage).toBe('FINISHED');
    expect(campaign.stagesOf('default', id)![0]).toEqual({ ...over, stage: 'INITIALIZING' });
    fleet.finish(id);
    expect(fleet.stage(id)).toBe('FINISHED');
    expect(fleet.reported).toMatchObject([{ stage: 'started', devices: 2, updated: 2 }]);
  });

  it.each([
    ['a share that is reached', { least_updated_share: 0.5 }, 'started'],
    ['a share that is missed by a little', { least_updated_share: 0.500001 }, 'held back'],
    ['a number that is reached', { least_updated: 2 }, 'started'],
    ['a number that is missed', { least_updated: 3 }, 'held back'],
    ['nothing', {}, 'started'],
  ])('begins or not, as devices have confirmed: %s', (_, least, stage) => {
    const fleet = new Fleet(service(), 4, 2);
    const id = fleet.follow('fleet', least);
    fleet.finish(fleet.canary);
    expect(fleet.reported).toMatchObject([{ stage, devices: 4, updated: 2 }]);
    expect(fleet.stage(id) === 'none').toBe(stage === 'held back');
  });

  it('takes a share as it is written, not as a product of fractions', () => {
    // 0.07 times 100 is a little more than 7.
    const fleet = new Fleet(service(), 100, 93);
    fleet.follow('fleet', { least_updated_share: 0.07 });
    fleet.finish(fleet.canary);
    expect(fleet.reported).toMatchObject([{ stage: 'started', updated: 7 }]);
  });

  it('begins after a campaign that was halted, unless its condition fails', () => {
    const fleet = new Fleet(service(), 2);
    const any = fleet.follow('any');
    const held = fleet.follow('held', { least_updated: 1 });
    fleet.us.do({ kind: 'campaign.halt', campaign_id: fleet.canary });
    expect([any, held].map((id) => fleet.stage(id))).toEqual(['INITIALIZING', 'none']);
  });

  it('that was held back begins when a restart brought what was missing, and once only', () => {
    const fleet = new Fleet(service(), 2);
    const id = fleet.follow('fleet', { least_updated: 2 });
    fleet.us.do({ kind: 'campaign.halt', campaign_id: fleet.canary });
    expect(fleet.reported).toMatchObject([{ stage: 'held back', updated: 0 }]);
    fleet.us.bench.runUntil(60 * S);
    fleet.us.do({ kind: 'campaign.restart', campaign_id: fleet.canary, changes: {} });
    fleet.finish(fleet.canary);
    expect(fleet.reported).toMatchObject([{ stage: 'started', updated: 2 }]);
    fleet.finish(id);
    // Its second campaign would be refused, since its id is taken.
    fleet.us.bench.platform.resources.followUp.earlierIsOver('default', fleet.canary, 0);
    expect(fleet.reported).toMatchObject([{ stage: 'started', refusal: '' }]);
  });

  it('may itself be followed, and what follows one that is held back waits', () => {
    const fleet = new Fleet(service(), 2);
    const second = fleet.follow('second', { least_updated: 1 });
    const third = fleet.follow('third', {}, second);
    fleet.finish(fleet.canary);
    expect(fleet.reported.map(({ stage }) => stage)).toEqual(['started', 'waiting']);
    fleet.finish(second);
    expect(fleet.reported.map(({ stage }) => stage)).toEqual(['started', 'started']);
    fleet.finish(third);
    expect(fleet.stage(third)).toBe('FINISHED');

    const other = new Fleet(service(), 2);
    other.follow('third', {}, other.follow('second', { least_updated: 3 }));
    other.finish(other.canary);
    expect(other.reported).toMatchObject([
      { name: 'second', stage: 'held back' },
      { name: 'third', after: 'second', stage: 'waiting' },
    ]);
  });

  it('is created in the order in which several of one campaign were asked for', () => {
    const fleet = new Fleet(service(), 1);
    const names = ['e', 'd', 'c', 'b', 'a'];
    for (const name of names) fleet.follow(name);
    fleet.finish(fleet.canary);
    const { campaign } = fleet.us.bench.platform.resources;
    expect(campaign.results().map(({ name }) => name)).toEqual(['canary', ...names]);
  });

  it('is judged at once where the earlier one is over already', () => {
    const fleet = new Fleet(service(), 1);
    fleet.finish(fleet.canary);
    expect(fleet.stage(fleet.follow('late'))).toBe('INITIALIZING');
  });

  it('waits for its scheduled start, and begins at once when that has passed', () => {
    const fleet = new Fleet(service(), 1);
    const at = (seconds: number) => new Date(fleet.us.bench.view.unixMs(seconds * S)).toISOString();
    const passed = fleet.follow('passed', {}, fleet.canary, { scheduled_start_at: at(60) });
    const late = fleet.follow('late', {}, fleet.canary, { scheduled_start_at: at(30 * 86_400) });
    fleet.finish(fleet.canary);
    fleet.us.bench.runUntil(fleet.us.bench.nowUs + 10 * S);
    expect(fleet.stage(late)).toBe('WAITING_FOR_START');
    expect(fleet.stage(passed)).not.toBe('WAITING_FOR_START');
  });

  it('says why no such campaign can be created', () => {
    const fleet = new Fleet(service(), 1);
    fleet.follow('fleet', {}, fleet.canary, { image_name: 'other-1.0.0.bin' });
    fleet.finish(fleet.canary);
    const refusal = 'There is no image other-1.0.0.bin.';
    expect(fleet.reported).toMatchObject([{ stage: 'refused', refusal }]);
  });

  it('is refused after a campaign that is none, and with an id that is taken', () => {
    const fleet = new Fleet(service(), 1);
    const campaign = fleet.input('fleet');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const refused = (given: object) =>
      fleet.us.refused({ kind: 'followUp.create', campaign, after: fleet.canary, ...given });
    expect(refused({ after: unknown })).toBe('campaign.unknown');
    expect(refused({ id: fleet.canary })).toBe('campaign.exists');
    expect(refused({ id: fleet.follow('one') })).toBe('campaign.exists');
    expect(refused({ campaign: { name: 'fleet' } })).toBe('campaign.invalid');
  });

  it.each(['campaign.halt', 'campaign.delete'] as const)('is called off by %s', (kind) => {
    const fleet = new Fleet(service(), 2);
    const id = fleet.follow('fleet');
    fleet.us.bench.runUntil(60 * S);
    fleet.us.do({ kind, campaign_id: id });
    expect(fleet.reported).toMatchObject([{ stage: 'called off', calledOffAtSeconds: 60 }]);
    fleet.us.bench.reload();
    fleet.finish(fleet.canary);
    expect(fleet.reported).toMatchObject([{ stage: 'called off', calledOffAtSeconds: 60 }]);
    expect(fleet.stage(id)).toBe('none');
    expect(fleet.us.refused({ kind, campaign_id: id })).toBe('campaign.unknown');
  });

  it('that has begun is halted, not called off', () => {
    const fleet = new Fleet(service(), 1);
    const id = fleet.follow('fleet');
    fleet.finish(fleet.canary);
    fleet.us.do({ kind: 'campaign.halt', campaign_id: id });
    expect(fleet.stage(id)).toBe('HALTED');
    expect(fleet.reported).toMatchObject([{ stage: 'started' }]);
  });

  it('is none that another subscriber can call off, or that can be read or restarted', () => {
    const [ann, bob] = annAndBob();
    const fleet = new Fleet(ann, 1);
    const campaign_id = fleet.follow('fleet');
    expect(bob.refused({ kind: 'campaign.halt', campaign_id })).toBe('campaign.unknown');
    expect(fleet.reported).toMatchObject([{ stage: 'waiting' }]);
    expect(ann.refusedQuery({ kind: 'campaign.get', campaign_id })).toBe('campaign.unknown');
    const restart = { kind: 'campaign.restart', campaign_id, changes: {} } as const;
    expect(ann.refused(restart)).toBe('campaign.unknown');
  });

  it('begins after each of two that end in one instant, in the order of their ends', () => {
    const us = service();
    const fleet = new Fleet(us, 2);
    const twin = fleet.create({ device_group_id: fleet.group(us.devices(2)) });
    const [first, second] = [fleet.follow('first', {}, twin), fleet.follow('second')];
    const both = fleet.follow('both', {}, first);
    us.do({ kind: 'campaign.halt', campaign_id: fleet.canary });
    us.do({ kind: 'campaign.halt', campaign_id: twin });
    const { campaign } = us.bench.platform.resources;
    const names = campaign.results().map(({ name }) => name);
    expect(names).toEqual(['canary', 'canary', 'second', 'first']);
    // What follows one that follows begins after all of them.
    us.do({ kind: 'campaign.halt', campaign_id: first });
    expect(campaign.stagesOf('default', both)![0]).toMatchObject({ atUs: us.bench.nowUs });
    expect(fleet.stage(second)).toBe('INITIALIZING');
  });

  it('begins each in the instant of its own earlier one, of two equal ones side by side', () => {
    const us = service();
    const fleet = new Fleet(us, 2);
    const twin = fleet.create({ device_group_id: fleet.group(us.devices(2)) });
    const follow = [fleet.follow('one'), fleet.follow('two', {}, twin), fleet.follow('three')];
    fleet.finish(fleet.canary);
    fleet.finish(twin);
    const { campaign } = us.bench.platform.resources;
    const over = [fleet.canary, twin].map((id) => campaign.stagesOf('default', id)!.at(-1)!.atUs);
    const [one, two, three] = follow.map((id) => campaign.stagesOf('default', id)![0]!.atUs);
    expect([one, two, three]).toEqual([over[0], over[1], over[0]]);
    expect(fleet.reported.map(({ stage }) => stage)).toEqual(['started', 'started', 'started']);
  });

  it('foreignThing: waits for no campaign of another subscriber', () => {
    const [ann, bob] = annAndBob();
    const { canary } = new Fleet(ann, 1);
    const fleet = new Fleet(bob, 1);
    const campaign = fleet.input('fleet');
    expect(bob.refused({ kind: 'followUp.create', campaign, after: canary })).toBe(
      'campaign.unknown',
    );
  });

  it('survives that the platform is saved and loaded', () => {
    const fleet = new Fleet(service(), 2);
    const id = fleet.follow('fleet', { least_updated: 2 });
    fleet.us.bench.runUntil(60 * S);
    fleet.us.bench.reload();
    fleet.finish(fleet.canary);
    expect(fleet.reported).toMatchObject([{ stage: 'started' }]);
    fleet.us.bench.reload();
    fleet.finish(id);
    expect(fleet.stage(id)).toBe('FINISHED');
  });
});

testIsolation('followUp', (ann, devEui) => annsCampaign(ann, devEui), {
  'followUp.create': ({ device_group_id, campaign_id }) => ({
    campaign: { name: 'fleet', image_name: IMAGE, device_group_id },
    after: campaign_id,
    least_updated: 1,
  }),
});
