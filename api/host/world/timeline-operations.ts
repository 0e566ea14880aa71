/** The operation of the host that does now what an entry of a scenario's timeline would do. */
import { Slices, type Steps } from '../../../core/base/in-steps.ts';
import type { Command } from '../../../core/command.ts';
import type { Query } from '../../../core/query.ts';
import { COUNT, record } from '../../../core/rows/answers.ts';
import { type LiveWorld, verbReader } from '../../../scenarios/filling/live-verbs.ts';
import type { Scenario } from '../../../scenarios/schema/schema.ts';
import { VERB_NAMES } from '../../../scenarios/schema/timeline-schema.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { runInSlices } from '../clock/steps-in-slices.ts';
import { type HostAsking, hostOperation } from '../requests/host-operation.ts';
import type { HostedWorld } from './hosted-world.ts';

const MOST_ENTRIES = 1_000;
/** Commands that all entries of a request become, at the most. */
const MOST_COMMANDS = 100_000;

const ENTRIES = {
  entries: {
    type: 'list',
    of: { type: 'json', allowed: 'a map with one verb' },
    least: 1,
    most: MOST_ENTRIES,
    required: true,
    failure: 'timeline.malformed',
    is:
      'Each a map with one verb, as an entry of a scenario’s timeline has it without `at`, such ' +
      'as {"gatewayFault": {"gateway": "mast-1", "fault": "backhaul"}}.',
  },
} as const satisfies Fields;

const text = { type: 'text', least: 0, required: true } as const;

const REFUSAL = record({
  code: { ...text, is: 'Why, for programs.' },
  message: { ...text, is: 'Why, for people.' },
});

const DONE = {
  entries: {
    type: 'list',
    of: record({
      verb: { type: 'choice', words: VERB_NAMES, required: true, is: 'What was asked for.' },
      done: { ...COUNT, required: true, is: 'Commands of it that were carried out.' },
      refused: {
        type: 'list',
        of: REFUSAL,
        most: MOST_COMMANDS,
        required: true,
        is: 'Commands of it that were refused.',
      },
    }),
    most: MOST_ENTRIES,
    required: true,
    is: 'What became of each, in their order.',
  },
} as const satisfies Fields;

interface Applied {
  readonly scenario: Scenario;
  readonly seed: string;
}

/** `timeline.apply`, by kind. */
export const timelineOperations = (hosted: HostedWorld, { scenario, seed }: Applied) => ({
  'timeline.apply': hostOperation({
    is:
      'Does now what entries of a scenario’s timeline would do, one after the other, for the ' +
      'subscriber who asks. Names mean what the world has now, and what entries before ' +
      'them add. Nothing is done where one of the entries cannot be read.',
    takes: ENTRIES,
    answers: record(DONE),
    fails: { 'timeline.malformed': 'malformed' },
    needs: { object: 'Simulator', verb: 'change' },
    handle: async ({ entries }, asking) => {
      hosted.served.catchUp();
      const read = verbReader(scenario, seed, await liveWorldOf(hosted, asking));
      const parts = [];
      let commandCount = 0;
      for (const [at, entry] of entries.entries()) {
        const part = read(entry);
        if (!part.ok) return malformed(at, part.problems[0]!);
        parts.push(part);
        commandCount += part.commands.length;
        if (commandCount > MOST_COMMANDS) return malformed(at, TOO_MANY);
      }
      const done = [];
      for (const { verb, commands } of parts) {
        done.push({ verb, ...(await carryOut(hosted, commands as readonly Command[], asking)) });
      }
      return ok({ entries: done });
    },
  }),
});

const malformed = (at: number, { pointer, message }: { pointer: string; message: string }) =>
  fail('timeline.malformed', message, `/entries/${at}${pointer}`);

const TOO_MANY = { pointer: '', message: `All entries are ${MOST_COMMANDS} commands at the most.` };

/** Sends all in order without waiting for the one before: the journal may write them together. */
async function carryOut({ asked }: HostedWorld, commands: readonly Command[], asking: HostAsking) {
  const given = function* (): Steps<readonly (Result<unknown> | Promise<Result<unknown>>)[]> {
    const answers = [];
    for (const command of commands) {
      answers.push(asked.submit(as(asking, command)));
      yield;
    }
    return answers;
  };
  const results = await Promise.all(await runInSlices(given()));
  const refused = results.flatMap((result) => {
    if (result.ok) return [];
    const { code, message } = result.failure;
    return [{ code, message }];
  });
  return { done: commands.length - refused.length, refused };
}

/** Who asks of all that it becomes. */
const as = <Asked extends object>({ by, as, permissions }: HostAsking, asked: Asked) => ({
  ...asked,
  by,
  ...(as === undefined ? {} : { as }),
  ...(permissions === undefined ? {} : { permissions }),
});

/** What the caller has. */
async function liveWorldOf({ served }: HostedWorld, asking: HostAsking): Promise<LiveWorld> {
  const listed = async <Entry>(kind: 'device.list' | 'gateway.list'): Promise<readonly Entry[]> => {
    const list = served.open(as({ ...asking, permissions: undefined }, { kind }) as Query);
    return list.ok ? ((await runInSlices(joining(list.value))) as readonly Entry[]) : [];
  };
  return { devices: await listed('device.list'), gateways: await listed('gateway.list') };
}

/** A list in steps, as a plain one. */
function* joining(list: Steps<unknown>): Steps<unknown> {
  const created = yield* list;
  if (!(created instanceof Slices)) return created;
  const all: unknown[] = [];
  for (const slice of created) {
    all.push(...slice);
    yield;
  }
  return all;
}
