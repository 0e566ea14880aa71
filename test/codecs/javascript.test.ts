/** Codecs in JavaScript: their form, their limits, and that nothing is left of a call. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import { openCodec } from '../../core/codecs/declared.ts';
import { CODEC_LIMITS, type CodecCall } from '../../core/codecs/engine.ts';
import { codecOf, decoding, HOSTILE, METER_CODEC, usualUplink } from '../support/codecs.ts';
import { someRuns } from '../support/long.ts';

const decoded = (source: string, change: Parameters<typeof usualUplink>[0] = {}) =>
  codecOf(source).decode(usualUplink(change));

const wrongWith = (source: string) => {
  const opened = openCodec(source, codecEngine());
  return opened.ok ? '' : opened.failure.message;
};

describe('a codec in JavaScript', () => {
  it('decodes: gets bytes, fPort and recvTime, and answers data with warnings', () => {
    const response = decoded(METER_CODEC);
    expect(response.data).toMatchObject({
      temperature: 25.5,
      humidity: 42,
      battery: 3.3,
      counter: 1,
      status: 'warning',
      port: 2,
      at: '2026-01-01T00:00:00.000Z',
      length: 20,
    });
    expect(response).not.toHaveProperty('warnings');
    const damp = decoded(METER_CODEC, { hex: '00FF7F0CE40000000105017F0102030064271034' });
    expect(damp.warnings).toEqual(['humidity is above 100 %']);
  });

  it('answers errors, beside which there is neither data nor a warning', () => {
    const both = decoding('return { data: { a: 1 }, warnings: ["w"], errors: ["wrong"] };');
    expect(decoded(both)).toEqual({ errors: ['wrong'] });
    const short = { errors: ['the payload has 1 bytes, 20 are needed'] };
    expect(decoded(METER_CODEC, { hex: '00' })).toEqual(short);
    expect(decoded(decoding('return { errors: "one" };'))).toEqual({ errors: ['one'] });
    expect(decoded(decoding('return { data: {}, errors: [] };'))).toEqual({ data: {} });
  });

  it('reports what it throws, with the line', () => {
    const source = 'function decodeUplink(input) {\n  var nothing;\n  return nothing.length;\n}';
    const { errors } = decoded(source);
    expect(errors).toEqual([expect.stringMatching(/^codec: TypeError: .*\(line 3\)$/)]);
  });

  it.each([
    [
      'undeclared variables',
      'function decodeUplink(input) { n = input.fPort; return { data: { n: n } }; }',
    ],
    [
      'polyfills',
      'Array.prototype.first = function () { return this[0]; }; ' +
        'function decodeUplink(i) { return { data: { n: 2 + 0 * [i].first().fPort } }; }',
    ],
    [
      'strict mode',
      '"use strict"; function decodeUplink(input) { return { data: { n: input.fPort } }; }',
    ],
    ['constants', 'const decodeUplink = ({ fPort }) => ({ data: { n: fPort } });'],
    ['exports', 'exports.decodeUplink = function (i) { return { data: { n: i.fPort } }; };'],
    ['module.exports', 'module.exports = { decodeUplink: (i) => ({ data: { n: i.fPort } }) };'],
    ['logs', 'function decodeUplink(i) { console.log("x", i); return { data: { n: i.fPort } }; }'],
    [
      'a mark of byte order, skipped by its reader',
      'function decodeUplink(i) { return { data: { n: i.fPort } }; }',
    ],
  ])('may be written with %s', (_, source) => {
    expect(decoded(source)).toEqual({ data: { n: 2 } });
  });

  it('answers as JSON would: NaN and Infinity are null, undefined left out, a date a text', () => {
    const body =
      'return { data: { a: NaN, b: 1 / 0, c: undefined, d: new Date(0), e: -0, f: [undefined], ' +
      'g: function () {} } };';
    const data = { a: null, b: null, d: '1970-01-01T00:00:00.000Z', e: 0, f: [null] };
    expect(decoded(decoding(body))).toEqual({ data });
  });

  it('has the instant of the uplink as its time, in UTC, and no other zone', () => {
    const body =
      'return { data: { now: Date.now(), zone: new Date().getTimezoneOffset(), ' +
      'text: String(new Date()), local: new Date(2020, 6, 1).getTime(), ' +
      'read: Date.parse("2020-07-01T00:00:00"), intl: typeof Intl } };';
    expect(decoded(decoding(body))).toEqual({
      data: {
        now: Date.UTC(2026, 0, 1),
        zone: 0,
        text: 'Thu Jan 01 2026 00:00:00 GMT+0000',
        local: Date.UTC(2020, 6, 1),
        read: Date.UTC(2020, 6, 1),
        intl: 'undefined',
      },
    });
  });

  it('draws numbers that are the same for the same uplink, and others for another', () => {
    const source = decoding('return { data: { n: [Math.random(), Math.random()] } };');
    const of = (change: object) => JSON.stringify(decoded(source, change));
    expect(of({})).toBe(of({}));
    expect(of({})).not.toBe(of({ fCntUp: 70_000 }));
    const [a, b] = (decoded(source).data as { n: number[] }).n;
    expect(a).not.toBe(b);
    for (const each of [a!, b!]) expect(each >= 0 && each < 1).toBe(true);
  });

  it.each([
    ['a limit of its length', `//${'x'.repeat(CODEC_LIMITS.source)}`, 'characters'],
    ['no decodeUplink', 'var x = 1;', 'it has no function decodeUplink(input)'],
    ['a wrong line', 'var x;\nfunction (', 'line 2: SyntaxError'],
    ['what it throws', 'var x;\n\nx.y;', 'line 3: TypeError'],
    ['an endless begin', 'for (;;);', 'exceeded its steps'],
    ['a module of others', 'import { a } from "fs"; export { a };', "it imports 'fs'"],
  ])('is refused for %s', (_, source, why) => {
    expect(wrongWith(source)).toContain(why);
  });

  it.each([
    ['a toJSON of every map', 'Object.prototype.toJSON = function () { return 7; };'],
    ['a toJSON that is nothing', 'Object.prototype.toJSON = function () {};'],
    ['a toJSON that is null', 'Object.prototype.toJSON = function () { return null; };'],
    ['a toJSON of every list', 'Array.prototype.toJSON = function () { return 5; };'],
    ['a toJSON of every text', 'String.prototype.toJSON = function () { return "x"; };'],
    ['a push that does nothing', 'Array.prototype.push = function () {};'],
    ['prototypes that are frozen', 'Object.freeze(Object.prototype); Object.freeze(globalThis);'],
    ['an import of something', 'import("fs").then(function (fs) { fs.rmSync("x"); });'],
    ['a configuration that has no text', 'var configuration = Symbol();'],
  ])('is opened and called where its source leaves %s', (_, begin) => {
    const { decode } = codecOf(`${begin} function decodeUplink() { return { data: { n: 1 } }; }`);
    const answer = decode(usualUplink());
    const data = { data: { n: 1 } };
    const neither = { errors: ['codec: decodeUplink answers neither data nor errors'] };
    expect(answer).toEqual(begin.startsWith('Object.prototype.toJSON') ? neither : data);
  });

  it('has numbers whose bits are the same on every machine, where they are none, too', () => {
    const body =
      'var none = [0 / 0, -(0 / 0), Math.sqrt(-1), Infinity - Infinity, Math.log(-1)]; ' +
      'function hex(list) { return Array.from(new Uint8Array(list.buffer), ' +
      'function (byte) { return byte.toString(16).padStart(2, "0"); }).join(""); } ' +
      'var view = new DataView(new ArrayBuffer(8)); view.setUint32(0, 0xfff12345); ' +
      'view.setFloat64(0, view.getFloat64(0)); ' +
      'return { data: { doubles: hex(new Float64Array(none)), ' +
      'singles: hex(new Float32Array(none)), view: hex(new Uint8Array(view.buffer)) } };';
    expect(decoded(decoding(body))).toEqual({
      data: {
        doubles: '000000000000f87f'.repeat(5),
        singles: '0000c07f'.repeat(5),
        view: '7ff8000000000000',
      },
    });
  });

  it('answers keys in the order of the language, numbers first, and numbers in its form', () => {
    const body = 'return { data: { b: 0.1 + 0.2, a: 1e21, 10: 5e-324, 9: 2 ** 53, "-1": 1 / 3 } };';
    expect(JSON.stringify(decoded(decoding(body)))).toBe(
      '{"data":{"9":9007199254740992,"10":5e-324,"b":0.30000000000000004,"a":1e+21,' +
        '"-1":0.3333333333333333}}',
    );
  });

  it('has one locale, en-US: what is asked for in another one is answered in it', () => {
    const body =
      'return { data: { number: (1234567.891).toLocaleString("de"), ' +
      'day: new Date(0).toLocaleDateString("de-DE", { timeZone: "America/New_York" }), ' +
      'lower: "I".toLocaleLowerCase("tr") } };';
    expect(decoded(decoding(body))).toEqual({
      data: { number: '1,234,567.891', day: '1/1/1970', lower: 'i' },
    });
  });

  it('finds its memory empty, whatever another left there', () => {
    const read = decoding(
      'var u = new Uint8Array(3e6), sum = 0; ' +
        'for (var i = 0; i < u.length; i += 611) sum += u[i]; return { data: { sum: sum } };',
    );
    const fill = decoding('new Uint8Array(3e6).fill(255); return { data: {} };');
    expect(decoded(fill)).toEqual({ data: {} });
    expect(decoded(read)).toEqual({ data: { sum: 0 } });
  });

  it('is informed that it exceeds its memory where what it is given has no place in it', () => {
    const source = 'function decodeUplink() {} function encodeDownlink() { return { bytes: [] }; }';
    const { encode } = codecOf(source);
    const sent = { value: { fPort: 1, bytes: new Uint8Array(0) }, warnings: [] };
    for (const _ of [1, 2]) {
      expect(encode!({ a: 'x'.repeat(5_000_000) }, 1)).toEqual({
        errors: ['codec: exceeded its memory'],
      });
      expect(encode!({ a: 'x' }, 1)).toEqual(sent);
    }
  });

  it.each(Object.entries(HOSTILE))('ends as an error: %s', (_, [body, why]) => {
    expect(decoded(decoding(body))).toEqual({ errors: [expect.stringContaining(why)] });
  });

  it('encodes: what it answers goes out, on its own port or that which is asked for', () => {
    const { encode } = codecOf(METER_CODEC);
    const bytes = Uint8Array.of(1, 60);
    expect(encode!({ period: 60 }, undefined)).toEqual({
      value: { fPort: 10, bytes },
      warnings: [],
    });
    expect(encode!({ period: 60 }, 7)).toEqual({ value: { fPort: 7, bytes }, warnings: [] });
    expect(encode!({}, 7)).toEqual({ errors: ['period is missing'] });
    expect(codecOf(decoding('return { data: {} };')).encode).toBeUndefined();
  });

  it.each([
    ['return {};', 'its fPort'],
    ['return { bytes: [1], fPort: 224 };', 'its fPort'],
    ['return { bytes: [1], fPort: 0 };', 'its fPort'],
    ['return { bytes: [256], fPort: 1 };', 'its bytes'],
    ['return { bytes: [1.5], fPort: 1 };', 'its bytes'],
    ['return { bytes: new Array(243).fill(0), fPort: 1 };', 'its bytes'],
    ['return { bytes: "0102", fPort: 1 };', 'its bytes'],
    ['for (;;);', 'exceeded its steps'],
  ])('does not encode with %s', (body, why) => {
    const source = `function decodeUplink() {} function encodeDownlink() { ${body} }`;
    expect(codecOf(source).encode!({}, undefined)).toEqual({
      errors: [expect.stringContaining(why)],
    });
  });
});

const CONFIGURED = `
var configuration = { confirmation: 'uplink-ack', echoes: true, fPorts: [10, 11] };
function decodeUplink(input) { return { data: {} }; }
function encodeConfiguration(input) {
  if (!(input.config.period > 0)) return { errors: ['period has to be above 0'] };
  return { fragments: [{ fPort: 10, bytes: [1, input.config.period] }, { fPort: 10, bytes: [2] }] };
}
function decodeConfiguration(input) {
  return input.fPort === 10 ? { config: { period: input.bytes[1] } } : undefined;
}`;

describe('a codec that configures', () => {
  it('declares how a fragment is confirmed, and on which ports a configuration is reported', () => {
    const { configuration } = codecOf(CONFIGURED);
    expect(configuration).toMatchObject({
      confirmation: 'uplink-ack',
      echoes: true,
      reportFPorts: [10, 11],
    });
    expect(configuration!.encode({ period: 60 })).toEqual({
      value: [
        { fPort: 10, bytes: Uint8Array.of(1, 60) },
        { fPort: 10, bytes: Uint8Array.of(2) },
      ],
      warnings: [],
    });
    expect(configuration!.encode({})).toEqual({ errors: ['period has to be above 0'] });
    const report = (hex: string, fPort: number) =>
      configuration!.report(usualUplink({ hex, fPort }));
    expect(report('013C', 10)).toEqual({ period: 60 });
    expect(report('013C', 11)).toBeUndefined();
  });

  it('takes the same payload on the same port as an echo, unless it says otherwise', () => {
    const fragment = { fPort: 10, bytes: Uint8Array.of(1, 60) };
    const isEcho = (source: string, hex: string, fPort: number) =>
      codecOf(source).configuration!.isEcho!(usualUplink({ hex, fPort }), fragment);
    expect([
      isEcho(CONFIGURED, '013C', 10),
      isEcho(CONFIGURED, '013D', 10),
      isEcho(CONFIGURED, '013C', 11),
    ]).toEqual([true, false, false]);
    const own = `${CONFIGURED}
      function isEcho(input) { return input.uplink.bytes[0] === input.fragment.bytes[0] + 128; }`;
    expect([isEcho(own, '81', 2), isEcho(own, '01', 10)]).toEqual([true, false]);
  });

  it.each([
    ['7', 'it has to be a map'],
    [
      '{ confirmation: "maybe" }',
      'confirmation has to be one of downlink-sent, uplink-ack, reported-config',
    ],
    ['{ confirmation: "downlink-sent", echoes: true }', 'echoes is for uplink-ack alone'],
    ['{ confirmation: "uplink-ack", echoes: 1 }', 'echoes has to be true or false'],
    ['{ confirmation: "uplink-ack", fPorts: [0] }', 'fPorts has to be a list'],
    ['{ confirmation: "reported-config" }', 'reported-config needs fPorts'],
  ])('is refused for the configuration %s', (declared, why) => {
    const source =
      `var configuration = ${declared}; ` +
      'function decodeUplink() {} function encodeConfiguration() {}';
    expect(wrongWith(source)).toContain(`configuration: ${why}`);
  });

  it('is refused without a function that encodes it', () => {
    const source =
      'var configuration = { confirmation: "downlink-sent" }; function decodeUplink() {}';
    expect(wrongWith(source)).toContain('it needs a function encodeConfiguration(input)');
  });

  it.each([
    ['return { fragments: [] };', '1 to 64 fragments'],
    ['return { fragments: [7] };', 'a fragment is no map'],
    ['return { fragments: [{ fPort: 10, bytes: [999] }] };', 'its bytes'],
    ['return {};', '1 to 64 fragments'],
  ])('does not encode with %s', (body, why) => {
    const source =
      "var configuration = { confirmation: 'downlink-sent' }; " +
      `function decodeUplink() {} function encodeConfiguration() { ${body} }`;
    expect(codecOf(source).configuration!.encode({})).toEqual({
      errors: [expect.stringContaining(why)],
    });
  });
});

/** Codecs that would tell if something of an earlier call were left. */
const TELLTALES = [
  METER_CODEC,
  'let calls = 0; function decodeUplink() { calls++; return { data: { calls: calls } }; }',
  decoding('leak = typeof leak === "undefined" ? 1 : leak + 1; return { data: { leak: leak } };'),
  decoding(
    'Array.prototype.n = (Array.prototype.n || 0) + 1; Object.prototype.toJSON; ' +
      'return { data: { n: [].n } };',
  ),
  decoding(
    'globalThis.stored = (globalThis.stored || []); stored.push(new Array(999).fill(7)); ' +
      'return { data: { n: stored.length } };',
  ),
  decoding(
    'Promise.resolve().then(function () { globalThis.late = 1; }); ' +
      'return { data: { late: typeof late } };',
  ),
  decoding(
    'Date.now = function () { return 1; }; JSON.stringify = null; Math.random = null; ' +
      'return { data: { a: 1 } };',
  ),
  decoding(
    'var s = new WeakMap(), o = {}; s.set(o, 1); ' +
      'return { data: { r: Math.random(), t: Date.now(), ' +
      'e: (function () { try { null.x; } catch (e) { return e.stack; } })() } };',
  ),
  ...Object.values(HOSTILE).map(([body]) => decoding(body)),
];

const callWith = (n: number): CodecCall => ({
  input: JSON.stringify({
    bytes: Array.from({ length: 20 }, (_, i) => (i * n) % 256),
    fPort: 1 + (n % 200),
    recvTime: n,
  }),
  nowMs: 1_000 * n,
  random: [n, 2, 3, 4],
  dates: true,
});

describe('nothing of a call is left', () => {
  it('in any order, between hostile ones, it answers as it does first, after as many steps', () => {
    const engine = codecEngine();
    const sandboxes = TELLTALES.map((source) => {
      const opened = engine.open(source);
      if ('wrong' in opened) throw new Error(opened.wrong);
      return opened.sandbox;
    });
    const first = new Map<string, unknown>();
    const call = fc.tuple(fc.nat(sandboxes.length - 1), fc.nat(5));
    const calls = fc.array(call, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(calls, (chosen) => {
        for (const [which, n] of chosen) {
          const outcome = sandboxes[which]!.call('decodeUplink', callWith(n));
          const key = `${which} ${n}`;
          const known = first.get(key) ?? outcome;
          first.set(key, known);
          expect(outcome, TELLTALES[which]).toEqual(known);
        }
      }),
      { numRuns: someRuns(40) },
    );
  });

  it('what is evaluated again, when others had its place, is the same', () => {
    const engine = codecEngine();
    const opened = engine.open(TELLTALES[1]!);
    if ('wrong' in opened) throw new Error(opened.wrong);
    const before = opened.sandbox.call('decodeUplink', callWith(3));
    for (let i = 0; i < 80; i++) engine.open(`${METER_CODEC}//${i}`);
    expect(opened.sandbox.call('decodeUplink', callWith(3))).toEqual(before);
  });
});
