/** Codecs for tests: some that people write, and some that mean ill. */
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import type { CodecUplink } from '../../core/codecs/codec.ts';
import { openCodec } from '../../core/codecs/declared.ts';
import { javaScriptCodec } from '../../core/codecs/javascript.ts';
import { fromHex } from '../../sim/base/bytes.ts';

/** A usual codec: some twenty fields. */
export const METER_CODEC = `
function u16(bytes, at) { return (bytes[at] << 8) | bytes[at + 1]; }
function s16(bytes, at) { var v = u16(bytes, at); return v > 0x7fff ? v - 0x10000 : v; }
function decodeUplink(input) {
  var b = input.bytes;
  if (b.length < 20) return { errors: ['the payload has ' + b.length + ' bytes, 20 are needed'] };
  return {
    data: {
      temperature: s16(b, 0) / 10, humidity: b[2], battery: u16(b, 3) / 1000,
      counter: ((b[5] << 24) | (b[6] << 16) | (b[7] << 8) | b[8]) >>> 0,
      open: (b[9] & 1) !== 0, tamper: (b[9] & 2) !== 0,
      low: (b[9] & 4) !== 0, hot: (b[9] & 8) !== 0,
      status: ['ok', 'warning', 'fault'][b[10] % 3], mode: b[11], p1: b[12], p2: b[13], p3: b[14],
      flow: u16(b, 15) / 100, pressure: u16(b, 17) / 10, port: input.fPort, version: b[19] & 15,
      hardware: b[19] >> 4, at: input.recvTime.toISOString(), length: b.length
    },
    warnings: b[2] > 100 ? ['humidity is above 100 %'] : []
  };
}
function encodeDownlink(input) {
  if (typeof input.data.period !== 'number') return { errors: ['period is missing'] };
  return { bytes: [1, input.data.period & 255], fPort: input.fPort || 10 };
}
`;

export const usualUplink = (change: Partial<CodecUplink> & { hex?: string } = {}): CodecUplink => {
  const { hex = '00FF2A0CE40000000105017F0102030064271034', ...rest } = change;
  return {
    devEui: 'D000000000000001',
    fPort: 2,
    fCntUp: 7,
    bytes: fromHex(hex),
    recvTimeMs: Date.UTC(2026, 0, 1),
    ...rest,
  };
};

/** A source as a codec; an Error where it is none. */
export function codecOf(source: string) {
  const opened = openCodec(source, codecEngine());
  if (!opened.ok) throw new Error(opened.failure.message);
  const { sandbox, declared } = opened.value;
  const random = (name: string) => (counter: number) => 31 * name.length + 7 * counter;
  return javaScriptCodec(sandbox, declared, random);
}

/** A codec whose decodeUplink has this body. */
export const decoding = (body: string): string => `function decodeUplink(input) { ${body} }`;

/** What codecs may try, and what comes of it. */
export const HOSTILE: Readonly<Record<string, readonly [body: string, errors: string]>> = {
  'an endless loop': ['for (;;);', 'exceeded its steps'],
  'an endless loop that is caught': [
    'try { for (;;); } catch (e) { return { data: {} }; }',
    'exceeded its steps',
  ],
  'an endless recursion': ['return decodeUplink(input);', 'exceeded its stack'],
  'an endless recursion that is caught': [
    'function f() { return 1 + f(); } try { f(); } catch (e) { return { data: {} }; }',
    'exceeded its stack',
  ],
  'a catastrophe of a regular expression': [
    'return /(a+)+b/.test("a".repeat(40));',
    'exceeded its steps',
  ],
  'a loop within the language': [
    'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    'exceeded its steps',
  ],
  'an endless sort': ['return [2, 1].sort(function () { for (;;); });', 'exceeded its steps'],
  'an endless generator': ['function* g() { for (;;) yield 1; } return [...g()];', 'exceeded its'],
  'bytes moved forever': ['var u = new Uint8Array(1e6); for (;;) u.fill(1);', 'exceeded its steps'],
  'a huge text': ['return "x".repeat(1e9);', 'exceeded its memory'],
  'a huge list': ['return [new Uint8Array(3e6), new Uint8Array(3e6)];', 'exceeded its memory'],
  'huge bytes': ['return new Uint8Array(1e9);', 'exceeded its memory'],
  'much memory': ['var a = []; for (;;) a.push(new Uint8Array(1e5));', 'exceeded its memory'],
  'a large answer': [
    'return { data: { a: "x".repeat(70000) } };',
    'its answer has more than 65536 bytes',
  ],
  'a deep answer': [
    'var a = {}; for (var i = 0; i < 40; i++) a = { a: a }; return { data: a };',
    '16 deep',
  ],
  'a very deep answer': [
    'var a = {}; for (var i = 0; i < 9999; i++) a = { a: a }; return { data: a };',
    'exceeded its stack',
  ],
  'a proxy that never ends': [
    'return new Proxy({}, { ownKeys: function () { for (;;); } });',
    'exceeded its steps',
  ],
  'a getter that never ends': ['return { get data() { for (;;); } };', 'exceeded its steps'],
  'a toJSON that never ends': [
    'return { toJSON: function () { for (;;); } };',
    'exceeded its steps',
  ],
  'a big integer': ['return { data: { a: 1n } };', 'TypeError'],
  'a power of big integers': ['var a = 2n ** 9999n; for (;;) a *= a;', 'exceeded its steps'],
  'half a pair': ['return { data: { a: "\\ud800" } };', 'well-formed'],
  'a prototype in its answer': [
    'return JSON.parse(\'{"data":{"__proto__":{"a":1}}}\');',
    'well-formed',
  ],
  process: ['return process.exit();', 'ReferenceError'],
  require: ['return require("fs");', 'ReferenceError'],
  'std and os': ['return std.open(os.getcwd());', 'ReferenceError'],
  'a wait': ['Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', 'ReferenceError'],
  nothing: ['', 'answers neither data nor errors'],
  'a promise': ['return Promise.resolve({ data: {} });', 'answers neither data nor errors'],
  'a thrown nothing': ['throw null;', 'null'],
  'a thrown map without a prototype': ['throw Object.create(null);', 'it threw what has no words'],
  'a text of what is thrown that throws': [
    'throw { toString: function () { throw 1; } };',
    'it threw what has no words',
  ],
  'a name of what is thrown that throws': [
    'throw { message: 1, get name() { throw 1; } };',
    'it threw what has no words',
  ],
  'a name of what is thrown that needs memory': [
    'throw { message: 1, get name() { return new Uint8Array(1e9); } };',
    'exceeded its memory',
  ],
  'a thrown proxy': [
    'throw new Proxy({}, { has: function () { for (;;); } });',
    'exceeded its steps',
  ],
  'a wish for another file': ['return eval("import.meta");', 'SyntaxError'],
  'a constructor of functions': [
    'return decodeUplink.constructor("return process")();',
    'ReferenceError',
  ],
  'a circle': ['var o = {}; o.o = o; return { data: o };', 'circular reference'],
  'a bomb of getters': [
    'function bomb() { return { get a() { return bomb(); }, get b() { return bomb(); } }; } ' +
      'return { data: bomb() };',
    'exceeded its stack',
  ],
  'a list that says it is long': [
    'return { data: { a: new Proxy([], ' +
      '{ get: function (t, key) { return key === "length" ? 1e9 : 0; } }) } };',
    'exceeded its steps',
  ],
  'a catastrophe of looking ahead': [
    'return /(?=(a*)*)*b/.test("a".repeat(3000));',
    'exceeded its steps',
  ],
  'a text that doubles': ['var s = "a"; for (;;) s += s;', 'string too long'],
  'brackets without end': ['return JSON.parse("[".repeat(1e5));', 'exceeded its stack'],
  'a source of brackets': ['return eval("(".repeat(1e5));', 'exceeded its stack'],
  'a generator': ['return (function* () { yield 1; })();', 'answers neither data nor errors'],
  'an async function': [
    'return (async function () { for (;;) await 1; })();',
    'answers neither data nor errors',
  ],
  'a thrown map': ['throw { get message() { for (;;); } };', 'exceeded its steps'],
};
