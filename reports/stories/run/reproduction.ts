/** How a reader gets the same run again. */
import type { Manifest } from '../../../core/result/manifest.ts';
import type { RunResult } from '../../../core/result/result.ts';

/** `command` for a POSIX shell, `sentence` says what its file stands for. */
export function reproduction(
  { scenario, seed }: RunResult,
  manifest?: Manifest,
): { readonly command: string; readonly sentence: string } {
  const set = (manifest?.set ?? []).map((one) => ` --set=${shellWord(one)}`).join('');
  const named = manifest?.variant;
  const variant = named === undefined ? '' : ` --variant=${shellWord(named)}`;
  return {
    command: `fleetwave run scenario.yaml${variant} --seed=${shellWord(seed)}${set}`,
    sentence: `scenario.yaml stands for the file of “${scenario.name}”.`,
  };
}

/** The same where the result holds all that the run was made of. */
export const REPLAY = {
  command: 'fleetwave replay result.json',
  sentence: 'result.json holds the scenario, its overrides and the seed.',
} as const;

/** The same where the network server was outside. */
export const BRIDGE_AGAIN = {
  command: 'fleetwave bridge replay .',
  sentence: 'bridge.ndjson, beside this page, holds all that the server sent.',
} as const;

/** The same of a world that was served. */
export const SESSION_AGAIN = {
  command: 'fleetwave run session.yaml',
  sentence: 'session.yaml stands for what /sim/v1/session.yaml of this world answers.',
} as const;

/** Text as one word of a POSIX shell, quoted only when it must be. */
export function shellWord(text: string): string {
  return /^[\w.,:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
