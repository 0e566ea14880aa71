/** Files of the library with knobs at the ends of what is allowed, and beyond. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { mostRuns } from '../support/long.ts';
import { loadText } from './scenario.ts';

interface Node {
  readonly enum?: readonly unknown[];
  readonly range?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

type Path = readonly string[];
/** In a path: some entry of a list. */
const SOME = '[]';

/** Every knob and what it may be at its ends. */
function knobsOf(node: Node, path: Path): [Path, readonly unknown[]][] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const here = [...path, key];
    return [[here, endsOf(child)] as [Path, readonly unknown[]], ...knobsOf(child, here)];
  });
  const inItems = node.items === undefined ? [] : knobsOf(node.items, [...path, SOME]);
  return [...own, ...inItems, ...(node.anyOf ?? []).flatMap((one) => knobsOf(one, path))];
}

function endsOf({ enum: words = [], range = '', minimum, maximum, anyOf = [] }: Node): unknown[] {
  const numbers = minimum === undefined ? [] : [minimum, maximum, minimum - 1, maximum! + 1];
  return [...words, ...range.split(' to '), ...numbers, ...anyOf.flatMap(endsOf)];
}

/** The sizes of a world stay what they are. */
const SIZES = ['count', 'duration'];
const KNOBS = knobsOf(scenarioJsonSchema() as Node, []).filter(
  ([path, ends]) => ends.length > 0 && !SIZES.includes(path.at(-1) ?? ''),
);

const ODD = [
  '__proto__',
  'constructor',
  '',
  '😀',
  '\u0000',
  '1e308 m',
  '-1 s',
  '0xff',
  null,
  true,
  -0.5,
  1e308,
  5e-324,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
];

/** Writes a value at a path, but into no list that is missing. */
function write(at: unknown, [key = '', ...rest]: Path, value: unknown): void {
  if (typeof at !== 'object' || at === null) return;
  const parent = at as Record<string, unknown>;
  const place = key === SOME ? '0' : key;
  if (rest.length === 0) parent[place] = value;
  else {
    if (typeof parent[place] !== 'object' && rest[0] !== SOME) parent[place] = {};
    write(parent[place], rest, value);
  }
}

const FILES = ['quickstart', 'regions/us915', 'campaigns/version-2'];
const texts = FILES.map((file) => readFileSync(`scenarios/library/${file}.yaml`, 'utf8'));

/** A file of the library made small, with one or two knobs turned. */
const files = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(
      fc
        .constantFrom(...KNOBS)
        .chain(([path, ends]) =>
          fc.tuple(fc.constant(path), fc.constantFrom(...ends, ...ends, ...ends, ...ODD)),
        ),
      { minLength: 1, maxLength: 2 },
    ),
  )
  .map(([text, edits]) => {
    const document = parse(text, { merge: true }) as Record<string, { count?: number }[]>;
    for (const entry of document.devices ?? []) if (entry.count !== undefined) entry.count = 5;
    for (const [path, value] of edits) write(document, path, structuredClone(value));
    return stringify({ ...document, duration: '2 h' }, { aliasDuplicateObjects: false });
  });

it('a file with knobs at their ends is refused with its place, or becomes a world', () => {
  let worlds = 0;
  fc.assert(
    fc.property(files, (text) => {
      const loaded = loadText(text);
      if (loaded.outcome === 'problems') {
        for (const { where, message } of loaded.problems) expect(where && message).not.toBe('');
      }
      if (loaded.outcome !== 'scenario') return;
      const world = World.create(populate(loaded.scenario), 'a seed');
      world.runUntil(world.endUs, 3_000);
      expect(world.result().events).toBe(world.events);
      worlds++;
    }),
    { numRuns: mostRuns(150) },
  );
  expect(worlds).toBeGreaterThan(20);
});
