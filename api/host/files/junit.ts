/**
 * JUnit XML of judged expectations, as Jenkins, GitLab, Azure and GitHub's actions read it: a test
 * case for each expectation, with what was measured, what was wanted, and how to repeat it.
 */
import junit, { type Builder, type TestSuite } from 'junit-report-builder';
import type { Check, CheckReport } from '../../../reports/checks/check.ts';

/** Its types are of an ES module; Node.js imports the builder itself. */
const BUILDER = junit as unknown as Builder;

/** Ends in a line feed. */
export function junitXml({ suite, seconds, properties, checks }: CheckReport): string {
  const builder = BUILDER.newBuilder().name(`fleetwave ${legible(suite)}`);
  const own = builder
    .testSuite()
    .name(legible(suite))
    .time(Math.round(1000 * seconds) / 1000);
  for (const [name, value] of Object.entries(properties)) own.property(name, legible(value));
  for (const check of checks) addCase(own, suite, check);
  return `${builder.build().trimEnd()}\n`;
}

function addCase(own: TestSuite, suite: string, check: Check): void {
  const { name, actual, wanted, state, seed, command } = check;
  const one = own.testCase().className(legible(suite)).name(legible(name)).time(0);
  for (const [key, value] of Object.entries({ actual, wanted, seed, command })) {
    one.property(key, legible(value));
  }
  const lines = `actual: ${actual}\nwanted: ${wanted}\nseed: ${seed}\nrepeat: ${command}\n`;
  // It would end the CDATA section in which they stand.
  const words = legible(lines).replaceAll(']]>', ']] >');
  const message = legible(`${name}: actual ${actual}, wanted ${wanted}`);
  if (state === 'fails') one.failure(message, 'expectation').stacktrace(words);
  else if (state === 'broken') one.error(message, 'broken', words);
  else if (state === 'skipped') one.skipped();
  one.standardOutput(words);
}

/** XML 1.0 has no way to write most control characters, nor half a surrogate pair. */
const legible = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '�');
