/** `fleetwave replay`: runs the world of a result again, and reports whether the digests agree. */
import type { Run } from '../../core/world/world.ts';
import { VERSION } from '../../reports/version.ts';
import type { Repeatable } from '../../scenarios/branching/repeated-run.ts';
import { forecast } from '../../scenarios/forecast/forecast.ts';
import { drive } from '../host/clock/run-in-slices.ts';
import { type RecordedRun, readRecordedRun } from '../host/files/recorded-run.ts';
import { expectRunOf } from '../host/process/v8-settings.ts';
import { beginRun } from '../host/replay/begun-run.ts';
import { recordedWorld } from '../host/replay/recorded-world.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError } from './exit.ts';
import { exitCodeOf, interruptible } from './interrupt.ts';
import { type Progress, startProgress } from './progress.ts';

export interface ReplayOptions {
  readonly file: string;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

export async function replay({ file, json = false, quiet = false }: ReplayOptions) {
  const recorded = readRecordedRun(file);
  if ('faults' in recorded) throw new InputError(recorded.faults);
  const run = worldOf(file, recorded);
  if (recorded.version !== VERSION) {
    process.stderr.write(`${painterOf(process.stderr).warning(otherVersion(file, recorded))}\n`);
  }
  const progress = await startProgress(quiet || json);
  let world: Run | undefined;
  const stopped = await interruptible(async (stops) => {
    world = await beginRun(run, {}, { stops, onSlice: (each) => progress.update(each) });
    return world !== undefined && repeat(world, recorded, stops, progress);
  });
  if (stopped !== undefined || world === undefined) {
    process.stderr.write('Stopped before the end: nothing was compared.\n');
    return exitCodeOf(stopped ?? 'SIGINT');
  }
  const { outcome: digest } = world.digest();
  const isEqual = digest === recorded.digest;
  const sentence = isEqual
    ? `The digest is the same: ${digest}.`
    : `The digest differs: ${recorded.digest} in ${file}, ${digest} now.`;
  if (json) {
    const { version, manifest } = recorded;
    const document = { file, version, seed: manifest.seed, recorded: recorded.digest };
    process.stdout.write(`${JSON.stringify({ ...document, digest, equal: isEqual })}\n`);
  } else if (!quiet) {
    const { good, bad } = painterOf(process.stdout);
    process.stdout.write(`${world.plan.name}: ${(isEqual ? good : bad)(sentence)}\n`);
  } else if (!isEqual) process.stderr.write(`${painterOf(process.stderr).bad(sentence)}\n`);
  return isEqual ? ExitCode.good : ExitCode.expectationFails;
}

function worldOf(file: string, { manifest }: RecordedRun): Repeatable {
  const loaded = recordedWorld(file, manifest);
  if ('faults' in loaded) throw new InputError(loaded.faults);
  expectRunOf(forecast(loaded.run.trunk).cost.cpuSeconds);
  return loaded.run;
}

const otherVersion = (file: string, { version }: RecordedRun): string =>
  `${file} is of Fleetwave ${version}, and this is ${VERSION}: its worlds may be others.`;

/**
 * By as many events as the run had, so that one that was stopped is stopped where it was. A run
 * that came to its end goes on to it. So does a served world: its scenario ends at its result.
 */
async function repeat(
  world: Run,
  { complete, events, virtualSeconds = 0 }: RecordedRun,
  stops: () => boolean,
  progress: Progress,
): Promise<boolean> {
  try {
    const isAtEnd = complete || Math.round(1e6 * virtualSeconds) >= world.plan.durationUs;
    const most = isAtEnd ? Number.POSITIVE_INFINITY : events;
    return await drive(world, stops, () => progress.update(world), { untilEvents: most });
  } finally {
    progress.stop();
  }
}
