/** docs/own-fleet.md and docs/pipeline.md: their lists, commands and tables are true. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FIELDS } from '../../api/importing/fields.ts';
import { bundle } from '../support/bundled.ts';
import { CachedProgram } from '../support/cached-program.ts';

const page = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const OWN_FLEET = page('docs/own-fleet.md');
const PIPELINE = page('docs/pipeline.md');

let folder = '';
let cached: CachedProgram;
beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-own-fleet-'));
  for (const [, name = '', text = ''] of OWN_FLEET.matchAll(
    /`([\w-]+\.csv)`\n\n```csv\n(.*?)```/gs,
  )) {
    writeFileSync(join(folder, name), text);
  }
  cached = await CachedProgram.in(folder);
});
afterAll(() => {
  cached.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a line of the page. */
async function typed(line: string) {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  const [program, ...others] = words;
  expect(program).toBe('fleetwave');
  return cached.run(...others);
}

const lines = [...OWN_FLEET.matchAll(/```sh\n(fleetwave .*)\n```/g)].map(([, line]) => line!);

describe('docs/own-fleet.md', () => {
  it('shows what its command prints, and a scenario whose expectations hold', async () => {
    const [, shown = ''] = /```text\n(.*?)```/s.exec(OWN_FLEET) ?? [];
    const [first, second, third, fourth] = lines;
    const imported = await typed(first!);
    expect([imported.status, imported.stderr, imported.stdout]).toEqual([0, '', shown]);
    for (const line of [second!, third!]) expect((await typed(line)).status).toBe(0);
    const report = readFileSync(join(folder, 'out/koeln/report.html'), 'utf8');
    expect(report).toContain('>Müller &amp; Söhne</text>');
    expect((await typed(fourth!)).stdout).toContain('4 devices in 1 population');
  });

  it('names every field that a column may be', () => {
    const table = OWN_FLEET.slice(OWN_FLEET.indexOf('| field |'), OWN_FLEET.indexOf('## Forms'));
    expect(Object.keys(FIELDS).filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('docs/pipeline.md', () => {
  it('names every input and output of the action, and no other', () => {
    const action = parse(page('action/action.yml'));
    const table = PIPELINE.slice(PIPELINE.indexOf('| input |'), PIPELINE.indexOf('Outputs are'));
    const named = [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!),
    );
    expect(named.sort()).toEqual(Object.keys(action.inputs).sort());
    const [, outputs = ''] = /Outputs are (.*?)\./.exec(PIPELINE) ?? [];
    const listed = [...outputs.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    expect(listed.sort()).toEqual(Object.keys(action.outputs).sort());
  });

  it('uses the action as it is, in a workflow that is YAML', () => {
    const [workflow = ''] = [...PIPELINE.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!);
    const steps = parse(workflow).jobs.fleet.steps as { uses?: string; with?: object }[];
    const own = steps.find(({ uses }) => uses?.endsWith('/action'));
    const { inputs } = parse(page('action/action.yml'));
    for (const name of Object.keys(own?.with ?? {})) expect(inputs).toHaveProperty(name);
  });
});
