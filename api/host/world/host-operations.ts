/** What the host offers besides the platform: its health, and the session as a scenario file. */

import { statSync } from 'node:fs';
import { record } from '../../../core/rows/answers.ts';
import { VERSION } from '../../../reports/version.ts';
import { ok } from '../../../sim/base/result.ts';
import { ANY_NUMBER } from '../../../sim/base/rows/fields.ts';
import type { TextPieces } from '../files/chunked-text.ts';
import { hostOperation } from '../requests/host-operation.ts';

const HEALTH = record({
  status: { type: 'choice', words: ['ok'], required: true, is: 'It answers.' },
  version: { type: 'text', required: true, is: 'Of Fleetwave.' },
  scenario: { type: 'text', required: true, is: 'Name of the scenario that is served.' },
});

const text = { type: 'text', required: true } as const;

const VERSIONS = record({
  Semantic: { ...text, is: 'The whole version.' },
  Major: { ...text, is: 'Its first number.' },
  Minor: { ...text, is: 'Its second number.' },
  Patch: { ...text, is: 'Its third number.' },
  BuildTime: { ...text, is: 'When this program was built.' },
});

/** Of this program: when its files were made. */
const buildTime = () => statSync(new URL(import.meta.url)).mtime.toISOString();

/** `health.get`, `version.get` and `session.get`, by kind. */
export const hostOperations = (scenario: string, sessionText: () => TextPieces) => ({
  'health.get': hostOperation({
    is: 'Whether the emulator answers.',
    takes: {},
    answers: HEALTH,
    fails: {},
    needs: null,
    handle: () => ok({ status: 'ok', version: VERSION, scenario }),
  }),
  'version.get': hostOperation({
    is: 'The version of this program.',
    takes: {},
    answers: VERSIONS,
    fails: {},
    needs: null,
    handle: () => {
      const [Major, Minor, Patch] = VERSION.split('.') as [string, string, string];
      return ok({ Semantic: VERSION, Major, Minor, Patch, BuildTime: buildTime() });
    },
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
