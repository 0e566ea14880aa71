/** Runs what a study still lacks, and lands it chunk by chunk, until it is whole or is stopped. */
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import type { Chunk, Run } from '../../scenarios/study/rounds.ts';
import { type LandedRow, landed, type StudyFolder } from '../host/studies/study-folder.ts';
import type { StudyRows } from '../host/studies/study-rows.ts';
import { runTasks } from './study-run.ts';
import type { Done, Job, Pace } from './task.ts';

/** One of the parts that a study is cut into: `index` from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface DesignedRunning {
  readonly threads: number;
  readonly shard: Shard | undefined;
  readonly stops: () => boolean;
  /** Before a round: how many runs it lacks. */
  readonly onRound: (runs: number) => void;
  readonly onPace: (at: number, pace: Pace) => void;
  readonly onDone: (at: number) => void;
}

export type DesignedEnd =
  /** Nothing is missing, of the study or of the shard's part of this round. */
  | { readonly kind: 'whole'; readonly runs: number }
  | { readonly kind: 'stopped'; readonly runs: number }
  /** These runs took their threads along each time. */
  | { readonly kind: 'lost'; readonly runs: number; readonly lost: readonly Run[] };

/** Thread crashes after which a run is given up. */
const TRIES_MAX = 3;

/** Number of the shard that runs a chunk, from 1. */
export const shardOf = ({ number }: Chunk, of: number): number => (number % of) + 1;

const isOfShard = (chunk: Chunk, shard: Shard | undefined): boolean =>
  shard === undefined || shardOf(chunk, shard.of) === shard.index;

export async function runDesigned(
  rows: StudyRows,
  folder: StudyFolder,
  running: DesignedRunning,
): Promise<DesignedEnd> {
  let runs = 0;
  for (;;) {
    const { chunks } = rows.asked();
    const lacking = chunks.filter(
      (chunk) => isOfShard(chunk, running.shard) && chunk.runs.some((run) => !rows.of(run)),
    );
    if (lacking.length === 0) return { kind: 'whole', runs };
    const end = await runChunks(lacking, rows, folder, running);
    runs += end.runs;
    if (end.kind !== 'whole') return { ...end, runs };
  }
}

/** A run on its way, and the chunk that it lands with. */
interface OnItsWay {
  readonly run: Run;
  readonly chunk: Chunk;
}

async function runChunks(
  chunks: readonly Chunk[],
  rows: StudyRows,
  folder: StudyFolder,
  running: DesignedRunning,
): Promise<DesignedEnd> {
  const id = rows.chunkName;
  const wanted = chunks.flatMap((chunk) =>
    chunk.runs.filter((run) => !rows.of(run)).map((run): OnItsWay => ({ run, chunk })),
  );
  const open = new Map(chunks.map((chunk) => [chunk, 0]));
  for (const { chunk } of wanted) open.set(chunk, open.get(chunk)! + 1);
  let runs = 0;
  const land = ({ run, chunk }: OnItsWay, { row }: Done) => {
    rows.add(landed(rows.keyOf(run), row));
    runs++;
    const left = open.get(chunk)! - 1;
    open.set(chunk, left);
    if (left === 0) folder.land(id, chunk.number, landedOf(chunk, rows));
  };
  running.onRound(wanted.length);
  let left = wanted;
  for (let tries = 1; ; tries++) {
    const lost: OnItsWay[] = [];
    // A run may take others along that were on their way, and then it is tried by itself.
    const threads = tries === 1 ? running.threads : 1;
    const whole = await runSome(jobOf(rows.plan, folder.path), left, threads, {
      ...running,
      land,
      lost,
    });
    if (!whole) break;
    if (lost.length === 0) return { kind: 'whole', runs };
    if (tries === TRIES_MAX) return { kind: 'lost', runs, lost: lost.map(({ run }) => run) };
    left = lost;
  }
  for (const [chunk, missing] of open) {
    const done = landedOf(chunk, rows);
    if (missing > 0 && done.length > 0) folder.landPart(id, chunk.number, done);
  }
  return { kind: 'stopped', runs };
}

interface Landing extends DesignedRunning {
  readonly land: (one: OnItsWay, done: Done) => void;
  readonly lost: OnItsWay[];
}

function runSome(
  job: Job,
  wanted: readonly OnItsWay[],
  threads: number,
  { stops, onPace, onDone, land, lost }: Landing,
): Promise<boolean> {
  const tasks = wanted.map(({ run: { point, seed } }) => ({ point, seed }));
  return runTasks(job, tasks, threads, {
    stops,
    onPace,
    onLost: (at) => lost.push(wanted[at]!),
    onDone: (at, done) => {
      land(wanted[at]!, done);
      onDone(at);
    },
  });
}

/** `folder`: that of the study, where threads reach it. */
export const jobOf = (plan: StudyPlan, folder: string | null): Job => ({
  manifest: plan.manifest,
  branchAtUs: plan.branchAtUs,
  warmUps: plan.from === 'snapshot' ? folder : null,
  points: plan.points.map(({ set }) => set),
  figures: plan.kept.map(({ name }) => name),
});

/** What there is of a chunk, in its order. */
export const landedOf = ({ runs }: Chunk, rows: StudyRows): LandedRow[] =>
  runs.flatMap((run) => rows.landing(run) ?? []);
