/** Faults of explanations, of branches, and of verdicts on what others published. */
import type { Mutant } from './mutant.ts';

const EXPLAIN = 'test/scenarios/explain.test.ts';
const BRANCH = 'test/scenarios/branch-plan.test.ts';
const FORKS = 'test/http/worlds.test.ts';
const VERDICTS = 'test/scenarios/study/fidelity/verdicts.test.ts';

export const EXPLAIN_MUTANTS: readonly Mutant[] = [
  {
    what: 'A gateway whose backhaul has come back is still one that forwards nothing.',
    file: 'sim/observation/stories/story-log.ts',
    find: 'else this.#down.delete(row.gateway);',
    replace: '',
    test: 'test/scenarios/explain-recorded.test.ts',
  },
  {
    what: 'Stories go on where there is no more room for them.',
    file: 'sim/observation/stories/story-log.ts',
    find: 'new FactLog(NUMBERS_AN_UPLINK * options.uplinks)',
    replace: 'new FactLog(9 * NUMBERS_AN_UPLINK * options.uplinks)',
    test: 'test/sim/stories.test.ts',
  },
  {
    what: 'A frame that is not data has an answer.',
    file: 'scenarios/explain/answers.ts',
    find: "  if (begins.purpose !== 'data') return undefined;\n",
    replace: "  if (begins.purpose === 'data') return undefined;\n",
    test: EXPLAIN,
  },
  {
    what: 'What ended before the span begins is shown, too.',
    file: 'scenarios/explain/device-events.ts',
    find: 'atUs >= span.fromUs && atUs <= span.untilUs',
    replace: 'atUs <= span.untilUs',
    test: EXPLAIN,
  },
  {
    what: 'A clock that is off is called right.',
    file: 'reports/explanations/device-blocks.ts',
    find: 'if (off < 0.05)',
    replace: 'if (off >= 0)',
    test: EXPLAIN,
  },
  {
    what: 'An entry at the very instant of a branch is left out.',
    file: 'scenarios/branching/branch-plan.ts',
    find: 'changed.timeline.filter((entry) => entry.atUs >= atUs)',
    replace: 'changed.timeline.filter((entry) => entry.atUs > atUs)',
    test: BRANCH,
  },
  {
    what: 'What is fixed from the start may change in a branch.',
    file: 'scenarios/branching/branch-plan.ts',
    find: "  if (fixed !== undefined) return fail('branch.fixed', fixed);\n",
    replace: '',
    test: BRANCH,
  },
  {
    what: 'A fork with settings of its own has them at the instant at which it is made.',
    file: 'api/host/world/branched-fork.ts',
    find: 'const atUs = world.nowUs + 1;',
    replace: 'const atUs = world.nowUs;',
    test: FORKS,
    title: 'of a fork with settings of its own',
  },
  {
    what: 'What a killed process refused and had not marked is in the session afterwards.',
    file: 'api/host/world/worlds.ts',
    find: 'if (!result.ok && past.commands[at]!.steppedOver !== true) refused.add(at);',
    replace: '',
    test: 'test/host/world/worlds.test.ts',
    title: 'leaves it out of the log',
  },
  {
    what: 'A fork of a fork forgets since when that has settings of its own.',
    file: 'api/host/world/worlds.ts',
    find: '{ branch: from.branch, ...(await',
    replace: '{ ...(await',
    test: FORKS,
    title: 'of a fork with settings of its own',
  },
  {
    what: 'A figure exactly at its tolerance fails.',
    file: 'scenarios/study/fidelity/verdicts.ts',
    find: 'Math.abs(difference) <= tolerance',
    replace: 'Math.abs(difference) < tolerance',
    test: VERDICTS,
  },
  {
    what: 'A forecast takes a device for updated that the service never hears.',
    file: 'scenarios/forecast/crowd.ts',
    find: 'Math.min(1 - none, heard)',
    replace: '1 - none',
    test: 'test/scenarios/campaign-forecast.test.ts',
    title: 'reaches as many devices at ',
  },
  {
    what: 'A branch of a branch adds the gateways of the first one again.',
    file: 'scenarios/branching/branch-plan.ts',
    find: 'gatewayCommands(written, changed, atUs)',
    replace: 'gatewayCommands(trunk, changed, atUs)',
    test: 'test/e2e/explain.test.ts',
    title: 'leaves a branch in turn',
  },
  {
    what: 'Two branches at one instant are two: what the first changed is lost.',
    file: 'scenarios/branching/repeated-run.ts',
    find: 'branch.atUs < atUs)',
    replace: 'branch.atUs <= atUs)',
    test: 'test/e2e/explain.test.ts',
    title: 'leaves a branch in turn',
  },
];
