/** Scripts of `fleetwave completion`, asked by the shells that they are for. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCommands } from '../../api/cli/commands.ts';
import { commandTable } from '../../api/cli/completion-table.ts';
import { TEMPLATES } from '../../api/cli/templates.ts';
import { said } from '../support/said.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-completion-'));
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await said('completion', shell);
    expect(status).toBe(0);
    writeFileSync(join(folder, shell), stdout);
  }
  mkdirSync(join(folder, 'here/sub folder'), { recursive: true });
  for (const name of ['town.yaml', 'two words.yml', 'result.json', 'notes.txt']) {
    writeFileSync(join(folder, 'here', name), '');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash offers for the last word of a line. */
function inBash(...words: readonly string[]): string[] {
  const script = `source ../bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fleetwave
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = ['-c', script, 'bash', 'fleetwave', ...words];
  const text = execFileSync('bash', bash, { cwd: join(folder, 'here'), encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

describe.skipIf(!has('bash'))('in bash', () => {
  it.each([
    [['ru'], ['run']],
    [
      ['journal', ''],
      ['verify', 'cut', 'export'],
    ],
    [['--color', 'va'], ['validate']],
    [['run', '--fr'], ['--frames']],
    [
      ['run', 'town.yaml', '--frames', ''],
      ['real', 'counted'],
    ],
    [['run', '--frames', '=', 're'], ['real']],
    [
      ['run', '--frames', '='],
      ['real', 'counted'],
    ],
    [['run', '--seed', ''], []],
    [
      ['run', ''],
      ['sub folder', 'town.yaml', 'two words.yml'],
    ],
    [['validate', 'to'], ['town.yaml']],
    [['run', '--out', ''], ['sub folder']],
    [['replay', 'r'], ['result.json']],
    [
      ['serve', '--deliver', ''],
      ['real', 'none'],
    ],
    [['serve', '--log-level', 'de'], ['debug']],
    [['journal', 'export', '--wi'], ['--with-secrets']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['init', 'us'], ['us915']],
    [['init', ''], Object.keys(TEMPLATES)],
    [
      ['run', '--no-'],
      ['--no-report', '--no-color'],
    ],
    [['exec', '--seed', 'a', '--', ''], []],
  ])('%j is completed to %j', (words, operations) => {
    expect(inBash(...words)).toEqual(operations);
  });

  it('is the completion of the word fleetwave', () => {
    const text = execFileSync('bash', ['-c', 'source ./bash; complete -p fleetwave'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(text).toBe('complete -F _fleetwave fleetwave\n');
  });
});

describe.skipIf(!has('fish'))('in fish', () => {
  it.each([
    ['fleetwave ru', ['run']],
    ['fleetwave journal ', ['cut', 'export', 'verify']],
    ['fleetwave run --fr', ['--frames']],
    ['fleetwave run --frames ', ['counted', 'real']],
    ['fleetwave run to', ['town.yaml']],
    ['fleetwave init us', ['us915']],
  ])('%j is completed to %j', (line, operations) => {
    const script = `source ../fish; complete -C '${line}'`;
    const text = execFileSync('fish', ['--no-config', '-c', script], {
      cwd: join(folder, 'here'),
      encoding: 'utf8',
    });
    expect(
      text
        .trim()
        .split('\n')
        .map((each) => each.split('\t')[0]),
    ).toEqual(operations);
  });
});

it.skipIf(!has('zsh'))('zsh reads its script, and has a function for each command', async () => {
  const script = 'compdef() { print compdef $1 }; source ./zsh; typeset +f';
  const text = execFileSync('zsh', ['-f', '-c', script], { cwd: folder, encoding: 'utf8' });
  const functions = text.split('\n');
  for (const { path } of await commandTable(addCommands)) {
    expect(functions).toContain(['_fleetwave', ...path.split(' ')].filter(Boolean).join('_'));
  }
});

it('a shell that is unknown is reported with those that are known', async () => {
  const { status, stderr } = await said('completion', 'bsh');
  expect(status).toBe(2);
  expect(stderr).toContain(
    'SHELL "bsh" is not right; allowed: bash, zsh, fish; did you mean "bash"?',
  );
});
