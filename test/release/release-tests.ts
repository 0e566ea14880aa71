/**
 * Tests of what is published and of whole programs under kills: the packed package in a fresh
 * project, examples of pages, benches, engines and deliveries. They take a fifth of all CPU time
 * and seldom fail alone, so `npm test` leaves them to `npm run test:release` (`.ci/run`).
 */
export const RELEASE_TESTS: readonly string[] = [
  'test/crash/deliveries/deliveries.test.ts',
  'test/docs/questions.test.ts',
  'test/e2e/benches.test.ts',
  'test/e2e/engine.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/rest-page.test.ts',
  'test/host/compiled-code.test.ts',
  'test/lorawan/library-page.test.ts',
];
