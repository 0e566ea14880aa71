/** What a study asks of each result beside the table of figures. */
import { readExpectation } from '../expectations/expectations.ts';
import type { StudyFile } from './study-schema.ts';

type Asked = Pick<StudyFile, 'constraints' | 'figures' | 'until' | 'objective'>;

/** Expectations that are right if all that the study asks for is there. */
export const judgedTexts = (file: Asked): string[] => askedOf(file).map(({ text }) => text);

/** Where in the study file each of those stands. */
export const judgedPaths = (file: Asked): readonly (readonly (string | number)[])[] =>
  askedOf(file).map(({ path }) => path);

function askedOf({ constraints, figures, until, objective = [] }: Asked) {
  const present = (figure: string) => `${figure} = 0`;
  return [
    ...constraints.map(({ text }, at) => ({ text, path: ['constraints', at] })),
    ...figures.map((figure, at) => ({ text: present(figure), path: ['figures', at] })),
    // By the same words as a bound of that figure.
    ...Object.entries(until).map(([figure, { text }]) => ({
      text: `${figure} <= ${text}`,
      path: ['until', figure],
    })),
    ...objective.map(({ figure }) => ({ text: present(figure), path: ['objective'] })),
  ];
}

/** Names of all figures that runs have to keep, each once. */
export function figuresAsked(
  { constraints, figures, until, objective = [] }: Asked,
  expectations: readonly string[],
): string[] {
  const judged = [...constraints.map(({ text }) => text), ...expectations].flatMap((text) => {
    const reading = readExpectation(text);
    if (!reading.ok) return [];
    const { figure, over } = reading.value;
    return over === undefined ? [figure] : [figure, over];
  });
  const named = [...figures, ...Object.keys(until), ...objective.map(({ figure }) => figure)];
  return [...new Set([...named, ...judged])];
}
