/** docs/questions.md says what its worlds come to now. */
import { describe, expect, it } from 'vitest';
import { sampled } from '../support/long.ts';
import { answerOf, answers, goldenOf, QUESTIONS } from './questions.ts';

const { of } = answers();

describe('the answers of docs/questions.md', () => {
  it('are to all questions, and to no other', () => {
    expect(Object.keys(of)).toEqual(QUESTIONS.map(({ file }) => file));
    expect(QUESTIONS).toHaveLength(10);
  });

  it.each(QUESTIONS)(
    'are of worlds that have not changed (npm run questions): $file',
    ({ file }) => {
      expect(of[file]?.golden).toBe(goldenOf(file));
    },
  );

  it.each(QUESTIONS)('use each figure that was asked for: $file', ({ answer, runs }) => {
    const used = [...answer.matchAll(/\$(\d)/g)].map(([, n]) => Number(n));
    const count = runs.flatMap(({ figures }) => figures).length;
    expect(used.sort()).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });

  // The cheap ones; all of them in the long run.
  const cheap = /noise|storm|deep-indoor/;
  it.each(sampled(QUESTIONS, ({ file }) => cheap.test(file) && !file.includes('rejoin')))(
    'are what its worlds come to: $file',
    (question) => {
      const reports = question.runs.map((run) => answerOf(question, run));
      expect(reports.map(({ digest }) => digest)).toEqual(of[question.file]?.digests);
      expect(reports.flatMap(({ figures }) => figures)).toEqual(of[question.file]?.figures);
    },
  );
});
