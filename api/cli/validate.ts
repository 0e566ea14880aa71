/** `fleetwave validate`: everything that is wrong with a scenario, or that nothing is. */
import { format } from '../../scenarios/problem.ts';
import type { Scenario } from '../../scenarios/schema.ts';
import { loadFromDisk } from '../host/scenario-files.ts';
import { ExitCode } from './exit.ts';

export interface ValidateOptions {
  readonly file: string;
  readonly set: readonly string[];
  readonly json?: boolean | undefined;
}

export function validate({ file, set, json }: ValidateOptions): ExitCode {
  const loaded = loadFromDisk(file, set);
  const problems = loaded.outcome === 'problems' ? loaded.problems : [];
  const valid = loaded.outcome === 'scenario';
  if (json) {
    const list = problems.map(({ where, pointer, message }) => ({ where, pointer, message }));
    process.stdout.write(`${JSON.stringify({ file, valid, problems: list })}\n`);
  } else if (loaded.outcome === 'scenario') {
    process.stdout.write(`${file}: ${describe(loaded.scenario)}\n`);
  } else {
    for (const problem of problems) process.stderr.write(`${format(problem)}\n`);
  }
  return valid ? ExitCode.good : ExitCode.badInput;
}

/** `good: quickstart, 5 gateways, 1000 devices in 4 populations`. */
function describe({ scenario, gateways, devices }: Scenario): string {
  const sum = (entries: readonly { count?: number | undefined }[]) =>
    entries.reduce((total, { count = 1 }) => total + count, 0);
  const populations = plural(devices.length, 'population');
  const deviceCount = `${plural(sum(devices), 'device')} in ${populations}`;
  return `good: ${scenario}, ${plural(sum(gateways), 'gateway')}, ${deviceCount}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
