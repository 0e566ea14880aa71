/** `fleetwave plan FILE`: the campaigns of a scenario in closed form, without a run. */
import { count, duration, percent } from '../../reports/text/format.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { forecast } from '../../scenarios/forecast/forecast.ts';
import { format } from '../../scenarios/language/problem.ts';
import {
  type CampaignForecast,
  campaignForecasts,
} from '../../scenarios/planning/campaign-forecast.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { headedTable } from './blocks-text.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError } from './exit.ts';
import { loadGiven } from './scenario-source.ts';

export interface PlanFileOptions {
  readonly file: string;
  readonly set: readonly string[];
  readonly json?: boolean | undefined;
  readonly devices?: string | undefined;
  readonly image?: string | undefined;
  readonly write?: string | undefined;
  readonly verify?: boolean | undefined;
}

export async function planFile(options: PlanFileOptions): Promise<ExitCode> {
  const { file, json = false } = options;
  refuseOthers(options);
  const loaded = await loadGiven(file, options.set);
  if (loaded.outcome === 'problems') throw new InputError(loaded.problems.map(format));
  const plan = populate(loaded.scenario);
  const campaigns = campaignForecasts(plan);
  const warnings = [...loaded.warnings.map(format), ...forecast(plan).warnings];
  if (json) {
    process.stdout.write(`${JSON.stringify({ file, campaigns, warnings })}\n`);
    return ExitCode.good;
  }
  const paint = painterOf(process.stdout);
  if (campaigns.length === 0) process.stdout.write(`${file}: there is no campaign to estimate.\n`);
  else process.stdout.write(`${tableOf(campaigns, paint)}\n`);
  const { warning } = painterOf(process.stderr);
  for (const each of warnings) process.stderr.write(`${warning('warning:')} ${each}\n`);
  return ExitCode.good;
}

/** What is said of a single plan means nothing beside a file. */
function refuseOthers({ file: _, json: __, set: ___, ...others }: PlanFileOptions): void {
  const given = (['devices', 'image', 'write', 'verify'] as const).filter(
    (name) => others[name] !== undefined,
  );
  if (given.length === 0) return;
  throw new InputError(
    given.map((name) => `fleetwave plan: --${name} means nothing beside a scenario file`),
  );
}

function tableOf(
  campaigns: readonly CampaignForecast[],
  paint: ReturnType<typeof painterOf>,
): string {
  const heads = ['Campaign', 'Devices', 'Session begins', 'Lasts', 'Fragments', 'Have the image'];
  const table = headedTable(paint, ...heads);
  for (const one of campaigns) {
    const { campaign, members, beginsAtUs, sendingSeconds, complete, populations } = one;
    const each = populations.map(({ name, complete: share }) => `${name} ${percent(share)}`);
    table.push([
      campaign,
      count(members),
      `${one.isGiven ? '' : 'about '}${duration(beginsAtUs / SECOND_US)}`,
      duration(sendingSeconds),
      `${count(one.nbFrag)} + ${count(one.coded)} at DR${one.dataRate}`,
      populations.length > 1 ? `${percent(complete)}\n${each.join('\n')}` : percent(complete),
    ]);
  }
  return table.toString();
}
