/** JSON for files that people open: indented, with each list of numbers on one line. */

/** Ends in a line feed; NaN and infinite numbers become null. */
export function toPrettyJson(document: unknown): string {
  const text = JSON.stringify(document, null, 2);
  return `${text.replace(/\[\s+((?:-?[\d.eE+-]+|null)(?:,\s+(?:-?[\d.eE+-]+|null))*)\s+\]/g, oneLine)}\n`;
}

function oneLine(_: string, numbers: string): string {
  return `[${numbers.replace(/,\s+/g, ', ')}]`;
}
