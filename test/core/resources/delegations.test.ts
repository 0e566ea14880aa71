/** Upgrade delegation (firmware update service). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type {
  DelegationChange,
  DelegationInput,
} from '../../../core/update-service/delegation-fields.ts';
import { Digest } from '../../../sim/kernel/digest.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, Subscriber } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';
const DAY_MS = 86_400_000;

function parties() {
  const [ann, bob] = annAndBob();
  const eve = new Subscriber(ann.bench, 'eve');
  ann.devices(2);
  for (const devEui of [A, B]) ann.report(devEui, '0102030400000001');
  const tomorrow = formatInstant(ann.bench.view.unixMs(0) + DAY_MS);
  const delegation: DelegationInput = {
    delegate_to: 'bob',
    expires_at: tomorrow,
    include_devices: ['d0000000000000..'],
  };
  return { ann, bob, eve, delegation, tomorrow };
}

const create = (delegation: DelegationInput) =>
  ({ kind: 'delegation.create', delegation }) as const;

const LIST = { kind: 'delegation.list' } as const;
const OF_ANN = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;

describe('a delegation', () => {
  it('delegation.create: is answered with all its fields', () => {
    const { ann, delegation, tomorrow } = parties();
    const more = { exclude_devices: [B], include_gateways: ['x'], exclude_gateways: ['y'] };
    expect(ann.do(create({ ...delegation, ...more }))).toEqual({
      delegation_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      delegate_to: 'bob',
      delegate_from: 'ann',
      expires_at: tomorrow,
      include_devices: ['D0000000000000..'],
      ...more,
      created_at: formatInstant(ann.bench.view.unixMs(0)),
    });
  });

  it('delegation.list: is listed for those who gave and those who got', () => {
    const { ann, bob, eve, delegation } = parties();
    const created = ann.do(create(delegation));
    expect(ann.ask(LIST)).toEqual({ delegated_to: [created], delegated_from: [] });
    expect(bob.ask(LIST)).toEqual({ delegated_to: [], delegated_from: [created] });
    expect(eve.ask(LIST)).toEqual({ delegated_to: [], delegated_from: [] });
  });

  it('delegation.get, thirdParty: is read by its parties and unknown to anybody else', () => {
    const { ann, bob, eve, delegation } = parties();
    const created = ann.do(create(delegation));
    const { delegation_id } = created;
    expect(ann.ask({ kind: 'delegation.get', delegation_id })).toEqual(created);
    const upper = delegation_id.toUpperCase();
    expect(bob.ask({ kind: 'delegation.get', delegation_id: upper })).toEqual(created);
    expect(eve.refusedQuery({ kind: 'delegation.get', delegation_id })).toBe('delegation.unknown');
  });

  it.each(['delegation.update', 'delegation.delete'] as const)(
    'delegation.update and delete, changeByOther, deleteByOther: %s is for its creator alone',
    (kind) => {
      const { ann, bob, eve, delegation } = parties();
      const { delegation_id } = ann.do(create(delegation));
      const command = { kind, delegation_id, delegation: {} };
      expect(bob.refused(command)).toBe('delegation.not-creator');
      expect(eve.refused(command)).toBe('delegation.unknown');
      expect(ann.try(command)).toMatchObject({ ok: true });
    },
  );

  it('delegation.create and update: is in the digest, with its end, and with what it covered before', () => {
    const { ann, delegation } = parties();
    const digest = () => {
      const fold = new Digest();
      ann.bench.platform.fold(fold);
      return fold.hex();
    };
    const { delegation_id } = ann.do(create(delegation));
    const seen = [digest()];
    const change = (given: DelegationChange) => {
      ann.do({ kind: 'delegation.update', delegation_id, delegation: given });
      seen.push(digest());
    };
    change({ expires_at: '2030-01-01T00:00:00Z' });
    change({ exclude_devices: [A] });
    // What was covered once stays, even where it is covered again.
    change({ exclude_devices: [], expires_at: delegation.expires_at });
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('delegation.update: changes in what is given; an expiry that is null stays', () => {
    const { ann, delegation } = parties();
    const created = ann.do(create({ ...delegation, exclude_devices: [B] }));
    const update = (change: DelegationChange) =>
      ann.do({
        kind: 'delegation.update',
        delegation_id: created.delegation_id,
        delegation: change,
      });
    expect(update({ expires_at: null })).toEqual(created);
    expect(update({ exclude_devices: [] })).toEqual({ ...created, exclude_devices: [] });
    const later = '2030-01-01T00:00:00Z';
    expect(update({ expires_at: later })).toMatchObject({ expires_at: later, exclude_devices: [] });
  });

  it('delegation.create: has to end after this instant, delegation.update: but may be ended at once', () => {
    const { ann, bob, delegation } = parties();
    const expires_at = formatInstant(ann.bench.view.unixMs(0));
    const now = { ...delegation, expires_at };
    expect(ann.refused(create(now))).toBe('delegation.expires-at');
    const { delegation_id } = ann.do(create(delegation));
    ann.do({ kind: 'delegation.update', delegation_id, delegation: { expires_at } });
    bob.bench.runUntil(1 * S);
    expect(bob.refusedQuery(OF_ANN)).toBe('delegation.none');
  });

  it('delegation.update, malformedField: is changed whole or not at all', () => {
    const { ann, delegation } = parties();
    const created = ann.do(create(delegation));
    const { delegation_id } = created;
    const change = { exclude_devices: [B], include_devices: [] };
    const update = { kind: 'delegation.update', delegation_id, delegation: change } as const;
    expect(ann.refused(update)).toBe('delegation.pattern');
    expect(ann.ask({ kind: 'delegation.get', delegation_id })).toEqual(created);
  });

  it('delegation.delete: is gone once it is deleted', () => {
    const { ann, bob, delegation } = parties();
    const { delegation_id } = ann.do(create(delegation));
    ann.do({ kind: 'delegation.delete', delegation_id: delegation_id.toUpperCase() });
    expect(ann.ask(LIST).delegated_to).toEqual([]);
    expect(bob.refusedQuery({ kind: 'delegation.get', delegation_id })).toBe('delegation.unknown');
    expect(bob.refusedQuery(OF_ANN)).toBe('delegation.none');
  });

  it.each([
    ['delegation.delegate-to', { delegate_to: '' }],
    ['delegation.expires-at', { expires_at: 'tomorrow' }],
    ['delegation.pattern', { include_devices: ['D0'] }],
    ['delegation.pattern', { exclude_devices: ['x'.repeat(16)] }],
    ['delegation.delegate-to', { delegate_to: 'ann' }],
    ['delegation.expires-at', { expires_at: null }],
    ['delegation.expires-at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['delegation.pattern', { include_devices: [] }],
    ['delegation.pattern', { include_devices: [`${A}0`] }],
  ])('delegation.create, malformedField: is refused with %s', (code, wrong) => {
    const { ann, delegation } = parties();
    expect(ann.refused(create({ ...delegation, ...wrong }))).toBe(code);
    expect(ann.ask(LIST).delegated_to).toEqual([]);
  });

  it('deviceVersion.all: lets the other party see the versions of its devices, and of no other', () => {
    const { ann, bob, eve, delegation } = parties();
    ann.do(create({ ...delegation, exclude_devices: ['...............2'] }));
    expect(Object.keys(bob.ask(OF_ANN))).toEqual([A]);
    expect(eve.refusedQuery(OF_ANN)).toBe('delegation.none');
    expect(bob.ask({ kind: 'deviceVersion.all' })).toEqual({});
    expect(bob.ask({ kind: 'deviceVersion.get', deveui: A })).toBeDefined();
    expect(eve.refusedQuery({ kind: 'deviceVersion.get', deveui: A })).toBe('device.unknown');
  });

  it('deviceVersion.all, notDelegated, delegationEnded: counts as none after it expired', () => {
    const { ann, bob, delegation } = parties();
    ann.do(create(delegation));
    bob.bench.runUntil(86_400 * S);
    expect(Object.keys(bob.ask(OF_ANN))).toEqual([A, B]);
    bob.bench.runUntil(86_401 * S);
    expect(bob.refusedQuery(OF_ANN)).toBe('delegation.none');
  });

  it('covers a device that some pattern includes and none excludes, saved and loaded', () => {
    const digit = fc.constantFrom(...'0123456789ABCDEF.....');
    const pattern = fc.array(digit, { minLength: 1, maxLength: 2 }).map((end) => {
      const text = end.join('');
      return `D0000000000000${'.'.repeat(2 - text.length)}${text}`;
    });
    const patterns = fc.array(pattern, { maxLength: 3 });
    const some = fc.array(pattern, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(some, patterns, (include_devices, exclude_devices) => {
        const { ann, bob, delegation } = parties();
        ann.do(create({ ...delegation, include_devices, exclude_devices }));
        ann.bench.reload();
        const isOf = (devEui: string) => (each: string) =>
          new RegExp(`^${each.replaceAll('.', '[0-9A-F]')}$`).test(devEui);
        const covered = [A, B].filter(
          (devEui) => include_devices.some(isOf(devEui)) && !exclude_devices.some(isOf(devEui)),
        );
        if (covered.length === 0) expect(bob.refusedQuery(OF_ANN)).toBe('delegation.none');
        else expect(Object.keys(bob.ask(OF_ANN))).toEqual(covered);
      }),
    );
  });
});

const TO_CAROL: DelegationInput = {
  delegate_to: 'carol',
  expires_at: '2030-01-01T00:00:00Z',
  include_devices: ['................'],
};

const withCarol = (ann: Subscriber) => {
  const subscribers = ['ann', 'bob', 'carol'].map((id) => ({ id }));
  ann.bench.platform.onPlanned({ devices: [], gateways: [] }, subscribers);
  return ann.do(create(TO_CAROL));
};

testIsolation('delegation', withCarol, {
  'delegation.create': () => ({ delegation: TO_CAROL }),
  'delegation.list': () => ({}),
  'delegation.get': ({ delegation_id }) => ({ delegation_id }),
  'delegation.update': ({ delegation_id }) => ({
    delegation_id,
    delegation: { exclude_devices: [] },
  }),
  'delegation.delete': ({ delegation_id }) => ({ delegation_id }),
});
