/** `fleetwave report STUDY --points 1,3`: points of a study side by side, paired by seed. */
import { differencesHtml } from '../../reports/study/difference-report.ts';
import { studyDifference } from '../../reports/study/differences.ts';
import { counted } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import { type ReadPoint, readPoints } from '../host/studies/study-points.ts';
import { PLAIN } from './colour.ts';
import { beyondLines } from './diff-text.ts';
import { InputError } from './exit.ts';

/** Points beside each other. */
const POINTS_MOST = 6;

/** `path` is that of a study.json; `given` has numbers of points, and commas between them. */
export function pointsPage(path: string, given: string): string {
  const read = readPoints(path);
  if ('faults' in read) throw new InputError(read.faults);
  const { study, points } = read;
  const [first, ...others] = chosen(points, given);
  const pairs = others.map((other) => {
    const title = `${named(other)} against ${named(first!)}`;
    return { title, page: pairPage(first!, other) };
  });
  return differencesHtml(`Points of ${study}`, pairs, VERSION);
}

function chosen(points: readonly ReadPoint[], given: string): readonly ReadPoint[] {
  const words = given.split(',').map((word) => word.trim());
  const found = words.map((word) => points.find(({ point }) => String(point) === word));
  const isTwice = new Set(words).size < words.length;
  if (!isTwice && words.length >= 2 && words.length <= POINTS_MOST && !found.includes(undefined)) {
    return found as readonly ReadPoint[];
  }
  const range = `two to ${POINTS_MOST} different numbers from 1 to ${points.length}, such as 1,2`;
  throw new InputError([`fleetwave report: --points "${given}" is not right; allowed: ${range}`]);
}

const named = ({ point, words }: ReadPoint): string =>
  words === '' ? `Point ${point}` : `Point ${point} (${words})`;

function pairPage(a: ReadPoint, b: ReadPoint) {
  const { seeds, figures } = studyDifference(a.rows, b.rows);
  const before = [
    ...[a, b].map(
      (each, at) => `${'AB'[at]}: ${named(each)}, ${counted(each.rows.length, 'run')}.`,
    ),
    seeds.length === 0
      ? 'They have no seed in common, so nothing is compared.'
      : `Compared by ${counted(seeds.length, 'seed')} that both have.`,
  ];
  const after = figures.length === 0 ? [] : beyondLines({ figures }, PLAIN);
  return { before, after, figures: { of: 'studies', rows: figures } } as const;
}
