/**
 * `fleetwave journal`: what is in the journal of a stored world, and how damage is cut out of it.
 */
import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatInstant } from '../../core/base/instant.ts';
import type { Result } from '../../sim/base/result.ts';
import { type Cutting, cut, cutting } from '../host/journal/cut.ts';
import { durableFolder, withStored } from '../host/journal/durable-folder.ts';
import { exportEntries } from '../host/journal/export.ts';
import { holderOfLock } from '../host/journal/folder-lock.ts';
import { framesFrom, type Verdict, verify } from '../host/journal/verify.ts';
import { settingsOf } from '../host/settings/read.ts';
import { ExitCode, InputError } from './exit.ts';
import { dataFolderOf, settingsInForce } from './serve-settings.ts';
import { whole } from './words.ts';

interface Folder {
  /** A data folder; that of `fleetwave serve` here when absent. */
  readonly folder?: string | undefined;
}

export interface CutOptions extends Folder {
  readonly segment?: string | undefined;
  readonly at?: string | undefined;
  readonly yes?: boolean | undefined;
}

export interface ExportWords extends Folder {
  readonly out?: string | undefined;
  readonly withSecrets?: boolean | undefined;
}

const dataOf = ({ folder }: Folder): string =>
  folder ?? dataFolderOf(settingsOf(settingsInForce({}, process.env)));

const print = (...lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

/** Throws `InputError` where there is a failure. */
function orInputError<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new InputError([result.failure.message]);
}

// ── verify ───────────────────────────────────────────────────────────────────────────────────────

/** Reads all of it, beside a server that writes, too. */
export async function verifyJournal(words: Folder): Promise<ExitCode> {
  const stored = orInputError(await durableFolder(dataOf(words)));
  const holder = await holderOfLock(stored.folder);
  const verdict = await verify(stored);
  print(...describe(verdict, stored.startUnixMs), ...tornLines(verdict, holder));
  if (holder !== undefined) print(`It is written by ${holder}: this is what stood there.`);
  const { fault } = verdict;
  if (fault === undefined) return ExitCode.good;
  process.stderr.write(`${fault.message}\n`);
  if (fault.at === undefined) return ExitCode.badInput;
  const { frames } = await framesFrom(stored.disk, fault.at);
  process.stderr.write(
    `Behind it ${count(frames, 'frame')} can be read (fleetwave journal cut).\n`,
  );
  return ExitCode.damaged;
}

function describe(verdict: Verdict, startUnixMs: number): readonly string[] {
  const { segments, bytes, entries, byKind, span } = verdict;
  const kinds = [...byKind].map(([kind, each]) => `  ${kind.padEnd(14)} ${each}`);
  const instant = (us: number) => formatInstant(startUnixMs + Math.floor(us / 1000));
  return [
    `${count(segments, 'segment')}, ${count(bytes, 'byte')}, ${count(entries, 'entry', 'entries')}`,
    ...kinds,
    ...(span === undefined ? [] : [`from ${instant(span[0])} to ${instant(span[1])}`]),
  ];
}

function tornLines({ torn }: Verdict, holder: string | undefined): readonly string[] {
  if (torn === undefined) return [];
  const { segment, offset, bytes } = torn;
  const what = `${count(bytes, 'byte')} of ${segment} from byte ${offset} on`;
  return holder === undefined
    ? [`A torn tail: ${what} were never acknowledged; the next start cuts them.`]
    : [`Not whole yet: ${what}.`];
}

const count = (number: number, noun: string, nouns = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : nouns}`;

// ── cut ──────────────────────────────────────────────────────────────────────────────────────────

const MOST = 99_999_999;

/** Nothing goes without `--yes`. */
export async function cutJournal({ segment, at, yes, ...words }: CutOptions): Promise<ExitCode> {
  const faults: string[] = [];
  const number = (option: string, word: string | undefined, least: number) =>
    word === undefined ? undefined : whole(option, word, least, MOST, faults);
  const wanted = { segment: number('--segment', segment, 1), at: number('--at', at, 0) };
  if (faults.length > 0) throw new InputError(faults);
  const done = await withStored(dataOf(words), async (stored) => {
    const planned = await cutting(stored, wanted);
    if (!planned.ok && planned.failure.code === 'cut.nothing') {
      print(planned.failure.message);
      return ExitCode.good;
    }
    const plan = orInputError(planned);
    print(goesWith(plan));
    if (yes !== true) throw new InputError(['Nothing was cut: say --yes to cut it.']);
    const copies = await cut(stored.disk, plan.at);
    print(...copies.map((name) => `Stored: ${join(stored.folder, name)}`));
    print(...describe(await verify(stored), stored.startUnixMs));
    return ExitCode.good;
  });
  return orInputError(done);
}

const goesWith = ({ at, frames, bytes }: Cutting): string =>
  `From byte ${at.offset} of ${at.segment} on: ${count(bytes, 'byte')}, among them ` +
  `${count(frames, 'frame')} that can be read. What they did is lost to the world.`;

// ── export ───────────────────────────────────────────────────────────────────────────────────────

/** On stdout, or into a file that is there once it is whole, and that nobody else reads. */
export async function exportJournal({
  out,
  withSecrets,
  ...words
}: ExportWords): Promise<ExitCode> {
  const done = await withStored(dataOf(words), async (stored) => {
    const options = { withSecrets: withSecrets === true };
    const { fault } = await (out === undefined
      ? exportEntries(stored, options, writeOut)
      : intoFile(out, (write) => exportEntries(stored, options, write)));
    if (fault === undefined) return ExitCode.good;
    process.stderr.write(`${fault.message}\n`);
    return fault.at === undefined ? ExitCode.badInput : ExitCode.damaged;
  });
  return orInputError(done);
}

type Write = (line: string) => Promise<void>;

/** A reader that is slow is waited for. */
async function writeOut(line: string): Promise<void> {
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}

/** Of lines that are written together, in characters. */
const TOGETHER = 65_536;

/** A new file: one that stands there keeps its mode. */
async function intoFile<Value>(path: string, act: (write: Write) => Promise<Value>) {
  const beside = `${path}.new`;
  await rm(beside, { force: true });
  const file = await open(beside, 'wx', 0o600);
  try {
    let waiting = '';
    const value = await act(async (line) => {
      waiting += line;
      if (waiting.length < TOGETHER) return;
      await file.appendFile(waiting);
      waiting = '';
    });
    await file.appendFile(waiting);
    await rename(beside, path);
    return value;
  } finally {
    await file.close();
  }
}
