/** A run that a command is given by its folder or its result.json; the latest of `out/` else. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../reports/version.ts';
import { readQuantity } from '../../scenarios/language/quantity.ts';
import { type RecordedRun, readRecordedRun } from '../host/files/recorded-run.ts';
import { RESULT_FILES } from '../host/files/results-folder.ts';
import { type RecordedWorld, recordedWorld } from '../host/replay/recorded-world.ts';
import { painterOf } from './colour.ts';
import { InputError } from './exit.ts';

export interface GivenRun extends RecordedWorld {
  /** Of the result. */
  readonly path: string;
  readonly recorded: RecordedRun;
}

/** `command` begins the complaints. */
export function givenRun(command: string, given: string | undefined): GivenRun {
  const path = given === undefined ? latestResult(command) : resultIn(command, given);
  const recorded = readRecordedRun(path);
  if ('faults' in recorded) throw new InputError(recorded.faults);
  if (recorded.version !== VERSION) {
    const { warning } = painterOf(process.stderr);
    const older = `${path} is of Fleetwave ${recorded.version}, and this is ${VERSION}`;
    process.stderr.write(`${warning(`${older}: its worlds may be others.`)}\n`);
  }
  const world = recordedWorld(path, recorded.manifest);
  if ('faults' in world) throw new InputError(world.faults);
  return { ...world, path, recorded };
}

/** Throws of a folder with a study: it has sums of many runs, and no run. */
function resultIn(command: string, given: string): string {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true) return given;
  const has = (file: string) =>
    statSync(join(given, file), { throwIfNoEntry: false }) !== undefined;
  if (has(RESULT_FILES.study) && !has(RESULT_FILES.result)) {
    const what = `${given} has a study of many runs, and no run itself`;
    const allowed = 'the folder of fleetwave run with one seed (--seed)';
    throw new InputError([`${command}: ${what}; allowed: ${allowed}`]);
  }
  return join(given, RESULT_FILES.result);
}

const OUT = 'out';

/** The result that was written last in a folder of `out/`. */
function latestResult(command: string): string {
  const folders = statSync(OUT, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(OUT) : [];
  const results = folders.flatMap((folder) => {
    const path = join(OUT, folder, RESULT_FILES.result);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, at: stats.mtimeMs }];
  });
  const [latest] = results.sort((a, b) => b.at - a.at);
  if (latest !== undefined) return latest.path;
  throw new InputError([
    `${command}: there is no run in ${OUT}/; allowed: --run with the folder of fleetwave run`,
  ]);
}

/** A virtual time of an option, whole µs; undefined: the option is absent. */
export function instantOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const most = 3_650 * 86_400e6;
  const read = readQuantity(given, 'duration', { least: 0, most });
  if (read.ok) return read.value;
  const { what, allowed = 'a duration such as "6 h"' } = read.complaint;
  throw new InputError([`${option}: ${what}; allowed: ${allowed}`]);
}
