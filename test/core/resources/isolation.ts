/**
 * E58 for one resource: what is one subscriber's is unknown to another in each of its operations;
 * and what holds for every operation (every-operation.ts). The test of each resource calls
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
import { give, testOperations } from './every-operation.ts';
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
  const kinds = Object.keys(samples) as OperationKind[];
  // Looked up by its type, a sample would cost the compiler half a minute.
  const sampleOf = samples as unknown as Readonly<Record<OperationKind, (its: Its) => object>>;
  const withVerb = (...verbs: readonly string[]) =>
    kinds.filter((kind) => verbs.includes(OPERATIONS[kind].verb));

  const carryOut = (who: Subscriber, kind: OperationKind, its: Its) =>
    give(who, kind, sampleOf[kind](its));

  const settled = () => {
    const [ann, bob] = annAndBob();
    const [devEui] = ann.devices(2) as [string, string];
    ann.do({ kind: 'key.upload', keys: { [devEui]: KEY } });
    return { ann, bob, its: own(ann, devEui) };
  };

  describe(`foreignThing: another subscriber, of ${resource},`, () => {
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
        expect(carryOut(bob, kind, its).ok).toBe(true);
        expect(hers()).toBe(before);
      },
    );
  });

  testOperations(resource, kinds, (kind) => {
    const { ann, its } = settled();
    return { ann, sample: sampleOf[kind](its), give: (given) => give(ann, kind, given) };
  });
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
