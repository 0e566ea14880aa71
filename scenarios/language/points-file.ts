/** Points from a CSV file with the header `x,y`: surveyed places of devices and gateways. */
import type { Point } from './placement.ts';
import type { Problem } from './problem.ts';
import { quantity } from './quantity.ts';

const coordinate = quantity('length', '-1000 km', '1000 km');

/**
 * Metres as plain numbers or lengths with a unit; empty lines and lines that begin with # are
 * skipped.
 */
export function readPoints(file: string, text: string): { points: Point[]; problems: Problem[] } {
  const points: Point[] = [];
  const problems: Problem[] = [];
  let header = false;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const cells = raw.split(',').map((cell) => cell.trim());
    if (raw.trim() === '' || raw.startsWith('#')) continue;
    const line = index + 1;
    const complain = (message: string) =>
      problems.push({ where: `${file}:${line}:1`, line, pointer: '', message });
    if (!header) {
      header = true;
      if (cells.join(',') !== 'x,y') complain('is not the header; allowed: x,y');
      continue;
    }
    const [x, y] = cells.map((cell) => coordinate(/^[-+.\deE]+$/.test(cell) ? `${cell} m` : cell));
    if (cells.length === 2 && x?.ok && y?.ok) {
      points.push({ xMeters: x.value, yMeters: y.value });
    } else {
      complain('is not a point; allowed: two lengths such as 1200,-350 (metres) or 1.2 km,-350 m');
    }
  }
  if (!header)
    problems.push({ where: file, line: 0, pointer: '', message: 'is empty; allowed: x,y' });
  return { points, problems };
}
