/** `fleetwave validate`: everything that is wrong with a scenario, or that nothing is. */
import { populate } from '../../scenarios/filling/populate.ts';
import { costInWords, forecast } from '../../scenarios/forecast/told.ts';
import { format, type Problem } from '../../scenarios/language/problem.ts';
import { type LoadedScenario, loadFromDisk } from '../host/scenario-files.ts';
import { ExitCode } from './exit.ts';

type Loaded = ReturnType<typeof loadFromDisk>;

export interface ValidateOptions {
  readonly file: string;
  readonly set: readonly string[];
  readonly json?: boolean | undefined;
}

export function validate({ file, set, json }: ValidateOptions): ExitCode {
  const loaded = loadFromDisk(file, set);
  const { variants = [] } = loaded;
  const all = [{ loaded }, ...variants.map((name) => ofVariant(file, set, name))];
  const problems = once(all, (one) => (one.outcome === 'problems' ? one.problems : []));
  const warnings = once(all, (one) => (one.outcome === 'scenario' ? one.warnings : []));
  const valid = problems.length === 0;
  if (json) {
    const document = {
      file,
      valid,
      variants,
      problems: listed(problems),
      warnings: listed(warnings),
    };
    process.stdout.write(`${JSON.stringify(document)}\n`);
  } else if (valid && loaded.outcome === 'scenario') {
    process.stdout.write(`${file}: ${describe(loaded)}\n`);
    const { sentences, cost, warnings: late } = forecast(populate(loaded.scenario));
    for (const sentence of sentences) process.stdout.write(`${sentence}\n`);
    process.stdout.write(`${costInWords(cost)}\n`);
    for (const warning of late) process.stderr.write(`warning: ${warning}\n`);
    for (const warning of warnings) process.stderr.write(`warning: ${format(warning)}\n`);
  } else {
    for (const problem of problems) process.stderr.write(`${format(problem)}\n`);
  }
  return valid ? ExitCode.good : ExitCode.badInput;
}

interface Looked {
  readonly loaded: Loaded;
  /** Which variant it is; the scenario itself when absent. */
  readonly variant?: string;
}

const ofVariant = (file: string, set: readonly string[], variant: string): Looked => ({
  loaded: loadFromDisk(file, set, variant),
  variant,
});

/** What is wrong in the scenario itself is not told of its variants again. */
function once(
  all: readonly Looked[],
  found: (loaded: Loaded) => readonly Problem[],
): readonly Problem[] {
  const told = new Map<string, Problem>();
  for (const { loaded, variant } of all) {
    for (const problem of found(loaded)) {
      const text = format(problem);
      const { message } = problem;
      const own = variant === undefined ? message : `in the variant ${variant}: ${message}`;
      if (!told.has(text)) told.set(text, { ...problem, message: own });
    }
  }
  return [...told.values()];
}

function listed(problems: readonly Problem[]): readonly object[] {
  return problems.map(({ where, pointer, message }) => ({ where, pointer, message }));
}

/** `good: quickstart, 5 gateways, 1000 devices in 4 populations, 1 campaign`. */
function describe({ scenario: whole, variants }: LoadedScenario): string {
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
  return `good: ${scenario}, ${plural(sum(gateways), 'gateway')}, ${deviceCount}${updates}`;
}

const some = ({ length }: readonly unknown[], noun: string): string =>
  length === 0 ? '' : `, ${plural(length, noun)}`;

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
