/** Lives of a world that is stored: each ends by a crash, and what it has left is judged. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { durableFolder } from '../../api/host/journal/durable-folder.ts';
import { FRAME_HEADER_BYTES } from '../../api/host/journal/frame.ts';
import { type Place, verify } from '../../api/host/journal/verify.ts';
import type { Draw } from '../support/power-loss-disk.ts';
import { type BrokenBuild, STARTS_WRONG } from './broken-builds.ts';
import {
  advances,
  clientOf,
  load,
  makesGroup,
  names,
  restoresFirst,
  type Turn,
  uploads,
} from './clients.ts';
import { crashFolder } from './folder.ts';
import { foundIn, type Starts, startsHere } from './restored-folder.ts';
import type { Life, Served } from './served.ts';
import { Story } from './story.ts';

const SCENARIO = `
scenario: crash
duration: 300 d
seed: crash
subscribers: [ann]
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways:
  - { name: mast, subscriber: ann }
devices:
  - name: meter
    count: 4
    subscriber: ann
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 5 min }
`;

/** A folder with a world in it, and what its clients know of it. */
export interface Stored {
  readonly data: string;
  readonly scenario: string;
  readonly story: Story;
  remove(): void;
}

export function newDurable(): Stored {
  const folder = crashFolder();
  const scenario = join(folder, 'crash.yaml');
  writeFileSync(scenario, SCENARIO);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { data: join(folder, 'data'), scenario, story: new Story(), remove };
}

export interface Ending {
  /** Where it shall end; absent: at any moment. */
  readonly ends?: Life['ends'];
  /** So long after clients came it is killed at the latest, ms. */
  readonly afterMs: number;
  readonly build?: BrokenBuild;
}

export interface Judged {
  /** Whether it came to where it should end. */
  readonly reached: boolean;
  readonly complaints: readonly string[];
}

/** One life under load, its end, and what was found then. */
export async function lived(
  child: string,
  stored: Stored,
  { ends, afterMs, build }: Ending,
  draw: Draw,
): Promise<Judged> {
  const { data, scenario, story } = stored;
  const process = begun(child, { data, scenario, ends, build });
  const isOver = once(process, 'exit');
  const served = await servedBy(process);
  let isLate = false;
  if (served !== undefined) {
    const late = setTimeout(() => {
      isLate = process.kill('SIGKILL');
    }, afterMs);
    const ask = await clientOf(served);
    if (ask !== undefined) await load({ ask, story, draw }, () => hasEnded(process));
    clearTimeout(late);
  }
  const [status, signal] = await isOver;
  const ended = signal === 'SIGKILL' ? [] : [`it ended by itself, with ${status}`];
  const starts = startsOf(child, { scenario, build });
  return { reached: !isLate, complaints: [...ended, ...(await judged(stored, starts))] };
}

function begun(child: string, life: Life): ChildProcess {
  // What a broken build has to say is of no interest.
  const stderr = life.build === undefined ? 'inherit' : 'ignore';
  return fork(child, [JSON.stringify(life)], { stdio: ['ignore', 'ignore', stderr, 'ipc'] });
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Undefined: it has ended before. */
async function servedBy(process: ChildProcess): Promise<Served | undefined> {
  const isOver = once(process, 'exit').then(() => []);
  const [served] = await Promise.race([once(process, 'message'), isOver]);
  return served as Served | undefined;
}

/** A build whose start is broken is started by a process of its own. */
const startsOf = (child: string, life: Omit<Life, 'data'>): Starts =>
  life.build === STARTS_WRONG ? startsIn(child, life) : startsHere(life.scenario);

const startsIn =
  (child: string, life: Omit<Life, 'data'>): Starts =>
  async (data) => {
    const process = begun(child, { ...life, data, paused: true });
    const served = await servedBy(process);
    if (served === undefined) throw new Error('it has ended by itself');
    const stop = async () => {
      const isOver = once(process, 'exit');
      process.kill('SIGKILL');
      await isOver;
    };
    return { ...served, stop };
  };

/** A start by states leads where a start without them leads, and both are what clients know. */
async function judged({ data, story }: Stored, starts: Starts): Promise<readonly string[]> {
  try {
    const byStates = await foundIn(data, starts, true);
    const byJournal = await foundIn(data, starts, false);
    const isSame = byStates.answers === byJournal.answers;
    const differs = isSame ? [] : ['its states lead elsewhere than its journal'];
    return [...story.judge(byJournal.world), ...differs];
  } catch (error) {
    return [`it does not start: ${(error as Error).message}`];
  }
}

// ── lives that go by a script ────────────────────────────────────────────────────────────────────

export interface Script {
  readonly turns: readonly Turn[];
  /** What becomes of the folder after the kill. */
  readonly after?: (data: string) => Promise<void>;
}

/** One client, one thing after the other, and a kill. */
export async function scripted(
  child: string,
  stored: Stored,
  { turns, after }: Script,
  build?: BrokenBuild,
): Promise<readonly string[]> {
  const { data, scenario, story } = stored;
  const process = begun(child, { data, scenario, build, paused: true });
  const ask = (await clientOf((await servedBy(process))!))!;
  for (const turn of turns) await turn({ ask, story, draw: () => 0 });
  const isOver = once(process, 'exit');
  process.kill('SIGKILL');
  await isOver;
  await after?.(data);
  return judged(stored, startsOf(child, { scenario, build }));
}

/** Long enough for a seal. */
const rests: Turn = async () => {
  await sleep(200);
  return true;
};

/** Nobody waits for anything that was not answered. */
export const KILLED_AT_ONCE: Script = { turns: [makesGroup, uploads, makesGroup] };

/** The last entry was acknowledged, and then one bit of it is another. */
export const DAMAGED_END: Script = {
  turns: [makesGroup, makesGroup, makesGroup, rests],
  after: flipLastEntry,
};

/** What came after the first name is taken back, with what has the second name. */
export const TAKEN_BACK: Script = {
  turns: [
    makesGroup,
    names,
    makesGroup,
    makesGroup,
    advances,
    names,
    restoresFirst,
    advances,
    advances,
    makesGroup,
    makesGroup,
    makesGroup,
  ],
};

async function flipLastEntry(data: string): Promise<void> {
  const folder = await durableFolder(data);
  if (!folder.ok) throw new Error(folder.failure.message);
  let last: Place | undefined;
  await verify(folder.value, (entry) => {
    last = entry;
  });
  const path = join(folder.value.folder, last!.segment);
  const bytes = readFileSync(path);
  bytes[last!.offset + FRAME_HEADER_BYTES]! ^= 1;
  writeFileSync(path, bytes);
}
