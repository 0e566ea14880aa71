/** Runs of the bundled command line with and without stored code, and what they write. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROGRAM } from './bundled.ts';

/** Engines to try: this one, and those whose paths `FLEETWAVE_NODES` lists. */
export const NODES: readonly string[] = [
  process.execPath,
  ...(process.env.FLEETWAVE_NODES?.split(delimiter).filter((path) => path !== '') ?? []),
];

/** Settings that shorten each scenario of the library, as the table of goldens has them. */
export function goldenSettings(): readonly (readonly [file: string, settings: string[]])[] {
  const table = readFileSync('test/worlds/goldens.test.ts', 'utf8');
  const rows = table.matchAll(/'([\w/-]+\.yaml)': \{\n {4}settings: \[(.*?)\],\n/gs);
  // The shorter row of a large world comes last.
  return [
    ...new Map(
      [...rows].map(([, file = '', list = '']) => [
        file,
        [...list.matchAll(/'(.*?)'/g)].map(([, setting = '']) => setting),
      ]),
    ),
  ];
}

/** What a run has written, but for what it cost its host. */
export interface Written {
  readonly status: number | null;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Runs a scenario of the library without stored code, with the code that is stored meanwhile, and
 * with what that has stored.
 */
export function runThrice(node: string, file: string, settings: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'fleetwave-stored-'));
  const cache = join(home, 'cache');
  const run = (env: NodeJS.ProcessEnv): Written => {
    const out = join(home, 'out');
    rmSync(out, { recursive: true, force: true });
    const set = settings.flatMap((each) => ['--set', each]);
    const words = ['run', `scenarios/library/${file}`, ...set, '--quiet', '--out', out];
    const { status, stderr } = spawnSync(node, [PROGRAM, ...words], {
      env: { ...process.env, XDG_CACHE_HOME: cache, ...env },
      encoding: 'utf8',
    });
    const names = readdirSync(out).filter((name) => name !== 'host.json');
    const files = names.map((name) => [name, readFileSync(join(out, name), 'base64')]);
    return { status, stderr, files: Object.fromEntries(files) };
  };
  const without = run({ FLEETWAVE_COMPILE_CACHE: '0' });
  const storing = run({});
  const folder = join(cache, 'fleetwave');
  const stored = existsSync(folder) ? readdirSync(folder) : [];
  const using = run({});
  rmSync(home, { recursive: true, force: true });
  return { without, storing, using, stored: stored.filter((name) => name.endsWith('.code')) };
}

export const versionOf = (node: string): string =>
  execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim();
