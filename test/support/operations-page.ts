/** The numbers of docs/operations.md: its rows and rules, and how titles of tests name them. */

/** Rows and rules that the page has. */
export function numbersOf(page: string): { readonly rows: number[]; readonly rules: number[] } {
  const first = (pattern: RegExp) =>
    [...page.matchAll(pattern)].map(([, digits]) => Number(digits));
  return { rows: first(/^\| (\d+) \|/gm), rules: first(/^\| E(\d+) \|/gm) };
}

/** `rows 9, 11 and 13 to 15, E5: …` names rows 9, 11, 13, 14 and 15. */
export function rowsOf(title: string): number[] {
  const words = /^rows? ([\d, andto]+)/.exec(title)?.[1] ?? '';
  return words.split(/,| and /).flatMap((part) => {
    const [first, last = first] = part.split(' to ').map((word) => Number.parseInt(word, 10));
    if (first === undefined || last === undefined || Number.isNaN(first)) return [];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** … and rule E5; what stands behind the colon names none. */
export const rulesOf = (title: string): number[] =>
  [...(title.split(':')[0] ?? '').matchAll(/\bE(\d{1,2})\b/g)].map(([, digits]) => Number(digits));
