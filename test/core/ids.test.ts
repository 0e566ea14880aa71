/** Ids: drawn from the world's stream, or given by a scenario's file; each is one thing's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ids, namedId } from '../../core/base/ids.ts';
import { expandSeed } from '../../sim/base/random.ts';
import { campaignId, groupId } from '../support/ids.ts';
import { type Bench, ready } from './bench.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SEED = expandSeed('a');

describe('the id of what a scenario’s file creates', () => {
  const named = (form: 'short' | 'uuid', seed: string, resource: string, name: string) =>
    namedId(form, expandSeed(seed), resource, name);

  it('is a function of seed, resource and name, and has the form of the service', () => {
    const words = fc.string({ minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, words, (seed, name) => {
        expect(named('uuid', seed, 'campaign', name)).toMatch(UUID);
        expect(named('short', seed, 'deviceGroup', name)).toMatch(/^[0-9A-Za-z]{6}$/);
        expect(named('uuid', seed, 'campaign', name)).toBe(named('uuid', seed, 'campaign', name));
      }),
    );
    const ids = ['a', 'b'].flatMap((seed) =>
      ['campaign', 'other'].flatMap((what) =>
        ['x', 'y'].map((name) => named('uuid', seed, what, name)),
      ),
    );
    expect(new Set(ids).size).toBe(8);
  });

  it('is another one where that is taken', () => {
    for (const form of ['short', 'uuid'] as const) {
      const first = namedId(form, SEED, 'campaign', 'x');
      const second = namedId(form, SEED, 'campaign', 'x', (id) => id === first);
      expect(second).not.toBe(first);
      expect(second.length).toBe(first.length);
    }
  });

  it('is the thing’s own among ten thousand', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => namedId('short', SEED, 'group', `g${i}`));
    expect(new Set(ids).size).toBe(10_000);
  });
});

describe('the stream of ids', () => {
  it('passes over those that are taken', () => {
    const draws = (counter: number) => Math.imul(counter + 1, 0x9e3779b9);
    for (const form of ['short', 'uuid'] as const) {
      const first = new Ids(draws)[form]();
      const ids = new Ids(draws);
      expect(ids[form]((id) => id === first)).not.toBe(first);
    }
  });
});

describe('a creation with an id', () => {
  const create = (bench: Bench, id: string, by = 'default') =>
    bench.try({ kind: 'campaign.create', id, campaign: bench.campaignInput(), by });
  const group = (bench: Bench, id: string) => {
    const devices = [...bench.devices.keys()];
    return bench.try({
      kind: 'deviceGroup.create',
      by: 'default',
      id,
      group: { name: 'g', devices },
    });
  };

  it('makes the thing under this id, and uses up none of the stream', () => {
    const bench = ready(2);
    const drawn = bench.platform.save().idsDrawn;
    const created = create(bench, campaignId('spring'));
    expect(created).toMatchObject({ ok: true, value: { campaign_id: campaignId('spring') } });
    const grouped = group(bench, groupId('g'));
    expect(grouped).toMatchObject({ ok: true, value: { device_group_id: groupId('g') } });
    expect(bench.platform.save().idsDrawn).toBe(drawn);
  });

  it('is refused where the id is taken, and changes nothing', () => {
    const bench = ready(2);
    create(bench, campaignId('spring'));
    group(bench, groupId('g'));
    const before = JSON.stringify(bench.platform.save());
    const taken = { ok: false, failure: { code: 'campaign.exists', path: '/id' } };
    expect(create(bench, campaignId('spring'))).toMatchObject(taken);
    expect(group(bench, groupId('g'))).toMatchObject({
      failure: { code: 'deviceGroup.exists', path: '/id' },
    });
    expect(JSON.stringify(bench.platform.save())).toBe(before);
  });

  it('may have the id of a campaign that is gone', () => {
    const bench = ready(2);
    const campaign_id = campaignId('spring');
    create(bench, campaign_id);
    bench.execute({ kind: 'campaign.delete', by: 'default', campaign_id });
    expect(create(bench, campaign_id).ok).toBe(false);
    bench.runUntil(2_000_000);
    expect(create(bench, campaign_id).ok).toBe(true);
  });

  it.each(['', 'short', 'ABCDEF00-0000-4000-8000-000000000000'])('is refused with %o', (id) => {
    const bench = ready(1);
    expect(create(bench, id)).toMatchObject({ failure: { code: 'command.malformed' } });
    expect(group(bench, `${id}!`)).toMatchObject({ failure: { code: 'command.malformed' } });
  });
});

describe('a label', () => {
  it('names nothing: a halt takes an id alone', () => {
    const bench = ready(2);
    const campaign_id = bench.campaign({ name: 'spring' });
    const halt = (id: string) =>
      bench.try({ kind: 'campaign.halt', by: 'default', campaign_id: id });
    expect(halt('spring')).toMatchObject({ failure: { code: 'campaign.unknown' } });
    expect(halt(campaign_id.toUpperCase()).ok).toBe(true);
  });

  it('may be that of several: the one with the id is meant', () => {
    const bench = ready(2);
    const [first, second] = [bench.campaign(), bench.campaign()];
    bench.execute({ kind: 'campaign.halt', by: 'default', campaign_id: first });
    const stages = bench.platform.resources.campaign.results().map(({ stage }) => stage);
    expect(stages).toEqual(['HALTED', 'INITIALIZING']);
    expect(second).not.toBe(first);
  });

  it('of a group names no group', () => {
    const campaign = ready(1).campaignInput({ device_group_id: 'all' });
    expect(ready(1).try({ kind: 'campaign.create', by: 'default', campaign })).toMatchObject({
      failure: { code: 'deviceGroup.unknown', path: '/device_group_id' },
    });
  });
});
