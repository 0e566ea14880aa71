/** Expressions of study files, which a host computes, and texts with expressions in braces. */

/** Value of an expression, or its problem. */
export type Evaluated =
  | { readonly ok: true; readonly value: number | readonly number[] }
  | { readonly ok: false; readonly what: string };

/** Computes expressions: those of mathjs, at the command line (`api/host/studies`). */
export interface Expressions {
  readonly evaluate: (text: string, names: Readonly<Record<string, number>>) => Evaluated;
}

const IN_BRACES = /\{([^{}]*)\}/g;

export const hasExpression = (value: unknown): boolean =>
  typeof value === 'string' && /\{[^{}]*\}/.test(value);

export type Filled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly what: string };

/**
 * A text with its expressions computed: `{3600 / rate} s` is `360 s` where rate is 10. What is one
 * expression alone is a number, and what has none stays as it is.
 */
export function filled(
  value: unknown,
  names: Readonly<Record<string, number>>,
  { evaluate }: Expressions,
): Filled {
  if (typeof value !== 'string' || !hasExpression(value)) return { ok: true, value };
  const faults: string[] = [];
  const numbers: number[] = [];
  const text = value.replace(IN_BRACES, (_, expression: string) => {
    const evaluated = evaluate(expression, names);
    if (!evaluated.ok) faults.push(evaluated.what);
    else if (typeof evaluated.value !== 'number') faults.push(`{${expression}} is not one number`);
    else numbers.push(evaluated.value);
    return String(numbers.at(-1));
  });
  const [fault] = faults;
  if (fault !== undefined) return { ok: false, what: fault };
  const isAlone = numbers.length === 1 && /^\s*\{[^{}]*\}\s*$/.test(value);
  return { ok: true, value: isAlone ? numbers[0] : text };
}
