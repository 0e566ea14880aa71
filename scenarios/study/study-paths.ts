/** Paths of a study file: those of the scenario that it writes at, and that of its scenario. */
import { readSteps, type Step } from '../composing/override-path.ts';
import { pathFrom } from '../composing/texts.ts';
import type { Fault, Path } from '../language/problem.ts';
import type { StudyFile } from './study-schema.ts';

/** A path that may lead up, since a study is never part of what it names. */
export function pathUp(from: string, path: string): string {
  const steps = pathFrom(from, path).split('/');
  const whole: string[] = [];
  for (const step of steps) {
    if (step === '..' && whole.length > 0 && whole.at(-1) !== '..') whole.pop();
    else whole.push(step);
  }
  return whole.join('/');
}

/** Those that are none, and those that two write at. */
export function faultsOfPaths({ set, linked, parameters }: StudyFile): Fault[] {
  const isPath = (text: string) => readSteps(text) !== undefined;
  const keys = Object.entries({ set, linked }).flatMap(([key, map]) =>
    Object.keys(map).map((text) => ({ path: [key, text], text, ofKey: true })),
  );
  const values = Object.entries(parameters).flatMap(([name, entry]) =>
    entry.set.map((text) => ({ path: ['parameters', name, 'set'], text, ofKey: false })),
  );
  const allowed = 'a path such as devices.meter.count; a name with points stands in quotes';
  const wrong = [...keys, ...values]
    .filter(({ text }) => !isPath(text))
    .map(({ path, text, ofKey }) => ({
      path,
      ofKey,
      complaint: { what: `"${text}" is not a path`, allowed },
    }));
  return wrong.length > 0 ? wrong : faultsOfTwice({ linked, parameters });
}

/** Whether what is written there later takes the place of what was written before. */
const holds = (wide: readonly Step[], narrow: readonly Step[]): boolean =>
  wide.every(({ key, quoted }, at) => {
    const isAll = key === '*' && !quoted;
    return at < narrow.length && (isAll || key === narrow[at]!.key);
  });

/** Of two that write one place the first would do nothing, and its levels would say otherwise. */
function faultsOfTwice({ linked, parameters }: Pick<StudyFile, 'linked' | 'parameters'>): Fault[] {
  const written: { text: string; steps: readonly Step[]; writer: string }[] = [];
  const faults: Fault[] = [];
  const write = (text: string, writer: string, path: Path, ofKey: boolean) => {
    const steps = readSteps(text)?.steps ?? [];
    const other = written.find((each) => holds(steps, each.steps));
    written.push({ text, steps, writer });
    const refuse = (what: string, allowed: string) =>
      faults.push({ path, ofKey, complaint: { what, allowed } });
    if (text === 'seed') refuse('"seed" is that of each run', 'seed and replicates of the study');
    if (other === undefined) return;
    if (other.text === text) {
      refuse(`"${text}" is set by ${other.writer} already`, 'one parameter, or linked, a path');
    } else {
      refuse(
        `"${text}" is written over "${other.text}" of ${other.writer}`,
        'the wider path first',
      );
    }
  };
  for (const [name, { set }] of Object.entries(parameters)) {
    for (const text of set) write(text, name, ['parameters', name, 'set'], false);
  }
  for (const text of Object.keys(linked)) write(text, 'linked', ['linked', text], true);
  return faults;
}

/** Parameters without a path, which no expression names either. */
export function faultsOfIdle({ parameters, linked }: StudyFile): Fault[] {
  const named = new Set(Object.values(linked).flatMap(namesIn));
  const idle = Object.entries(parameters).filter(([name, { set }]) => {
    return set.length === 0 && !named.has(name);
  });
  const what = 'is used by nothing: all its values give the same worlds';
  return idle.map(([name]) => ({
    path: ['parameters', name],
    complaint: { what, allowed: 'set, or its name in linked' },
  }));
}

/** Words in the braces of a text. */
const namesIn = (text: unknown): readonly string[] =>
  [...String(text).matchAll(/\{([^{}]*)\}/g)].flatMap(([, each = '']) => each.match(/\w+/g) ?? []);
