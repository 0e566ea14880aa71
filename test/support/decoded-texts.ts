/**
 * Two hundred answers of codecs, each as one line of JSON: the engine of codecs answers the same on
 * every machine and every version of Node.js, as the codecs of the product do.
 */
import type { Codec } from '../../core/codecs/codec.ts';
import { NATIVE_CODECS } from '../../core/codecs/native.ts';
import { codecOf, decoding, METER_CODEC, usualUplink } from './codecs.ts';

/** Each uses another part of the language. */
const SOURCES = {
  meter: METER_CODEC,
  time: decoding(`
    var t = input.recvTime;
    return { data: { iso: t.toISOString(), text: String(t), day: t.getDay(),
      zone: t.getTimezoneOffset(), now: Date.now() - t.getTime(),
      next: new Date(t.getTime() + 1e3 * input.bytes[0]).toUTCString() } };`),
  luck: decoding(`
    var all = []; for (var i = 0; i < 4; i++) all.push(Math.random());
    return { data: { all: all, pick: Math.floor(1e9 * Math.random()) } };`),
  functions: decoding(`
    var x = (input.bytes[0] + 1) / 16;
    return { data: { sin: Math.sin(x), tan: Math.tan(x), exp: Math.exp(x), log: Math.log(x),
      pow: Math.pow(x, 1.7), cbrt: Math.cbrt(x), hypot: Math.hypot(x, 3),
      atan2: Math.atan2(x, 2) } };`),
  numbers: decoding(`
    var f = new DataView(new Uint8Array(input.bytes.concat([0, 0, 0, 0, 0, 0, 0, 0])).buffer);
    return { data: { float: f.getFloat32(0), double: f.getFloat64(0),
      fixed: (f.getInt16(0) / 7).toFixed(5), precise: (f.getUint32(0) / 3).toPrecision(12),
      hex: f.getUint32(0).toString(16), minus: -0 * f.getInt8(0) } };`),
  texts: decoding(`
    var s = String.fromCharCode.apply(null, input.bytes.slice(0, 8));
    return { data: { text: s, upper: s.toUpperCase(), parts: s.split(/[^a-z]/i),
      n: s.normalize('NFD').length, emoji: '\\u{1F4A7}',
      sorted: input.bytes.slice().sort(function (a, b) { return a - b; }).join() } };`),
  modern: decoding(`
    const [first = 0, ...rest] = input.bytes;
    const kinds = new Map(rest.map((each, i) => [each, i]));
    return { data: { first, kinds: Object.fromEntries(kinds), big: String(2n ** BigInt(first & 63)),
      names: rest.filter((each) => each > 99)?.length ?? null } };`),
  sloppy: decoding(`
    if (input.bytes.length % 3 === 0) throw new RangeError('the length ' + input.bytes.length);
    if (input.bytes.length % 3 === 1) return { errors: 'odd', data: { x: 1 } };
    return { data: { x: undefined, y: NaN, z: [Infinity, null] }, warnings: ['w', 7] };`),
} as const;

const PER_CODEC = 20;

/** Bytes and instants that differ; the same in every run. */
function uplinkAt(at: number) {
  let word = 1 + at;
  const next = () => {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
    return word >>> 24;
  };
  const bytes = Uint8Array.from({ length: (at * 7) % 25 }, next);
  const recvTimeMs = Date.UTC(1999 + at, at % 12, 1 + (at % 28)) + 987_654_321 * at;
  return usualUplink({ bytes, fPort: 1 + at, fCntUp: at, recvTimeMs });
}

/** Whole readings of Cayenne LPP and ELSYS, and cut ones. */
const LPP = '03670110056700FF0668630773279C018806765FF2960A0003E8';
const ELSYS = '0100E202290400270506060308070D62';
const cut = (hex: string, at: number) => hex.slice(0, hex.length - 2 * at);

/** `codec number: answer`. */
export function decodedTexts(): readonly string[] {
  const codecs = Object.entries(SOURCES).map(([name, source]) => [name, codecOf(source)] as const);
  const scripts = codecs.flatMap(([name, codec]) => answers(name, codec, uplinkAt));
  const { CAYENNE_LPP, ELSYS: elsys } = NATIVE_CODECS;
  return [
    ...scripts,
    ...answers('CAYENNE_LPP', CAYENNE_LPP, (at) => usualUplink({ hex: cut(LPP, at) })),
    ...answers('ELSYS', elsys, (at) => usualUplink({ hex: cut(ELSYS, at % 16) })),
  ];
}

const answers = (name: string, codec: Codec, uplink: typeof uplinkAt): readonly string[] =>
  Array.from({ length: PER_CODEC }, (_, at) => {
    return `${name} ${at}: ${JSON.stringify(codec.decode(uplink(at)))}`;
  });
