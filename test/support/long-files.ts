/** Test files that take long and seldom fail: `npm run test:long` has them, and each night. */
export const LONG_FILES: readonly string[] = [
  'test/campaigns/middle-of-steps.test.ts',
  'test/e2e/reported-day.test.ts',
  'test/lorawan/fragmentation-overhead.test.ts',
  'test/worlds/gateways-many.test.ts',
  'test/worlds/management-many.test.ts',
  'test/worlds/update-service-many.test.ts',
];
