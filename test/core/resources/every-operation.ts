/**
 * What holds for every operation, whatever it does. E2: it needs its permission. It keeps nothing
 * of what it is given, and shares nothing of what it answers. It takes hexadecimal digits in any
 * case. What it does is saved, loaded and in the digest.
 */
import { describe, expect, it } from 'vitest';
import {
  OPERATIONS,
  type OperationKind,
  type PlatformCommand,
  type PlatformQuery,
} from '../../../core/operations.ts';
import type { Result } from '../../../sim/base/result.ts';
import { Digest } from '../../../sim/kernel/digest.ts';
import type { Subscriber } from './service.ts';

/** Gives a sample of an operation, a command or a query. */
export function give(who: Subscriber, kind: OperationKind, sample: unknown): Result<unknown> {
  const given = { kind, ...(sample as object) };
  return ['list', 'get'].includes(OPERATIONS[kind].verb)
    ? who.tryAsk(given as unknown as PlatformQuery)
    : who.try(given as unknown as PlatformCommand);
}

/** Ann, with what a sample of an operation names, and how she gives one. */
interface Setting {
  readonly ann: Subscriber;
  readonly sample: object;
  readonly give: (sample: unknown) => Result<unknown>;
}

/** Resources without folded state: they only record events. */
const NOTED = new Set(['gatewayEvent', 'gatewayStatistics', 'log', 'payload', 'statistics']);

/** Creations of what has a name or an EUI of its own in place of an id. */
const NATURAL = new Set<OperationKind>([
  'image.create',
  'device.create',
  'gateway.create',
  'multicastGroup.create',
  'baseStation.create',
  'endDevice.create',
]);
/** Of each form. */
const IDS = ['01234567-89ab-4cde-8f01-23456789abcd', 'AbCdEfGh', 'AbCd42'];

/** `settle` makes the same world each time. */
export function testOperations<Kind extends OperationKind>(
  resource: string,
  kinds: readonly Kind[],
  settle: (kind: Kind) => Setting,
): void {
  const stateOf = savedBy;
  testGivenIds(resource, kinds, settle);
  /** Without what follows from events and commands that are folded themselves. */
  const decidedOf = ({ bench }: Subscriber) => {
    const { resources, ...saved } = bench.platform.save();
    const decided = Object.entries(resources).filter(([name]) => !NOTED.has(name));
    return JSON.stringify({ ...saved, decided });
  };
  const digestOf = ({ bench }: Subscriber) => {
    const digest = new Digest();
    bench.platform.fold(digest);
    return digest.hex();
  };

  describe(`an operation of ${resource},`, () => {
    it.each(kinds)('noPermission: %s, needs the permission of its verb, and no other', (kind) => {
      const { ann, sample, give } = settle(kind);
      const { permission, verb } = OPERATIONS[kind];
      const needed = `${permission}.${ACTIONS[verb]}`;
      const permissions = PERMISSIONS.filter((each) => each !== needed);
      expect(permissions).toHaveLength(PERMISSIONS.length - 1);
      const before = stateOf(ann);
      const refused = give({ ...sample, permissions });
      if (OPERATIONS[kind].open) {
        expect(give({ ...sample, permissions: [] })).toEqual(give(sample));
        return;
      }
      expect(refused).toMatchObject({ ok: false, failure: { code: 'asker.forbidden' } });
      expect(stateOf(ann)).toBe(before);
      const free = settle(kind);
      expect(give({ ...sample, permissions: [needed] })).toEqual(free.give(free.sample));
      expect(stateOf(ann)).toBe(stateOf(free.ann));
    });

    it.each(kinds)('%s, keeps nothing of what it is given, nor shares what it answers', (kind) => {
      const { ann, sample, give } = settle(kind);
      const given = structuredClone(sample);
      const answer = give(given);
      if (OPERATIONS[kind].verb === 'create') expect(answer.ok).toBe(true);
      expect(given).toEqual(sample);
      const before = stateOf(ann);
      spoil(given);
      if (answer.ok) spoil(answer.value);
      expect(stateOf(ann)).toBe(before);
    });

    it.each(kinds)('%s, does nothing that is not saved, loaded and in the digest', (kind) => {
      const { ann, sample, give } = settle(kind);
      const before = { state: stateOf(ann), digest: digestOf(ann) };
      const decided = decidedOf(ann);
      give(sample);
      const after = { state: stateOf(ann), digest: digestOf(ann) };
      expect(after.digest === before.digest).toBe(decidedOf(ann) === decided);
      if (['list', 'get'].includes(OPERATIONS[kind].verb)) expect(after).toEqual(before);
      ann.bench.reload();
      expect({ state: stateOf(ann), digest: digestOf(ann) }).toEqual(after);
    });

    it.each(kinds)('%s, takes hexadecimal digits in either case', (kind) => {
      const [upper, lower] = [settle(kind), settle(kind)];
      const expected = upper.give(inCase('toUpperCase', upper.sample));
      expect(lower.give(inCase('toLowerCase', lower.sample))).toEqual(expected);
      expect(stateOf(lower.ann)).toBe(stateOf(upper.ann));
    });
  });
}

/** Creations of things with an id: it may be given, once. */
function testGivenIds<Kind extends OperationKind>(
  resource: string,
  kinds: readonly Kind[],
  settle: (kind: Kind) => Setting,
): void {
  const identified = kinds.filter((kind) => {
    const { verb, fails } = OPERATIONS[kind];
    const exists = (fails as readonly string[]).some((code) => code.endsWith('.exists'));
    return /^(ownC|c)reate$/.test(verb) && exists && !NATURAL.has(kind);
  });
  // A suite without a test is a failure.
  if (identified.length === 0) return;
  describe(`an operation of ${resource},`, () => {
    it.each(identified)('%s, takes an id that is given, and never one that there is', (kind) => {
      const { ann, sample, give } = settle(kind);
      const id = IDS.find((each) => give({ ...sample, id: each }).ok);
      const before = savedBy(ann);
      expect(before).toContain(JSON.stringify(id));
      expect(give({ ...sample, id })).toMatchObject({
        ok: false,
        failure: { code: expect.stringMatching(/\.exists$/), path: '/id' },
      });
      expect(savedBy(ann)).toBe(before);
    });
  });
}

const savedBy = ({ bench }: Subscriber) => JSON.stringify(bench.platform.save());

const ACTIONS = {
  create: 'Create',
  ownCreate: 'Create',
  list: 'Read',
  get: 'Read',
  change: 'Update',
  ownChange: 'Update',
  delete: 'Delete',
  ownDelete: 'Delete',
} as const;

const OBJECTS = [
  'Device',
  'Gateway',
  'User',
  'SubscriberAdmin',
  'NetworkOperator',
  'SysAdmin',
  'Simulator',
];
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
