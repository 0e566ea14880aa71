/** Checks as Markdown (GitHub's flavour), for a pull request or the summary of a job. */
import { code, fenceFor, plain, table } from '../markup/markdown-parts.ts';
import { counted } from '../text/format.ts';
import { VERSION } from '../version.ts';
import type { Check, CheckReport } from './check.ts';

const SIGNS = { holds: '✓', fails: '✗', broken: '✗', skipped: '–' } as const;

/** The same report gives the same bytes; ends in a line feed. */
export function checksMarkdown({ suite, checks, properties }: CheckReport): string {
  const failing = checks.filter(({ state }) => state === 'fails' || state === 'broken');
  const sign = checks.length === 0 ? '' : failing.length === 0 ? '✓ ' : '✗ ';
  const blocks = [
    `## ${sign}${plain(suite)}`,
    `**${sentenceOf(checks.length, failing.length)}.**`,
    ...(checks.length === 0 ? [] : [tableOf(checks)]),
    ...repetitions(failing),
    `${Object.entries(properties)
      .map(([name, value]) => `${plain(name)} ${code(value)}`)
      .join(', ')}. Made by Fleetwave ${plain(VERSION)}.`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function sentenceOf(all: number, failing: number): string {
  if (all === 0) return 'Nothing is expected';
  if (failing === 0) return all === 1 ? 'The expectation holds' : `All ${all} expectations hold`;
  return `${failing} of ${counted(all, 'expectation')} ${failing === 1 ? 'fails' : 'fail'}`;
}

const tableOf = (checks: readonly Check[]): string =>
  table(
    ['', 'Expectation', 'Actual', 'Seed'],
    'llll',
    checks.map(({ state, name, actual, seed }) => [
      SIGNS[state],
      code(name),
      plain(actual),
      code(seed),
    ]),
  );

/** Commands that repeat what fails, each once. */
function repetitions(failing: readonly Check[]): string[] {
  const commands = [...new Set(failing.map(({ command }) => command))];
  if (commands.length === 0) return [];
  const text = commands.join('\n');
  const fence = fenceFor(text, 3);
  return [`Repeat what fails:\n\n${fence}sh\n${text}\n${fence}`];
}
