/** Ascending whole numbers as text: `1-3,7`. */

export function rangesOf(numbers: readonly number[]): string {
  const spans: [first: number, last: number][] = [];
  for (const number of numbers) {
    const span = spans.at(-1);
    if (span !== undefined && span[1] === number - 1) span[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** What `rangesOf` wrote. */
export function numbersIn(ranges: string): number[] {
  if (ranges === '') return [];
  return ranges.split(',').flatMap((span) => {
    const [first = '', last = first] = span.split('-');
    const from = Number(first);
    return Array.from({ length: Number(last) - from + 1 }, (_, at) => from + at);
  });
}
