/** The answers to one downlink's commands, gathered in order into one payload. */
import { OUTGOING_BYTES } from '../outgoing.ts';

export class Answers {
  readonly #bytes = new Uint8Array(OUTGOING_BYTES);
  #length = 0;

  /** Appends an answer; one that no longer fits is left out, and the server will ask again. */
  add(answer: Uint8Array): void {
    if (this.#length + answer.length > OUTGOING_BYTES) return;
    this.#bytes.set(answer, this.#length);
    this.#length += answer.length;
  }

  payload(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
