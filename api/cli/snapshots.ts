/** Worlds that `fleetwave run --snapshot-at` stores in the folder of its results. */
import type { Run } from '../../core/world/world.ts';
import { inWords } from '../../scenarios/forecast/forecast.ts';
import { WarmUps } from '../host/studies/warm-ups.ts';
import { InputError, writing } from './exit.ts';
import { instantOf } from './recorded.ts';

const FOLDER = 'snapshots';

/** Stored worlds of the run in a folder. */
export const snapshotsIn = (folder: string): WarmUps => new WarmUps(folder, FOLDER);

export class Snapshots {
  /** When the world is stored, µs, ascending: what happens in the asked instant is not in it. */
  readonly instants: readonly number[];
  readonly paths: string[] = [];
  readonly #folder: string;

  /** `asked` are virtual times within the run, which ends at `endUs`. */
  constructor(folder: string, asked: readonly string[] | undefined, endUs: number) {
    this.#folder = folder;
    const instants = (asked ?? []).map((word) => within('--snapshot-at', word, endUs) - 1);
    this.instants = [...new Set(instants)].sort((a, b) => a - b);
  }

  write(world: Run): void {
    this.paths.push(...writing(this.#folder, () => snapshotsIn(this.#folder).write(world)));
  }
}

/** An instant after the start and until the end of a run, µs. */
export function within(option: string, word: string | undefined, endUs: number): number {
  const atUs = instantOf(option, word);
  if (atUs !== undefined && atUs > 0 && atUs <= endUs) return atUs;
  const range = `after 0 s, until the end of the run at ${inWords(endUs)}`;
  throw new InputError([`${option}: ${word ?? ''} is outside of the run; allowed: ${range}`]);
}
