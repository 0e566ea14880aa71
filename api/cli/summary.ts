/** The end of a run on a terminal: figures, expectations, digest. */
import Table from 'cli-table3';
import type { ExpectationResult, HostResult, RunResult } from '../../core/result.ts';
import { uplinkCause } from '../../reports/causes.ts';
import { keyFigures } from '../../reports/key-figures.ts';
import { actual, count, duration, partOf, percent } from '../../reports/render/format.ts';
import { expectedKpi, verdict } from '../../reports/verdict.ts';

/** Ends in a line feed. */
export function summary(
  result: RunResult,
  expectations: readonly ExpectationResult[],
  host: HostResult,
  files: readonly string[],
): string {
  const blocks = [
    headline(result, host),
    figureTable(result),
    ...(expectations.length > 0 ? [expectationTable(expectations)] : []),
    ...result.warnings.map((warning) => `Warning: ${warning}`),
    `${verdict(expectations).sentence}.`,
    `Seed ${result.seed}, digest ${result.digest}`,
    `Results: ${files.join(', ')}`,
  ];
  return `${blocks.join('\n')}\n`;
}

function headline(result: RunResult, host: HostResult): string {
  const { scenario, virtualSeconds, events } = result;
  const speed = host.wallSeconds > 0 ? virtualSeconds / host.wallSeconds : 0;
  const sentence =
    `${scenario.name}: ${duration(virtualSeconds)} of virtual time in ` +
    `${duration(host.wallSeconds)} (${count(speed)} times real time), ${count(events)} events.`;
  return result.complete ? sentence : `${sentence} PARTIAL: stopped before its end.`;
}

function figureTable(result: RunResult): string {
  const table = plainTable();
  for (const { kpi, part, whole } of keyFigures(result)) {
    const share = whole === 0 ? '–' : percent(part / whole);
    table.push([kpi.label, share, partOf(part, whole)]);
  }
  for (const [cause, lost] of Object.entries(result.radio.lost)) {
    if (lost === 0) continue;
    const share = percent(lost / result.radio.uplinks);
    table.push([`Lost: ${uplinkCause(cause).label}`, share, partOf(lost, result.radio.uplinks)]);
  }
  return table.toString();
}

function expectationTable(expectations: readonly ExpectationResult[]): string {
  const table = plainTable();
  for (const one of expectations) {
    const value = actual(one.actual, expectedKpi(one)?.unit);
    table.push([one.holds ? '✓ holds' : '✗ fails', one.expectation, value]);
  }
  return table.toString();
}

/** Without colours, so that it reads the same in a file. */
function plainTable(): Table.Table {
  return new Table({ style: { head: [], border: [], compact: true } });
}
