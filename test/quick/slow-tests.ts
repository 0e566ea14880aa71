/**
 * Tests that `npm run test:quick` leaves out, since they take most of the time of `npm test`: whole
 * worlds and campaigns, planted faults, programs, and a few files of other folders. A path that
 * ends with a slash is a folder. The quick run names files that belong here (`SLOW_SHARE`).
 */
export const SLOW_TESTS: readonly string[] = [
  'test/campaigns/',
  'test/core/halt-and-save.test.ts',
  'test/crash/',
  'test/e2e/',
  'test/gallery/',
  'test/host/advance.test.ts',
  'test/host/deliveries/connect-timeout.test.ts',
  'test/host/plain-http.test.ts',
  'test/http/fuzz.test.ts',
  'test/http/raw-bytes.test.ts',
  'test/http/rows-and-schemas.test.ts',
  'test/http/session.test.ts',
  'test/lorawan/fragmentation-overhead.test.ts',
  'test/mutants/',
  'test/scenarios/arbitraries.test.ts',
  'test/scenarios/hostile-files.test.ts',
  'test/scenarios/hostile-texts.test.ts',
  'test/scenarios/law-costs.test.ts',
  'test/scenarios/library.test.ts',
  'test/scenarios/property-tests.test.ts',
  'test/scenarios/testing.test.ts',
  'test/sim/network-server.test.ts',
  'test/sim/overlapping-sessions.test.ts',
  'test/support/',
  'test/worlds/',
];

/** A file that takes more than this share of the quick run is slow, however busy the machine is. */
export const SLOW_SHARE = 0.15;
