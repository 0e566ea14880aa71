/** What plain data consists of. */

/** An object that is no list, whatever its entries are. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
