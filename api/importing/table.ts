/** Lists as tables: headers, cells as text, and the line where each row stands. */

/** One list of devices or gateways, in whichever form it was. */
export interface ListTable {
  readonly file: string;
  /** The form in words, such as `CSV, semicolons`. */
  readonly form: string;
  readonly columns: readonly string[];
  /** Cells are trimmed; one that a row lacks is empty. */
  readonly rows: readonly (readonly string[])[];
  /** Line of a row in the file, from 1. */
  readonly lineOf: (row: number) => number;
  /** Line of the headers; 0 where the form has none. */
  readonly headerLine: number;
}

/** Something wrong with a list, in words that say what is allowed. */
export interface ListFault {
  /** '' where it is of all lists. */
  readonly file: string;
  /** From 1; 0 where it is the whole file. */
  readonly line: number;
  readonly message: string;
  /** Index of the row, for the order. */
  readonly row?: number;
}

/** A fault of a row. Its line and words are derived when it is shown: there may be very many. */
export class RowFault implements ListFault {
  readonly table: ListTable;
  readonly row: number;
  readonly #message: string | (() => string);

  constructor(table: ListTable, row: number, message: string | (() => string)) {
    this.table = table;
    this.row = row;
    this.#message = message;
  }

  get file(): string {
    return this.table.file;
  }

  get line(): number {
    return this.table.lineOf(this.row);
  }

  get message(): string {
    return typeof this.#message === 'string' ? this.#message : this.#message();
  }
}

/** `file:line  message`, as all faults of input are written. */
export function faultText({ file, line, message }: ListFault): string {
  if (file === '') return message;
  return `${line > 0 ? `${file}:${line}` : file}  ${message}`;
}

/** What a reader makes of a file: its tables, or what is wrong with it. */
export interface ReadLists {
  readonly tables: readonly ListTable[];
  readonly faults: readonly ListFault[];
}

export const refused = (file: string, line: number, message: string): ReadLists => ({
  tables: [],
  faults: [{ file, line, message }],
});
