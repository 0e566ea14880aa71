/** The files that a study over many points ends in, beside its plan and chunks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import { studyReportHtml } from '../../../reports/study/report/html.ts';
import { studyMarkdown } from '../../../reports/study/report/markdown.ts';
import { VERSION } from '../../../reports/version.ts';
import { toPrettyJson } from '../files/pretty-json.ts';
import { COLUMNS_FILE, writeColumns } from './columns-msgpack.ts';
import type { StudyRows } from './study-rows.ts';
import { writePoints, writeRuns } from './study-tables.ts';

const STUDY_FILES = {
  study: 'study.json',
  points: 'points.csv',
  runs: 'runs.csv',
  columns: COLUMNS_FILE,
  report: 'report.html',
  markdown: 'report.md',
} as const;

/** Paths of what was written. */
export function writeResults(folder: string, study: DesignedStudy, rows: StudyRows): string[] {
  const path = (name: string) => join(folder, name);
  writeFileSync(path(STUDY_FILES.study), toPrettyJson({ version: VERSION, ...study }));
  writePoints(path(STUDY_FILES.points), study);
  writeRuns(path(STUDY_FILES.runs), study, rows);
  writeColumns(path(STUDY_FILES.columns), study, rows);
  writeReports(folder, study);
  return Object.values(STUDY_FILES).map(path);
}

/** The same for people. */
export function writeReports(folder: string, study: DesignedStudy): string[] {
  const [page, text] = [STUDY_FILES.report, STUDY_FILES.markdown].map((name) => join(folder, name));
  writeFileSync(page!, studyReportHtml(study));
  writeFileSync(text!, studyMarkdown(study));
  return [page!, text!];
}
