/** `fleetwave study status --engine` and `study cancel`: a study that others run, from anywhere. */
import { existsSync } from 'node:fs';
import { counted } from '../../reports/text/format.ts';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { ChunkQueue, type Standing, type WorkersThere } from '../engine/chunk-queue.ts';
import { buildId } from '../host/studies/build.ts';
import { planId } from '../host/studies/keys.ts';
import { StudyFolder } from '../host/studies/study-folder.ts';
import { ExitCode, InputError } from './exit.ts';
import { connected } from './study-engine.ts';
import { folderIn, type StudyOptions, studyGiven } from './study-input.ts';
import { progressOf } from './study-tools.ts';

export interface ElsewhereOptions extends StudyOptions {
  readonly engine: string;
  readonly json?: boolean | undefined;
}

export function statusOnEngine(options: ElsewhereOptions): Promise<ExitCode> {
  return asking(options, async (queue, { plan, folder }) => {
    const study = planId(plan);
    const standing = await queue.standing(study);
    const workers = await queue.workers();
    const isAtHand = folder !== undefined && existsSync(folder.path);
    const progress = isAtHand ? progressOf({ plan, folder, warnings: [] }) : undefined;
    if (options.json) {
      const landed = progress?.status ?? { study: plan.study, plan: study };
      const engine = { at: queue.said, ...standing, ...workers };
      process.stdout.write(`${JSON.stringify({ ...landed, engine })}\n`);
      return;
    }
    const elsewhere = `${plan.study}: its rows land in a folder that is not at hand here`;
    const lines = [progress?.sentence ?? elsewhere, standingOn(queue, standing, workers)];
    if (standing.isCancelled) lines.push('It is cancelled; the same study run takes it up again.');
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}

export function studyCancel(options: ElsewhereOptions): Promise<ExitCode> {
  return asking(options, async (queue, { plan }) => {
    const study = planId(plan);
    if ((await queue.planOf(study)) === undefined) {
      throw new InputError([
        `fleetwave study: nobody has begun ${plan.study} (plan ${study}) on ${queue.said}`,
      ]);
    }
    const { takenBack, begun } = await queue.cancel(study);
    const back = counted(takenBack, 'chunk');
    process.stdout.write(
      `${plan.study}: cancelled. ${back} taken back, ${begun} with workers come back yet; its ` +
        'coordinator ends within some five seconds. What was run is stored, and the same study ' +
        'run takes it up again.\n',
    );
  });
}

function standingOn(
  { said, buildId: build }: ChunkQueue,
  { waiting, begun, failed, cameBack }: Standing,
  { threads, workers, others }: WorkersThere,
): string {
  const counts = [
    `${counted(waiting, 'chunk')} waiting`,
    `${begun} with workers`,
    ...(cameBack > 0 ? [`${cameBack} that came back and are to land`] : []),
    ...(failed > 0 ? [`${failed} that came to no end`] : []),
  ].join(', ');
  const other = others.length === 0 ? '' : `, but of ${others.join(', ')}`;
  const who =
    workers === 0
      ? `no worker of this build, ${build}${other}`
      : `${counted(workers, 'worker')} on ${counted(threads, 'thread')}`;
  return `${said}: ${counts}; ${who}`;
}

interface Asked {
  readonly plan: StudyPlan;
  /** Undefined: nobody said where it is. */
  readonly folder: StudyFolder | undefined;
}

async function asking(
  options: ElsewhereOptions,
  act: (queue: ChunkQueue, asked: Asked) => Promise<void>,
): Promise<ExitCode> {
  const given = isDigest(options.file) ? undefined : await studyGiven(options);
  const say = (line: string) => process.stderr.write(`fleetwave study: ${line}\n`);
  const queue = await connected('study', () => ChunkQueue.at(options.engine, buildId(), say));
  try {
    await act(queue, given ?? (await byDigest(options, queue)));
  } finally {
    await queue.close();
  }
  return ExitCode.good;
}

/** As `study plan` and `study status --json` tell it. */
const isDigest = (file: string): boolean => /^[0-9a-f]{16}$/.test(file) && !existsSync(file);

async function byDigest({ file, sink }: ElsewhereOptions, queue: ChunkQueue): Promise<Asked> {
  const plan = await queue.planOf(file);
  const path = folderIn(sink);
  if (plan !== undefined)
    return { plan, folder: path === undefined ? path : new StudyFolder(path) };
  throw new InputError([
    `fleetwave study: no plan ${file} is on ${queue.said}; allowed: a study file, a plan, the ` +
      'folder of a study, or the digest of one that was begun there within a week',
  ]);
}
