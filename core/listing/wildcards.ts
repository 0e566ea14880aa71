/** Texts with wildcards: `~` stands for any characters, also for none; all else for itself. */

/** Whether a text is of a pattern. Each piece is looked for once, from the left to the right. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('~');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  const pieces = rest.filter((piece) => piece !== '');
  return (text) => {
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false;
    let from = first.length;
    for (const piece of pieces) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= end;
  };
}
