/** A file of the other kind: a study in place of a scenario gives this one problem only. */

import { isMap } from '../../sim/base/plain-data.ts';
import type { Fault } from '../language/problem.ts';

const isOfKind = (value: unknown, own: string, foreign: string): boolean =>
  isMap(value) && Object.hasOwn(value, own) && !Object.hasOwn(value, foreign);

/** Undefined: this may be a scenario, however wrong. */
export const studyInsteadOfScenario = (value: unknown): Fault | undefined =>
  isOfKind(value, 'parameters', 'devices')
    ? { path: ['parameters'], ofKey: true, complaint: 'is of a study: fleetwave study run FILE' }
    : undefined;

/** Undefined: this may be a study, however wrong. */
export const scenarioInsteadOfStudy = (value: unknown): Fault | undefined =>
  isOfKind(value, 'devices', 'parameters')
    ? { path: ['devices'], ofKey: true, complaint: 'is of a scenario: fleetwave run FILE' }
    : undefined;
