/** Faults of the report of a study: what it says, what it draws, what stands in its tables. */
import type { Mutant } from './mutant.ts';

const FOLDER = 'reports/study/report';
const TESTS = 'test/reports/study/report';
const WORDS = `${TESTS}/words.test.ts`;
const CHARTS = `${TESTS}/charts.test.ts`;

export const STUDY_REPORT_MUTANTS: readonly Mutant[] = [
  {
    what: 'The recommended point is called the least where it is not.',
    file: `${FOLDER}/words.ts`,
    find: 'meanAt(chosen, figure) !== best ||',
    replace: 'meanAt(chosen, figure) === null ||',
    test: WORDS,
    title: 'claims no rank that the recommended point has not',
  },
  {
    what: 'A difference that may be chance is called more.',
    file: `${FOLDER}/words.ts`,
    find: 'least > 0 || most < 0 ?',
    replace: 'least !== 0 || most < 0 ?',
    test: WORDS,
    title: 'calls a difference chance when its interval has nothing in it',
  },
  {
    what: 'A rule reports where a constraint fails although an allowed point breaks it.',
    file: `${FOLDER}/refusals.ts`,
    find: 'if ([...bad].some((label) => good.has(label))) return undefined;',
    replace: '',
    test: WORDS,
    title: 'is counted where no parameter alone decides it',
  },
  {
    what: 'Seeds that are too few for a constraint are not reported.',
    file: `${FOLDER}/established.ts`,
    find: 'shareInterval[0] < needed,',
    replace: 'shareInterval[1] < needed,',
    test: WORDS,
    title: 'come with what is missing first',
  },
  {
    what: 'A recommendation within chance of its runner-up is shown as established.',
    file: `${FOLDER}/established.ts`,
    find: 'return low <= 0 && high >= 0 && low !== high;',
    replace: 'return low > 0 && high < 0;',
    test: WORDS,
    title: 'says what to set only where the seeds establish it',
  },
  {
    what: 'A list that fills no grid is drawn as lines.',
    file: `${FOLDER}/layout.ts`,
    find: 'points.length * 2 > combinations',
    replace: 'points.length * 2 > 0',
    test: CHARTS,
    title: 'takes a list as a grid only where it is one',
  },
  {
    what: 'A curve is drawn through what was not measured.',
    file: `${FOLDER}/curves.ts`,
    find: 'if (spread === undefined || spread.mean === null) return null;',
    replace: 'if (spread === undefined) return null;',
    test: CHARTS,
    title: 'has a gap where nothing was measured',
  },
  {
    what: 'Cells that meet the constraints are hatched.',
    file: `${FOLDER}/heat-map.ts`,
    find: "standing(point) === 'refused')\n    .map",
    replace: "standing(point) !== 'refused')\n    .map",
    test: CHARTS,
    title: 'hatches those that break a constraint',
  },
  {
    what: 'The front is drawn on the wrong side of its points.',
    file: `${FOLDER}/front-chart.ts`,
    find: "goalAcross === 'minimise' ? 'levelFirst'",
    replace: "goalAcross === 'maximise' ? 'levelFirst'",
    test: CHARTS,
    title: 'leaves every other allowed point on its worse side',
  },
  {
    what: 'The bars of a study of one at a time have points of several changes.',
    file: `${FOLDER}/layout.ts`,
    find: 'at === dimension.at || label',
    replace: 'at >= dimension.at || label',
    test: CHARTS,
    title: 'has lines of points that differ from the base in one parameter alone',
  },
  {
    what: 'Words below an axis are written over each other.',
    file: 'reports/charts/axes.ts',
    find: 'if (mark.at - half < end + 6) continue;',
    replace: '',
    test: CHARTS,
    title: 'leaves out words that would touch those before them',
  },
  {
    what: 'The answer comes before what makes it doubtful.',
    file: `${FOLDER}/html.ts`,
    find: `\${cautionSection(study)}\n\${answerSection(study)}`,
    replace: `\${answerSection(study)}\n\${cautionSection(study)}`,
    test: `${TESTS}/html.test.ts`,
    title: 'is in words, and the cautions come before it',
  },
  {
    what: 'A text of a study is a tag of Markdown.',
    file: `${FOLDER}/prose.ts`,
    find: '.replace(/[<>&]/g',
    replace: '.replace(/[&]/g',
    test: `${TESTS}/markdown.test.ts`,
    title: 'become neither markup nor links',
  },
  {
    what: 'Both ends of an interval are the lower one in the table for programs.',
    file: `${FOLDER}/point-table.ts`,
    find: '?.meanInterval?.[1] ?? null',
    replace: '?.meanInterval?.[0] ?? null',
    test: `${TESTS}/point-table.test.ts`,
    title: 'has every figure with the ends of its interval',
  },
];
