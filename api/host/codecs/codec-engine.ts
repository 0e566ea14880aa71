/**
 * Codecs written in JavaScript (core/codecs/engine.ts): QuickJS, compiled to WebAssembly, behind
 * meters. START HERE; machine.ts is the instance and its memory, metering.ts what is counted,
 * prelude.ts what runs around a codec. It is loaded when the first source is opened
 * (docs/decisions/0060).
 */
import {
  CODEC_FUNCTIONS,
  CODEC_LIMITS,
  type CodecCall,
  type CodecEngine,
  type CodecFunction,
  type CodecOutcome,
  type CodecSandbox,
  type OpenedCodec,
} from '../../../core/codecs/engine.ts';
import {
  BUFFER_LIBRARY,
  BUFFER_MODULE,
  IMPORTS_BUFFER,
  MODULE_IMPORTS_BUFFER,
  NEEDS_LIBRARY,
  REQUIRE_BUFFER,
} from './buffer-library.ts';
import { type Image, Machine, OutOfMemory, type Pointer, Trapped } from './machine.ts';
import { PRELUDE, SOURCE_NAME, TABLE } from './prelude.ts';

/** Most codec images cached; others are evaluated again, to the same image. */
const MOST_STORED = 64;

interface Loaded {
  readonly machine: Machine;
  /** The function of the prelude. */
  readonly main: Pointer;
  readonly clean: Image;
}

/** A codec, ready to be called. */
interface Bound {
  readonly image: Image;
  /** Takes a call, as text, and answers text. */
  readonly caller: Pointer;
  /** What the source declares, in the form of the prelude. */
  readonly declared: string;
  readonly loadSteps: number;
}

class QuickJsEngine implements CodecEngine {
  #loaded: Loaded | undefined;
  /** By their sources, the one that was used last at the end. */
  readonly #stored = new Map<string, Bound>();

  open(source: string): OpenedCodec {
    if (source.length > CODEC_LIMITS.source) {
      const wrong = `the source has ${source.length} characters; ${CODEC_LIMITS.source} may be`;
      return { wrong, line: null };
    }
    const bound = this.#boundOf(source);
    return 'wrong' in bound ? bound : { sandbox: this.#sandboxOf(source, bound) };
  }

  #sandboxOf(source: string, { declared, loadSteps }: Bound): CodecSandbox {
    const [names = '', configuration] = declared.split('\n');
    const has = names.split(' ');
    return {
      functions: CODEC_FUNCTIONS.filter((each) => has.includes(each)),
      configuration,
      loadSteps,
      call: (called, call) => this.#call(source, called, call),
    };
  }

  // ── calling ────────────────────────────────────────────────────────────────────────────────────

  #call(source: string, called: CodecFunction, call: CodecCall): CodecOutcome {
    const bound = this.#boundOf(source);
    if ('wrong' in bound) return { fault: bound.wrong, steps: 0 };
    const { machine } = this.#load();
    machine.restore(bound.image);
    machine.nowMs = call.nowMs;
    machine.allow(CODEC_LIMITS.steps);
    const answer = this.#answerOf(machine, bound.caller, textOf(called, call));
    const outcome = answer ?? this.#trapped(machine);
    return { ...outcome, steps: CODEC_LIMITS.steps - machine.stepsLeft };
  }

  /** Undefined: it trapped. */
  #answerOf(machine: Machine, caller: Pointer, call: string) {
    try {
      const { value, threw } = machine.call(caller, machine.newText(call));
      if (threw !== 0) return { fault: OUT_OF_MEMORY };
      const text = machine.textOf(value, CODEC_LIMITS.answer);
      if (text === undefined)
        return { fault: `its answer has more than ${CODEC_LIMITS.answer} bytes` };
      if (text.startsWith('e')) return { fault: inWords(text.slice(1)) };
      return { text: text === 'u' ? undefined : text.slice(1) };
    } catch (error) {
      if (error instanceof Trapped) return undefined;
      if (error instanceof OutOfMemory) return { fault: OUT_OF_MEMORY };
      throw error;
    }
  }

  #trapped(machine: Machine): { readonly fault: string } {
    return { fault: machine.isOutOfSteps ? 'exceeded its steps' : 'exceeded its stack' };
  }

  // ── opening ────────────────────────────────────────────────────────────────────────────────────

  #load(): Loaded {
    if (this.#loaded !== undefined) return this.#loaded;
    const machine = new Machine();
    const { value: main } = machine.evaluate(PRELUDE, 'prelude.js');
    this.#loaded = { machine, main, clean: machine.image() };
    return this.#loaded;
  }

  #boundOf(source: string): Bound | Wrong {
    const known = this.#stored.get(source);
    const bound = known ?? this.#bind(source);
    if ('wrong' in bound) return bound;
    this.#stored.delete(source);
    this.#stored.set(source, bound);
    if (this.#stored.size > MOST_STORED) this.#stored.delete(this.#stored.keys().next().value!);
    return bound;
  }

  #bind(source: string): Bound | Wrong {
    try {
      return this.#bindAs('script', source, CODEC_LIMITS.loadSteps);
    } catch (error) {
      if (error instanceof OutOfMemory) return { wrong: OUT_OF_MEMORY, line: null };
      if (!(error instanceof Trapped)) throw error;
      return { wrong: this.#trapped(this.#load().machine).fault, line: null };
    }
  }

  /** A source that is no script, because it imports or exports, is bound as a module. */
  #bindAs(kind: 'script' | 'module', source: string, steps: number): Bound | Wrong {
    const { machine, main, clean } = this.#load();
    machine.restoreAll(clean);
    machine.nowMs = 0;
    machine.allow(CODEC_LIMITS.loadSteps);
    for (const [name, library] of librariesOf(source, kind)) {
      machine.evaluate(library, name, kind);
    }
    machine.allow(steps);
    const evaluated = machine.evaluate(source, SOURCE_NAME, kind);
    if (evaluated.threw !== 0) {
      const wrong = describe(machine, main, evaluated.threw);
      const isModule = kind === 'script' && isOfModules(source, wrong);
      return isModule ? this.#bindAs('module', source, machine.stepsLeft) : wrong;
    }
    const table = machine.evaluate(TABLE, 'table.js');
    if (table.threw !== 0) return describe(machine, main, table.threw);
    const found = kind === 'module' ? [table.value, evaluated.value] : [table.value];
    const declared = machine.call(main, machine.newText('declared'), ...found);
    if (declared.threw !== 0) return describe(machine, main, declared.threw);
    const text = machine.textOf(declared.value, CODEC_LIMITS.answer);
    if (text === undefined) return { wrong: 'its configuration is too long', line: null };
    const { value: caller } = machine.call(main, machine.newText('bind'), ...found);
    const loadSteps = CODEC_LIMITS.loadSteps - machine.stepsLeft;
    return { image: machine.image(), caller, declared: text, loadSteps };
  }
}

/** Whether a script has a fault of syntax in a line that imports or exports. */
function isOfModules(source: string, { wrong, line }: Wrong): boolean {
  if (line === null || !wrong.startsWith('SyntaxError')) return false;
  return /\b(import|export)\b/.test(source.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1] ?? '');
}

/** What runs before a source, by what it names; of modules each under the name of its import. */
function librariesOf(source: string, kind: 'script' | 'module'): readonly Library[] {
  const isModule = kind === 'module' && MODULE_IMPORTS_BUFFER.test(source);
  const isRequired = IMPORTS_BUFFER.test(source);
  const isNamed = isModule || isRequired || NEEDS_LIBRARY.test(source);
  return [
    ...(isNamed ? [['library.js', BUFFER_LIBRARY] as const] : []),
    ...(isRequired ? [['require.js', REQUIRE_BUFFER] as const] : []),
    ...(isModule ? BUFFER_MODULES : []),
  ];
}

type Library = readonly [name: string, source: string];

/** The engine finds a module that it knows by the name that an import has. */
const BUFFER_MODULES: readonly Library[] = ['buffer', 'buffer/', 'node:buffer'].map((name) => [
  name,
  BUFFER_MODULE,
]);

interface Wrong {
  readonly wrong: string;
  readonly line: number | null;
}

const OUT_OF_MEMORY = 'exceeded its memory';

function describe(machine: Machine, main: Pointer, error: Pointer): Wrong {
  const { value, threw } = machine.call(main, machine.newText('describe'), error);
  const text = threw === 0 ? machine.textOf(value, CODEC_LIMITS.answer) : undefined;
  if (text === undefined) return { wrong: OUT_OF_MEMORY, line: null };
  const [line = '', ...words] = text.split('\n');
  return { wrong: inWords(words.join('\n')), line: line === '' ? null : Number(line) };
}

/** Most characters of an error in a response. */
const SHOWN = 500;

/** What a codec threw, or which limit that means. */
function inWords(error: string): string {
  if (error.startsWith('InternalError: out of memory')) return OUT_OF_MEMORY;
  if (error.startsWith('InternalError: stack overflow')) return 'exceeded its stack';
  const [, module] = /^ReferenceError: could not load module '(.*)'$/s.exec(error) ?? [];
  if (module !== undefined)
    return `it imports '${module}'; there is no module but buffer`.slice(0, SHOWN);
  return error.length > SHOWN ? `${error.slice(0, SHOWN)}…` : error;
}

/** A call as the prelude reads it. */
const textOf = (called: CodecFunction, { random, input, dates }: CodecCall): string =>
  `["${called}",${random.join(',')},${input},${dates}]`;

const ENGINE: CodecEngine = new QuickJsEngine();

/** The engine of this process. Nothing of it is loaded before a source is opened. */
export const codecEngine = (): CodecEngine => ENGINE;
