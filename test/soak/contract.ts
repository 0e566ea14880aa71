/**
 * The determinism contract over one world: a run that is asked, saved, restored, forked, sliced or
 * replayed at random places must come to the same outcome as a run without interruption. The laws
 * judge its trace.
 */
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import type { LogEntry } from '../../core/world/log.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { Recorder, withLatecomers } from '../../scenarios/trace.ts';
import { wrongAnswers } from '../support/every-query.ts';
import { carryOut, outcomeOf, stopping, straight, throughBytes } from '../support/worlds.ts';
import type { Draw } from './any-scenario.ts';

/** Events after which a world is cut short, so that thousands of worlds fit into an hour. */
const EVENTS_MAX = 12_000;

/** What runs codecs in JavaScript, which a drawn file may have. */
const ENGINE = { codecs: codecEngine() };

/** What is done at a stop; the world that is returned goes on. */
const ACTS: Readonly<Record<string, (present: Run) => Run>> = {
  slice: (present) => present,
  digest: (present) => {
    present.digest();
    return present;
  },
  result: (present) => {
    present.result();
    return present;
  },
  snapshot: (present) => {
    present.snapshot();
    return present;
  },
  'a fork that goes its own way': (present) => {
    const fork = present.fork();
    fork.submit({
      kind: 'device.remove',
      by: 'default',
      devEui: present.plan.network.devices[0]?.devEui ?? '',
    });
    fork.runUntil(present.nowUs + 600_000_000, 500);
    return present;
  },
  'a fork in its place': (present) => {
    const fork = present.fork();
    present.runUntil(present.nowUs + 600_000_000, 500);
    return fork;
  },
  'a restored snapshot': (present) =>
    World.restore(present.plan, present.seed, throughBytes(present.snapshot()), ENGINE),
};

/** Complaints about a world; none when the contract and all laws hold. */
export function complaintsOf(given: ArbitraryWorld, draw: Draw): string[] {
  const world = cutShort(given);
  const undisturbed = JSON.stringify(outcomeOf(carryOut(world, straight, ENGINE)));
  const complaints: string[] = [];
  const compare = (what: string, other: Run) => {
    if (JSON.stringify(outcomeOf(other)) !== undisturbed)
      complaints.push(`${what} changes the outcome`);
  };

  const observer = new Recorder();
  const log: LogEntry[] = [];
  const observed = carryOut(world, straight, {
    ...ENGINE,
    observer,
    log: (entry) => log.push(entry),
  });
  compare('observing', observed);
  const network = withLatecomers(world.plan.network, [...world.plan.timeline, ...world.commands]);
  for (const [law, broken] of Object.entries(judge(observer.rows, network))) {
    complaints.push(`${law}: ${broken.length} times, first: ${broken[0]}`);
  }

  observed.markTime();
  compare('replaying', World.replay(world.plan, world.seed, log, ENGINE));
  const frames = world.plan.network.frames === 'real' ? 'counted' : 'real';
  const otherFrames = { ...world.plan, network: { ...world.plan.network, frames } } as const;
  const other = carryOut({ ...world, plan: otherFrames }, straight, ENGINE);
  if (other.digest().outcome !== JSON.parse(undisturbed).outcome) {
    complaints.push(`frames ${frames} change the outcome`);
  }

  const steps = Array.from({ length: 7 }, () => 1 + draw(1500));
  compare('asking every query', carryOut(world, stopping(steps, asked(complaints)), ENGINE));
  const acts = Object.entries(ACTS);
  const some = (present: Run) => (acts[draw(acts.length)] as (typeof acts)[0])[1](present);
  const before = complaints.length;
  compare('asking', carryOut(world, stopping(steps, some), ENGINE));
  if (complaints.length > before) complaints.push(...culprits(world, steps, undisturbed));
  return complaints;
}

/** Asks all that there is to ask; what is not answered as the rows say is a complaint. */
const asked =
  (complaints: string[]) =>
  (present: Run): Run => {
    const [first] = wrongAnswers(present);
    if (first !== undefined) complaints.push(`an answer is not as its row says: ${first}`);
    return present;
  };

/** Which acts by themselves change the outcome. */
function culprits(world: ArbitraryWorld, steps: readonly number[], undisturbed: string): string[] {
  return Object.entries(ACTS).flatMap(([what, act]) => {
    const other = carryOut(world, stopping(steps, act), ENGINE);
    return JSON.stringify(outcomeOf(other)) === undisturbed ? [] : [`… ${what} by itself does`];
  });
}

/** The world, ended at the instant of its last event that is looked at. */
function cutShort(world: ArbitraryWorld): ArbitraryWorld {
  const { plan, commands } = world;
  let events = EVENTS_MAX;
  let endUs = plan.durationUs;
  const cut = (present: Run, untilUs: number) => {
    const before = present.events;
    if (present.nowUs < endUs && !present.runUntil(Math.min(untilUs, endUs), events)) {
      endUs = Math.max(1, present.nowUs);
    }
    events -= present.events - before;
    return present;
  };
  carryOut(world, cut, ENGINE);
  const inTime = commands.filter(({ atUs }) => atUs <= endUs);
  return { ...world, plan: { ...plan, durationUs: endUs }, commands: inTime };
}
