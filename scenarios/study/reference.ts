/** The knobs of a study file, as JSON Schema and as a Markdown table. */
import * as z from 'zod';
import { tableOf } from '../schema/reference.ts';
import { StudySchema } from './study-schema.ts';

/** JSON Schema of a study file (draft 2020-12), with ranges and defaults. */
export const studyJsonSchema = (): Record<string, unknown> =>
  z.toJSONSchema(StudySchema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;

/** Ends in a line feed. */
export const studyKnobTable = (): string => tableOf(studyJsonSchema());
