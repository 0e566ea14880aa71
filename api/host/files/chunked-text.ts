/** A long text that is made piece by piece, each the work of some milliseconds. */
export class TextPieces {
  readonly pieces: Generator<string, undefined, undefined>;

  constructor(pieces: Generator<string, undefined, undefined>) {
    this.pieces = pieces;
  }
}

/** A document of JSON whose fields, and entries of whose lists, are written one by one. */
export const textOf = (document: object): TextPieces => new TextPieces(fieldsOf(document));

function* fieldsOf(document: object): Generator<string, undefined, undefined> {
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* entriesOf(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
  return undefined;
}

function* entriesOf(list: readonly unknown[]): Generator<string, void, undefined> {
  let before = '[';
  for (const each of list) {
    yield before + (JSON.stringify(each) ?? 'null');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
