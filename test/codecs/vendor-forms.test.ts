/** Codecs of vendors run as they are, in each form that they are published in. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import { openCodec } from '../../core/codecs/declared.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { codecOf, decoding, usualUplink } from '../support/codecs.ts';
import { someRuns } from '../support/long.ts';
import { VENDOR_CODECS } from './vendor-codecs.ts';

const dataOf = (body: string, hex = '') =>
  codecOf(decoding(body)).decode(usualUplink({ hex })).data as Readonly<Record<string, unknown>>;

describe('a codec of a vendor', () => {
  it.each(VENDOR_CODECS)('runs as it is: $form', ({ source, hex, fPort = 2, data, encodes }) => {
    const codec = codecOf(source);
    expect(codec.decode(usualUplink({ hex, fPort }))).toEqual({ data });
    if (encodes === undefined) return;
    const encoded = codec.encode!(encodes.data, encodes.fPort);
    if ('errors' in encoded) throw new Error(encoded.errors.join());
    expect(encoded.value.fPort).toBe(encodes.fPort);
    expect(toHex(encoded.value.bytes).toUpperCase()).toBe(encodes.hex);
  });

  it('is called as decodeUplink where it has several forms', () => {
    const source = `function Decoder(bytes) { return { by: 'Decoder' }; }
      function Decode(fPort, bytes) { return { by: 'Decode' }; }`;
    const by = (more: string) => codecOf(source + more).decode(usualUplink()).data;
    expect(by('')).toEqual({ by: 'Decoder' });
    expect(by('exports.decodeUplink = (i) => ({ data: { by: "TS013" } });')).toEqual({
      by: 'TS013',
    });
  });

  it('answers nothing where its old form does, and an error that it throws', () => {
    const decoded = (source: string) => codecOf(source).decode(usualUplink());
    const neither = { errors: ['codec: decodeUplink answers neither data nor errors'] };
    expect(decoded('function Decoder() {}')).toEqual(neither);
    expect(decoded('function Decode() { return null; }')).toEqual(neither);
    expect(decoded('function Decoder() {\n  throw new Error("no such port");\n}')).toEqual({
      errors: ['codec: Error: no such port (line 2)'],
    });
  });

  it('is refused, with all its forms named, where it has none of them', () => {
    const opened = openCodec('var driver = { decode: 1 };', codecEngine());
    expect(opened.ok ? '' : opened.failure.message).toBe(
      'The codec is not right: it has no function decodeUplink(input), Decoder(bytes, port) or ' +
        'Decode(fPort, bytes, variables), by itself, exported, or in a global driver.',
    );
  });

  it('as a module has lines of faults, and no other module, await or sloppiness', () => {
    const wrong = (source: string) => {
      const opened = openCodec(source, codecEngine());
      return opened.ok ? '' : opened.failure.message.replace('The codec is not right: ', '');
    };
    const decode = 'export function decodeUplink() { return { data: { a: 1 } }; }';
    expect(wrong(decode)).toBe('');
    expect(wrong(`${decode}\nexport const a = ;`)).toMatch(
      /^line 2: SyntaxError: unexpected token/,
    );
    expect(wrong(`${decode}\nthrow new Error('early');`)).toBe('line 2: Error: early.');
    expect(wrong(`import { a } from 'lib.js';\n${decode}`)).toBe(
      "it imports 'lib.js'; there is no module but buffer.",
    );
    expect(wrong(`${decode}\nexport const b = await 1;`)).toContain('awaits at its top level');
    expect(wrong(`${decode}\nexport const c = 010;`)).toContain('strict mode');
    expect(wrong(`${decode}\nfor (;;);`)).toBe('exceeded its steps.');
    const thrower = "export function decodeUplink() {\n  throw new Error('no');\n}";
    expect(codecOf(thrower).decode(usualUplink())).toEqual({
      errors: ['codec: Error: no (line 2)'],
    });
  });

  it('as a script with a fault keeps its own words, though it names what modules do', () => {
    const opened = openCodec('// export\nvar a = 010, b = ;', codecEngine());
    expect(opened.ok ? '' : opened.failure.message).toContain('line 2: SyntaxError: unexpected');
  });

  it('as a module leaves nothing of a call, nor of the try to run it as a script', () => {
    const source = `let calls = 0;
      globalThis.tries = (globalThis.tries || 0) + 1;
      export const decodeUplink = () => ({ data: { calls: ++calls, tries: globalThis.tries } });`;
    const codec = codecOf(source);
    for (let i = 0; i < 3; i++) {
      expect(codec.decode(usualUplink())).toEqual({ data: { calls: 1, tries: 1 } });
    }
  });

  it('has a Buffer only where it names it, and no other module', () => {
    expect(dataOf('return { data: { typeof: typeof globalThis["Buf" + "fer"] } };')).toEqual({
      typeof: 'undefined',
    });
    const source = `var own = require('buffer'); ${decoding("return require('fs');")}`;
    expect(codecOf(source).decode(usualUplink())).toEqual({
      errors: [expect.stringMatching(/^codec: Error: Cannot find module 'fs' \(line \d+\)$/)],
    });
  });
});

describe('the Buffer of codecs', () => {
  /** Expressions of `b`, a Buffer of the bytes, and of a number `n`, judged by Node.js. */
  const EXPRESSIONS = [
    'b.toString()',
    "b.toString('hex')",
    "b.toString('base64')",
    "b.toString('base64url')",
    "b.toString('latin1', 1, n)",
    "b.toString('ascii')",
    "b.toString('utf16le').length",
    "Buffer.from(b.toString('base64'), 'base64').equals(b)",
    "Buffer.from(b.toString('utf8')).toString('hex')",
    "Buffer.from('0g12', 'hex').length",
    "Buffer.from('äö€😀', 'utf8').toJSON()",
    "Buffer.from('äö€', 'latin1')",
    'b.slice(1, n).toJSON()',
    'b.subarray(-3).toJSON()',
    'b.slice(n).length',
    'b.readUInt8(n)',
    'b.readInt8(n)',
    'b.readUInt16LE(n)',
    'b.readUint16BE(n)',
    'b.readInt16BE(n)',
    'b.readInt32LE(n)',
    'b.readUInt32BE(n)',
    'b.readFloatLE(n)',
    'b.readDoubleBE(n)',
    'String(b.readBigUInt64LE(n))',
    'String(b.readBigInt64BE(n))',
    'b.readUIntBE(n, 3)',
    'b.readIntLE(0, n)',
    'b.readIntBE(n, 6)',
    'b.readUInt8(n / 2)',
    "b.readUInt8('1')",
    'b.readUInt8()',
    '[b.writeUInt16BE(1000 * n, 1), b]',
    '[b.writeInt8(n - 130, 0), b]',
    '[b.writeUInt32LE(1e9 * n, n), b]',
    '[b.writeInt32BE(-1e9 * n, 0), b]',
    '[b.writeUIntLE(n * 1e5, 0, 3), b]',
    '[b.writeIntBE(-n * 1e4, 0, 3), b]',
    '[b.writeIntLE(-n * 1e12, 0, 5), b]',
    '[b.writeUIntBE(n * 1e14, 0, 6), b]',
    '[b.writeBigInt64LE(-(9n ** BigInt(3 * n)), 0), b]',
    '[b.writeFloatBE(n / 3, 0), b]',
    '[b.writeDoubleLE(n / 3, 0), b]',
    "[b.write('aé€', n), b]",
    "[b.write('0102', 1, 'hex'), b]",
    "b.fill('ab', n)",
    'b.fill(n)',
    'Buffer.alloc(n, 7)',
    'Buffer.alloc(-n)',
    'Buffer.concat([b, b], n)',
    'Buffer.compare(b, b.slice(1))',
    'b.indexOf(n)',
    'b.lastIndexOf(n)',
    "b.includes('a')",
    'b.indexOf(Buffer.from([n, n]))',
    '[b.copy(b, 1, 0, n), b]',
    'b.slice().swap16()',
    'Buffer.isBuffer(b.map((x) => x ^ n))',
    'b.map((x) => x ^ n)',
    'Array.from(b).length + b.length',
    'b.reverse()',
    'Buffer.byteLength("äöü")',
    "Buffer.isEncoding('hex') && !Buffer.isEncoding('x')",
    "b.toString('nonsense')",
    'Buffer.from(n)',
    'Buffer.from({})',
    'Buffer.from([1.9, -1, 300, "7"])',
    'Buffer.from(new Uint16Array([1, 513]))',
    'Buffer.from(new Uint8Array([1, 2, 3]).buffer, 1)',
    'b instanceof Uint8Array && b.constructor === Buffer',
    'JSON.parse(JSON.stringify({ b: b })).b.type',
  ] as const;

  const answerOf = (expression: string): string =>
    `var answer; try { answer = { value: ${expression} }; } ` +
    'catch (error) { answer = { name: error.name, message: error.message, code: error.code }; }';

  it('does what that of Node.js does, and complains as it does', () => {
    const codecs = EXPRESSIONS.map((expression) =>
      codecOf(
        decoding(
          'var b = Buffer.from(input.bytes), n = input.fPort - 1; ' +
            `${answerOf(expression)} return { data: answer };`,
        ),
      ),
    );
    const natives = EXPRESSIONS.map(
      (expression) =>
        new Function('Buffer', 'b', 'n', `${answerOf(expression)} return JSON.stringify(answer);`),
    );
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 12 });
    fc.assert(
      fc.property(fc.nat(EXPRESSIONS.length - 1), bytes, fc.nat(8), (at, given, n) => {
        const hex = toHex(given);
        const own = codecs[at]!.decode(usualUplink({ hex, fPort: n + 1 }));
        const native = natives[at]!(Buffer, Buffer.from(given), n) as string;
        expect([EXPRESSIONS[at], own]).toEqual([EXPRESSIONS[at], { data: JSON.parse(native) }]);
      }),
      { numRuns: someRuns(3_000) },
    );
  });

  it('is the same wherever it is made, and nothing is left of it in another call', () => {
    const source = decoding(
      'Buffer.prototype.seen = (Buffer.prototype.seen || 0) + 1; ' +
        'return { data: { seen: Buffer.prototype.seen } };',
    );
    const codec = codecOf(source);
    for (const _ of [1, 2]) expect(codec.decode(usualUplink())).toEqual({ data: { seen: 1 } });
  });
});

describe('texts of codecs', () => {
  it('are read from UTF-8 as browsers read them, wrong bytes included', () => {
    const codec = codecOf(
      decoding('return { data: { t: new TextDecoder().decode(Uint8Array.from(input.bytes)) } };'),
    );
    const byte = fc.oneof(fc.integer({ min: 0x80, max: 0xff }), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (list) => {
        const given = Uint8Array.from(list);
        const { data } = codec.decode(usualUplink({ hex: toHex(given) }));
        expect(data).toEqual({ t: new TextDecoder().decode(given) });
      }),
      { numRuns: someRuns(1_000) },
    );
  });

  it('have numbers and dates in the words of en-US, in UTC', () => {
    const codec = codecOf(
      `${decoding('')} function encodeDownlink(input) { var d = new Date(input.data.at);
        return { errors: [input.data.n.toLocaleString(), d.toLocaleString(),
          d.toLocaleDateString('de'), d.toLocaleTimeString('en-US', { hour12: false }),
          input.data.n.toLocaleString('en-US', { maximumFractionDigits: 1 }),
          input.data.n.toLocaleString(undefined, { minimumFractionDigits: 2 })] }; }`,
    );
    const utc = { timeZone: 'UTC' } as const;
    const ofNode = (n: number, at: number) => [
      n.toLocaleString('en-US'),
      new Date(at).toLocaleString('en-US', utc),
      new Date(at).toLocaleDateString('en-US', utc),
      new Date(at).toLocaleTimeString('en-US', { ...utc, hour12: false }),
      n.toLocaleString('en-US', { maximumFractionDigits: 1 }),
      n.toLocaleString('en-US', { minimumFractionDigits: 2 }),
    ];
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1e9, max: 1e9 }).map((whole) => whole / 10_000),
    );
    const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(numbers, instants, (n, at) => {
        const encoded = codec.encode!({ n, at }, 1);
        const texts = 'errors' in encoded ? encoded.errors : [];
        // Some versions of Node.js have a narrow space before AM and PM.
        expect(texts).toEqual(
          ofNode(n === 0 ? 0 : n, at).map((text) => text.replace(/\u202f/g, ' ')),
        );
      }),
      { numRuns: someRuns(1_000) },
    );
  });
});
