/**
 * Random worlds over all knobs: nothing that is asked, saved, restored, forked, sliced or replayed
 * shows in what they come to, and every law holds. `npm run test:soak` looks at thousands.
 */
import { describe, expect, it } from 'vitest';
import { scenarioJsonSchema } from '../../scenarios/language/schema.ts';
import { anyScenario, drawsOf, type Json } from '../soak/any-scenario.ts';
import { faultsOf } from '../soak/soak.ts';

const seed = Number(process.env.FLEETWAVE_SEED);

describe('random worlds', () => {
  it('keep the determinism contract and the laws', () => {
    expect(faultsOf({ seed, first: 0, end: 15, step: 1 })).toEqual([]);
  });
});

describe('random scenario files', () => {
  it('set every knob of the schema', () => {
    const known = new Set<string>();
    addKnobs(scenarioJsonSchema(), '', known);
    const set = new Set<string>();
    const left = () => [...known].filter((knob) => !set.has(knob)).sort();
    for (let number = 0; number < 1_000 && left().length > NEVER_SET.length; number++) {
      addPlaces(anyScenario(drawsOf(seed, number)).document, '', set);
    }
    expect(left()).toEqual(NEVER_SET);
  });
});

/** Files that stand beside the scenario, and what is not simulated. */
const NEVER_SET = ['/description', '/expectations', '/seed', 'images/file', 'placement/file'];

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

function addPlaces(value: Json, path: string, set: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) addPlaces(entry, path, set);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      set.add(`${path}/${key}`);
      addPlaces(inner, key, set);
    }
  }
}
