/** JSON for files that people open: indented, with each list of numbers on one line. */

const NUMBER = '(?:-?[\\d.eE+-]+|null)';
/** A line feed follows the bracket, which no JSON string has in it. */
const NUMBERS = new RegExp(`\\[\\n *(${NUMBER}(?:,\\n *${NUMBER})*)\\n *\\]`, 'g');

/** Ends in a line feed; NaN and infinite numbers become null. */
export function toPrettyJson(document: unknown): string {
  const text = JSON.stringify(document, null, 2);
  const oneLine = (_: string, numbers: string) => `[${numbers.replace(/,\s+/g, ', ')}]`;
  return `${text.replace(NUMBERS, oneLine)}\n`;
}
