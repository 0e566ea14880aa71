/** Knobs of what devices answer to application downlinks. */
import * as z from 'zod';
import {
  ANSWER_RULE,
  type AnswerInput,
  MOST_RULES,
  ruleOf,
} from '../../core/simulator/behaviours.ts';
import type { AnswerRule } from '../../sim/plan/answer-rules.ts';
import { quote, read, refuse, unknownWord } from '../language/complaint.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { leaf, list, record } from '../language/knob.ts';
import { applicationPort, frmPayload } from '../language/readers.ts';

const Rule = record(
  fieldKnobs(ANSWER_RULE, {
    onFPort: applicationPort(),
    onHex: frmPayload(),
    sendFPort: applicationPort(),
    sendHex: frmPayload(),
  }),
);

/** Rules by the words that stand for them. */
const WORDS: ReadonlyMap<unknown, readonly AnswerInput[]> = new Map([
  ['echo', [{}]],
  ['none', []],
]);
const ALLOWED = 'echo, none, or a list of rules';
const words = [...WORDS.keys()] as string[];

const word = leaf<readonly AnswerInput[]>(
  (input) => {
    const rules = WORDS.get(input);
    if (rules !== undefined) return read(rules);
    if (typeof input !== 'string') return refuse(`${quote(input)} is no answer`, ALLOWED);
    return unknownWord(`${quote(input)} is not known`, input, words);
  },
  { enum: words },
);

/** `echo`, `none`, or a list of rules. */
export const answers = () =>
  z.union([word, list(Rule, 0, MOST_RULES, 'rules')]) as z.ZodType<readonly AnswerInput[], unknown>;

const isEcho = (rules: readonly AnswerInput[]): boolean =>
  rules.length === 1 && Object.keys(rules[0]!).length === 0;

/** The plan of a population's answers; nothing when each downlink is sent back. */
export const answersPlan = (
  rules: readonly AnswerInput[],
): { readonly answers?: readonly AnswerRule[] } =>
  isEcho(rules) ? {} : { answers: rules.map(ruleOf) };
