/** A reporter that writes `test/times.json`, and a table of folders and of the slowest files. */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname } from 'node:path/posix';
import Table from 'cli-table3';
import type { Reporter, TestModule } from 'vitest/node';
import { type FileTimes, recordedTimes, TIMES_FILE, type Times, timesText } from './file-times.ts';

const SLOWEST = 40;
const COLUMNS = ['cpu', 'wall', 'import', 'setUp', 'run', 'waiting'] as const;

export class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured: Times = Object.fromEntries(
      modules.map((module) => [module.relativeModuleId, timesOf(module)]),
    );
    const isWhole = modules.length >= Object.keys(recordedTimes()).length / 2;
    writeFileSync(TIMES_FILE, timesText(isWhole ? measured : { ...recordedTimes(), ...measured }));
    console.log(`seconds by folder\n${tableOf(byFolder(measured))}`);
    console.log(`seconds of the ${SLOWEST} slowest files\n${tableOf(measured, SLOWEST)}`);
    console.log(`load of the machine: ${loadavg().map((one) => one.toFixed(1))}`);
  }
}

function timesOf(module: TestModule): FileTimes {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  const run = tests.reduce((ms, test) => ms + (test.diagnostic()?.duration ?? 0), 0);
  const wall = collectDuration + setupDuration + duration;
  const { cpu, thread } = module.meta().cost ?? { cpu: 0, thread: 0 };
  const parts = {
    cpu,
    wall,
    import: collectDuration,
    setUp: setupDuration + duration - run,
    run,
    waiting: Math.max(0, wall - thread),
  };
  return Object.fromEntries(COLUMNS.map((name) => [name, Math.round(parts[name])])) as never;
}

function byFolder(times: Times): Times {
  const folders: Record<string, FileTimes> = {};
  for (const [path, row] of Object.entries(times)) {
    const folder = dirname(path).split('/').slice(0, 2).join('/');
    const before = folders[folder];
    folders[folder] = Object.fromEntries(
      COLUMNS.map((name) => [name, row[name] + (before?.[name] ?? 0)]),
    ) as never;
  }
  return folders;
}

/** The rows with the highest CPU time first, and the sum of all. */
function tableOf(times: Times, most = Number.POSITIVE_INFINITY): string {
  const rows = Object.entries(times).sort(([, a], [, b]) => b.cpu - a.cpu);
  const table = new Table({
    head: ['', ...COLUMNS],
    colAligns: ['left', ...COLUMNS.map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  });
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  for (const [path, row] of rows.slice(0, most)) {
    table.push([path, ...COLUMNS.map((name) => seconds(row[name]))]);
  }
  const sums = COLUMNS.map((name) => rows.reduce((ms, [, row]) => ms + row[name], 0));
  table.push(['all', ...sums.map(seconds)]);
  return table.toString();
}
