/** `fleetwave explain`: the story of a device, what a gateway did, what holds a campaign back. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunResult } from '../../core/result/result.ts';
import { explanationBlocks } from '../../reports/explanations/explanation-blocks.ts';
import { VERSION } from '../../reports/version.ts';
import { explain, type Question } from '../../scenarios/explain/explain.ts';
import type { RecordedRun } from '../host/files/recorded-run.ts';
import { RESULT_FILES } from '../host/files/results-folder.ts';
import { readStories } from '../host/files/stories-file.ts';
import { blocksText } from './blocks-text.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError } from './exit.ts';
import { type GivenRun, givenRun, instantOf } from './recorded.ts';

export interface ExplainOptions {
  /** `gateway`, `campaign` or `device` before a name; else the device itself. */
  readonly what: string;
  readonly name?: string | undefined;
  readonly run?: string | undefined;
  readonly at?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly whatIf?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const THINGS = ['device', 'gateway', 'campaign'] as const;

export function explainCommand(options: ExplainOptions): ExitCode {
  const { json = false } = options;
  const given = givenRun('fleetwave explain', options.run);
  const { run, recorded } = given;
  const known = { failed: failedOf(recorded), recorded: recordedOf(given), onBranch };
  const answer = explain({ ...run, ...known }, questionOf(options));
  if (!answer.ok) throw new InputError([`fleetwave explain: ${answer.failure.message}`]);
  if (json) {
    process.stdout.write(`${JSON.stringify(answer.value)}\n`);
    return ExitCode.good;
  }
  const paint = painterOf(process.stdout);
  for (const [i, one] of answer.value.entries()) {
    const text = blocksText(explanationBlocks(one), paint).join('\n');
    process.stdout.write(`${i === 0 ? '' : '\n'}${text}\n`);
  }
  return ExitCode.good;
}

/** Each takes as long as the run: somebody waits for them. */
const onBranch = (otherwise: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`runs a branch: ${otherwise}\n`);
};

/** What the run recorded to its end; undefined: it is carried out again. */
function recordedOf({ path, recorded: { digest, complete, version } }: GivenRun) {
  if (!complete || version !== VERSION) return undefined;
  const stories = readStories(join(dirname(path), RESULT_FILES.stories), digest);
  if (stories === undefined) return undefined;
  const result: RunResult = JSON.parse(readFileSync(path, 'utf8'));
  return { result, stories };
}

/** All that failed, where the result names all. */
function failedOf({ campaigns }: RecordedRun) {
  const isWhole = campaigns?.every(({ failed, failedDevices: named }) => failed === named.length);
  return isWhole ? campaigns!.flatMap(({ failedDevices }) => failedDevices) : undefined;
}

function questionOf({ what, name, at, from, to, whatIf = true }: ExplainOptions): Question {
  const thing = THINGS.find((each) => each === what);
  if (name === undefined && (thing === 'gateway' || thing === 'campaign')) {
    throw new InputError([`fleetwave explain ${what}: its name is missing; allowed: a ${what}`]);
  }
  if (name !== undefined && thing === undefined) {
    throw new InputError([
      `fleetwave explain: "${what}" is not right; allowed: ${THINGS.join(', ')}, or one device`,
    ]);
  }
  return {
    ...(name === undefined || thing === undefined
      ? { of: 'device', name: what }
      : { of: thing, name }),
    atUs: instantOf('--at', at),
    fromUs: instantOf('--from', from),
    toUs: instantOf('--to', to),
    whatIf,
  };
}
