/**
 * Worlds of a study that are the same up to an instant: they are run until then once a seed, and
 * each point goes on from there (docs/decisions/0088).
 */
import type { RunPlan } from '../../core/world/plan.ts';
import { populate } from '../filling/populate.ts';
import { inWords } from '../forecast/forecast.ts';
import type { Scenario } from '../schema/schema.ts';

/** Compares the points of a study with its first one. */
export class Branches {
  readonly #seed: string;
  readonly #atUs: number;
  #first: RunPlan | undefined;

  constructor(seed: string, atUs: number) {
    this.#seed = seed;
    this.#atUs = atUs;
  }

  /** What a scenario has otherwise than the first that was given, before they branch. */
  differenceOf(scenario: Scenario): string | undefined {
    const plan = populate(scenario, this.#seed);
    this.#first ??= plan;
    return differsBefore(this.#first, plan, this.#atUs);
  }
}

/** What differs between two plans before this instant, in words; undefined: nothing. */
function differsBefore(one: RunPlan, other: RunPlan, atUs: number): string | undefined {
  const { timeline: first, name: _, description: __, ...own } = one;
  const { timeline: second, name: ___, description: ____, ...others } = other;
  const keys = Object.keys({ ...own, ...others }) as (keyof typeof own)[];
  const key = keys.find((each) => text(own[each]) !== text(others[each]));
  if (key === 'network') return networkDifference(own.network, others.network);
  if (key !== undefined) return WORDS[key] ?? key;
  const early = (timeline: RunPlan['timeline']) => timeline.filter((entry) => entry.atUs < atUs);
  const [ofOne, ofOther] = [early(first), early(second)];
  const entries = Math.max(ofOne.length, ofOther.length);
  for (let at = 0; at < entries; at++) {
    if (text(ofOne[at]) === text(ofOther[at])) continue;
    const { atUs: whenUs, command } = (ofOne[at] ?? ofOther[at])!;
    return `${command.kind} at ${inWords(whenUs)}`;
  }
  return undefined;
}

const WORDS: Readonly<Partial<Record<keyof RunPlan, string>>> = {
  durationUs: 'its duration',
  origin: 'where on Earth it is',
};

function networkDifference(one: RunPlan['network'], other: RunPlan['network']): string {
  const keys = Object.keys({ ...one, ...other }) as (keyof typeof one)[];
  const key = keys.find((each) => text(one[each]) !== text(other[each]));
  return `${String(key)} of its network`;
}

/** All of a value; contents of images by their bytes. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (ArrayBuffer.isView(each)) return [...(each as Uint8Array)];
    return each instanceof Map || each instanceof Set ? [...each] : each;
  });
