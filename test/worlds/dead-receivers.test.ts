/**
 * Receivers that are gone, or dead for five days, through whole worlds: what they were to get is
 * paused where its owner sees it, waits, and goes out in order once he says so.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { Effect } from '../../core/delivery/deliveries/effects.ts';
import type { LogEntry } from '../../core/world/log.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { DAY_US, HOUR_US } from '../../sim/base/units.ts';
import { got } from '../core/resources/service.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { outcomeOf, throughBytes } from '../support/worlds.ts';

const URLS = { uplinks: 'https://uplinks.example/in', alerts: 'https://alerts.example/in' };
const by = 'default';

/** A gateway that is lost every other hour, so that there is an event an hour, and a meter. */
const fileOf = (receiver: string) => {
  const faults = Array.from({ length: 7 * 24 }, (_, hour) => {
    const on = hour % 2 === 0;
    return `  - { at: ${hour + 1} h, gatewayFault: { gateway: lost, fault: backhaul, on: ${on} } }`;
  });
  return `scenario: dead
duration: 9 d
area: { radius: 300 m }
gateways: [{ name: mast }, { name: lost }]
devices: [{ name: meter, joinWithin: 1 min, traffic: { every: 30 min }, outputProfile: out }]
outputProfiles: [{ name: out, rest: [{ url: '${URLS.uplinks}', outputFormat: simple }] }]
destinations: [{ name: desk, type: webhook, data: { url: '${URLS.alerts}' } }]
alerts: [{ name: roof, gateways: [lost], destinations: [desk] }]
receivers: [{ name: both, at: 'https://*.example/in', ${receiver} }]
timeline:
${faults.join('\n')}
`;
};

/** A world whose receiver is dead, and what is seen of its two targets. */
class Dead {
  readonly plan;
  readonly effects: Effect[] = [];
  readonly log: LogEntry[] = [];
  world: World;

  constructor(receiver: string) {
    this.plan = populate(scenarioOf(fileOf(receiver)), 'x');
    this.world = World.create(this.plan, 'x', this.#options);
  }

  get #options() {
    return {
      effects: (effect: Effect) => void this.effects.push(effect),
      log: (entry: LogEntry) => void this.log.push(entry),
    };
  }

  go(untilUs: number): void {
    this.world.runUntil(untilUs);
  }

  do(command: Command): void {
    const answer = this.world.submit(command) as { readonly ok: boolean };
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }

  save(): void {
    const bytes = throughBytes(this.world.snapshot());
    this.world = World.restore(this.plan, 'x', bytes, this.#options);
  }

  get profile() {
    return got(this.world.ask({ kind: 'outputProfile.list', by })).OutputProfiles[0]!;
  }

  get destination() {
    return got(this.world.ask({ kind: 'destination.list', by })).data[0]!;
  }

  /** Whether its owner sees that the target is delivered to: of uplinks, of alerts. */
  get enabled(): readonly (boolean | undefined)[] {
    return [this.profile.RestParams[0]!.Active, this.destination.enabled];
  }

  /** The same two, as deliveries tell them. */
  get targets() {
    const { targets } = got(this.world.ask({ kind: 'delivery.list', by }));
    return [URLS.uplinks, URLS.alerts].map(
      (url) => targets.find(({ address }) => address === url)!,
    );
  }

  /** When answers have paused targets, by target. */
  get disabledAt(): ReadonlyMap<string, number> {
    const all = this.effects.filter((each) => each.kind === 'attempted' && each.disables);
    return new Map(all.map(({ target, atUs }) => [target, atUs]));
  }

  resume(): void {
    const good = { at: 'https://*.example/in', latency: 0.2 };
    this.do({ kind: 'receiver.put', by, name: 'both', receiver: good });
    const { Id, RestParams } = this.profile;
    const active = RestParams.map((entry) => ({ ...entry, Active: true }));
    const outputProfile = { RestParams: active };
    this.do({ kind: 'outputProfile.update', by, Id, outputProfile } as Command);
    const { id: destination_id, name, type, data } = this.destination;
    const destination = { name, type, data, enabled: true };
    this.do({ kind: 'destination.replace', by, destination_id, destination } as Command);
  }
}

describe.each([
  ['a 410', 'answer: 410', 0],
  ['five days of 503', 'answer: 503', 5 * DAY_US],
  ['five days of silence', 'hang: 1', 5 * DAY_US],
  ['five days of refused connections', 'refusal: 1', 5 * DAY_US],
])('after %s', (_, receiver, deadUs) => {
  const dead = new Dead(receiver);
  dead.go(deadUs);
  const before = dead.enabled;
  // The first of each is emitted within some hours, and one more is tried an hour later.
  dead.go(deadUs + 6 * HOUR_US);

  it('the target of the profile and the destination are paused, and were not before', () => {
    expect(before).toEqual([true, true]);
    expect(dead.enabled).toEqual([false, false]);
    expect(dead.targets.map(({ enabled }) => enabled)).toEqual([false, false]);
    const first = (target: string) =>
      dead.effects.find((each) => each.kind === 'attempted' && each.target === target)!.atUs;
    expect(dead.disabledAt.size).toBe(2);
    for (const [target, atUs] of dead.disabledAt) {
      expect(atUs - first(target)).toBeGreaterThanOrEqual(deadUs);
    }
  });

  it('nothing is tried any more, and all that comes waits, through a snapshot, too', () => {
    dead.go(deadUs + DAY_US);
    const attempts = dead.targets.map((each) => each.attempts);
    const paused = dead.targets.map((each) => each.paused);
    dead.save();
    dead.go(deadUs + 2 * DAY_US);
    expect(dead.targets.map((each) => each.attempts)).toEqual(attempts);
    for (const [i, each] of dead.targets.entries()) {
      expect(each.paused).toBeGreaterThan(paused[i]!);
      expect(each.waiting).toBe(0);
    }
    expect(dead.enabled).toEqual([false, false]);
  });

  it('what waited goes out in order once both are enabled again, and a replay is the same', () => {
    const waited = dead.targets.map(({ paused }) => paused);
    const from = dead.effects.length;
    dead.resume();
    expect(dead.enabled).toEqual([true, true]);
    dead.go(deadUs + 2 * DAY_US + 2 * HOUR_US);
    const ended = dead.effects.slice(from).filter((each) => each.kind === 'ended');
    for (const [i, { id, delivered, paused }] of dead.targets.entries()) {
      expect(delivered).toBeGreaterThanOrEqual(waited[i]!);
      expect(paused).toBe(0);
      const its = ended.filter(({ target }) => target === id);
      expect(its.length).toBeGreaterThanOrEqual(waited[i]!);
      expect(its.every((each) => each.how === 'delivered')).toBe(true);
      const ordinals = its.map((each) => Number(each.id.split('.')[1]));
      expect(ordinals).toEqual(ordinals.toSorted((x, y) => x - y));
    }
    const replayed = World.replay(dead.plan, 'x', dead.log);
    replayed.runUntil(dead.world.nowUs);
    expect(replayed.digest()).toEqual(dead.world.digest());
    expect(outcomeOf(replayed as never)).toEqual(outcomeOf(dead.world as never));
  });
});
