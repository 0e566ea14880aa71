/** The scenario that a command is given: a file, or `-` for what comes on standard input. */
import { fileBytesMax } from '../../scenarios/load.ts';
import { type FromDisk, loadFromDisk } from '../host/scenario-files.ts';
import { InputError } from './exit.ts';

/** What places in it begin with; files that it names are relative to the working directory. */
export const STANDARD_INPUT = '<stdin>';

/** `onFile` hears the path of every file that the scenario is made of, there or not. */
export async function loadGiven(
  file: string,
  settings: readonly string[],
  onFile: (path: string) => void = () => undefined,
): Promise<FromDisk & { readonly path: string }> {
  if (file === '') throw new InputError(['fleetwave: FILE is empty; allowed: a path, or -']);
  const path = file === '-' ? STANDARD_INPUT : file;
  const given = file === '-' ? new Map([[path, await standardInput()]]) : new Map();
  return { ...loadFromDisk(path, settings, { given, onFile }), path };
}

async function standardInput(): Promise<Uint8Array> {
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
