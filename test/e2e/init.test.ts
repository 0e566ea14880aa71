/** `fleetwave init`: scenarios to begin with, which are good and are never written over others. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TEMPLATES } from '../../api/cli/templates.ts';
import { loadFromDisk } from '../../api/host/files/scenario-files.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { said } from '../support/said.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAMES = Object.keys(TEMPLATES);
const MODELINE = '# yaml-language-server: $schema=./fleetwave.schema.json';

let folder = '';
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-init-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Templates bring the same schema along, so its judge is made once. */
const judges = new Map<string, ValidateFunction>();
function judgeOf(schema: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const judge = judges.get(schema) ?? ajv.compile(JSON.parse(schema));
  judges.set(schema, judge);
  return judge;
}

describe('fleetwave init', () => {
  it.each(NAMES)('writes %s, which is good by its schema and by validate', async (name) => {
    const path = join(folder, `${name}.yaml`);
    const { status, stdout } = await said('init', name, path);
    expect([status, stdout.includes(`Next: fleetwave run ${path}\n`)]).toEqual([0, true]);
    const [first, second] = read(`${name}.yaml`).split('\n');
    expect([first, second?.[0]]).toEqual([MODELINE, '#']);
    expect(loadFromDisk(path, []).outcome).toBe('scenario');
    const isGood = judgeOf(read('fleetwave.schema.json'));
    expect([isGood(parse(read(`${name}.yaml`))), isGood.errors]).toEqual([true, null]);
  });

  it('writes a scenario that produces the digest of the library’s own', async () => {
    await said('init', 'us915', join(folder, 'own.yaml'));
    const digestOf = async (file: string) => {
      const out = ['--no-report', '--out', join(folder, 'out'), '--set', 'duration=1 h'];
      const { stdout } = await said('run', file, ...out);
      return stdout.match(/digest [0-9a-f]{16}/)?.[0];
    };
    const own = await digestOf(join(folder, 'own.yaml'));
    const library = await digestOf(join(ROOT, 'scenarios/library/regions/us915.yaml'));
    expect(own).toBeDefined();
    expect(own).toBe(library);
  });

  it('writes over nothing but its own schema, unless it is reported to', async () => {
    const path = join(folder, 'mine/town.yaml');
    expect((await said('init', 'fleet', path)).status).toBe(0);
    writeFileSync(path, 'scenario: mine\n');
    const again = await said('init', 'fleet', path);
    const inTheWay = 'a file is in the way (--force: write over it)\n';
    expect([again.status, again.stderr]).toEqual([2, `${path}: ${inTheWay}`]);
    expect(read('mine/town.yaml')).toBe('scenario: mine\n');
    expect((await said('init', 'fleet', path, '--force')).status).toBe(0);
    expect(read('mine/town.yaml').startsWith(MODELINE)).toBe(true);
    const schema = join(folder, 'mine/fleetwave.schema.json');
    writeFileSync(schema, '{ "title": "of somebody else" }');
    const other = await said('init', 'us915', join(folder, 'mine/us.yaml'));
    expect([other.status, other.stderr]).toEqual([2, `${schema}: ${inTheWay}`]);
    expect(existsSync(join(folder, 'mine/us.yaml'))).toBe(false);
  });

  it('lists its templates without a terminal where none is named, and ends with 2', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'init'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    for (const name of NAMES) expect(stderr).toContain(`  ${name}`);
  });

  it('names what is allowed, and what was meant, where a template is unknown', async () => {
    const { status, stderr } = await said('init', 'quikstart');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^fleetwave init: "quikstart" is not a template; allowed: quickstart, /);
    expect(stderr).toMatch(/; did you mean "quickstart"\?\n$/);
    expect((await said('init', '__proto__')).status).toBe(2);
  });

  it.skipIf(!existsSync('/usr/bin/script'))('asks on a terminal, by number or name', async () => {
    rmSync(join(folder, 'us915.yaml'), { force: true });
    const words = ['-qec', `${process.execPath} ${PROGRAM} init`, '/dev/null'];
    const child = spawn('/usr/bin/script', words, { cwd: folder });
    let printed = '';
    let answered = 0;
    const answers = ['nonsense\n', '7\n'];
    child.stdout.on('data', (text) => {
      printed += text;
      const questions = printed.split('Number or name').length - 1;
      if (questions <= answered) return;
      child.stdin.write(answers[answered++] ?? '');
    });
    const [status] = await once(child, 'close');
    expect(printed).toContain('"nonsense" is not a template');
    expect(status, printed).toBe(0);
    expect(read('us915.yaml')).toContain('region: US915');
  });
});
