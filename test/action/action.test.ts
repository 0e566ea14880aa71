/** The GitHub Action: its steps are run as a runner would, each by its shell. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundle, PROGRAM } from '../support/bundled.ts';

const ACTION = fileURLToPath(new URL('../../action', import.meta.url));
const TOWN = `scenario: town
duration: 1 h
area: { radius: 1 km }
gateways: [{ name: roof }]
devices: [{ name: meter, count: 4, joinWithin: 1 min, traffic: { every: 10 min } }]
expectations: [joined >= 99 %]
`;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly id?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly default?: string; readonly required?: boolean }>
  >;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action: Action = parse(readFileSync(join(ACTION, 'action.yml'), 'utf8'));

let folder = '';
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-action-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let jobs = 0;

/** A checkout with a scenario and an installed Fleetwave; files are written over it. */
function checkout(files: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, `job ${++jobs}`);
  const bin = join(path, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(PROGRAM, join(bin, 'fleetwave'));
  for (const [name, text] of Object.entries({ 'town.yaml': TOWN, ...files })) {
    writeFileSync(join(path, name), text);
  }
  return path;
}

interface Job {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly path: string;
}

/** Runs the shell steps as a runner does, until one fails. */
function job(given: Readonly<Record<string, string>>, path = checkout()): Job {
  const file = (name: string) => join(path, `.${name}`);
  for (const name of ['path', 'output', 'summary']) writeFileSync(file(name), '');
  const own = Object.entries(action.inputs).map(([name, input]) => {
    return [`inputs.${name}`, given[name] ?? input.default ?? ''] as const;
  });
  const values = new Map<string, string>(own);
  const filled = (text: string) =>
    text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name: string) => values.get(name) ?? '');
  let [code, log] = [0, ''];
  for (const { run, shell, env = {} } of action.runs.steps) {
    if (run === undefined || code !== 0) continue;
    expect(shell).toBe('bash');
    const paths = readFileSync(file('path'), 'utf8').split('\n').filter(Boolean);
    const script = join(path, '.step.sh');
    writeFileSync(script, filled(run));
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', script];
    const { status, stdout, stderr } = spawnSync('bash', words, {
      cwd: path,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)])),
        PATH: [...paths, process.env.PATH].join(delimiter),
        GITHUB_ACTION_PATH: ACTION,
        GITHUB_WORKSPACE: path,
        GITHUB_PATH: file('path'),
        GITHUB_OUTPUT: file('output'),
        GITHUB_STEP_SUMMARY: file('summary'),
        RUNNER_TEMP: join(path, 'temp'),
      },
    });
    code = status ?? -1;
    log += stdout + stderr;
  }
  const lines = readFileSync(file('output'), 'utf8').trim().split('\n');
  const outputs = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  return { code, log, summary: readFileSync(file('summary'), 'utf8'), outputs, path };
}

describe('the action', () => {
  it('runs a scenario, and reports it on the page of the job and as outputs', () => {
    const { code, summary, outputs, path } = job({ scenario: 'town.yaml' });
    expect([code, outputs.code, outputs.artifact]).toEqual([0, '0', 'fleetwave-results']);
    expect(summary).toMatch(/^## ✓ town\n\n\*\*The expectation holds/);
    const xml = readFileSync(join(path, outputs.junit!), 'utf8');
    expect(new XMLParser().parse(xml).testsuites).toBeDefined();
    expect(readFileSync(join(path, outputs.markdown!), 'utf8')).toBe(summary.replace(/\n$/, ''));
  });

  it('takes expectations, overrides and seeds, and ends with 1 where one fails', () => {
    const { code, summary, outputs, path } = job({
      scenario: 'town.yaml',
      seeds: 'a,b',
      set: 'devices.meter.count=3\n\ndevices.meter.frameLoss=0 %\n',
      expectations: 'joined >= 99 %\nradio.uplinks > 1e6\n',
    });
    expect([code, outputs.code]).toEqual([1, '1']);
    expect(summary).toContain('**1 of 2 expectations fails.**');
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(
      readFileSync(join(path, outputs.junit!), 'utf8'),
    );
    expect([testsuites['@_tests'], testsuites['@_failures']]).toEqual(['2', '1']);
    const { manifest } = JSON.parse(
      readFileSync(join(path, outputs.results!, 'study.json'), 'utf8'),
    );
    expect(manifest.set).toContain('devices.meter.count=3');
  });

  it('marks the lines of a scenario that is not right', () => {
    const wrong = checkout({ 'town.yaml': TOWN.replace('count: 4', 'cout: 4') });
    const { code, log, summary } = job({ scenario: 'town.yaml' }, wrong);
    expect(code).toBe(2);
    expect(log).toMatch(/^::error file=town\.yaml,line=5,col=\d+::\/devices\/0\/cout/m);
    expect(summary).toContain('Fleetwave came to no result');
  });

  it('never lets the shell run what stands in an input', () => {
    const hostile = `$(touch hacked); \`touch hacked\` "'`;
    const inputs = { scenario: hostile, expectations: hostile, set: hostile, seeds: hostile };
    const { code, path } = job({ ...inputs, variant: hostile, out: 'o' });
    expect(code).toBe(2);
    expect(() => accessSync(join(path, 'hacked'))).toThrow();
  });

  it('says what to do where the checkout has no Fleetwave', () => {
    const path = checkout();
    rmSync(join(path, 'node_modules'), { recursive: true });
    const { code, log } = job({ scenario: 'town.yaml' }, path);
    expect([code, log]).toEqual([2, expect.stringContaining('::error::node_modules has no')]);
  });

  it('takes an installation from its cache, where it is of the same version', () => {
    const path = checkout();
    const cached = join(path, 'temp', 'fleetwave');
    mkdirSync(join(cached, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(PROGRAM, join(cached, 'node_modules', '.bin', 'fleetwave'));
    writeFileSync(join(cached, 'installed'), 'fleetwave@0.1.0\n');
    rmSync(join(path, 'node_modules'), { recursive: true });
    expect(job({ scenario: 'town.yaml', fleetwave: '0.1.0' }, path).code).toBe(0);
  });
});

describe('action.yml', () => {
  it('is a composite action whose scripts can be run', () => {
    expect(action.runs.using).toBe('composite');
    for (const name of ['install.sh', 'run.sh']) accessSync(join(ACTION, name), constants.X_OK);
    expect(action.inputs.scenario?.required).toBe(true);
  });

  it('names inputs that it has, and hands them to the shell as variables alone', () => {
    const text = readFileSync(join(ACTION, 'action.yml'), 'utf8');
    const named = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name!);
    expect(new Set(named)).toEqual(new Set(Object.keys(action.inputs)));
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
  });

  it('gives outputs that its run step writes', () => {
    const ids = action.runs.steps.flatMap(({ id }) => id ?? []);
    const script = readFileSync(join(ACTION, 'run.sh'), 'utf8');
    for (const { value } of Object.values(action.outputs)) {
      const [, id = '', name = ''] = /steps\.(\w+)\.outputs\.(\w+)/.exec(value) ?? [];
      expect(ids).toContain(id);
      expect(script).toContain(`echo "${name}=`);
    }
  });
});
