/** What operations answer and how they may fail, as data: rows that hold for whatever is asked. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { codecEngine } from '../../../api/host/codecs/codec-engine.ts';
import { copyPlain } from '../../../core/base/plain.ts';
import { type Handlers, handlers, meanwhile, type Operations } from '../../../core/kit/resource.ts';
import {
  type Answered,
  type Answers,
  codesOf,
  FAILURES,
  failuresOf,
  OPERATIONS,
  type OperationKind,
} from '../../../core/operations.ts';
import { record, responseField, responseFieldOrNull } from '../../../core/rows/answers.ts';
import { uuid } from '../../../core/rows/fields.ts';
import { World } from '../../../core/world/world.ts';
import { fail, ok } from '../../../sim/base/result.ts';
import type { Kind } from '../../../sim/base/rows/fields.ts';
import { wrongIn, wrongWith } from '../../support/answers.ts';
import { beginDelivering } from '../../support/delivering.ts';
import { wrongAnswers } from '../../support/every-query.ts';
import { itThorough } from '../../support/long.ts';
import { devEuisOf, downlinkTo, HOUR_US, S_US, SERVED_DAY } from '../../support/served-day.ts';
import { sampleOf } from './samples.ts';

const KINDS = Object.keys(OPERATIONS) as OperationKind[];
const formsOf = (kind: OperationKind): readonly Kind[] => {
  const { answers, meanwhile } = OPERATIONS[kind];
  return [answers, meanwhile ?? null].filter((form) => form !== null);
};

/** Values with one fault each, all the way down: maps and lists by their first entry. */
function spoilt(kind: Kind, value: unknown): readonly unknown[] {
  const wrong = [undefined, Symbol('x'), () => 0];
  if (kind.type === 'list') {
    const [first, ...rest] = value as unknown[];
    return [...wrong, {}, ...spoilt(kind.of, first).map((each) => [each, ...rest])];
  }
  if (kind.type === 'map') {
    const [[key, first] = ['', undefined]] = Object.entries(value as object);
    const within = spoilt(kind.of, first).map((each) => ({ [key]: each }));
    return [...wrong, [], { '?': first }, ...within];
  }
  // A map of plain data may be empty.
  if (kind.type === 'json') return [...wrong, null, [], 1, '{}', { a: Number.NaN }, { a: wrong }];
  // A raw text may have control characters, yet no half of a pair.
  const text = kind.type === 'text' && kind.raw === true ? '\ud800' : '\u0000';
  if (kind.type !== 'record') return [...wrong, Number.NaN, 1.5e300, text, {}];
  const all = value as Readonly<Record<string, unknown>>;
  const fields = Object.entries(kind.fields).flatMap(([name, row]) => {
    const { [name]: own, ...others } = all;
    const isNull = row.null === undefined ? [{ ...others, [name]: null }] : [];
    const isAbsent = row.required && !kind.partial ? [others] : [];
    const within = spoilt(row, own).map((each) => ({ ...others, [name]: each }));
    return [...isNull, ...isAbsent, ...within];
  });
  return [...wrong, [], { ...all, owner: 'ann' }, ...fields];
}

describe('an answer', () => {
  it.each(KINDS)(
    'of %s has no field beyond its row, none less and none of another kind',
    (kind) => {
      for (const form of formsOf(kind)) {
        const sample = sampleOf(form);
        expect(wrongIn(form, sample, kind)).toEqual([]);
        for (const each of spoilt(form, sample)) expect(wrongIn(form, each, kind)).not.toEqual([]);
      }
    },
  );

  itThorough(
    'of every query is what its row says, to each of two subscribers, whatever goes on',
    () => {
      const world = World.create(SERVED_DAY, 'answers', { codecs: codecEngine() });
      const kinds = new Set<string>();
      const wrong: string[] = [];
      const submit = (command: Parameters<World['submit']>[0]) => {
        const came = world.submit(command);
        wrong.push(...wrongWith(command.kind, came));
        return came;
      };
      submit({ kind: 'image.create', by: 'ann', name: 'm-1.0.0.hex', bytes: HEX_FILE });
      submit({ kind: 'delegation.create', by: 'ann', delegation: DELEGATION });
      for (const by of ['ann', 'bob'] as const) {
        const devices = devEuisOf(by === 'ann' ? 'meter' : 'valve');
        submit({ kind: 'reliableDownlink.create', by, job: { ...JOB, devices } });
        submit({ kind: 'managedCampaign.create', by, managedCampaign: MANAGED[by] });
      }
      for (const by of ['ann', 'bob'] as const) {
        const group = { Name: 'all', DeviceList: devEuisOf(by === 'ann' ? 'meter' : 'valve') };
        submit({ kind: 'endDeviceGroup.create', by, group });
        const gateways = [by === 'ann' ? MAST : TOWER];
        submit({ kind: 'gatewayGroup.create', by, group: { Name: 'all', GatewayList: gateways } });
        submit({ kind: 'multicastGroup.create', by, group: LAMPS[by] });
        submit({ kind: 'multicastGroup.addGateways', by, ...LAMPS[by], Gateways: gateways });
        beginDelivering(submit, { by, devEuis: group.DeviceList, gateways });
      }
      submit({ kind: 'gateway.fault', by: 'bob', eui: TOWER, fault: 'backhaul' });
      for (const atS of [0, 3600.5, 3700, 7300, 3.5 * 3600, 5 * 3600, 9 * 3600, 57 * 3600]) {
        world.runUntil(atS * S_US);
        submit(downlinkTo('meter', 0, true));
        submit(downlinkTo('valve', 1));
        wrong.push(...wrongAnswers(world, kinds));
      }
      expect(world.nowUs).toBe(57 * HOUR_US);
      expect(wrong).toEqual([]);
      const [first] = devEuisOf('meter');
      const history = world.ask({
        kind: 'deviceConfiguration.history',
        by: 'ann',
        dev_eui: first!,
      });
      expect(history).toMatchObject({ ok: true, value: { meta: { more: true } } });
      const queries = KINDS.filter((kind) => ['list', 'get'].includes(OPERATIONS[kind].verb));
      const inPart = queries.filter((kind) => OPERATIONS[kind].meanwhile !== undefined);
      const all = [...queries, ...inPart.map((kind) => `${kind} meanwhile`)];
      expect([...kinds].sort()).toEqual(all.sort());
    },
  );

  it('in part says so, and goes on saying so in a copy', () => {
    expect(meanwhile({ stage: 0 })).toEqual({ ok: true, value: { stage: 0 }, meanwhile: true });
    expect(copyPlain(meanwhile({ stage: 0 }))).toEqual(meanwhile({ stage: 0 }));
  });
});

const JOB = {
  name: 'ping',
  downlink_hex: '01',
  downlink_fport: 5,
  expected_uplink_hex: '01',
  expected_uplink_fport: 5,
};
const HEX_FILE = new TextEncoder().encode(':0100000001FE\n:00000001FF\n');
const DELEGATION = {
  delegate_to: 'bob',
  expires_at: '2030-01-01T00:00:00Z',
  include_devices: ['................'],
};
const [MAST, TOWER] = SERVED_DAY.network.gateways.map(({ eui }) => eui) as [string, string];
const lamps = (MulticastDevEUI: string, MulticastDevAddr: string) =>
  ({
    Name: 'lamps',
    MulticastDevEUI,
    MulticastDevAddr,
    GroupType: 'C',
    MulticastNwkSKey: '00'.repeat(16),
    MulticastAppSKey: '11'.repeat(16),
    DataRate: 3,
    Frequency: 869_525_000,
  }) as const;
const LAMPS = {
  ann: lamps('FC00000000000001', 'C0000001'),
  bob: lamps('FC00000000000002', 'C0000002'),
};
/** Of what the campaigns of the day have updated; no device ever reports what is expected. */
const NIGHTLY = {
  include_versions: ['................'],
  expected_version: '99999999........',
  preferred_start_time_utc: '06:00',
};
const MANAGED = {
  ann: { ...NIGHTLY, image_name: 'meter-2.0.0.bin', gateways: [MAST] },
  bob: { ...NIGHTLY, image_name: 'valve-2.0.0.bin', gateways: [TOWER] },
};

// ── what the compiler holds ──────────────────────────────────────────────────────────────────────

const ROWS = {
  'thing.get': {
    verb: 'get',
    takes: { id: uuid('The thing.') },
    answers: record({
      size: responseField({ type: 'whole', least: 0, most: 9, default: 4, is: 'Its size.' }),
      at: responseFieldOrNull({ type: 'instant', is: 'When; null: never.' }),
      note: { type: 'text', is: 'What is said of it, if anything is.' },
    }),
    meanwhile: record({
      size: responseField({ type: 'whole', least: 0, most: 9, is: 'Its size.' }),
    }),
    fails: ['thing.unknown'],
    is: 'A thing.',
  },
} as const satisfies Operations;

type Rows = typeof ROWS;

/** What a handler gives: an answer, one in part, a refusal. */
interface Gives<Value> {
  readonly ok: true;
  readonly value: Value;
}
type InPart = ReturnType<typeof meanwhile<{ readonly size: number }>>;
type Refuses<Code extends string> = ReturnType<typeof fail<Code>>;

/** Whether `handlers` takes a handler that gives this. */
type Fits<Given> = (() => Given) extends infer Created extends Handlers<Rows>['thing.get']
  ? { 'thing.get': Created } extends Parameters<typeof handlers<Rows, { 'thing.get': Created }>>[1]
    ? true
    : false
  : false;

describe('a handler', () => {
  it('answers what its row says and fails as it says', () => {
    interface Thing {
      readonly size: number;
      readonly at: null;
    }
    type Rest = InPart | Refuses<'thing.unknown'>;
    expectTypeOf<Fits<Gives<Thing> | Rest>>().toEqualTypeOf<true>();
    expectTypeOf<Fits<Gives<Thing & { readonly note: 'x' }> | Rest>>().toEqualTypeOf<true>();
    // A field is missing, has no row, or is of another kind.
    expectTypeOf<Fits<Gives<{ readonly size: 4 }> | Rest>>().toEqualTypeOf<false>();
    expectTypeOf<Fits<Gives<Thing & { readonly owner: 'x' }> | Rest>>().toEqualTypeOf<false>();
    expectTypeOf<Fits<Gives<{ size: string; at: null }> | Rest>>().toEqualTypeOf<false>();
    // The form in part does not say that it is one, or a refusal has no row, or is never given.
    type Untold = Gives<{ readonly size: number }> | Refuses<'thing.unknown'>;
    expectTypeOf<Fits<Untold>>().toEqualTypeOf<false>();
    expectTypeOf<Fits<Gives<Thing> | Rest | Refuses<'thing.gone'>>>().toEqualTypeOf<false>();
    expectTypeOf<Fits<Gives<Thing> | InPart>>().toEqualTypeOf<false>();
    const created = handlers(ROWS, {
      'thing.get': ({ id }) =>
        id === '' ? fail('thing.unknown', 'There is none.') : ok({ size: 4, at: null }),
    });
    expect(created['thing.get']({ id: 'x' })).toEqual(ok({ size: 4, at: null }));
  });

  it('of every operation has the types of its rows, as callers see them', () => {
    type Got = Answered<'campaign.get'>;
    type Response = Extract<Got, { readonly ok: true; readonly meanwhile?: never }>['value'];
    type Part = Extract<Got, { readonly meanwhile: true }>['value'];
    expectTypeOf<Response>().toEqualTypeOf<Answers['campaign.get']>();
    expectTypeOf<keyof Part>().toEqualTypeOf<'campaign_id' | 'stage' | 'stage_str'>();
    type Refused = Extract<Answered<'image.delete'>, { readonly ok: false }>['failure']['code'];
    expectTypeOf<Extract<Refused, `image.${string}`>>().toEqualTypeOf<
      'image.unknown' | 'image.in-use'
    >();
  });
});

// ── failures ─────────────────────────────────────────────────────────────────────────────────────

describe('the failures of an operation', () => {
  it('are codes that a resource, admission or a world declares', () => {
    for (const kind of KINDS) {
      for (const code of codesOf(kind)) expect(FAILURES, kind).toHaveProperty([code]);
    }
  });

  it('have those of the rows that it takes, at any depth, and the permission that it needs', () => {
    expect(codesOf('deviceGroup.create')).toEqual(
      expect.arrayContaining(['eui.malformed', 'deviceGroup.empty', 'asker.forbidden']),
    );
    expect(codesOf('image.list')).toEqual([
      'asker.forbidden',
      'world.stopped',
      'world.stepped-over',
    ]);
  });

  const classesOf = (kind: OperationKind) => [...new Set(Object.values(failuresOf(kind)))];

  it('have a class: what is unknown to what creates is malformed, to others it is unknown', () => {
    expect(codesOf('campaign.create')).toContain('image.unknown');
    expect(classesOf('campaign.create')).not.toContain('unknown');
    expect(classesOf('campaign.create')).toEqual(
      expect.arrayContaining(['malformed', 'failed', 'conflict', 'forbidden', 'unavailable']),
    );
    expect(classesOf('image.delete').toSorted()).toEqual(
      ['malformed', 'unknown', 'conflict', 'forbidden', 'unavailable'].sort(),
    );
  });

  it.each(KINDS)(
    'of %s are judged: one that it does not have, and one of another class',
    (kind) => {
      const failure = fail('image.no-memory', 'x').failure;
      const other = kind === 'image.memory' ? fail('campaign.start', 'x').failure : failure;
      expect(wrongWith(kind, { ok: false, failure: other })).toHaveLength(1);
    },
  );
});
