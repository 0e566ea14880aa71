/**
 * Tests of what is published and of whole programs: the packed package in a fresh project, examples
 * of pages, benches, engines, kills, restarts, hostile bytes, and of the tests' own tools. They
 * take a third of all CPU time and seldom fail alone, so `npm test` leaves them to
 * `npm run test:release` (`.ci/run`).
 */
export const RELEASE_TESTS: readonly string[] = [
  'test/action/action.test.ts',
  'test/bridge/survival.test.ts',
  'test/crash/deliveries/deliveries.test.ts',
  'test/crash/keys.test.ts',
  'test/crash/restart.test.ts',
  'test/docs/questions.test.ts',
  'test/e2e/benches.test.ts',
  'test/e2e/checks-of-programs.test.ts',
  'test/e2e/durable.test.ts',
  'test/e2e/engine.test.ts',
  'test/e2e/engines.test.ts',
  'test/e2e/exec.test.ts',
  'test/e2e/init.test.ts',
  'test/e2e/outputs.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/rest-page.test.ts',
  'test/e2e/serve.test.ts',
  'test/e2e/solve.test.ts',
  'test/e2e/stored-code-of-all.test.ts',
  'test/e2e/watch.test.ts',
  'test/host/process/compiled-code.test.ts',
  'test/host/deliveries/connect-timeout.test.ts',
  'test/http/neighbours.test.ts',
  'test/http/raw-bytes.test.ts',
  'test/http/whole-worlds.test.ts',
  'test/lorawan/library-page.test.ts',
  'test/mutants/mutants.test.ts',
  'test/python/python.test.ts',
  'test/scenarios/hostile-texts.test.ts',
  'test/scenarios/testing.test.ts',
  'test/support/property-runs.test.ts',
  'test/workers/warm-ups.test.ts',
  'test/worlds/validation.test.ts',
];
