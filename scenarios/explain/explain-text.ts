/** Explanations for programs: of the run of a scenario's text. */
import type { Explanation } from '../../core/result/explanation.ts';
import { checkOptions, FLAG_OPTION, lineOption, type OptionRows } from '../../sim/base/options.ts';
import { fail, ok } from '../../sim/base/result.ts';
import { populate, seedOf } from '../filling/populate.ts';
import { readQuantity } from '../language/quantity.ts';
import { readOrThrow, TEXT_OPTIONS, type TextOptions } from '../texts.ts';
import { explain, type Question } from './explain.ts';

export interface ExplainOptions extends TextOptions {
  /** The scenario's own when absent. */
  readonly seed?: string;
  /** A device by name or DevEUI, `failed` or `slowest`; exactly one of these three is given. */
  readonly device?: string;
  readonly gateway?: string;
  readonly campaign?: string;
  /** Virtual times such as `6 h`: the story until then; every frame from … to …. */
  readonly at?: string;
  readonly from?: string;
  readonly to?: string;
  /** Whether branches look for what would have helped; true when absent. */
  readonly whatIf?: boolean;
}

const OPTIONS: OptionRows<ExplainOptions> = {
  ...TEXT_OPTIONS,
  seed: lineOption(200),
  device: lineOption(200),
  gateway: lineOption(200),
  campaign: lineOption(200),
  at: lineOption(40),
  from: lineOption(40),
  to: lineOption(40),
  whatIf: FLAG_OPTION,
};

/**
 * Runs a scenario, and explains a device, a gateway or a campaign of it. Of `failed` there is an
 * explanation for each cause. Throws a TypeError about options that are none, and an Error about
 * what the run does not have.
 */
export function explainRun(text: string, options: ExplainOptions): readonly Explanation[] {
  checkOptions('explainRun', options, OPTIONS);
  const { scenario } = readOrThrow(text, options);
  const { seed = seedOf(scenario), set = [], codecs } = options;
  const run = {
    trunk: populate(scenario, seed),
    seed,
    codecs,
    branches: [],
    planWith: (more: readonly string[]) => {
      try {
        const changed = readOrThrow(text, { ...options, set: [...set, ...more] });
        return ok(populate(changed.scenario, seed));
      } catch (error) {
        return fail('set.invalid', (error as Error).message);
      }
    },
  };
  const explained = explain(run, questionOf(options));
  if (!explained.ok) throw new Error(explained.failure.message);
  return explained.value;
}

const THINGS = ['device', 'gateway', 'campaign'] as const;

function questionOf({ at, from, to, whatIf, ...options }: ExplainOptions): Question {
  const given = THINGS.filter((thing) => options[thing] !== undefined);
  const [of] = given;
  if (of === undefined || given.length > 1) {
    throw new TypeError('explainRun: exactly one of device, gateway and campaign is given');
  }
  return {
    of,
    name: options[of]!,
    atUs: instantOf('at', at),
    fromUs: instantOf('from', from),
    toUs: instantOf('to', to),
    whatIf,
  };
}

const MOST_US = 3_650 * 86_400e6;

function instantOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const read = readQuantity(given, 'duration', { least: 0, most: MOST_US });
  if (read.ok) return read.value;
  throw new TypeError(`explainRun: ${option}: ${read.complaint.what}`);
}
