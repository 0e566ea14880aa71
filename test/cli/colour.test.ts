/** Colour: where a terminal reads, or where somebody asks for it, and nowhere else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { COLOURED, chooseColour, PLAIN, painterOf } from '../../api/cli/colour.ts';
import { said as spoken } from '../support/said.ts';

const TERMINAL = { isTTY: true };
const PIPE = { isTTY: undefined };
const folder = mkdtempSync(join(tmpdir(), 'fleetwave-colour-'));
const file = join(folder, 'small.yaml');
writeFileSync(
  file,
  `scenario: small
duration: 1 h
area: { radius: 1 km }
devices: [{ name: meter, count: 5, joinWithin: 1 min, traffic: { every: 10 min } }]
expectations: [joined >= 99 %, messages > 1000]
`,
);
afterEach(() => {
  chooseColour([]);
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('text', () => {
  it.each([
    ['a terminal', TERMINAL, {}, [], COLOURED],
    ['a pipe', PIPE, {}, [], PLAIN],
    ['a terminal that can do nothing', TERMINAL, { TERM: 'dumb' }, [], PLAIN],
    ['a terminal with NO_COLOR', TERMINAL, { NO_COLOR: '1' }, [], PLAIN],
    ['a terminal with an empty NO_COLOR', TERMINAL, { NO_COLOR: '' }, [], COLOURED],
    ['a pipe with FORCE_COLOR', PIPE, { FORCE_COLOR: '1' }, [], COLOURED],
    [
      'a pipe with FORCE_COLOR and NO_COLOR',
      PIPE,
      { FORCE_COLOR: '', NO_COLOR: '1' },
      [],
      COLOURED,
    ],
    ['a terminal with FORCE_COLOR=0', TERMINAL, { FORCE_COLOR: '0' }, [], PLAIN],
    ['a terminal with --no-color', TERMINAL, { FORCE_COLOR: '1' }, ['--no-color'], PLAIN],
    ['a pipe with --color', PIPE, { NO_COLOR: '1' }, ['run', '--color'], COLOURED],
    ['a pipe with --color for another program', PIPE, {}, ['exec', '--', '--color'], PLAIN],
  ])('has colour or none in %s', (_, stream, environment, words, painter) => {
    chooseColour(words);
    expect(painterOf(stream, environment)).toBe(painter);
  });
});

/** With signs of control that can be read. */
async function said(...words: readonly string[]) {
  const { stdout, stderr } = await spoken(...words);
  const shown = (text: string) => text.replaceAll('\u001b', '␛').replaceAll('\u202f', ' ');
  return { stdout: shown(stdout), stderr: shown(stderr) };
}

const out = ['--out', join(folder, 'out'), '--no-report'];

describe('a run', () => {
  it('has bold headings, green and red verdicts with --color', async () => {
    const { stdout } = await said('run', file, ...out, '--color');
    expect(stdout).toMatch(/^␛\[1msmall: 1 h of virtual time .*␛\[22m\n/);
    expect(stdout).toContain('│ ␛[32m✓ holds␛[39m │ joined >= 99 % ');
    expect(stdout).toContain('│ ␛[31m✗ fails␛[39m │ messages > 1000 ');
    expect(stdout).toContain('␛[31m1 of 2 expectations fails.␛[39m\n');
  });

  it('is the same text without, and its JSON is always plain', async () => {
    vi.stubEnv('FORCE_COLOR', undefined);
    const plain = await said('run', file, ...out);
    expect(plain.stdout).not.toContain('␛');
    const json = await said('run', file, ...out, '--json', '--color');
    expect(json.stdout).not.toContain('␛');
  });

  it('has yellow warnings, and places in bold', async () => {
    const rare = [
      '--set',
      'images=[{ name: a-1.0.0.bin, bytes: 12.8 kB }]',
      '--set',
      'duration=8 h',
    ];
    const more = [
      'groups=[{ name: g, devices: all }]',
      'campaigns=[{ name: c, image: a-1.0.0.bin, ',
    ];
    more[1] += 'group: g, at: 1 h, frag_size: 40 B }]';
    const words = [...rare, ...more.flatMap((each) => ['--set', each])];
    const { stderr } = await said('validate', file, ...words, '--color');
    expect(stderr).toMatch(/^␛\[33mwarning:␛\[39m /);
    const { stderr: faults } = await said('validate', file, '--color', '--set', 'duration=1 x');
    expect(faults).toMatch(/^␛\[1m--set duration=1 x␛\[22m {2}\/duration {2}/);
    const { stderr: misuse } = await said('run', file, '--sede', '--color');
    expect(misuse).toMatch(/^␛\[31mfleetwave run:␛\[39m --sede is not an option; /);
  });
});
