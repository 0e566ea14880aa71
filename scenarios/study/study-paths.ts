/** Paths of a study file: those of the scenario that it writes at, and that of its scenario. */
import { isMap } from '../../sim/base/plain-data.ts';
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

/** Those that are none. */
export function faultsOfPaths({ set, linked, parameters }: StudyFile): Fault[] {
  const isPath = (text: string) => readSteps(text) !== undefined;
  const keys = Object.entries({ set, linked }).flatMap(([key, map]) =>
    Object.keys(map).map((text) => ({ path: [key, text], text, ofKey: true })),
  );
  const values = Object.entries(parameters).flatMap(([name, entry]) =>
    entry.set.map((text) => ({ path: ['parameters', name, 'set'], text, ofKey: false })),
  );
  const allowed = 'a path such as devices.meter.count; a name with points stands in quotes';
  return [...keys, ...values]
    .filter(({ text }) => !isPath(text))
    .map(({ path, text, ofKey }) => ({
      path,
      ofKey,
      complaint: { what: `"${text}" is not a path`, allowed },
    }));
}

/** Steps that say which entry of a list of the scenario they mean, by its place for its name. */
function placed(steps: readonly Step[], scenario: unknown): readonly Step[] {
  let at: unknown = scenario;
  return steps.map((step) => {
    const entries = Array.isArray(at) ? (at as unknown[]) : undefined;
    const place = entries?.findIndex((each) => isMap(each) && each.name === step.key) ?? -1;
    const key = place < 0 ? step.key : String(place);
    at = isMap(at) ? at[key] : entries?.[Number(key)];
    return { key, quoted: step.quoted && place < 0 };
  });
}

/** Whether what is written there later takes the place of what was written before. */
const holds = (wide: readonly Step[], narrow: readonly Step[]): boolean =>
  wide.every(({ key, quoted }, at) => {
    const isAll = key === '*' && !quoted;
    return at < narrow.length && (isAll || key === narrow[at]!.key);
  });

/**
 * Those that two write at: the first would do nothing, and its levels would say otherwise.
 * `scenario` is its document without any of them.
 */
export function faultsOfTwice(
  { linked, parameters }: Pick<StudyFile, 'linked' | 'parameters'>,
  scenario: unknown,
): Fault[] {
  const written: { text: string; steps: readonly Step[]; writer: string }[] = [];
  const faults: Fault[] = [];
  const write = (text: string, writer: string, path: Path, ofKey: boolean) => {
    const steps = placed(readSteps(text)?.steps ?? [], scenario);
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
