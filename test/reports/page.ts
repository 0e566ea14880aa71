/** Reads a report as a browser would, strictly: every `<` outside the style sheet opens a tag. */

const TAG = /<!doctype html>|<(\/?[a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9-]+="[^"<>]*")*)\s*\/?>/gy;

export interface Page {
  /** Tags with the names of their attributes, in order; the skeleton without any text. */
  readonly skeleton: readonly string[];
  /** Text between the tags, entities resolved, one entry for each stretch. */
  readonly texts: readonly string[];
  /** Values of attributes by their name. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** Throws at the first thing that is neither a known form of tag nor text. */
export function readPage(html: string): Page {
  const page = {
    skeleton: [] as string[],
    texts: [] as string[],
    attributes: [] as [string, string][],
  };
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const end = next < 0 ? html.length : next;
    if (end > at) page.texts.push(resolved(html.slice(at, end)));
    at = end === html.length ? end : readTag(html, end, page);
  }
  return page;
}

function readTag(
  html: string,
  at: number,
  page: { skeleton: string[]; attributes: [string, string][] },
): number {
  TAG.lastIndex = at;
  const found = TAG.exec(html);
  if (found === null) throw new Error(`not a tag: ${html.slice(at, at + 120)}`);
  const [text, name = '', attributes = ''] = found;
  const pairs = [...attributes.matchAll(/([a-zA-Z0-9-]+)="([^"]*)"/g)];
  for (const [, attribute, value] of pairs) page.attributes.push([attribute, resolved(value)]);
  page.skeleton.push([name, ...pairs.map(([, attribute]) => attribute)].join(' '));
  return name === 'style' ? html.indexOf('</style>', at) : at + text.length;
}

function resolved(text: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return text.replace(/&(#?\w+);/g, (whole, name: string) => named[name] ?? whole);
}

/** Everything that is read, white space made single. */
export function wordsOf(html: string): string {
  return readPage(html).texts.join(' ').replace(/\s+/g, ' ');
}

/** Rows of the table with this caption: heading cell first, thin spaces made plain. */
export function rowsOf(html: string, caption: RegExp): string[][] {
  const table = html.split('<table').find((part) => caption.test(captionOf(part)));
  if (table === undefined) throw new Error(`no table is called ${caption}`);
  const body = table.slice(table.indexOf('<tbody>'), table.indexOf('</tbody>'));
  return body
    .split('<tr>')
    .slice(1)
    .map((row) =>
      row
        .split(/<\/t[hd]>/)
        .slice(0, -1)
        .map(cellText),
    );
}

function captionOf(table: string): string {
  return cellText(/<caption>(.*?)<\/caption>/s.exec(table)?.[1] ?? '');
}

function cellText(cell: string): string {
  return resolved(cell.replace(/<[^>]*>/g, ' '))
    .replace(/\u202F/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
