/** Faults of imports of lists, and of what continuous integration reads. */
import type { Mutant } from './mutant.ts';

const CELLS = 'test/importing/cells.test.ts';
const FAULTS = 'test/importing/faults.test.ts';
const MANY = 'test/importing/many-rows.test.ts';
const CHECKS = 'test/reports/checks.test.ts';

export const IMPORT_MUTANTS: readonly Mutant[] = [
  {
    what: 'A latitude south of the equator is read as one north of it.',
    file: 'api/importing/degrees.ts',
    find: "side === 'S' || side === 'W'",
    replace: "side === 'W'",
    test: CELLS,
    title: '33.8568 S',
  },
  {
    what: 'Groups of an EUI lose their leading zeros.',
    file: 'api/importing/identifiers.ts',
    find: "group.padStart(4, '0')",
    replace: 'group',
    test: CELLS,
  },
  {
    what: 'Every EUI is taken for one that stands there before.',
    file: 'api/importing/check-places.ts',
    find: 'const other = first.get(key);',
    replace: 'const other = first.get(key.slice(0, 0));',
    test: FAULTS,
    title: 'the EUI of another',
  },
  {
    what: 'A point far from the rest is no fault.',
    file: 'api/importing/check-places.ts',
    find: 'if (meters <= most) return [];',
    replace: 'if (meters <= 1000 * most) return [];',
    test: FAULTS,
    title: 'a point far from the rest',
  },
  {
    what: 'A row is said to stand where it ends, not where it begins.',
    file: 'api/importing/csv-list.ts',
    find: 'lines - extraLines(record) + skipped',
    replace: 'lines + skipped',
    test: FAULTS,
    title: 'across a line feed in a cell',
  },
  {
    what: 'Keys are written though nobody asked for them.',
    file: 'api/importing/scenario-files.ts',
    find: 'const keyed = withKeys && ',
    replace: 'const keyed = ',
    test: FAULTS,
    title: 'has no keys, unless they are asked for',
  },
  {
    what: 'Lines of records are counted from the line after their first.',
    file: 'api/importing/json-list.ts',
    find: 'let [line, at] = [1, 0];',
    replace: 'let [line, at] = [2, 0];',
    test: MANY,
    title: 'of records says on which line',
  },
  {
    what: 'An expectation of many seeds names the last seed in which it fails.',
    file: 'reports/checks/check.ts',
    find: 'const seed = failing[0] ??',
    replace: 'const seed = failing.at(-1) ??',
    test: CHECKS,
    title: 'names the first seed',
  },
  {
    what: 'A point that constraints exclude fails though another is allowed.',
    file: 'reports/checks/check.ts',
    find: "const fails = isOpen ? 'skipped' : 'fails';",
    replace: "const fails = isOpen ? 'fails' : 'fails';",
    test: CHECKS,
    title: 'is skipped while another point is allowed',
  },
];
