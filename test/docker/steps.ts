/** The Dockerfile as a list of steps, and what they do in a folder where there is no Docker. */
import { execFileSync, execSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface Step {
  readonly word: string;
  readonly rest: string;
}

/** A stage as its steps have left it; the last one says how the image is started. */
export interface Stage {
  /** Its root. */
  readonly at: string;
  workdir: string;
  readonly env: Record<string, string>;
  entry: readonly string[];
  command: readonly string[];
  health: string;
}

interface Build {
  readonly stage: Stage;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly root: string;
}

export const stepsOf = (text: string): readonly Step[] =>
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { word, rest };
    });

/** Files that a build would be given: those of git, but what .dockerignore leaves out. */
export function contextOf(root: string): readonly string[] {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const isIgnored = (file: string) =>
    ignored.some((each) => file === each || file.startsWith(`${each}/`));
  return tracked.split('\0').filter((file) => file !== '' && !isIgnored(file));
}

/**
 * Carries the steps out below a folder, in which each stage has a root of its own. Absolute paths
 * of the file lead there.
 */
export function built(steps: readonly Step[], root: string, folder: string): Stage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { word, rest } of steps) {
    if (word === 'FROM') {
      const [, name = 'image'] = / AS (\w+)$/.exec(rest) ?? [];
      const at = join(folder, name);
      stage = { at, workdir: '/', env: {}, entry: [], command: [], health: '' };
      stages.set(name, stage);
      mkdirSync(at, { recursive: true });
      continue;
    }
    const carryOut = STEPS[word];
    if (stage === undefined || carryOut === undefined) throw new Error(`no step is ${word}`);
    carryOut(rest, { stage, stages, root });
  }
  return stage!;
}

const inStage = ({ at }: Stage, path: string): string => join(at, path);

/** Words with absolute paths of the stage; those of programs are the machine's. */
const placed = ({ at }: Stage, text: string): string =>
  text.replaceAll(/(?<=^|[\s="'])\/(app|src|data)(?=[\s/"']|$)/g, (path) => at + path);

type CarryOut = (rest: string, build: Build) => void;

const STEPS: Readonly<Record<string, CarryOut>> = {
  WORKDIR(rest, { stage }) {
    stage.workdir = rest;
    mkdirSync(inStage(stage, rest), { recursive: true });
  },
  COPY(rest, { stage, stages, root }) {
    const [, from, source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? [];
    const to = join(inStage(stage, stage.workdir), target);
    if (from === undefined) return copyAll(root, to);
    const at = inStage(stages.get(from)!, dirname(source));
    const [first, last] = basename(source).split('*') as [string, string];
    const found = readdirSync(at).find((name) => name.startsWith(first) && name.endsWith(last));
    cpSync(join(at, found!), to);
  },
  RUN(rest, { stage }) {
    // There is one user here.
    const command = placed(stage, rest).replace(/ && chown node \S+/, '');
    const cwd = inStage(stage, stage.workdir);
    execSync(command, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  },
  ENV(rest, { stage }) {
    for (const each of rest.split(' ')) {
      const [name = '', value = ''] = each.split('=');
      stage.env[name] = placed(stage, value);
    }
  },
  HEALTHCHECK(rest, { stage }) {
    stage.health = placed(stage, rest.replace(/^.*? CMD /, ''));
  },
  ENTRYPOINT(rest, { stage }) {
    stage.entry = JSON.parse(rest).map((word: string) => placed(stage, word));
  },
  CMD(rest, { stage }) {
    stage.command = JSON.parse(rest);
  },
  VOLUME: () => undefined,
  USER: () => undefined,
  EXPOSE: () => undefined,
};

function copyAll(root: string, to: string): void {
  for (const file of contextOf(root)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
}
