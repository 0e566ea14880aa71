/** Values read by rows at once, as operations read them. */
import { fieldsReader } from '../../core/base/reading.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';

export const readFields = (
  fields: Fields,
  input: unknown,
  at: Parameters<typeof fieldsReader>[1],
) => fieldsReader(fields, at)(input);
