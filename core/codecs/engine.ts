/**
 * The port of the engine that runs codecs written in JavaScript. A host gives one to its worlds
 * (`WorldOptions.codecs`); nothing here knows how it works. What a call leads to is a function of
 * the source, of the call and of nothing else: not of earlier calls, of the machine, or of time.
 */

export interface CodecEngine {
  /** A source, ready to be called; or what is wrong with it. */
  open(source: string): OpenedCodec;
}

export type OpenedCodec =
  | { readonly sandbox: CodecSandbox }
  | {
      /** A sentence without a full stop. */
      readonly wrong: string;
      /** Line of the source, from 1 on; null where none is to blame. */
      readonly line: number | null;
    };

/** Functions that a codec may declare. */
export const CODEC_FUNCTIONS = [
  'decodeUplink',
  'encodeDownlink',
  'encodeConfiguration',
  'decodeConfiguration',
  'isEcho',
] as const;
export type CodecFunction = (typeof CODEC_FUNCTIONS)[number];

export interface CodecSandbox {
  /** Those that the source declares. */
  readonly functions: readonly CodecFunction[];
  /** What the source declares as `configuration`, JSON text; undefined: nothing. */
  readonly configuration: string | undefined;
  /** Steps that evaluating the source took; a call may have to do that again first. */
  readonly loadSteps: number;
  call(called: CodecFunction, call: CodecCall): CodecOutcome;
}

export interface CodecCall {
  /** What the function gets, JSON text of a map. */
  readonly input: string;
  /** What `Date` says, ms since 1970. */
  readonly nowMs: number;
  /** What `Math.random` derives from: four words of 32 bits. */
  readonly random: readonly [number, number, number, number];
  /** Fields of the input that the function gets as a `Date`, from ms. */
  readonly dates: boolean;
}

/** Steps are those of the interpreter itself: the same on each machine. */
export type CodecOutcome = { readonly steps: number } & (
  | { /** JSON text; undefined: nothing was answered. */ readonly text: string | undefined }
  | { /** What the function threw, or which limit it passed. */ readonly fault: string }
);

/** Limits of codecs. */
export const CODEC_LIMITS = {
  /** Characters of a source. */
  source: 262_144,
  /** Steps of a call. */
  steps: 500_000,
  /** Steps in which a source declares what it has. */
  loadSteps: 5_000_000,
  /** Bytes of its heap. */
  heap: 4_194_304,
  /** Calls within calls, of the interpreter itself; some 300 of a codec's own functions. */
  depth: 800,
  /** Bytes of an answer. */
  answer: 65_536,
} as const;
