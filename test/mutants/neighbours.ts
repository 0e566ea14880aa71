/** Faults of what bounds one subscriber beside others, and of what a restart has to keep. */
import type { Mutant } from './mutant.ts';

const KEYS = 'test/host/journal/recorded-keys.test.ts';
const REFUSED = 'test/host/journal/refused-commands.test.ts';
const TURNS = 'test/host/process/turns.test.ts';
const LINE = 'test/host/world/command-queue.test.ts';
const BUDGET = 'test/codecs/step-budget.test.ts';
const BYTES = 'test/host/world/refused-bytes.test.ts';
const STEPS = 'test/worlds/steps.test.ts';
const HELD = 'test/host/world/hosted-world.test.ts';

export const NEIGHBOUR_MUTANTS: readonly Mutant[] = [
  // ── idempotency keys ───────────────────────────────────────────────────────────────────────────
  {
    what: 'A restored world has the keys of the last one.',
    file: 'api/host/journal/history.ts',
    find: '    this.keys.clear();\n',
    replace: '',
    test: KEYS,
    title: 'is of the world that is there',
  },
  {
    what: 'An answer of the last life counts in this one.',
    file: 'api/host/journal/history.ts',
    find: '    if (entry.life !== this.#life) return;\n',
    replace: '',
    test: KEYS,
    title: 'is of the world that is there',
  },
  {
    what: 'A key whose answer a crash prevented is good for any request.',
    file: 'api/host/requests/response-store.ts',
    find: 'remembered?.request ?? interrupted?.request',
    replace: 'remembered?.request',
    test: KEYS,
    title: 'is refused to another request',
    sample: true,
  },
  {
    what: 'A key whose answer a crash prevented never expires.',
    file: 'api/host/requests/response-store.ts',
    find: '      this.#interrupted.delete(id);\n    }\n    for',
    replace: '    }\n    for',
    test: KEYS,
    title: 'is carried out anew after 24 hours',
  },
  {
    what: 'An export shows answers, secrets included.',
    file: 'api/host/journal/redaction.ts',
    find: "name === 'answer' || name === 'result'",
    replace: "name === 'result'",
    test: KEYS,
    title: 'is not shown by an export',
  },
  {
    what: 'An answer is sent without being stored.',
    file: 'api/http/idempotency.ts',
    find: '    await durable?.end(claim, answer, nowMs());\n',
    replace: '',
    test: 'test/http/keys-after-restart.test.ts',
    title: 'has the first answer, secrets included',
  },
  // ── commands that are refused ──────────────────────────────────────────────────────────────────
  {
    what: 'A refused command is in the digest.',
    file: 'core/world/world.ts',
    find: 'if (answer.ok) this.#commands.addCommand(command, this.nowUs);',
    replace: 'this.#commands.addCommand(command, this.nowUs);',
    test: REFUSED,
    title: 'changes nothing of a world',
  },
  {
    what: 'A session has what was refused.',
    file: 'api/host/world/served-world.ts',
    find: 'answer.ok ? admitted : refusedAt(admitted)',
    replace: 'admitted',
    test: REFUSED,
    title: 'is no part of what a restart carries out',
  },
  {
    what: 'A refused command that still has no answer loses its fields.',
    file: 'api/host/journal/history.ts',
    find: '    if (this.keys.open.some(({ command }) => command === place)) return;\n',
    replace: '',
    test: REFUSED,
    title: 'leaves a command whole',
  },
  // ── turns ──────────────────────────────────────────────────────────────────────────────────────
  {
    what: 'A turn has no end.',
    file: 'api/host/process/turns.ts',
    find: 'this.#waiting === 0 && this.#usedMs < TURN_MS',
    replace: 'this.#waiting === 0',
    test: TURNS,
    title: 'a turn ends once it has cost ten milliseconds',
    sample: true,
  },
  {
    what: 'Who did not wait has saved time up.',
    file: 'api/host/process/turns.ts',
    find: 'known.costMs = Math.max(known.costMs, floorMs);',
    replace: 'known.costMs = Math.min(known.costMs, floorMs);',
    test: TURNS,
    title: 'callers share the loop',
  },
  {
    what: 'Commands that cost much go a thousand at a time.',
    file: 'api/host/world/command-queue.ts',
    find: '(this.#meanMs.get(by) ?? UNKNOWN_MS)',
    replace: 'UNKNOWN_MS',
    test: LINE,
    title: 'a subscriber whose commands cost much',
  },
  {
    what: 'An act overtakes commands that came before it.',
    file: 'api/host/world/command-queue.ts',
    find: 'stretch === undefined || stretch.bySubscriber.size > 0',
    replace: 'stretch === undefined',
    test: LINE,
    title: 'an act waits for what came before it',
  },
  // ── whole worlds ───────────────────────────────────────────────────────────────────────────────
  {
    what: 'Steps are carried out in one turn.',
    file: 'api/host/clock/steps-in-slices.ts',
    find: 'step.done === true || performance.now() >= untilMs',
    replace: 'step.done === true || untilMs < 0',
    test: 'test/host/clock/steps-in-slices.test.ts',
  },
  {
    what: 'Slices are no turns: each who has such work takes one in every pass of the loop.',
    file: 'api/host/clock/steps-in-slices.ts',
    find: '    TURNS.add(CALLER, () => {',
    replace: '    setImmediate(() => {',
    test: 'test/host/clock/steps-in-slices.test.ts',
  },
  {
    what: 'A digest looks at all devices in one step.',
    file: 'sim/network/digest.ts',
    find: '    if (at % ROWS_A_STEP === 0) yield;\n',
    replace: '',
    test: STEPS,
    title: 'a step looks at few devices',
    sample: true,
  },
  {
    what: 'A world begins in one step.',
    file: 'sim/network/network.ts',
    find: '      if (at % ROWS_A_STEP === 0) yield;\n',
    replace: '',
    test: STEPS,
    title: 'a step looks at few devices',
  },
  {
    what: 'A list of one\u2019s devices is copied in one step.',
    file: 'core/simulator/devices.ts',
    find: '      if (all.length % AT_ONCE === 0) yield;\n',
    replace: '',
    test: STEPS,
    title: 'a step looks at few devices',
  },
  {
    what: 'A world changes between the steps of its digest.',
    file: 'core/world/traversals.ts',
    find: "      assert(isSame, 'a world stands still while it is walked through in steps');\n",
    replace: '',
    test: STEPS,
    title: 'a world that goes on between them',
  },
  {
    what: 'A command does not wait while its world is walked through.',
    file: 'api/host/world/hosted-world.ts',
    find: 'waiting.isIdle ? served.submit(command) : waiting.submit(command, claim)',
    replace: 'served.submit(command)',
    test: HELD,
    title: 'a command waits while',
  },
  {
    what: 'Each device of a policy has its configuration encoded anew.',
    file: 'core/delivery/device-configuration/device-codecs.ts',
    find: '    this.#latest = { configuration, config, encoded };\n',
    replace: '',
    test: 'test/core/resources/device-configurations.test.ts',
    title: 'of a policy is encoded once',
  },
  {
    what: 'A refused command fills no bucket.',
    file: 'api/host/world/durable-commands.ts',
    find: "if (fate === 'durable' && !result.ok) this.#refused.add(admitted.command.by, bytes);",
    replace: '',
    test: REFUSED,
    title: 'fills the bucket of its subscriber',
  },
  {
    what: 'A bucket of refused commands never drains.',
    file: 'api/host/world/refused-bytes.ts',
    find: '((this.#nowMs() - bucket.atMs) / 1_000) * REFUSED_BYTES.aSecond',
    replace: '0',
    test: BYTES,
    title: 'waits until it has drained',
  },
  // ── decoding ───────────────────────────────────────────────────────────────────────────────────
  {
    what: 'An answer may take any number of steps.',
    file: 'core/codecs/step-budget.ts',
    find: '    this.#left -= all;\n',
    replace: '',
    test: BUDGET,
    title: 'a budget ends an answer',
  },
  {
    what: 'Getting ready again costs an answer nothing.',
    file: 'core/codecs/step-budget.ts',
    find: 'this.#latest === codec ? 0 : loadSteps',
    replace: '0',
    test: BUDGET,
    title: 'a change of codec counts',
  },
  {
    what: 'A list of members may be as long as a body has room.',
    file: 'api/http/limits.ts',
    find: 'items: 60_000',
    replace: 'items: 600_000',
    test: 'test/http/json-body.test.ts',
    title: 'a list of members has at most 60 000 items',
  },
  // ── rows of studies ────────────────────────────────────────────────────────────────────────────
  {
    what: 'The checksum of a row is not looked at.',
    file: 'api/host/studies/study-folder.ts',
    find: 'checksumOf(row) === found[1] ? row : undefined',
    replace: 'row',
    test: 'test/host/studies/study-folder.test.ts',
    title: 'notices each change of a digit',
  },
];
