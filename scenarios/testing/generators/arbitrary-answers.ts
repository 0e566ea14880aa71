/** What generated devices answer to application downlinks (fast-check). */
import * as fc from 'fast-check';
import { type AnswerInput, ruleOf } from '../../../core/simulator/behaviours.ts';
import type { AnswerRule } from '../../../sim/plan/answer-rules.ts';

/** Few ports and payloads, so that rules fit what generated worlds send. */
const fPort = fc.constantFrom(1, 5, 10, 203, 225);
const hex = fc.oneof(
  fc.constantFrom('', '01', '0A0B0C'),
  fc.constantFrom(12, 52, 242).map((bytes) => 'A5'.repeat(bytes)),
);

const ruleWith = <Delay>(delay: fc.Arbitrary<Delay>) =>
  fc.record(
    { onFPort: fPort, onHex: hex, sendFPort: fPort, sendHex: hex, delay },
    { requiredKeys: [], noNullPrototype: true },
  );

const rulesWith = <Delay>(delay: fc.Arbitrary<Delay>) =>
  fc.oneof(
    // Rules that answer everything, so that most downlinks are answered.
    fc.array(fc.record({ delay }, { requiredKeys: [], noNullPrototype: true }), {
      minLength: 1,
      maxLength: 1,
    }),
    fc.array(ruleWith(delay), { maxLength: 4 }),
  );

/** As the service is given them. */
export const givenAnswers = rulesWith(fc.constantFrom(0, 0.5, 3, 90)) as fc.Arbitrary<
  AnswerInput[]
>;

/** As plans have them. */
export const answerRules: fc.Arbitrary<readonly AnswerRule[]> = givenAnswers.map((rules) =>
  rules.map(ruleOf),
);

/** As files write them. */
export const answerKnobs: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('echo', 'none'),
  rulesWith(fc.constantFrom('0 s', '500 ms', '3 s', '2 min')),
);
