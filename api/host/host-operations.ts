/** What the host offers besides the platform: its health, and the session as a scenario file. */
import { record } from '../../core/kit/answers.ts';
import { ANY_NUMBER } from '../../core/kit/fields.ts';
import { ok } from '../../sim/base/result.ts';
import { hostOperation } from './host-operation.ts';
import { VERSION } from './version.ts';

const HEALTH = record({
  status: { type: 'choice', words: ['ok'], required: true, is: 'It answers.' },
  version: { type: 'text', required: true, is: 'Of Fleetwave.' },
  scenario: { type: 'text', required: true, is: 'Name of the scenario that is served.' },
});

/** `health.get` and `session.get`, by kind. */
export const hostOperations = (scenario: string, sessionText: () => string) => ({
  'health.get': hostOperation({
    is: 'Whether the emulator answers.',
    takes: {},
    answers: HEALTH,
    fails: {},
    needs: null,
    handle: () => ok({ status: 'ok', version: VERSION, scenario }),
  }),
  'session.get': hostOperation({
    is:
      'What was asked so far as a scenario file, which `fleetwave run` repeats. It holds keys of ' +
      'all subscribers in clear.',
    takes: {},
    answers: { type: 'text', least: 0, most: ANY_NUMBER, raw: true },
    fails: {},
    needs: { object: 'Simulator', verb: 'list' },
    handle: () => ok(sessionText()),
  }),
});
