/** Files that are written line by line: JSON documents (NDJSON), and the rows of an observer. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { assert } from '../../../sim/base/assert.ts';
import type { Observer, TraceRow } from '../../../sim/observation/observer.ts';
import { namingFile } from '../process/system-error.ts';

/** Characters that are gathered before they are written. */
const BUFFER_CHARACTERS = 1 << 20;

/** Lines are gathered, and written when they are many. */
export class LinesFile {
  readonly #path: string;
  readonly #file: number;
  #lines: string[] = [];
  #characters = 0;
  #isClosed = false;

  /** Creates or empties the file. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w');
  }

  /** Ends in a line feed that is not of `text`. */
  line(text: string): void {
    assert(!this.#isClosed, 'no line comes after the file was closed');
    this.#lines.push(`${text}\n`);
    this.#characters += text.length + 1;
    if (this.#characters >= BUFFER_CHARACTERS) this.#flush();
  }

  /** Writes what is not written yet; called once, after the last line. */
  close(): void {
    assert(!this.#isClosed, 'a file is closed once');
    this.#isClosed = true;
    this.#flush();
    namingFile(this.#path, () => closeSync(this.#file));
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines.join(''));
    namingFile(this.#path, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    });
    this.#lines = [];
    this.#characters = 0;
  }
}

export class NdjsonFile extends LinesFile {
  rows = 0;

  write(row: object): void {
    this.rows++;
    this.line(JSON.stringify(row));
  }
}

/** Rows of an observer. Traces are shared, so keys are left out unless the user asks for them. */
export class TraceFile extends NdjsonFile implements Observer {
  readonly #withKeys: boolean;

  constructor(path: string, { withKeys = false }: { readonly withKeys?: boolean } = {}) {
    super(path);
    this.#withKeys = withKeys;
  }

  trace(row: TraceRow): void {
    this.write(this.#withKeys ? row : withoutKeys(row));
  }
}

/** A row without its root keys and session keys. */
function withoutKeys(row: TraceRow): object {
  switch (row.kind) {
    case 'deviceStarts': {
      const { appKey: _app, nwkKey: _nwk, ...others } = row;
      return others;
    }
    case 'uplinkBegins':
    case 'downlinkPlanned': {
      const { keys: _keys, ...others } = row;
      return others;
    }
    default:
      return row;
  }
}
