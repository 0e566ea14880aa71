/** One JSON document a line (NDJSON), and the rows of an observer as such a file. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { assert } from '../../sim/base/assert.ts';
import type { Observer, TraceRow } from '../../sim/observation/observer.ts';

/** Characters that are gathered before they are written. */
const BUFFER_CHARACTERS = 1 << 20;

export class NdjsonFile {
  rows = 0;
  readonly #file: number;
  #lines: string[] = [];
  #characters = 0;
  #isClosed = false;

  /** Creates or empties the file. */
  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(row: object): void {
    assert(!this.#isClosed, 'no row comes after the file was closed');
    const line = `${JSON.stringify(row)}\n`;
    this.rows++;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= BUFFER_CHARACTERS) this.#flush();
  }

  /** Writes what is not written yet; called once, after the last row. */
  close(): void {
    assert(!this.#isClosed, 'a file is closed once');
    this.#isClosed = true;
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines.join(''));
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#lines = [];
    this.#characters = 0;
  }
}

export class TraceFile extends NdjsonFile implements Observer {
  trace(row: TraceRow): void {
    this.write(row);
  }
}
