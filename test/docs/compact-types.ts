/**
 * Generated types on fewer lines: `npm run openapi` shortens what openapi-typescript writes. It
 * leaves out members that are never there, and joins short blocks, comments and errors into lines
 * of at most 140 columns. The types stay the same.
 */

const WIDTH = 140;

/** What no type needs: absent members, and comments that repeat the type. */
const LEFT_OUT = [
  /^\s*\w+\?: never;$/,
  /^\s*\/\*\* @description Done\. \*\/$/,
  /^\s*\* @(enum \{string\}|constant)$/,
  /^\s*\* Format: date-time$/,
];

export function compactTypes(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^ +/, (indent) => ' '.repeat(indent.length / 2)))
    .filter((line) => !LEFT_OUT.some((pattern) => pattern.test(line)));
  const out: string[] = [];
  for (const line of joinedComments(lines).filter((each) => !/^\s*\/\*\* \*\/$/.test(each))) {
    if (isError(line) && isError(out.at(-1))) {
      const both = `${out.at(-1)} ${line.trim()}`;
      if (both.length <= WIDTH) {
        out[out.length - 1] = both;
        continue;
      }
    }
    out.push(line);
    if (/^\s*\}/.test(line)) joinBlock(out);
  }
  return out.join('\n').replaceAll(/^ +parameters: \{\};\n/gm, '');
}

const isError = (line: string | undefined): boolean =>
  /^\s*\d{3}: components\["responses"\]/.test(line ?? '');

/** The block that ends in the last line, on one line if it fits and has no comment. */
function joinBlock(out: string[]): void {
  const start = out.findLastIndex((line, at) => at < out.length - 1 && /\{$|^\s*\}|\*/.test(line));
  const first = out[start];
  if (first === undefined || !first.endsWith('{') || /^export|\*/.test(first)) return;
  const [last = '', ...inner] = out
    .slice(start + 1)
    .map((line) => line.trim())
    .reverse();
  const body = inner.reverse().join(' ').replace(/;$/, '');
  const joined = body === '' ? `${first}${last}` : `${first} ${body} ${last}`;
  if (joined.length <= WIDTH) out.splice(start, out.length, joined);
}

/** Begin and end of a comment stand on lines with text. */
function joinedComments(lines: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (const line of withoutExamples(lines)) {
    const isText = /^\s*\*(?!\/)/.test(line);
    if (isText && /^\s*\/\*\*$/.test(out.at(-1) ?? '')) {
      out[out.length - 1] += line.trim().slice(1);
    } else if (/^\s*\*\/$/.test(line)) {
      out[out.length - 1] += ' */';
    } else out.push(isText ? line.replace('*', ' *') : line);
  }
  return out;
}

/** The document has the examples; `@example` goes on to the next tag, or the end of the comment. */
function withoutExamples(lines: readonly string[]): readonly string[] {
  let isExample = false;
  return lines.filter((line) => {
    if (/^\s*\/?\*+ @/.test(line)) isExample = /\* @example/.test(line);
    else if (/^\s*\*\/$/.test(line)) isExample = false;
    const isWhole = isExample && /\*\/$/.test(line);
    const isLeftOut = isExample;
    if (isWhole) isExample = false;
    return !isLeftOut;
  });
}
