/** What was run, and how to run it again, in Markdown. */
import type { RunResult } from '../../../core/result/result.ts';
import { code, fenceFor, plain } from '../../markup/markdown-parts.ts';
import { counted, duration } from '../../text/format.ts';
import type { ReportInput } from './report-input.ts';
import { REPLAY, reproduction } from './reproduction.ts';

export function partial({ virtualSeconds }: RunResult): string {
  return `> **Partial run.** It was interrupted after ${duration(virtualSeconds)} of virtual time.`;
}

export function facts(result: RunResult): string {
  return [
    plain(result.region),
    `${duration(result.virtualSeconds)} of virtual time`,
    counted(result.devices.total, 'device'),
    counted(result.gateways.length, 'gateway'),
    `seed ${code(result.seed)}`,
    `digest ${code(result.digest)}`,
  ].join(' · ');
}

export function warningList(warnings: readonly string[]): string {
  const items = warnings.map((warning) => `- ${plain(warning)}`);
  return [`**${counted(warnings.length, 'warning')}**`, '', ...items].join('\n');
}

export function runAgain({ result, manifest }: ReportInput): string {
  const { command, sentence } = reproduction(result, manifest);
  const commands = manifest === undefined ? command : `${REPLAY.command}\n${command}`;
  const fence = fenceFor(commands, 3);
  const kept = manifest === undefined ? [] : [REPLAY.sentence];
  const words = [...kept, sentence].map(plain).join(' ');
  return [`${words} Run it again:`, '', `${fence}sh`, commands, fence].join('\n');
}
