/** `docs/studies/*.md`: what the studies of the library came to, a table each. */
import { readdirSync, readFileSync } from 'node:fs';
import { figureCell, reportedFigures } from '../../api/cli/designed-summary.ts';
import type { DesignedStudy } from '../../core/result/designed-study.ts';

/** Names of all studies of the library, in the order of the alphabet. */
export const STUDIES: readonly string[] = readdirSync('scenarios/studies')
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length))
  .sort();

export const pageOf = (name: string): string => `docs/studies/${name}.md`;

const TABLE = /<!-- points -->\n[\s\S]*?<!-- \/points -->/;

/** The page with the table of a study in its place. */
export function withTable(page: string, study: DesignedStudy): string {
  return page.replace(TABLE, () => `<!-- points -->\n\n${pointsTable(study)}\n\n<!-- /points -->`);
}

/** The table that a page has. */
export function tableIn(name: string): string {
  const [part = ''] = TABLE.exec(readFileSync(pageOf(name), 'utf8')) ?? [];
  return part.split('\n').slice(2, -2).join('\n');
}

/** A row a point: levels, and each figure with half of its interval. */
export function pointsTable(study: DesignedStudy): string {
  const figures = reportedFigures(study);
  const rows = [
    [...study.parameters.map(({ name }) => name), ...figures.map((name) => `\`${name}\``)],
    [...study.parameters.map(() => '---'), ...figures.map(() => '---:')],
    ...study.points.map((point) => [
      ...point.levels.map(({ label }) => label),
      ...figures.map((name) => figureCell(point, name)),
    ]),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
