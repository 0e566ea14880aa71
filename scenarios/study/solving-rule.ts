/**
 * How a study is solved: what has to be shown of a point, with which confidence, after how many
 * seeds one looks, and how many are too few (docs/decisions/0087).
 */
import { fewestSeedsToAccept } from '../../reports/statistics/sequential.ts';
import { assert } from '../../sim/base/assert.ts';
import { type Expectation, readExpectation } from '../expectations/expectations.ts';
import type { StudyPlan } from './plan.ts';

export interface SolvingOptions {
  /** Of all that is said together, between 0 and 1. */
  readonly confidence: number;
  /** Seeds of a point; the study's own, or `AT_MOST_USUAL`, when absent. */
  readonly atMost?: number | undefined;
}

/** A constraint, as it is shown. */
export interface Shown {
  readonly expectation: Expectation;
  /** Of all seeds that there are, the share in which it has to hold; between 0 and 1. */
  readonly share: number;
}

export interface SolvingRule {
  readonly constraints: readonly Shown[];
  readonly confidence: number;
  /** Of one point, so that all points together are accepted wrongly with the rest at most. */
  readonly toAccept: number;
  /** The same of one constraint of one point, and of what is rejected wrongly. */
  readonly toReject: number;
  /** With fewer seeds no point is accepted, even where all constraints hold in each. */
  readonly fewest: number;
  readonly atMost: number;
  /** Seeds of a point after its first, second … round; the last is `atMost`. */
  readonly ends: readonly number[];
}

export type SolvingRuled =
  | { readonly ok: true; readonly rule: SolvingRule }
  | { readonly ok: false; readonly problems: readonly string[] };

const AT_MOST_USUAL = 1000;
/** Fewer seeds say too little of what a point costs. */
const FIRST_ROUND_LEAST = 10;
const PPM = 1_000_000;

export function solvingRule(plan: StudyPlan, options: SolvingOptions): SolvingRuled {
  const { confidence } = options;
  assert(confidence > 0 && confidence < 1, 'a confidence lies between 0 and 1');
  const constraints = plan.constraints.map(shown);
  const problems = [...problemsOf(plan), ...constraints.flatMap(problemOfShare)];
  if (problems.length > 0) return { ok: false, problems };
  const left = 1 - confidence;
  const toAccept = 1 - left / plan.points.length;
  const toReject = 1 - left / (plan.points.length * constraints.length);
  const fewest = Math.max(
    ...constraints.map(({ share }) => fewestSeedsToAccept(share, 1, toAccept)),
  );
  const hasOwn = Object.keys(plan.until).length > 0;
  const usual = hasOwn ? plan.atMost : Math.max(AT_MOST_USUAL, plan.replicates);
  const atMost = options.atMost ?? usual;
  if (atMost < fewest) return { ok: false, problems: [tooFew(plan, constraints, fewest, atMost)] };
  const first = Math.min(atMost, Math.max(FIRST_ROUND_LEAST, plan.replicates));
  const ends = roundEnds(first, fewest, atMost);
  return { ok: true, rule: { constraints, confidence, toAccept, toReject, fewest, atMost, ends } };
}

function shown(text: string): Shown {
  const reading = readExpectation(text);
  assert(reading.ok, 'what a plan asks for was read before');
  return { expectation: reading.value, share: (reading.value.seedsPpm ?? PPM) / PPM };
}

function problemsOf({ constraints, objectives }: StudyPlan): string[] {
  return [
    ...(constraints.length === 0
      ? [
          'constraints: has none, and so nothing says which points are good enough; allowed: ' +
            'a list such as [campaign.updated >= 99 % in 95 % of seeds]',
        ]
      : []),
    ...(objectives.length === 0
      ? [
          'objective: has none, and so nothing says which point is best; allowed: ' +
            'minimise or maximise, and a figure, such as minimise campaign.sent',
        ]
      : []),
  ];
}

/** No number of seeds shows what all of them do. */
function problemOfShare({ expectation, share }: Shown): string[] {
  if (share > 0 && share < 1) return [];
  const { text, seedsPpm } = expectation;
  const words = text.replace(/\s+in\s+\S+\s*%\s+of\s+seeds$/, '');
  if (share === 0) return [`constraints: "${text}" asks for nothing; allowed: in 95 % of seeds`];
  const all = seedsPpm === undefined ? 'has to hold in every seed' : 'asks for every seed';
  return [
    `constraints: "${text}" ${all}, which no number of seeds shows; allowed: a share below ` +
      `100 %, such as "${words} in 95 % of seeds"`,
  ];
}

function tooFew(
  { points }: StudyPlan,
  constraints: readonly Shown[],
  fewest: number,
  atMost: number,
): string {
  const strictest = constraints.reduce((most, each) => (each.share > most.share ? each : most));
  const of = points.length === 1 ? 'the point' : `one of ${points.length} points`;
  return (
    `at most ${atMost} seeds do not show "${strictest.expectation.text}" of ${of}: even where it ` +
    `holds in each, that takes ${fewest}, and several times as many where it does not; allowed: ` +
    `--at-most ${fewest} or more`
  );
}

/**
 * Each round adds half of what there is, so that looks are few and seeds that were not needed are
 * at most a third; and one looks as soon as a point can be accepted.
 */
function roundEnds(first: number, fewest: number, atMost: number): number[] {
  const ends = [first];
  for (let last = first; last < atMost; ) {
    const next = Math.min(atMost, last + Math.max(first, Math.ceil(last / 2)));
    last = last < fewest && next > fewest ? fewest : next;
    ends.push(last);
  }
  return ends;
}

/** Number of acceptance tests of a point after a number of rounds; 0: too early. */
export const looksToAccept = ({ ends, fewest }: SolvingRule, rounds: number): number =>
  ends.slice(0, rounds).filter((end) => end >= fewest).length;
