/**
 * The engine's one instance: a memory, and the functions of QuickJS on it. What a codec has left in
 * the memory once its source is evaluated is its image; each call begins with that image put back,
 * byte by byte, so that nothing of an earlier call is left, whatever it did. Nothing of the host is
 * within reach: neither clock, nor time zone, nor environment, nor files.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CODEC_LIMITS } from '../../../core/codecs/engine.ts';
import { METERS, metered } from './metering.ts';
import { type Instance, type Memory, type Meter, webAssembly } from './web-assembly.ts';

/** Which build of the engine this file knows: its names are letters. */
const FILE = '@jitl/quickjs-wasmfile-release-sync/wasm';
const BUILD_SHA256 = '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232';

/** Functions of the build by what they do. */
const NAMES = {
  begin: 'u',
  allocate: 'v',
  limitHeap: 'y',
  limitStack: 'D',
  undefinedValue: 'E',
  newRuntime: 'K',
  newContext: 'N',
  textOf: '$',
  newText: '_',
  call: 'ma',
  exceptionIn: 'na',
  evaluate: 'pa',
} as const;

/** Where the build keeps what, in bytes. */
const STATICS = { from: 1_024, until: 90_208 } as const;
const HEAP = 5_333_088;
const PAGE = 65_536;
const PAGES = 256;
const ZEROS = Buffer.alloc(PAGE);
/** Bytes of the engine's own stack that scripts may use; the depth of calls ends sooner, mostly. */
const STACK_BYTES = 262_144;

/** JS_EVAL_TYPE_MODULE. */
const MODULE_FLAG = 1;

/** What a codec has left in the memory. */
export interface Image {
  readonly statics: Uint8Array;
  readonly heap: Uint8Array;
}

/** A place in the memory; 0 is none. */
export type Pointer = number;
type Native = (...given: readonly (number | bigint)[]) => number;

/** A call trapped: it had no steps left, or was too deep. */
export class Trapped extends Error {}

/** What is to be written has no place in the memory. */
export class OutOfMemory extends Error {}

export class Machine {
  readonly #memory: Memory = new webAssembly.Memory({ initial: PAGES, maximum: PAGES });
  readonly #bytes = new Uint8Array(this.#memory.buffer);
  readonly #words = new Int32Array(this.#memory.buffer);
  readonly #native: Readonly<Record<keyof typeof NAMES, Native>>;
  readonly #stack: Meter;
  readonly #steps: Meter;
  readonly #depth: Meter;
  readonly #stackTop: number;
  readonly #context: Pointer;
  /** What `Date` says, ms since 1970. */
  nowMs = 0;

  constructor() {
    const { exports } = this.#load();
    const entries = Object.entries(NAMES).map(([does, name]) => [does, exports[name] as Native]);
    this.#native = Object.fromEntries(entries);
    this.#stack = exports[METERS.stack] as Meter;
    this.#steps = exports[METERS.steps] as Meter;
    this.#depth = exports[METERS.depth] as Meter;
    this.#stackTop = this.#stack.value;
    this.#steps.value = CODEC_LIMITS.loadSteps;
    this.#native.begin();
    const runtime = this.#native.newRuntime();
    this.#native.limitHeap(runtime, CODEC_LIMITS.heap);
    this.#native.limitStack(runtime, STACK_BYTES);
    this.#context = this.#native.newContext(runtime, 0);
  }

  #load(): Instance {
    const file = createRequire(import.meta.url).resolve(FILE);
    const bytes = readFileSync(file);
    if (createHash('sha256').update(bytes).digest('hex') !== BUILD_SHA256) {
      throw new Error(`${file} is another build of the engine than the one that is known here`);
    }
    const module = new webAssembly.Module(metered(bytes, CODEC_LIMITS.depth));
    return new webAssembly.Instance(module, { a: this.#imports() });
  }

  // ── the host, as the engine sees it ────────────────────────────────────────────────────────────

  #imports(): object {
    const refused = 'bcdghijloqrst'.split('').map((name) => [name, refuse] as const);
    return {
      ...Object.fromEntries(refused),
      a: this.#memory,
      // There is no environment.
      e: () => 0,
      f: (count: number, size: number) => {
        this.#words[count >> 2] = 0;
        this.#words[size >> 2] = 0;
        return 0;
      },
      // The memory does not grow.
      k: () => 0,
      m: (seconds: bigint, at: number) => this.#writeTime(Number(seconds), at),
      // The zone is UTC, whose name nobody asks for.
      n: () => undefined,
      p: () => this.nowMs,
    };
  }

  /** The parts of an instant, in UTC. */
  #writeTime(seconds: number, at: number): void {
    const date = new Date(1000 * seconds);
    const year = date.getUTCFullYear();
    const parts = [
      date.getUTCSeconds(),
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth(),
      year - 1900,
      date.getUTCDay(),
      Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000),
      0,
      0,
    ];
    this.#words.set(parts, at >> 2);
  }

  // ── images ─────────────────────────────────────────────────────────────────────────────────────

  /** Between two calls. */
  image(): Image {
    return {
      statics: this.#bytes.slice(STATICS.from, STATICS.until),
      heap: this.#bytes.slice(HEAP, this.#end),
    };
  }

  /** Where the heap ends: with marks of the allocator, which are not 0. */
  get #end(): number {
    let end = this.#bytes.length;
    while (ZEROS.equals(this.#bytes.subarray(end - PAGE, end))) end -= PAGE;
    let last = end / 4 - 1;
    while (this.#words[last] === 0) last--;
    return 4 * (last + 1);
  }

  restore({ statics, heap }: Image): void {
    this.#bytes.set(statics, STATICS.from);
    this.#bytes.set(heap, HEAP);
    this.#stack.value = this.#stackTop;
    this.#depth.value = 0;
  }

  /** The same, with nothing but 0 behind the heap. */
  restoreAll(image: Image): void {
    this.#bytes.fill(0, HEAP + image.heap.length, Math.max(this.#end, HEAP + image.heap.length));
    this.restore(image);
  }

  // ── scripts ────────────────────────────────────────────────────────────────────────────────────

  /** Sets the step budget of the following calls. */
  allow(steps: number): void {
    this.#steps.value = steps;
  }

  /** How many of them are left; 0 where more were wanted. */
  get stepsLeft(): number {
    return Math.max(0, this.#steps.value);
  }

  /** Whether the limit of steps was passed, and not that of depth. */
  get isOutOfSteps(): boolean {
    return this.#steps.value < 0;
  }

  /**
   * The value of a script, or what a module exports; `threw`: what it threw. There is nothing that
   * a module could import.
   */
  evaluate(source: string, name: string, kind: 'script' | 'module' = 'script') {
    const { at, length } = this.#write(source);
    const { at: nameAt } = this.#write(name);
    const flags = kind === 'module' ? MODULE_FLAG : 0;
    return this.#settled(
      this.#run(() => this.#native.evaluate(this.#context, at, length, nameAt, 0, flags)),
    );
  }

  /** Calls a function with values. */
  call(called: Pointer, ...given: readonly Pointer[]) {
    return this.#settled(
      this.#run(() => {
        const list = this.#native.allocate(4 * Math.max(1, given.length));
        this.#words.set(given, list >> 2);
        const { undefinedValue, call } = this.#native;
        return call(this.#context, called, undefinedValue(), given.length, list);
      }),
    );
  }

  newText(text: string): Pointer {
    const { at } = this.#write(text);
    return this.#run(() => this.#native.newText(this.#context, at));
  }

  /** The text of a value; undefined: it has more bytes than that. */
  textOf(value: Pointer, mostBytes: number): string | undefined {
    const at = this.#run(() => this.#native.textOf(this.#context, value));
    if (at === 0) return undefined;
    const length = this.#bytes.subarray(at, at + mostBytes + 1).indexOf(0);
    return length < 0 ? undefined : decoder.decode(this.#bytes.subarray(at, at + length));
  }

  #settled(value: Pointer): { readonly value: Pointer; readonly threw: Pointer } {
    const threw = this.#run(() => this.#native.exceptionIn(this.#context, value));
    return { value, threw };
  }

  /** Text with a 0 at its end. */
  #write(text: string) {
    const at = this.#run(() => this.#native.allocate(3 * text.length + 1));
    if (at === 0) throw new OutOfMemory(`there is no place for ${text.length} characters`);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(at));
    this.#bytes[at + written] = 0;
    return { at, length: written };
  }

  #run(native: () => number): number {
    try {
      return native();
    } catch (error) {
      // Of the engine a trap, or the host's stack, which ends far behind the limit of depth.
      throw error instanceof Refused ? error : new Trapped(String(error));
    }
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The engine asked the host for something that no script can ask for. */
class Refused extends Error {}

const refuse = (): never => {
  throw new Refused('the engine asks the host for something');
};
