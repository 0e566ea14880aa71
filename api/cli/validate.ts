/** `fleetwave validate`: everything that is wrong with a scenario, or that nothing is. */
import { format, type Problem } from '../../scenarios/language/problem.ts';
import type { Scenario } from '../../scenarios/language/schema.ts';
import { type Painter, painterOf } from './colour.ts';
import { ExitCode, InputError } from './exit.ts';
import { loadGiven } from './scenario-source.ts';

export interface ValidateOptions {
  readonly file: string;
  readonly set: readonly string[];
  readonly json?: boolean | undefined;
}

export async function validate({ file, set, json }: ValidateOptions): Promise<ExitCode> {
  const loaded = await loadGiven(file, set);
  const { path } = loaded;
  const problems = loaded.outcome === 'problems' ? loaded.problems : [];
  const valid = loaded.outcome === 'scenario';
  const warnings = loaded.outcome === 'scenario' ? loaded.warnings : [];
  if (json) {
    const document = { file: path, valid, problems: listed(problems), warnings: listed(warnings) };
    process.stdout.write(`${JSON.stringify(document)}\n`);
  } else if (loaded.outcome === 'scenario') {
    process.stdout.write(`${path}: ${describe(loaded.scenario, painterOf(process.stdout))}\n`);
    const { warning } = painterOf(process.stderr);
    for (const each of warnings) process.stderr.write(`${warning('warning:')} ${format(each)}\n`);
  } else throw new InputError(problems.map(format));
  return valid ? ExitCode.good : ExitCode.badInput;
}

function listed(problems: readonly Problem[]): readonly object[] {
  return problems.map(({ where, pointer, message }) => ({ where, pointer, message }));
}

/** `good: quickstart, 5 gateways, 1000 devices in 4 populations, 1 campaign`. */
function describe({ scenario, gateways, devices, ...its }: Scenario, { good }: Painter): string {
  const sum = (entries: readonly { count?: number | undefined }[]) =>
    entries.reduce((total, { count = 1 }) => total + count, 0);
  const populations = plural(devices.length, 'population');
  const deviceCount = `${plural(sum(devices), 'device')} in ${populations}`;
  const updates = [
    some(its.campaigns, 'campaign'),
    some(its.managedCampaigns, 'managed campaign'),
    some(its.reliableDownlinks, 'reliable downlink job'),
  ].join('');
  const network = `${plural(sum(gateways), 'gateway')}, ${deviceCount}`;
  return `${good('good:')} ${scenario}, ${network}${updates}`;
}

const some = ({ length }: readonly unknown[], noun: string): string =>
  length === 0 ? '' : `, ${plural(length, noun)}`;

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
