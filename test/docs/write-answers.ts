/** `npm run questions`: runs what docs/questions.md asks, and records it. Run it at the root. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import {
  type Answered,
  answerOf,
  goldenOf,
  QUESTIONS,
  type Question,
  RECORD,
} from './questions.ts';

const TRIES = 3;

function answered(question: Question): Answered {
  const [first] = question.runs;
  const costs = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage();
    answerOf(question, first!);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  const [, median] = costs.toSorted((a, b) => a - b);
  const reports = question.runs.map((run) => answerOf(question, run));
  return {
    golden: goldenOf(question.file),
    digests: reports.map(({ digest }) => digest),
    figures: reports.flatMap(({ figures }) => figures),
    cpuSeconds: Number(median!.toFixed(1)),
  };
}

const machine = `a core of ${cpus()[0]?.model.trim()}, Node.js ${process.versions.node}`;
const of = Object.fromEntries(QUESTIONS.map((question) => [question.file, answered(question)]));
writeFileSync(RECORD, `${JSON.stringify({ machine, of }, null, 2)}\n`);
