/** A long text that is made piece by piece, each the work of some milliseconds. */
export class TextPieces {
  readonly pieces: Generator<string, undefined, undefined>;

  constructor(pieces: Generator<string, undefined, undefined>) {
    this.pieces = pieces;
  }
}
