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
  readonly file: string;
  /** From 1; 0 where it is the whole file. */
  readonly line: number;
  readonly message: string;
}

/** `file:line  message`, as all faults of input are written. */
export const faultText = ({ file, line, message }: ListFault): string =>
  `${line > 0 ? `${file}:${line}` : file}  ${message}`;

/** What a reader makes of a file: its tables, or what is wrong with it. */
export interface ReadLists {
  readonly tables: readonly ListTable[];
  readonly faults: readonly ListFault[];
}

export const refused = (file: string, line: number, message: string): ReadLists => ({
  tables: [],
  faults: [{ file, line, message }],
});
