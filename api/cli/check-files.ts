/** `--junit` and `--markdown`: what continuous integration reads of a command. */
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CheckReport } from '../../reports/checks/check.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import type { CheckFiles } from './check-options.ts';
import { InputError, writing } from './exit.ts';

export const wantsChecks = ({ junit, markdown }: CheckFiles): boolean =>
  junit !== undefined || markdown !== undefined;

/** Before the work: paths are usable, and no report of an earlier run is left. */
export function prepareCheckFiles(command: string, { junit, markdown }: CheckFiles): void {
  const paths = Object.entries({ junit, markdown }).filter(([, path]) => path !== undefined);
  const empty = paths.filter(([, path]) => path === '');
  const faults = empty.map(([name]) => `fleetwave ${command}: --${name} is empty; allowed: a path`);
  if (faults.length > 0) throw new InputError(faults);
  if (junit !== undefined && markdown !== undefined && resolve(junit) === resolve(markdown)) {
    throw new InputError([`${junit}: cannot be the file of the JUnit XML and of the Markdown`]);
  }
  for (const [, path = ''] of paths) {
    writing(path, () => makeFolder(dirname(path)));
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new InputError([`${path}: is a folder; allowed: a file`]);
    }
    writing(path, () => rmSync(path, { force: true }));
  }
}

/** Each is whole or absent. `markdown` is what there is to say beyond the checks. */
export async function writeCheckFiles(
  { junit, markdown }: CheckFiles,
  report: CheckReport,
  markdownText?: () => string | Promise<string>,
): Promise<readonly string[]> {
  if (junit !== undefined) {
    const { junitXml } = await import('../host/files/junit.ts');
    writeWhole(junit, junitXml(report));
  }
  if (markdown !== undefined) {
    const { checksMarkdown } = await import('../../reports/checks/checks-markdown.ts');
    writeWhole(markdown, (await markdownText?.()) ?? checksMarkdown(report));
  }
  return [junit, markdown].filter((path) => path !== undefined);
}

function writeWhole(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writing(path, () => writeFileSync(part, text));
    writing(path, () => renameSync(part, path));
  } finally {
    rmSync(part, { force: true });
  }
}
