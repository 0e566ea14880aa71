/** The Dockerfile: `npm run test:docker` carries it out; here is what can be seen at once. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contextOf, stepsOf } from './steps.ts';

const steps = stepsOf(readFileSync('Dockerfile', 'utf8'));
const restOf = (word: string) => steps.filter((step) => step.word === word).map(({ rest }) => rest);

it('copies all that the package is built of, and nothing that was built here', () => {
  const context = contextOf('.');
  expect(context).toEqual(
    expect.arrayContaining(['package-lock.json', 'api/bundle.mjs', '.npmrc']),
  );
  expect(context.filter((file) => /^(dist|node_modules|out)\//.test(file))).toEqual([]);
});

it('runs as a user of its own, and keeps its world in a volume of theirs', () => {
  expect(restOf('USER')).toEqual(['node']);
  expect(restOf('VOLUME')).toEqual(['/data']);
});

it('is started with settings that `fleetwave serve` takes', () => {
  const env = Object.fromEntries(
    restOf('ENV')[0]!
      .split(' ')
      .map((each) => each.split('=')),
  );
  const words = ['dist/fleetwave.js', ...JSON.parse(restOf('CMD')[0]!), '--print-config'];
  const { status, stdout } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(status).toBe(0);
  expect(stdout).toContain('host: 0.0.0.0  # environment FLEETWAVE_HOST');
  expect(stdout).toContain('enable_sim_control: true');
});

it('is healthy by a path that needs no token', () => {
  expect(restOf('HEALTHCHECK')[0]).toContain('/sim/v1/health');
});
