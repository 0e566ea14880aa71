/** Rules of the house about rows (sim/base/rows): one reader of ranges, and one row of a name. */
import { banned, type House, type Rule } from './house-rule.ts';
import { lineOf } from './source.ts';

/** Both ends of a range, one soon after the other. */
const comparison = (above: string, least: string, below: string, most: string): string =>
  `${above} *[\\w.]*\\b${least}\\b[^{}]{0,60}[^<>=]${below} *[\\w.]*\\b${most}\\b`;

/** A table at the top of a file; strings of code are blank. */
const TABLE = /\n(?:export )?const (\w+) = \{\n((?: {2}.*\n|\n)*?)\} as const satisfies Fields;/g;
const SPREAD = /^ {2}\.\.\./gm;

/** Tables that have the rows of several others, where a row of one could replace one of another. */
const spreadTables = ({ sources }: House): string[] =>
  sources.flatMap(({ path, code }) =>
    [...code.matchAll(TABLE)]
      .filter(([, , rows = '']) => [...rows.matchAll(SPREAD)].length > 1)
      .map(({ index, 1: name }) => `${path}:${lineOf(code, index + 1)} ${name} spreads two tables`),
  );

const tableOf = (rows: string) => ({
  'core/simulator/fields.ts': `\nexport const A = {\n${rows}} as const satisfies Fields;\n`,
});

export const ROW_RULES: readonly Rule[] = [
  {
    name: 'a range is compared in one place, sim/base/rows/range.ts; laws have tables of their own',
    check: banned(
      /^(sim|core|scenarios|reports|api)\//,
      new RegExp(
        `${comparison('>=', 'least', '<=', 'most')}|${comparison('<', 'least', '>', 'most')}`,
      ),
      /^sim\/base\/rows\/range\.ts$|^scenarios\/testing\/laws\//,
    ),
    breaks: [
      { 'sim/radio/a.ts': 'const isIn = value >= least && value <= most;' },
      { 'core/base/a.ts': 'if (a < row.least) return small;\nif (a > row.most) return large;' },
      { 'api/cli/a.ts': 'a = n < limits.least || n > limits.most;' },
    ],
    keeps: {
      'sim/base/rows/range.ts': 'a = value >= least && value <= most;',
      'sim/radio/a.ts': 'if (size > most) f(); while (least < most) g();',
    },
  },
  {
    name: 'tables of rows are put together by `joinTables`, which refuses two rows of one name',
    check: spreadTables,
    breaks: [tableOf('  ...PLACE,\n  a: {\n    b: 1,\n  },\n  ...HARDWARE,\n')],
    keeps: tableOf('  ...joinTables(PLACE, HARDWARE),\n  a: {\n    ...EUI,\n    ...b,\n  },\n'),
  },
];
