/** Where two files of lines begin to differ, such as the traces of two runs. */
import { closeSync, openSync, readSync } from 'node:fs';

export interface LineDifference {
  /** From 1. */
  readonly line: number;
  /** Undefined: the file has ended before. */
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** Undefined: they are the same. Neither is held in memory whole. */
export function firstDifference(pathA: string, pathB: string): LineDifference | undefined {
  const linesA = linesOf(pathA);
  const linesB = linesOf(pathB);
  try {
    for (let line = 1; ; line++) {
      const a = linesA.next().value;
      const b = linesB.next().value;
      if (a !== b) return { line, a, b };
      if (a === undefined) return undefined;
    }
  } finally {
    linesA.return(undefined);
    linesB.return(undefined);
  }
}

const CHUNK_BYTES = 1 << 20;

function* linesOf(path: string): Generator<string, undefined> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const decoder = new TextDecoder();
    let rest = '';
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, bytes), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}
