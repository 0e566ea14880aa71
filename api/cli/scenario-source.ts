/** The scenario that a command is given: a file, or `-` for what comes on standard input. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearest, sentence } from '../../scenarios/language/complaint.ts';
import type { Problem } from '../../scenarios/language/problem.ts';
import { fileBytesMax } from '../../scenarios/load.ts';
import { type FromDisk, loadFromDisk } from '../host/files/scenario-files.ts';
import { InputError } from './exit.ts';

/** What places in it begin with; files that it names are relative to the working directory. */
const STANDARD_INPUT = '<stdin>';

interface GivenHow {
  /** One of the file's variants. */
  readonly variant?: string | undefined;
  /** Hears the path of every file that the scenario is made of, there or not. */
  readonly onFile?: ((path: string) => void) | undefined;
}

export async function loadGiven(
  file: string,
  settings: readonly string[],
  { variant, onFile }: GivenHow = {},
): Promise<FromDisk & { readonly path: string }> {
  if (file === '') throw new InputError(['fleetwave: FILE is empty; allowed: a path, or -']);
  const path = file === '-' ? STANDARD_INPUT : file;
  const given = file === '-' ? new Map([[path, await standardInput()]]) : new Map();
  const loaded = loadFromDisk(path, settings, { given, variant, ...(onFile && { onFile }) });
  if (loaded.outcome === 'scenario' || existsSync(path)) return { ...loaded, path };
  return { ...loaded, problems: loaded.problems.map(withNeighbour), path };
}

/** A scenario that is not there may be one beside it, by a slip of the pen. */
function withNeighbour(problem: Problem): Problem {
  if (problem.line > 0 || !/^cannot be read/.test(problem.message)) return problem;
  const folder = dirname(problem.where);
  const nameOf = (file: string) => basename(file).replace(YAML, '');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => YAML.test(file)) : [];
  const meant = nearest(nameOf(problem.where), files.map(nameOf));
  const file = files.find((each) => nameOf(each) === meant);
  if (file === undefined) return problem;
  const { message: what } = problem;
  return { ...problem, message: sentence({ what, meant: join(folder, file) }) };
}

const YAML = /\.ya?ml$/;

/** Read once: variants of one scenario are loaded one after the other. */
let read: Promise<Uint8Array> | undefined;

function standardInput(): Promise<Uint8Array> {
  read ??= readStandardInput();
  return read;
}

async function readStandardInput(): Promise<Uint8Array> {
  const most = fileBytesMax(STANDARD_INPUT);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of process.stdin as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > most) {
      throw new InputError([`${STANDARD_INPUT}  is too long; allowed: at most ${most} bytes`]);
    }
  }
  return Buffer.concat(pieces);
}
