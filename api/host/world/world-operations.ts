/** Operations of the host on whole worlds: what one is, forks, snapshots, and its result so far. */

import type { Manifest } from '../../../core/result/manifest.ts';
import type { WorldResult } from '../../../core/result/result.ts';
import { record } from '../../../core/rows/answers.ts';
import { id } from '../../../core/rows/fields.ts';
import { VERSION } from '../../../reports/version.ts';
import { fail, found, ok, type Result } from '../../../sim/base/result.ts';
import { ANY_NUMBER } from '../../../sim/base/rows/fields.ts';
import { simTimeOf } from '../clock/sim-time.ts';
import { textOf } from '../files/chunked-text.ts';
import type { PastState } from '../replay/saved-states.ts';
import { hostOperation } from '../requests/host-operation.ts';
import type { HostedWorld } from './hosted-world.ts';
import {
  NEW_FORK,
  NEW_SNAPSHOT,
  SNAPSHOT,
  SNAPSHOTS,
  snapshotName,
  WORLD,
  WORLD_ENTRY,
  WORLDS,
} from './world-fields.ts';
import { MOST_FORKS, type Worlds } from './worlds.ts';

const READ = { object: 'Simulator', verb: 'get' } as const;
const LIST = { object: 'Simulator', verb: 'list' } as const;
const CREATE = { object: 'Simulator', verb: 'create' } as const;
const CHANGE = { object: 'Simulator', verb: 'change' } as const;
const DELETE = { object: 'Simulator', verb: 'delete' } as const;

const world_id = id('The world.');

/** Where clients find a world: its paths begin with it. */
export type PathOf = (hosted: HostedWorld) => string;

/** What the world was made of, with the commands that it was given until now. */
export type ManifestNow = () => Promise<Manifest>;

/** The operations of one world, by kind. */
export const worldOperations = (
  hosted: HostedWorld,
  worlds: Worlds,
  pathOf: PathOf,
  manifestNow: ManifestNow,
) => ({
  ...ofWorld(hosted, worlds, pathOf),
  ...ofResult(hosted, manifestNow),
  ...ofForks(hosted, worlds, pathOf),
  ...ofSnapshots(hosted, worlds),
});

function ofWorld(hosted: HostedWorld, worlds: Worlds, pathOf: PathOf) {
  return {
    'world.get': hostOperation({
      is: 'The world: what it is made of, where it is, and what has happened in truth.',
      takes: {},
      answers: record(WORLD),
      fails: {},
      needs: READ,
      handle: () =>
        standing(hosted, (result) =>
          ok(summaryOf(hosted, result, worlds.isStored && !hosted.isFork, pathOf)),
        ),
    }),
    'world.report': hostOperation({
      is:
        'The report of the world so far, as a page that can be asked, and reads without scripts. ' +
        'A served world records nothing of single devices: it has no table of them.',
      takes: {},
      answers: { type: 'text', least: 0, most: ANY_NUMBER, raw: true },
      fails: {},
      needs: READ,
      handle: async () => {
        const { reportPage } = await import('../files/report-page.ts');
        return standing(hosted, (result) =>
          ok(reportPage({ result, expectations: [], version: VERSION, goesOn: true })),
        );
      },
    }),
    'world.reset': hostOperation({
      is:
        'A fresh world takes the place of this one: its scenario begins anew. It has another id, ' +
        'page tokens of the last one are void, and its snapshots stay.',
      takes: {},
      answers: record(WORLD_ENTRY),
      fails: { 'world.fork': 'conflict' },
      needs: CHANGE,
      handle: async () => entryOf(onMain(hosted) ?? (await worlds.restore()), pathOf),
    }),
  };
}

function ofResult(hosted: HostedWorld, manifestNow: ManifestNow) {
  return {
    'world.result': hostOperation({
      is:
        'The result of the world so far, as `fleetwave run` writes it: `fleetwave replay` ' +
        'repeats it, `fleetwave diff` compares two. It holds keys of all subscribers in clear.',
      takes: {},
      answers: { type: 'json' },
      fails: {},
      needs: LIST,
      handle: () =>
        standing(hosted, async (result) => {
          const manifest = await manifestNow();
          return ok(textOf({ version: VERSION, ...result, expectations: [], manifest }));
        }),
    }),
  };
}

function ofForks(hosted: HostedWorld, worlds: Worlds, pathOf: PathOf) {
  return {
    'world.list': hostOperation({
      is: 'The worlds of this emulator.',
      takes: {},
      answers: record(WORLDS),
      fails: {},
      needs: LIST,
      handle: () => {
        const all = [worlds.main, ...worlds.forks];
        return ok({ worlds: all.map((each) => answerOf(each, pathOf)) });
      },
    }),
    'world.find': hostOperation({
      is: 'One world of this emulator.',
      takes: { world_id },
      answers: record(WORLD_ENTRY),
      fails: { 'world.unknown': 'unknown' },
      needs: READ,
      handle: ({ world_id }) => {
        const one = worlds.of(world_id);
        return entryOf(one === undefined ? unknownWorld(world_id) : ok(one), pathOf);
      },
    }),
    'world.fork': hostOperation({
      is:
        'Makes a second world that goes on by itself from here, or from a snapshot: what happens ' +
        'to it did not happen to this one. Tokens are good in both. It emits nothing, and ends ' +
        `with the process; there are ${MOST_FORKS} at the most.`,
      takes: NEW_FORK,
      answers: record(WORLD_ENTRY),
      fails: {
        'fork.malformed': 'malformed',
        'fork.too-many': 'conflict',
        'snapshot.unknown': 'malformed',
      },
      needs: CREATE,
      endsWithProcess: true,
      handle: async ({ snapshot, set, paused, speed }) => {
        hosted.served.catchUp();
        const pace = {
          ...(paused === undefined ? {} : { isPaused: paused }),
          ...(speed === undefined ? {} : { speed }),
        };
        return entryOf(await worlds.fork(hosted, pace, { snapshot, set }), pathOf);
      },
    }),
    'world.end': hostOperation({
      is: 'Ends a fork: later requests to it answer that there is no such world.',
      takes: { world_id },
      answers: null,
      fails: { 'world.unknown': 'unknown', 'world.main': 'conflict' },
      needs: DELETE,
      handle: async ({ world_id }) => {
        if (world_id === worlds.main.id) {
          return fail('world.main', 'The main world ends with the emulator; reset it instead.');
        }
        return (await worlds.end(world_id)) ? ok(undefined) : unknownWorld(world_id);
      },
    }),
  };
}

function ofSnapshots(hosted: HostedWorld, worlds: Worlds) {
  const { facts } = hosted.served;
  const shown = (name: string, { standsAtUs, commands }: PastState) => ({
    name,
    at: simTimeOf(facts, standsAtUs),
    commands: commands.length,
  });
  return {
    'snapshot.list': hostOperation({
      is: 'States of the main world that have a name.',
      takes: {},
      answers: record(SNAPSHOTS),
      fails: {},
      needs: LIST,
      handle: () => ok({ snapshots: [...worlds.named].map(([name, state]) => shown(name, state)) }),
    }),
    'snapshot.get': hostOperation({
      is: 'A state of the main world that has a name.',
      takes: { name: snapshotName },
      answers: record(SNAPSHOT),
      fails: { 'snapshot.unknown': 'unknown' },
      needs: READ,
      handle: ({ name }) => {
        const state = found(worlds.named.get(name), 'snapshot.unknown', noSnapshot(name));
        return state.ok ? ok(shown(name, state.value)) : state;
      },
    }),
    'snapshot.create': hostOperation({
      is: 'Gives the main world as it is now a name, under which it is found again.',
      takes: NEW_SNAPSHOT,
      answers: record(SNAPSHOT),
      fails: {
        'snapshot.malformed': 'malformed',
        'snapshot.exists': 'conflict',
        'snapshot.too-many': 'conflict',
        'world.fork': 'conflict',
      },
      needs: CREATE,
      handle: async ({ name }, { claim }) => {
        hosted.served.catchUp();
        const state = onMain(hosted) ?? (await worlds.name(name, claim));
        return state.ok ? ok(shown(name, state.value)) : state;
      },
    }),
    'snapshot.delete': hostOperation({
      is: 'Forgets the name of a state; the world stays as it is.',
      takes: { name: snapshotName },
      answers: null,
      fails: { 'snapshot.unknown': 'unknown', 'world.fork': 'conflict' },
      needs: DELETE,
      handle: async ({ name }) => onMain(hosted) ?? (await worlds.forget(name)),
    }),
    'snapshot.restore': hostOperation({
      is:
        'The main world is again what it was when it was given this name, and goes on from ' +
        'there. It has another id, and page tokens of the last one are void.',
      takes: { name: snapshotName },
      answers: record(SNAPSHOT),
      fails: { 'snapshot.unknown': 'unknown', 'world.fork': 'conflict' },
      needs: CHANGE,
      handle: async ({ name }) => {
        const restored = onMain(hosted) ?? (await worlds.restore(name));
        return restored.ok ? ok(shown(name, worlds.named.get(name)!)) : restored;
      },
    }),
  };
}

/** What is made of the result so far; commands wait until it is there. */
const standing = <Value>(
  { standing, served }: HostedWorld,
  make: (result: WorldResult) => Value | Promise<Value>,
): Promise<Value> =>
  standing(async () => make(await served.inSteps((world) => world.resultInSteps())));

// ── responses ─────────────────────────────────────────────────────────────────────────────

const answerOf = (hosted: HostedWorld, pathOf: PathOf) => ({
  world_id: hosted.id,
  fork: hosted.isFork,
  path: pathOf(hosted),
  now: hosted.served.simTime,
  paused: hosted.served.pace.isPaused,
  commands: hosted.served.log.length,
  events: hosted.served.events,
});

const entryOf = (hosted: Result<HostedWorld>, pathOf: PathOf) =>
  hosted.ok ? ok(answerOf(hosted.value, pathOf)) : hosted;

function summaryOf(hosted: HostedWorld, result: WorldResult, isStored: boolean, pathOf: PathOf) {
  const { served } = hosted;
  const { scenario, seed, region, digest, devices, gateways, radio, downlinks, campaigns } = result;
  return {
    ...answerOf(hosted, pathOf),
    scenario: scenario.name,
    seed,
    region,
    started_at: simTimeOf(served.facts, 0),
    kept: isStored,
    digest,
    devices: devices.total,
    joined: devices.joined,
    gateways: gateways.length,
    uplinks: radio.uplinks,
    uplinks_received: radio.received,
    downlinks_sent: downlinks.sent,
    downlinks_received: downlinks.received,
    campaigns: campaigns.map((each) => ({
      name: each.name,
      devices: each.devices,
      stage: each.stage,
      confirmed: each.success,
      failed: each.failed,
      rebuilt: each.verified.right,
    })),
  };
}

// ── what is refused ──────────────────────────────────────────────────────────────────────────────

/** What only the main world has; undefined: it is the main one. */
const onMain = ({ isFork }: HostedWorld) =>
  isFork
    ? fail('world.fork', 'A fork has no snapshots and is not reset: end it, and make another one.')
    : undefined;

const noSnapshot = (name: string) => `There is no snapshot ${name}.`;
const unknownWorld = (world_id: string) =>
  fail('world.unknown', `There is no world ${world_id}, or not any more.`);
