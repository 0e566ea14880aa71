/** What `fleetwave run` is given, for one seed or for many: its words to a scenario and a seed. */

import { commandLine } from '../../reports/checks/check.ts';
import type { LoRaTapVersion } from '../../reports/trace/pcap.ts';
import { seedOf } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import type { CheckFiles } from './check-options.ts';
import { InputError } from './exit.ts';
import { loadGiven } from './scenario-source.ts';

export interface RunOptions extends CheckFiles {
  readonly file: string;
  readonly set: readonly string[];
  /** Which of the file's variants; the file itself when absent. */
  readonly variant?: string | undefined;
  readonly seed?: string | undefined;
  readonly frames?: 'real' | 'counted' | undefined;
  readonly verifyImages?: boolean | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly trace?: boolean | undefined;
  /** A trace with all keys in clear. */
  readonly traceKeys?: boolean | undefined;
  /** File of the logs. */
  readonly logs?: string | undefined;
  /** File of what is delivered, and of what becomes of it. */
  readonly deliveries?: string | undefined;
  /** Folder of the captures. */
  readonly pcap?: string | undefined;
  /** Version of the captures' LoRaTap header. */
  readonly pcapVersion?: LoRaTapVersion | undefined;
  /** Whether keys that Wireshark cannot stand are written, too. */
  readonly pcapAllKeys?: boolean | undefined;
  readonly report: boolean;
  /** How many seeds, or which: a study. */
  readonly seeds?: string | undefined;
  /** Threads of a study. */
  readonly workers?: string | undefined;
  readonly watch?: boolean | undefined;
}

/** What an unset variable of a shell leaves of `--out "$FOLDER"`. */
export function refuseEmptyPaths({ out, logs, deliveries, pcap }: RunOptions): void {
  const paths = Object.entries({ out, logs, deliveries, pcap });
  const empty = paths.filter(([, path]) => path === '').map(([name]) => name);
  if (empty.length === 0) return;
  throw new InputError(empty.map((name) => `fleetwave run: --${name} is empty; allowed: a path`));
}

/** All overrides, those too that other options stand for. */
export function settingsOf({ set, frames, pcap, verifyImages }: RunOptions): readonly string[] {
  if (pcap !== undefined && frames === 'counted') throw new InputError([NEEDS_REAL_FRAMES]);
  const created = pcap === undefined ? frames : 'real';
  return [
    ...set,
    ...(created === undefined ? [] : [`frames=${created}`]),
    ...(verifyImages === undefined ? [] : [`verifyImages=${verifyImages ? 'all' : 'sample'}`]),
  ];
}

export async function loadScenario(
  { file, variant }: RunOptions,
  settings: readonly string[],
  onFile?: (path: string) => void,
) {
  const loaded = await loadGiven(file, settings, { variant, onFile });
  if (loaded.outcome === 'problems') throw new InputError(loaded.problems.map(format));
  return loaded;
}

const NEEDS_REAL_FRAMES =
  'fleetwave: --pcap needs real frames: counted ones have neither encryption nor integrity codes ' +
  'that Wireshark could check; leave out "--frames counted"';

export function seedFor(scenario: Scenario, { seed }: RunOptions): string {
  if (seed === undefined) return seedOf(scenario);
  if (seed !== '' && seed.length <= 200 && !/[\r\n]/.test(seed)) return seed;
  throw new InputError(['--seed is not right; allowed: 1 to 200 characters on one line']);
}

/** The line that repeats the world of a seed, whatever it was run among. */
export function repeatedBy(options: RunOptions, seed: string): string {
  const { file, variant } = options;
  return commandLine([
    'run',
    file === '-' ? 'scenario.yaml' : file,
    ...(variant === undefined ? [] : [`--variant=${variant}`]),
    ...settingsOf(options).map((each) => `--set=${each}`),
    `--seed=${seed}`,
  ]);
}

/** Its name, and that of its variant. */
export const namedAs = (
  { scenario }: Pick<Scenario, 'scenario'>,
  { variant }: RunOptions,
): string => (variant === undefined ? scenario : `${scenario}-${variant}`);
