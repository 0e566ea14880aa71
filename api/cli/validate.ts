/** `fleetwave validate`: everything that is wrong with a scenario, or that nothing is. */
import { populate } from '../../scenarios/filling/populate.ts';
import { costInWords, forecast } from '../../scenarios/forecast/forecast.ts';
import { format, type Problem } from '../../scenarios/language/problem.ts';
import type { FromDisk, LoadedScenario } from '../host/files/scenario-files.ts';
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
  const { path, variants = [] } = loaded;
  const all: Looked[] = [{ loaded }];
  for (const variant of variants) {
    all.push({ loaded: await loadGiven(file, set, { variant }), variant });
  }
  const problems = once(all, (one) => (one.outcome === 'problems' ? one.problems : []));
  const warnings = once(all, (one) => (one.outcome === 'scenario' ? one.warnings : []));
  const valid = problems.length === 0;
  if (json) {
    const response = { problems: listed(problems), warnings: listed(warnings) };
    process.stdout.write(`${JSON.stringify({ file: path, valid, variants, ...response })}\n`);
  } else if (valid && loaded.outcome === 'scenario') {
    report(path, loaded, warnings);
  } else throw new InputError(problems.map(format));
  return valid ? ExitCode.good : ExitCode.badInput;
}

/** Summary of a valid file: its contents, the forecast of a run, and warnings. */
function report(path: string, loaded: LoadedScenario, warnings: readonly Problem[]): void {
  process.stdout.write(`${path}: ${describe(loaded, painterOf(process.stdout))}\n`);
  const { sentences, cost, warnings: late } = forecast(populate(loaded.scenario));
  for (const sentence of sentences) process.stdout.write(`${sentence}\n`);
  process.stdout.write(`${costInWords(cost)}\n`);
  const { warning } = painterOf(process.stderr);
  for (const each of [...warnings.map(format), ...late]) {
    process.stderr.write(`${warning('warning:')} ${each}\n`);
  }
}

interface Looked {
  readonly loaded: FromDisk;
  /** Which variant it is; the scenario itself when absent. */
  readonly variant?: string;
}

/** Problems of the scenario itself are not repeated for its variants. */
function once(
  all: readonly Looked[],
  found: (loaded: FromDisk) => readonly Problem[],
): readonly Problem[] {
  const response = new Map<string, Problem>();
  for (const { loaded, variant } of all) {
    for (const problem of found(loaded)) {
      const text = format(problem);
      const { message } = problem;
      const own = variant === undefined ? message : `in the variant ${variant}: ${message}`;
      if (!response.has(text)) response.set(text, { ...problem, message: own });
    }
  }
  return [...response.values()];
}

function listed(problems: readonly Problem[]): readonly object[] {
  return problems.map(({ where, pointer, message }) => ({ where, pointer, message }));
}

/** `good: quickstart, 5 gateways, 1000 devices in 4 populations, 1 campaign`. */
function describe({ scenario: whole, variants }: LoadedScenario, { good }: Painter): string {
  const { scenario, gateways, devices, ...its } = whole;
  const sum = (entries: readonly { count?: number | undefined }[]) =>
    entries.reduce((total, { count = 1 }) => total + count, 0);
  const populations = plural(devices.length, 'population');
  const deviceCount = `${plural(sum(devices), 'device')} in ${populations}`;
  const updates = [
    some(its.campaigns, 'campaign'),
    some(its.managedCampaigns, 'managed campaign'),
    some(its.reliableDownlinks, 'reliable downlink job'),
    some(variants, 'variant'),
  ].join('');
  const network = `${plural(sum(gateways), 'gateway')}, ${deviceCount}`;
  return `${good('good:')} ${scenario}, ${network}${updates}`;
}

const some = ({ length }: readonly unknown[], noun: string): string =>
  length === 0 ? '' : `, ${plural(length, noun)}`;

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
