/** What a device answers to application downlinks, by command: rules of its own, or of its type. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../core/command.ts';
import { World } from '../../../core/world/world.ts';
import type { AnswerRule } from '../../../sim/plan/answer-rules.ts';
import { eui, HOUR_US, MINUTE_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, got } from './service.ts';
import { codeOf, GARBAGE, logged, planOf } from './things.ts';

testIsolation('behaviour', (_, devEui) => devEui, {
  'device.behaviour': (devEui) => ({ devEui, answers: [{ sendHex: 'a5' }] }),
  'device.answers': (devEui) => ({ devEui }),
  'device.settings': (devEui) => ({ devEui }),
});

const [ONE, OTHER] = [eui('02', 1), eui('02', 2)];
const planWith = (answers?: readonly AnswerRule[]) =>
  planOf({ devices: 2, gatewaysAt: [100], type: answers === undefined ? {} : { answers } });
const set = (answers: unknown, devEui = ONE) =>
  ({ kind: 'device.behaviour', by: 'default', devEui, answers }) as Command & {
    readonly kind: 'device.behaviour';
  };
const rulesOf = (world: World, devEui = ONE) =>
  got(world.ask({ kind: 'device.answers', by: 'default', devEui }));

describe('the behaviour of a device', () => {
  it('is an echo, unless its type says otherwise', () => {
    expect(rulesOf(World.create(planWith(), 'seed'))).toEqual({ answers: [{}], ofType: true });
    expect(rulesOf(World.create(planWith([]), 'seed'))).toEqual({ answers: [], ofType: true });
    const slow = World.create(planWith([{ onFPort: 3, delayUs: 1_500_000 }]), 'seed');
    expect(rulesOf(slow)).toEqual({ answers: [{ onFPort: 3, delay: 1.5 }], ofType: true });
  });

  it('is replaced for one device, and is that of its type again with null or nothing', () => {
    const world = World.create(planWith(), 'seed');
    const rules = [{ onFPort: 1, onHex: 'aB', sendFPort: 225, sendHex: '', delay: 0.25 }, {}];
    got(world.submit(set(rules)));
    const reports = [{ ...rules[0], onHex: 'AB' }, {}];
    expect(rulesOf(world)).toEqual({ answers: reports, ofType: false });
    expect(rulesOf(world, OTHER)).toEqual({ answers: [{}], ofType: true });
    got(world.submit(set([])));
    expect(rulesOf(world)).toEqual({ answers: [], ofType: false });
    for (const nothing of [null, undefined]) {
      got(world.submit(set([])));
      got(world.submit(set(nothing)));
      expect(rulesOf(world)).toEqual({ answers: [{}], ofType: true });
    }
  });

  it('is stored by forks, snapshots and replays, and stands in the digest', () => {
    const { world, log } = logged(planWith());
    world.runUntil(MINUTE_US);
    const before = world.digest();
    got(world.submit(set([{ onHex: '01', sendHex: '02', delay: 9 }])));
    const others = [
      world.fork(),
      World.replay(world.plan, 'seed', log),
      World.restore(world.plan, 'seed', world.snapshot()),
    ];
    for (const each of others) expect(rulesOf(each)).toEqual(rulesOf(world));
    for (const each of [world, ...others]) each.runUntil(HOUR_US);
    for (const each of others) expect(each.digest()).toEqual(world.digest());
    expect(world.digest()).not.toEqual(before);
  });

  it('leaves with the device: one created again has that of its type', () => {
    const world = World.create(planWith(), 'seed');
    got(world.submit(set([])));
    got(world.submit({ kind: 'device.remove', by: 'default', devEui: ONE }));
    expect(codeOf(world, set([{}]))).toBe('device.unknown');
    got(world.submit({ kind: 'device.create', by: 'default', device: { devEui: ONE } }));
    expect(rulesOf(world)).toEqual({ answers: [{}], ofType: true });
  });

  it('is that of every one of ten thousand devices, each with rules of its own', () => {
    const world = World.create(planOf({ devices: 10_000, gatewaysAt: [] }), 'seed');
    for (let i = 1; i <= 10_000; i++) {
      got(world.submit(set([{ sendHex: i.toString(16).padStart(4, '0') }], eui('02', i))));
    }
    const copy = World.restore(world.plan, 'seed', world.snapshot());
    for (const i of [1, 5_000, 10_000]) {
      const sendHex = i.toString(16).toUpperCase().padStart(4, '0');
      expect(rulesOf(copy, eui('02', i))).toEqual({ answers: [{ sendHex }], ofType: false });
    }
    expect(copy.digest()).toEqual(world.digest());
  });

  const rule = (fields: object) => set([{}, fields]);
  it.each([
    [rule({ onFPort: 0 }), '/answers/1/onFPort'],
    [rule({ onFPort: 224 }), '/answers/1/onFPort'],
    [rule({ sendFPort: 226 }), '/answers/1/sendFPort'],
    [rule({ sendFPort: 1.5 }), '/answers/1/sendFPort'],
    [rule({ onHex: '0' }), '/answers/1/onHex'],
    [rule({ onHex: 'xy' }), '/answers/1/onHex'],
    [rule({ sendHex: '00'.repeat(243) }), '/answers/1/sendHex'],
    [rule({ delay: -1 }), '/answers/1/delay'],
    [rule({ delay: 2_592_000.5 }), '/answers/1/delay'],
    [rule({ delay: '3 s' }), '/answers/1/delay'],
    [set(Array(65).fill({})), '/answers'],
    [set('echo'), '/answers'],
  ])('is refused where a rule is wrong: %#', (command, path) => {
    const world = World.create(planWith(), 'seed');
    const before = world.digest();
    expect(failureOf(world.submit(command))).toMatchObject({ code: 'behaviour.invalid', path });
    expect(rulesOf(world)).toEqual({ answers: [{}], ofType: true });
    expect(world.digest()).toEqual(before);
  });

  it('is refused for what is no value of a field, and throws nothing', () => {
    const world = World.create(planWith(), 'seed');
    for (const name of ['onFPort', 'onHex', 'sendFPort', 'sendHex', 'delay']) {
      for (const value of GARBAGE) {
        const isRight = name.endsWith('Hex') ? value === '' : name === 'delay' && value === 1.5;
        if (isRight) continue;
        const code = codeOf(world, rule({ [name]: value }));
        expect([name, value, code]).toEqual([name, value, 'behaviour.invalid']);
      }
    }
  });
});
