/** What versions 0 and 1 of the platform answer to what they have done: `{"Response": true}`. */
import { ok } from '../../sim/base/result.ts';
import { record } from '../rows/answers.ts';

export const RESPONSE = record({
  Response: { type: 'flag', required: true, is: 'That it is done.' },
});

/** That answer, once the work is done. */
export const responded = (_work?: unknown) => ok({ Response: true });
