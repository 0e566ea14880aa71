/** HTML that cannot be injected into: what a template is given is escaped, unless it is Markup. */

/** Finished HTML; only `html` and `trusted` make it. */
export interface Markup {
  readonly markup: string;
}

export type Content = string | number | Markup | readonly Content[];

/** Template tag: text is escaped, for between tags and in quoted attributes; lists are joined. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let markup = parts[0] ?? '';
  for (let at = 0; at < contents.length; at++) {
    markup += markupOf(contents[at] ?? '') + (parts[at + 1] ?? '');
  }
  return { markup };
}

function markupOf(content: Content): string {
  if (typeof content === 'string') {
    // For text and for attribute values in quotes.
    return content.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  }
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}

/** Declares text to be finished HTML: for literals and for drawings that escape on their own. */
export function trusted(markup: string): Markup {
  return { markup };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
