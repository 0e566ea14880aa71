/**
 * Worlds by number: half of them scenario files over all knobs, the others plans with commands and
 * campaigns as the property tests draw them, only larger.
 */
import fc from 'fast-check';
import { populate } from '../../scenarios/filling/populate.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import { anyScenario, type Document, drawsOf } from './any-scenario.ts';

export interface AnyWorld extends ArbitraryWorld {
  /** The scenario file that it is made of, when there is one. */
  readonly document?: Document;
}

const LARGE = worlds({ devices: 40, minutes: 200, commands: 40 });
const CAMPAIGN = campaignWorlds({ devices: 15, imageBytes: 1000 });

/** The world of a number; the same for the same seed. */
export function anyWorld(seed: number, number: number): AnyWorld {
  if (number % 4 === 2) return sampled(LARGE, seed, number);
  if (number % 4 === 3) return sampled(CAMPAIGN, seed, number);
  const { document, scenario } = anyScenario(drawsOf(seed, number));
  return worldOf(document, scenario, `${seed} ${number}`);
}

export function worldOf(
  document: Document,
  scenario: Parameters<typeof populate>[0],
  seed: string,
): AnyWorld {
  return { document, plan: populate(scenario, seed), seed, commands: [] };
}

function sampled(arbitrary: fc.Arbitrary<ArbitraryWorld>, seed: number, number: number): AnyWorld {
  const draw = drawsOf(seed, number);
  return fc.sample(arbitrary, { numRuns: 1, seed: draw(2 ** 31) })[0] as ArbitraryWorld;
}
