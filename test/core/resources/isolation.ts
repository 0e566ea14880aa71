/**
 * What holds for every operation of a resource. E58: what is one subscriber's is unknown to
 * another. E2: it needs its permission. And it takes hexadecimal digits in any case, keeps nothing
 * of what it is given, and shares nothing of what it answers. The test of each resource calls
 * `testIsolation` once; isolation.test.ts holds that it does.
 */
import { describe, expect, it } from 'vitest';
import {
  OPERATIONS,
  type OperationKind,
  type PlatformCommand,
  type PlatformQuery,
  type ResourceName,
  type Resources,
} from '../../../core/operations.ts';
import type { Result } from '../../../sim/base/result.ts';
import { annAndBob, type Subscriber } from './service.ts';

/** A key of Ann's device: no answer contains it. */
const KEY = '0123456789abcdef'.repeat(2);

export const IMAGE = 'app-1.2.3.bin';

type KindOf<Name extends ResourceName> = OperationKind & keyof Resources[Name]['handle'];

type Asked<Kind> = Extract<PlatformCommand | PlatformQuery, { readonly kind: Kind }>;

/** A sample of each operation of a resource, naming what Ann has. */
type Samples<Name extends ResourceName, Its> = {
  readonly [Kind in KindOf<Name>]: (its: Its) => Omit<Asked<Kind>, 'kind'>;
};

/** `own` makes what Ann has of the resource, with a device of hers; samples name it. */
export function testIsolation<Name extends ResourceName, Its>(
  resource: Name,
  own: (ann: Subscriber, devEui: string) => Its,
  samples: Samples<Name, Its>,
): void {
  const kinds = Object.keys(samples) as KindOf<Name>[];
  const withVerb = (...verbs: readonly string[]) =>
    kinds.filter((kind) => verbs.includes(OPERATIONS[kind].verb));

  const give = (who: Subscriber, kind: KindOf<Name>, sample: unknown): Result<unknown> => {
    const given = { kind, ...(sample as object) };
    return ['list', 'get'].includes(OPERATIONS[kind].verb)
      ? who.tryAsk(given as unknown as PlatformQuery)
      : who.try(given as unknown as PlatformCommand);
  };
  const carryOut = (who: Subscriber, kind: KindOf<Name>, its: Its) =>
    give(who, kind, samples[kind](its));

  const settled = () => {
    const [ann, bob] = annAndBob();
    const [devEui] = ann.devices(2) as [string, string];
    ann.do({ kind: 'key.upload', keys: { [devEui]: KEY } });
    return { ann, bob, its: own(ann, devEui) };
  };

  describe(`E58: another subscriber, of ${resource},`, () => {
    it('has a sample of each operation', () => {
      const all = Object.entries(OPERATIONS).filter(([, each]) => each.resource === resource);
      expect([...kinds].sort()).toEqual(all.map(([kind]) => kind).sort());
    });

    it.each(withVerb('list'))('sees nothing of hers in %s', (kind) => {
      const { ann, bob, its } = settled();
      const hers = carryOut(ann, kind, its);
      expect(hers.ok && isEmpty(hers.value)).toBe(false);
      expect(JSON.stringify(hers).toLowerCase()).not.toContain(KEY);
      // What he sees is what he would see if she had nothing.
      const [, emptyBob] = annAndBob();
      const his = carryOut(bob, kind, its);
      expect(his.ok).toBe(true);
      expect(his).toEqual(carryOut(emptyBob, kind, its));
      expect(his).not.toEqual(hers);
    });

    it.each(withVerb('get', 'change', 'delete'))(
      'finds the thing that %s names as unknown as if it never was, and changes nothing',
      (kind) => {
        const { ann, bob, its } = settled();
        const before = JSON.stringify(ann.bench.platform.save());
        const his = carryOut(bob, kind, its);
        const [, emptyBob] = annAndBob();
        expect(his.ok).toBe(false);
        expect(his).toEqual(carryOut(emptyBob, kind, its));
        expect(JSON.stringify(ann.bench.platform.save())).toBe(before);
        const hers = JSON.stringify(carryOut(ann, kind, its));
        expect(hers.toLowerCase()).not.toContain(KEY);
        expect(hers).not.toBe(JSON.stringify(his));
      },
    );

    it.each(withVerb('ownCreate', 'ownChange', 'ownDelete'))(
      'has %s done among his own things, not hers',
      (kind) => {
        const { ann, bob, its } = settled();
        const hers = () => JSON.stringify(ann.bench.platform.save(), ownedByAnn);
        const before = hers();
        expect(carryOut(bob, kind, its)).toEqual({ ok: true, value: undefined });
        expect(hers()).toBe(before);
      },
    );
  });

  describe(`an operation of ${resource},`, () => {
    const stateOf = ({ bench }: Subscriber) => JSON.stringify(bench.platform.save());

    it.each(kinds)('E2: %s, needs the permission of its verb, and no other', (kind) => {
      const { ann, its } = settled();
      const sample = samples[kind](its);
      const { permission, verb } = OPERATIONS[kind];
      const needed = `${permission}.${ACTIONS[verb]}`;
      const permissions = PERMISSIONS.filter((each) => each !== needed);
      expect(permissions).toHaveLength(PERMISSIONS.length - 1);
      const before = stateOf(ann);
      const refused = give(ann, kind, { ...sample, permissions });
      expect(refused).toMatchObject({ ok: false, failure: { code: 'asker.forbidden' } });
      expect(stateOf(ann)).toBe(before);
      const free = settled();
      const expected = carryOut(free.ann, kind, free.its);
      expect(give(ann, kind, { ...sample, permissions: [needed] })).toEqual(expected);
      expect(stateOf(ann)).toBe(stateOf(free.ann));
    });

    it.each(kinds)('%s, keeps nothing of what it is given, nor shares what it answers', (kind) => {
      const { ann, its } = settled();
      const sample = samples[kind](its);
      const given = structuredClone(sample);
      const answer = give(ann, kind, given);
      if (OPERATIONS[kind].verb === 'create') expect(answer.ok).toBe(true);
      expect(given).toEqual(sample);
      const before = stateOf(ann);
      spoil(given);
      if (answer.ok) spoil(answer.value);
      expect(stateOf(ann)).toBe(before);
    });

    it.each(kinds)('%s, takes hexadecimal digits in either case', (kind) => {
      const [upper, lower] = [settled(), settled()];
      const expected = give(upper.ann, kind, inCase('toUpperCase', samples[kind](upper.its)));
      const answer = give(lower.ann, kind, inCase('toLowerCase', samples[kind](lower.its)));
      expect(answer).toEqual(expected);
      expect(stateOf(lower.ann)).toBe(stateOf(upper.ann));
    });
  });
}

const ACTIONS = {
  ...{ create: 'Create', ownCreate: 'Create', list: 'Read', get: 'Read' },
  ...{ change: 'Update', ownChange: 'Update', delete: 'Delete', ownDelete: 'Delete' },
} as const;

const OBJECTS = ['Device', 'Gateway', 'User', 'SubscriberAdmin', 'NetworkOperator', 'SysAdmin'];
const PERMISSIONS = OBJECTS.flatMap((object) =>
  ['Create', 'Read', 'Update', 'Delete'].map((action) => `${object}.${action}`),
);

/** Changes all that can be changed, all the way down. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Uint8Array) {
    value.fill(0xff);
    return;
  }
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    spoil(record[key]);
    record[key] = 'spoilt';
  }
  if (Array.isArray(value)) value.push('spoilt');
  else record.spoilt = 'spoilt';
}

/** Plain data with what is hexadecimal in it, values and keys, in one case. */
function inCase(to: 'toUpperCase' | 'toLowerCase', value: unknown): unknown {
  const cased = (text: string) => (/^[0-9A-Fa-f-]{16,}$/.test(text) ? text[to]() : text);
  if (typeof value === 'string') return cased(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((each) => inCase(to, each));
  const entries = Object.entries(value).map(([key, each]) => [cased(key), inCase(to, each)]);
  return Object.fromEntries(entries);
}

/** A campaign of Ann's, over an image and a group of hers. */
export function annsCampaign(ann: Subscriber, devEui: string) {
  ann.upload(IMAGE, '00'.repeat(500), ['secret-tag']);
  const group = { name: 'all', devices: [devEui] };
  const { device_group_id } = ann.do({ kind: 'deviceGroup.create', group });
  const campaign = { name: 'spring', image_name: IMAGE, device_group_id };
  const { campaign_id } = ann.do({ kind: 'campaign.create', campaign });
  return { device_group_id, campaign_id };
}

/** Whether an answer is an empty list or map, or has only such. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(isEmpty);

/** Leaves out the records of others. */
const ownedByAnn = (_: string, value: unknown): unknown =>
  Array.isArray(value) ? value.filter((each) => (each?.owner ?? 'ann') === 'ann') : value;
