/**
 * Random worlds over all knobs: nothing that is asked, saved, restored, forked, sliced or replayed
 * shows in what they come to, and every law holds. `npm run test:soak` looks at thousands.
 */
import { describe, expect, it } from 'vitest';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { anyScenario, drawsOf, firstDrawn, type Json } from '../soak/any-scenario.ts';
import { faultsOf } from '../soak/soak.ts';
import { IS_LONG, some } from '../support/long.ts';

const seed = Number(process.env.FLEETWAVE_SEED);

describe('random worlds', () => {
  it('keep the determinism contract and the laws', () => {
    expect(faultsOf({ seed, first: 0, end: some(16), step: 1 })).toEqual([]);
  });
});

describe('random scenario files', () => {
  it('set every knob of the schema', () => {
    const known = new Set<string>();
    addKnobs(scenarioJsonSchema(), '', known);
    const left = new Set([...known].sort());
    for (let number = 0; number < 500 && left.size > NEVER_SET.length; number++) {
      // Only files that may have what is left are made to load, which takes most of the time; in
      // short runs what was drawn for them counts.
      const drawn = placesOf(firstDrawn(drawsOf(seed, number)));
      if (!drawn.some((place) => left.has(place))) continue;
      const loaded = IS_LONG ? placesOf(anyScenario(drawsOf(seed, number)).document) : drawn;
      for (const place of loaded) left.delete(place);
    }
    expect([...left].filter((knob) => !SELDOM_SET.includes(knob))).toEqual(NEVER_SET);
  });
});

/** Set in one of a thousand files: the soak has them. */
const SELDOM_SET = [
  'burst/at',
  'burst/spacing',
  'changeDelegation/devices',
  'destinations/credentials',
];

/** Files that stand beside the scenario, and what is not simulated. */
const NEVER_SET = [
  '/description',
  '/expectations',
  '/extends',
  '/overrides',
  '/report',
  '/seed',
  '/variants',
  'decoderTypes/file',
  'images/file',
  'placement/file',
  'report/outline',
  'traffic/file',
];

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** Knobs by name and the map that they stand in, which may stand in several places. */
function addKnobs({ properties = {}, items, anyOf = [] }: Node, path: string, known: Set<string>) {
  for (const [key, node] of Object.entries(properties)) {
    known.add(`${path}/${key}`);
    addKnobs(node, key, known);
  }
  if (items !== undefined) addKnobs(items, path, known);
  for (const node of anyOf) addKnobs(node, path, known);
}

function placesOf(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => placesOf(entry, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${path}/${key}`,
    ...placesOf(inner, key),
  ]);
}
