/** `fleetwave branch`: a run goes on from an instant with other settings, and is compared. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { leftBy } from '../../core/result/manifest.ts';
import type { RunResult } from '../../core/result/result.ts';
import { recorderFor } from '../../core/world/options.ts';
import type { Run } from '../../core/world/world.ts';
import { figureDifferences, firstSlice } from '../../reports/study/differences.ts';
import { rowOf } from '../../reports/study/rows.ts';
import { VERSION } from '../../reports/version.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { Recorder } from '../../sim/observation/recorder.ts';
import { drive } from '../host/clock/run-in-slices.ts';
import { writeDevices } from '../host/files/devices-file.ts';
import { outlineOf } from '../host/files/outlines.ts';
import { RESULT_FILES, removeEarlier } from '../host/files/results-folder.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { measureHost } from '../host/process/process-cost.ts';
import { type BeginHow, beginRun } from '../host/replay/begun-run.ts';
import { recordedWorld } from '../host/replay/recorded-world.ts';
import { painterOf } from './colour.ts';
import { type ExitCode, InputError, writing } from './exit.ts';
import { interruptible, type Signal } from './interrupt.ts';
import { type Progress, startProgress } from './progress.ts';
import { type GivenRun, givenRun } from './recorded.ts';
import { document, verdictOf, writeFiles } from './run.ts';
import { snapshotsIn, within } from './snapshots.ts';

export interface BranchOptions {
  readonly run: string;
  readonly at: string;
  readonly set: readonly string[];
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly report: boolean;
}

export async function branch(options: BranchOptions): Promise<ExitCode> {
  const started = performance.now();
  const given = givenRun('fleetwave branch', options.run);
  const { manifest, begun } = begunBranch(given, options);
  const folder = options.out ?? join('out', `${given.run.trunk.name}-branch`);
  refuseSameFolder(folder, given.path);
  const quiet = options.quiet === true || options.json === true;
  const progress = await startProgress(quiet);
  const recorder = options.report ? recorderFor(begun.run.trunk) : undefined;
  const { world, stopped, isWhole } = await carriedOut(given, begun.run, progress, recorder);
  const before = mainResult(given.path);
  writing(folder, () => makeFolder(folder));
  writing(folder, () => removeEarlier(folder, { open: [], needed: [] }));
  const result = world.result();
  const expectations = judge(begun.scenario.expectations, result);
  const host = measureHost(started);
  const columns = recorder && isWhole ? world.facts.columns(world.plan, result) : undefined;
  const reported = { result, expectations, manifest, version: VERSION };
  const input = { ...reported, ...outlineOf(begun.scenario), ...(columns && { columns }) };
  const stories = recorder && isWhole ? world.facts.stories(recorder, result) : undefined;
  const files = await writeFiles(folder, input, host, options.report, stories);
  const devices = join(folder, RESULT_FILES.devices);
  writing(devices, () => writeDevices(devices, world.facts.outcomes.all()));
  const figures = figureDifferences(rowOf(before, []).figures, rowOf(result, []).figures);
  if (options.json) {
    const found = { ...document(input, host), differences: figures };
    process.stdout.write(`${JSON.stringify(found)}\n`);
  } else if (!quiet) {
    const paint = painterOf(process.stdout);
    const { summary } = await import('./summary.ts');
    process.stdout.write(summary(result, expectations, host, [...files, devices], paint));
    const { branchText } = await import('./diff-text.ts');
    const slice = firstSlice(before, result) ?? null;
    process.stdout.write(branchText(given.path, folder, figures, slice, paint));
  }
  return verdictOf(stopped, expectations, options);
}

/** The branch, and the manifest that its result has; what cannot change is refused by name. */
function begunBranch({ recorded, run }: GivenRun, { set, at }: BranchOptions) {
  if (set.length === 0) {
    throw new InputError(['fleetwave branch: nothing is changed; allowed: --set path=value']);
  }
  const atUs = within('--at', at, run.trunk.durationUs);
  const manifest = leftBy(recorded.manifest, { atSeconds: atUs / SECOND_US, set });
  const begun = recordedWorld('fleetwave branch', manifest);
  if ('faults' in begun) throw new InputError(begun.faults);
  return { manifest, begun };
}

function refuseSameFolder(folder: string, path: string): void {
  if (join(folder) !== join(dirname(path))) return;
  throw new InputError([`--out ${folder} is the folder of the run; allowed: another folder`]);
}

/** `isWhole`: it began at the start, and not at a stored snapshot, before which nobody recorded. */
async function carriedOut(
  given: GivenRun,
  run: GivenRun['run'],
  progress: Progress,
  recorder: Recorder | undefined,
) {
  let world: Run | undefined;
  let isWhole = true;
  let stopped: Signal | undefined;
  try {
    stopped = await interruptible(async (stops) => {
      const onSlice = (each: Run) => progress.update(each);
      const stored = snapshotsIn(dirname(given.path));
      const snapshots: BeginHow['snapshots'] = {
        worldOf: (...asked) => {
          const found = stored.worldOf(...asked);
          isWhole = found === undefined;
          return found;
        },
      };
      world = await beginRun(run, recorder ? { recorder } : {}, { stops, onSlice, snapshots });
      return world !== undefined && drive(world, stops, () => onSlice(world!));
    });
  } finally {
    progress.stop();
  }
  if (world === undefined) throw new InputError(['Stopped before the branch began.']);
  return { world, stopped, isWhole };
}

/** What `readRecordedRun` has accepted already. */
const mainResult = (path: string): RunResult => JSON.parse(readFileSync(path, 'utf8'));
