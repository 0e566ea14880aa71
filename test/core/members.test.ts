/** Members of a campaign in columns: what is written to one of them is read of that one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Places } from '../../core/base/places.ts';
import { copyPlain } from '../../core/base/plain.ts';
import { FAILURE_REASONS } from '../../core/result/outcome.ts';
import {
  allMembers,
  failRest,
  Member,
  type Membership,
} from '../../core/update-service/campaigns/member.ts';
import {
  foldMembers,
  memberColumns,
  roundColumns,
  Step,
} from '../../core/update-service/campaigns/member-columns.ts';
import { Digest } from '../../sim/kernel/digest.ts';

const DEVICES = ['D0', 'D1', 'D2', 'D3'];
const group = { devices: DEVICES };
const underway = (): Membership => {
  const members = memberColumns(DEVICES.length);
  members.round = roundColumns(DEVICES.length);
  return { members, group };
};

// ── what a member holds, as a plain object ───────────────────────────────────────────────────────

const FIELDS = [
  'fate',
  'reason',
  'endedAtUs',
  'waits',
  'rounds',
  'takenInto',
  'phase',
  'phaseSinceUs',
  'spokeAtUs',
  'dueAtUs',
  'lastDownlinkAtUs',
  'queued',
  'correction',
  'clockFaults',
  'clockBehindS',
  'received',
  'missing',
  'repairs',
  'repairsDue',
  'initialVersion',
  'finalVersion',
  'debug',
  'diagnosis',
] as const satisfies (keyof Member)[];

const NEVER = Object.values(Step).map(() => -1);
const fresh = () => ({
  fate: 'inProgress',
  reason: null,
  endedAtUs: -1,
  waits: false,
  rounds: 0,
  takenInto: 0,
  phase: 'outside',
  phaseSinceUs: 0,
  spokeAtUs: -1,
  dueAtUs: -1,
  lastDownlinkAtUs: -1,
  queued: [],
  correction: null,
  clockFaults: 0,
  clockBehindS: null,
  received: null,
  missing: null,
  repairs: 0,
  repairsDue: 0,
  initialVersion: null,
  finalVersion: null,
  debug: [],
  diagnosis: null,
  passedAtUs: NEVER,
  sentAtUs: NEVER,
  attempts: NEVER.map(() => 0),
});
type Plain = Record<string, unknown>;

const plain = (member: Member): Plain => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, member[field]])),
  passedAtUs: Object.values(Step).map((step) => member.passedAtUs(step)),
  sentAtUs: Object.values(Step).map((step) => member.sentAtUs(step)),
  attempts: Object.values(Step).map((step) => member.attempts(step)),
});

// ── writes ───────────────────────────────────────────────────────────────────────────────────────

const instant = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const count = fc.integer({ min: 0, max: 16_383 });
const small = fc.integer({ min: 0, max: 255 });
const hex = (digits: number) =>
  fc.stringMatching(new RegExp(`^[0-9A-F]{${digits}}$`)).map((text) => text.toUpperCase());
const step = fc.constantFrom(...Object.values(Step));

/** Values of fields that are set as they are read. */
const SETTABLE: { readonly [Field in (typeof FIELDS)[number]]?: fc.Arbitrary<unknown> } = {
  waits: fc.boolean(),
  rounds: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  spokeAtUs: instant,
  dueAtUs: instant,
  lastDownlinkAtUs: instant,
  correction: fc.option(fc.record({ seconds: fc.integer(), token: small })),
  clockFaults: small,
  clockBehindS: fc.integer(),
  received: count,
  missing: count,
  repairs: count,
  repairsDue: small,
  initialVersion: hex(16),
  finalVersion: hex(16),
  diagnosis: fc.record({ code: fc.string(), text: fc.string() }),
};

/** What a write does to a member, and to the object that stands for it. */
type Write = (member: Member, model: Plain) => void;

const set = fc.oneof(
  ...Object.entries(SETTABLE).map(([field, values]) =>
    values.map(
      (value): Write =>
        (member, model) => {
          Object.assign(member, { [field]: value });
          model[field] = value;
        },
    ),
  ),
);
const byStep = (field: 'passedAtUs' | 'sentAtUs' | 'attempts', values: fc.Arbitrary<number>) =>
  fc.tuple(step, values).map(
    ([at, value]): Write =>
      (member, model) => {
        if (field === 'passedAtUs') member.setPassed(at, value);
        if (field === 'sentAtUs') member.setSent(at, value);
        if (field === 'attempts') member.setAttempts(at, value);
        model[field] = (model[field] as number[]).map((old, each) => (each === at ? value : old));
      },
  );
const end = fc.tuple(fc.option(fc.constantFrom(...FAILURE_REASONS)), instant).map(
  ([reason, atUs]): Write =>
    (member, model) => {
      member.end(reason, atUs);
      const fate = reason === null ? 'success' : 'failed';
      Object.assign(model, { fate, reason, endedAtUs: atUs, waits: false });
    },
);
const enter = fc.tuple(fc.constantFrom('outside', 'setUp', 'session', 'verify'), instant).map(
  ([phase, atUs]): Write =>
    (member, model) => {
      member.enter(phase as 'setUp', atUs);
      Object.assign(model, { phase, phaseSinceUs: atUs });
    },
);
const note = instant.map(
  (atUs): Write =>
    (member, model) => {
      const entry = { atUs, what: 'sent', command: 'X' } as const;
      member.note(entry);
      model.debug = [...(model.debug as unknown[]), entry];
    },
);
type Queued = readonly { readonly id: number; readonly step: Step }[];
const id = fc.integer({ min: 1, max: 4 });
const queue = fc.record({ id, step }).map(
  (command): Write =>
    (member, model) => {
      member.queue(command);
      model.queued = [...(model.queued as Queued), command];
    },
);
/** The first of this id goes, and no other. */
const unqueue = id.map(
  (gone): Write =>
    (member, model) => {
      const queued = model.queued as Queued;
      const at = queued.findIndex((command) => command.id === gone);
      expect(member.unqueue(gone)).toEqual(queued[at]);
      model.queued = queued.filter((_, i) => i !== at);
    },
);
const take = fc.integer({ min: 1, max: 2 ** 32 - 1 }).map(
  (round): Write =>
    (member, model) => {
      member.take(round);
      model.takenInto = round;
    },
);
const leave = fc.constant<Write>((member, model) => {
  member.leave();
  Object.assign(model, { phase: 'outside', dueAtUs: -1, queued: [] });
});
const takeBack = fc.constant<Write>((member, model) => {
  member.takeBack();
  const { rounds, debug, takenInto } = model;
  Object.assign(model, fresh(), { rounds, debug, takenInto });
});
const steps = [
  byStep('passedAtUs', instant),
  byStep('sentAtUs', instant),
  byStep('attempts', fc.integer({ min: 0, max: 1021 })),
];
const write = fc.oneof(set, ...steps, end, enter, note, queue, unqueue, take, leave, takeBack);
const writes = fc.array(fc.tuple(fc.nat(DEVICES.length - 1), write), { maxLength: 40 });

describe('members in columns', () => {
  it('read as plain objects that the same was done to, also when they are copied midway', () => {
    fc.assert(
      fc.property(writes, (all) => {
        let campaign = underway();
        const models: Plain[] = DEVICES.map(fresh);
        for (const [place, one] of all) {
          one(new Member(campaign, place), models[place]!);
          campaign = { members: copyPlain(campaign.members), group };
        }
        expect(allMembers(campaign).map(plain)).toEqual(models);
      }),
    );
  });

  it('have commands in the order of their requests, each until it was sent', () => {
    const member = new Member(underway(), 1);
    const commands = [Step.clockSync, Step.multicastSetup, Step.session].map((step, i) => ({
      id: 10 + i,
      step,
    }));
    for (const command of commands) member.queue(command);
    expect(member.queued).toEqual(commands);
    expect(member.unqueue(9)).toBeUndefined();
    expect(member.unqueue(11)).toEqual(commands[1]);
    expect(member.queued).toEqual([commands[0], commands[2]]);
    expect(member.unqueue(11)).toBeUndefined();
    expect(member.unqueue(10)).toEqual(commands[0]);
    expect(member.unqueue(12)).toEqual(commands[2]);
    expect(member.queued).toEqual([]);
  });

  it('fold alike when they are alike, and else not', () => {
    const folded = (membership: Membership) => {
      const digest = new Digest();
      foldMembers(digest, membership.members);
      return digest.hex();
    };
    fc.assert(
      fc.property(writes, write, fc.nat(DEVICES.length - 1), (all, last, place) => {
        const [one, other] = [underway(), underway()];
        for (const each of [one, other]) {
          for (const [at, change] of all) change(new Member(each, at), plain(new Member(each, at)));
        }
        expect(folded(other)).toBe(folded(one));
        last(new Member(other, place), plain(new Member(other, place)));
        const isSame = JSON.stringify(one.members) === JSON.stringify(other.members);
        expect(folded(other) === folded(one)).toBe(isSame);
      }),
    );
  });

  it('keep how each attempt ended, the oldest first, and none of who was left out', () => {
    const reasons = fc.array(fc.constantFrom(...FAILURE_REASONS), { maxLength: 40 });
    fc.assert(
      fc.property(reasons, reasons, (first, second) => {
        const campaign = underway();
        for (const [place, all] of [first, second].entries()) {
          all.forEach((reason, i) => {
            const member = new Member(campaign, place);
            member.takeBack();
            member.take(i + 1);
            member.rounds++;
            if (i % 3 === 0) member.initialVersion = '0102030400000001';
            member.end(reason, i);
          });
        }
        for (const [place, all] of [first, second].entries()) {
          expect(new Member(campaign, place).attemptsOver).toEqual(
            all.flatMap((reason, i) => {
              const initialVersion = i % 3 === 0 ? '0102030400000001' : null;
              const attempt = { atUs: i, reason, initialVersion, finalVersion: null };
              return reason === 'not delegated' ? [] : [attempt];
            }),
          );
        }
      }),
    );
  });

  it('that are in progress fail together, the others stay as they are', () => {
    const campaign = underway();
    const [first, second, third, fourth] = allMembers(campaign);
    first!.end(null, 5);
    second!.end('clock drift', 6);
    third!.waits = true;
    expect(failRest(campaign.members, 'halted', 7)).toBe(2);
    expect([first, second].map((member) => member!.endedAtUs)).toEqual([5, 6]);
    for (const member of [third, fourth]) {
      expect(plain(member!)).toMatchObject({ fate: 'failed', reason: 'halted', waits: false });
    }
    expect(failRest(campaign.members, 'halted', 8)).toBe(0);
  });
});

describe('the places of a device', () => {
  it('are those that it has not left, the latest round first, in whatever order they came', () => {
    const change = fc.record({
      devEui: fc.constantFrom(...DEVICES),
      number: fc.integer({ min: 1, max: 5 }),
      leaves: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), fc.infiniteStream(fc.nat()), (all, mix) => {
        const places = new Places();
        const model = new Map<string, { devEui: string; number: number; round: number }>();
        all.forEach(({ devEui, number, leaves }, i) => {
          const key = `${devEui} ${number}`;
          model.delete(key);
          if (leaves) places.leave(devEui, number);
          else places.take(devEui, { number, place: i, round: i + 1 });
          if (!leaves) model.set(key, { devEui, number, round: i + 1 });
        });
        const left = [...model.values()];
        const again = new Places();
        const mixed = left.map((one) => [mix.next().value as number, one] as const);
        for (const [, { devEui, ...place }] of mixed.sort(([a], [b]) => a - b)) {
          again.take(devEui, { ...place, place: place.round - 1 });
        }
        for (const devEui of DEVICES) {
          const own = left.filter((one) => one.devEui === devEui);
          const wanted = own.map(({ round }) => round).sort((a, b) => b - a);
          expect([...places.of(devEui)].map(({ round }) => round)).toEqual(wanted);
          expect([...again.of(devEui)]).toEqual([...places.of(devEui)]);
        }
      }),
    );
  });
});
