/**
 * Rewrites the engine's WebAssembly so that it counts what it does: a step each time a loop begins
 * anew and for each 64 bytes that are moved at once, a level of depth for each call. Past a limit
 * it traps. So whatever a script makes the engine do, in its own code or in the engine's, ends
 * after the same steps on each machine; time and the host's stack have no say in it.
 */

/** Globals that are added, and by which names they are exported. */
export const METERS = { stack: 'stackPointer', steps: 'stepsLeft', depth: 'depth' } as const;

const Section = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
/** Places of globals: the module has one of its own, its stack pointer. */
const Global = { stack: 0, steps: 1, depth: 2 } as const;

const Op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  tableSet: 0x26,
  firstLoad: 0x28,
  lastStore: 0x3e,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i32LtS: 0x48,
  i32GtS: 0x4a,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32ShrU: 0x76,
  lastPlain: 0xc4,
  prefixed: 0xfc,
} as const;
const Prefixed = { lastConversion: 7, memoryInit: 8, dataDrop: 9, memoryCopy: 10, memoryFill: 11 };

const I32 = 0x7f;
const NO_RESULT = 0x40;
const TRAP = [Op.if, NO_RESULT, Op.unreachable, Op.end];

/** The module with its meters, which begin at 0; a call deeper than `mostDepth` traps. */
export function metered(module: Uint8Array, mostDepth: number): Uint8Array {
  const sections = sectionsOf(module);
  const bodyOf = (id: number) => sections.find((each) => each.id === id)!.body;
  const shape = {
    imported: importedFunctions(bodyOf(Section.import)),
    parameters: parametersOf(bodyOf(Section.type), bodyOf(Section.function)),
    enter: [...counted(Global.depth, Op.i32Add), ...above(Global.depth, mostDepth)],
  };
  const out = new Bytes(2 * module.length);
  out.put(module.subarray(0, 8));
  for (const { id, body } of sections) {
    const after =
      id === Section.global
        ? withGlobals(body)
        : id === Section.export
          ? withExports(body)
          : id === Section.code
            ? withMeters(body, shape)
            : body;
    out.put([id, ...leb(after.length)]);
    out.put(after);
  }
  return out.written();
}

interface Shape {
  readonly imported: number;
  /** Of each function of the module itself. */
  readonly parameters: readonly number[];
  /** What counts a call that begins. */
  readonly enter: readonly number[];
}

// ── sections ─────────────────────────────────────────────────────────────────────────────────────

function sectionsOf(module: Uint8Array) {
  const sections: { readonly id: number; readonly body: Uint8Array }[] = [];
  const reader = new Reader(module, 8);
  while (!reader.isAtEnd) {
    const id = reader.byte();
    sections.push({ id, body: reader.bytes(reader.number()) });
  }
  return sections;
}

function importedFunctions(body: Uint8Array): number {
  const reader = new Reader(body);
  let functions = 0;
  for (let left = reader.number(); left > 0; left--) {
    reader.bytes(reader.number());
    reader.bytes(reader.number());
    const kind = reader.byte();
    if (kind === 0) {
      functions++;
      reader.number();
    } else if (kind === 2) {
      const hasMost = reader.byte() === 1;
      reader.number();
      if (hasMost) reader.number();
    } else {
      throw new Error('the engine imports something else than functions and a memory');
    }
  }
  return functions;
}

function parametersOf(types: Uint8Array, functions: Uint8Array): readonly number[] {
  const reader = new Reader(types);
  const byType = Array.from({ length: reader.number() }, () => {
    reader.byte();
    const parameters = reader.number();
    reader.bytes(parameters);
    reader.bytes(reader.number());
    return parameters;
  });
  const own = new Reader(functions);
  return Array.from({ length: own.number() }, () => byType[own.number()]!);
}

function withGlobals(body: Uint8Array): Uint8Array {
  const reader = new Reader(body);
  if (reader.number() !== 1) throw new Error('the engine has one global, its stack pointer');
  const meter = [I32, 1, Op.i32Const, 0, Op.end];
  return Uint8Array.from([3, ...reader.rest(), ...meter, ...meter]);
}

function withExports(body: Uint8Array): Uint8Array {
  const reader = new Reader(body);
  const count = reader.number() + 3;
  const exported = Object.entries(METERS).flatMap(([key, name]) => [
    name.length,
    ...new TextEncoder().encode(name),
    3,
    Global[key as keyof typeof Global],
  ]);
  return Uint8Array.from([...leb(count), ...reader.rest(), ...exported]);
}

// ── code ─────────────────────────────────────────────────────────────────────────────────────────

const counted = (global: number, operation: number): readonly number[] =>
  [
    [Op.globalGet, global, Op.i32Const, 1],
    [operation, Op.globalSet, global],
  ].flat();

const above = (global: number, limit: number): readonly number[] =>
  [[Op.globalGet, global, Op.i32Const], signedLeb(limit), [Op.i32GtS], TRAP].flat();

/** A step; none is left below 0. */
const STEP: readonly number[] = [
  counted(Global.steps, Op.i32Sub),
  [Op.globalGet, Global.steps, Op.i32Const, 0, Op.i32LtS],
  TRAP,
].flat();
const LEAVE = counted(Global.depth, Op.i32Sub);

/** Takes a step for each 64 of the bytes whose number is on the stack, and leaves it there. */
const moved = (local: number): readonly number[] =>
  [
    [Op.localTee, leb(local), Op.globalGet, Global.steps, Op.localGet, leb(local)].flat(),
    [Op.i32Const, 6, Op.i32ShrU, Op.i32Sub, Op.globalSet, Global.steps],
  ].flat();

function withMeters(body: Uint8Array, shape: Shape): Uint8Array {
  const reader = new Reader(body);
  const functions = reader.number();
  const out = new Bytes(2 * body.length);
  out.put(leb(functions));
  const one = new Bytes(body.length);
  for (let i = 0; i < functions; i++) {
    one.clear();
    writeFunction(new Reader(reader.bytes(reader.number())), shape.parameters[i]!, shape, one);
    out.put(leb(one.length));
    out.put(one.view());
  }
  return out.written();
}

/** A function with one local more, and with meters at its loops, calls and moves of bytes. */
function writeFunction(reader: Reader, parameters: number, shape: Shape, out: Bytes): void {
  const groups = reader.number();
  let locals = parameters;
  const declared: number[] = [];
  for (let i = 0; i < groups; i++) {
    const count = reader.number();
    locals += count;
    declared.push(...leb(count), reader.byte());
  }
  out.put([...leb(groups + 1), ...declared, 1, I32]);
  while (!reader.isAtEnd) {
    const from = reader.at;
    const place = skipInstruction(reader, shape.imported);
    if (place === 'call') out.put(shape.enter);
    if (place === 'move') out.put(moved(locals));
    out.put(reader.since(from));
    if (place === 'call') out.put(LEAVE);
    if (place === 'loop') out.put(STEP);
  }
}

/** What is to be counted where an instruction stands. */
type Place = 'loop' | 'call' | 'move' | undefined;

function skipInstruction(reader: Reader, imported: number): Place {
  const op = reader.byte();
  switch (op) {
    case Op.loop:
      reader.number();
      return 'loop';
    case Op.call:
      return reader.number() >= imported ? 'call' : undefined;
    case Op.callIndirect:
      reader.number();
      reader.number();
      return 'call';
    case Op.brTable:
      for (let left = reader.number(); left >= 0; left--) reader.number();
      return undefined;
    case Op.f32Const:
      reader.bytes(4);
      return undefined;
    case Op.f64Const:
      reader.bytes(8);
      return undefined;
    case Op.prefixed:
      return skipPrefixed(reader);
    default:
      for (let left = operandsOf(op); left > 0; left--) reader.number();
      return undefined;
  }
}

/** How many whole numbers follow an instruction. */
function operandsOf(op: number): number {
  if (op >= Op.firstLoad && op <= Op.lastStore) return 2;
  if (op >= Op.localGet && op <= Op.tableSet) return 1;
  switch (op) {
    case Op.block:
    case Op.if:
    case Op.br:
    case Op.brIf:
    case Op.memorySize:
    case Op.memoryGrow:
    case Op.i32Const:
    case Op.i64Const:
      return 1;
    default:
      if (op > Op.lastPlain) throw new Error(`the engine has the instruction ${op}`);
      return 0;
  }
}

function skipPrefixed(reader: Reader): Place {
  const op = reader.number();
  if (op <= Prefixed.lastConversion) return undefined;
  reader.number();
  if (op === Prefixed.memoryFill) return 'move';
  if (op === Prefixed.dataDrop) return undefined;
  if (op !== Prefixed.memoryCopy && op !== Prefixed.memoryInit) {
    throw new Error(`the engine has the instruction 252 ${op}`);
  }
  reader.number();
  return 'move';
}

// ── bytes ────────────────────────────────────────────────────────────────────────────────────────

/** LEB128. */
function leb(value: number): readonly number[] {
  const bytes: number[] = [];
  let left = value;
  while (left >= 0x80) {
    bytes.push((left & 0x7f) | 0x80);
    left >>>= 7;
  }
  return [...bytes, left];
}

/** The same of what is not below 0, with a sign. */
function signedLeb(value: number): readonly number[] {
  const bytes = leb(value);
  const last = bytes.at(-1)!;
  return last < 0x40 ? bytes : [...bytes.slice(0, -1), last | 0x80, 0];
}

class Reader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.at = from;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.at++]!;
  }

  /** LEB128; of more than 32 bits nothing but its length is right. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  bytes(count: number): Uint8Array {
    this.at += count;
    return this.since(this.at - count);
  }

  since(from: number): Uint8Array {
    return this.#bytes.subarray(from, this.at);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.at);
  }
}

/** Bytes that are written one after the other. */
class Bytes {
  length = 0;
  readonly #bytes: Uint8Array;

  constructor(most: number) {
    this.#bytes = new Uint8Array(most);
  }

  put(bytes: ArrayLike<number>): void {
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  clear(): void {
    this.length = 0;
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  written(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}
