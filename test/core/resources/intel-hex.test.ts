/** Intel HEX files (Intel, “Hexadecimal Object File Format Specification”, revision A, 1988). */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIntelHex } from '../../../core/update-service/intel-hex.ts';
import { S } from '../bench.ts';
import { full } from './campaign-notation.ts';
import { failureOf, got, service } from './service.ts';

const MOST = 4 * 1024 * 1024;

/** One line. */
function record(type: number, offset: number, data: readonly number[]): string {
  const bytes = [data.length, offset >> 8, offset & 0xff, type, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return `:${Buffer.from([...bytes, -sum & 0xff])
    .toString('hex')
    .toUpperCase()}`;
}

const END = record(1, 0, []);
const CTRL_Z = '\x1a';
const fileOf = (...records: string[]): string => `${[...records, END].join('\r\n')}\r\n`;
const parse = (text: string) => readIntelHex(Buffer.from(text, 'latin1'), MOST);
const messageOf = (text: string): string => failureOf(parse(text)).message;

describe('an Intel HEX file', () => {
  it('describes the memory of its data records', () => {
    const text = [
      ':10010000214601360121470136007EFE09D2190140',
      ':100110002146017E17C20001FF5F16002148011928',
      ':10012000194E79234623965778239EDA3F01B2CAA7',
      ':100130003F0156702B5E712B722B732146013421C7',
      ':00000001FF',
    ].join('\n');
    const { startAddress, bytes } = got(parse(text));
    expect(startAddress).toBe(0x100);
    expect(Buffer.from(bytes).toString('hex')).toMatch(/^214601360121.*2146013421$/);
    expect(bytes.length).toBe(64);
  });

  it('has 0xFF in the gaps between its records', () => {
    const text = fileOf(record(0, 0x10, [1, 2]), record(0, 0x15, [3]));
    expect(got(parse(text))).toEqual({
      startAddress: 0x10,
      bytes: Uint8Array.of(1, 2, 255, 255, 255, 3),
    });
  });

  it('counts addresses from the linear base of the record of type 04 before them', () => {
    const text = fileOf(record(4, 0, [0x08, 0x00]), record(0, 0x1000, [7]));
    expect(got(parse(text)).startAddress).toBe(0x0800_1000);
  });

  it('goes on above 64 KiB in the linear space', () => {
    const text = fileOf(record(4, 0, [0x08, 0x00]), record(0, 0xffff, [7, 8]));
    const { startAddress, bytes } = got(parse(text));
    expect([startAddress, ...bytes]).toEqual([0x0800_ffff, 7, 8]);
  });

  it('counts addresses from 16 times the base of type 02, and wraps around in its segment', () => {
    const text = fileOf(record(2, 0, [0x10, 0x00]), record(0, 0xffff, [7, 8]));
    const { startAddress, bytes } = got(parse(text));
    expect(startAddress).toBe(0x1_0000);
    expect(bytes.length).toBe(0x1_0000);
    expect([bytes[0], bytes[1], bytes.at(-1)]).toEqual([8, 255, 7]);
  });

  it.each([1, 254, 255])('may have %i bytes of data in a record', (size) => {
    const data = Array.from({ length: size }, (_, i) => i);
    expect(got(parse(fileOf(record(0, 0, data)))).bytes).toEqual(Uint8Array.from(data));
  });

  it('may have a record without data, which writes nothing', () => {
    const text = fileOf(record(0, 0, []), record(0, 8, [5]));
    expect(got(parse(text))).toEqual({ startAddress: 8, bytes: Uint8Array.of(5) });
  });

  it('may tell start addresses (types 03 and 05), which move nothing', () => {
    const text = fileOf(
      record(3, 0, [0, 0, 0x38, 0]),
      record(0, 0, [1]),
      record(5, 0, [0, 0, 1, 0x2d]),
    );
    expect(got(parse(text))).toEqual({ startAddress: 0, bytes: Uint8Array.of(1) });
  });

  it('may have its records in any order, in small letters, with blank lines', () => {
    const text = `\n${record(0, 4, [0xab]).toLowerCase()}\n\n${record(0, 3, [0xcd])}\n${END}\n\n`;
    expect([...got(parse(text)).bytes]).toEqual([0xcd, 0xab]);
  });

  it.each([
    ['Line 2, column 1: a record begins with a colon', fileOf(record(0, 0, [1]), 'hello')],
    ['Line 1, column 4: a record has 10 to 520 digits in pairs, this one 2', ':00\n'],
    ['Line 1, column 15: a record has', fileOf(`${record(0, 0, [1])}0`)],
    ['a record has 10 to 520 digits in pairs, this one 522', fileOf(`:${'00'.repeat(261)}`)],
    ['a record has 10 to 520 digits in pairs, this one 8', fileOf(':00000000')],
    ['Line 1, column 1: a record begins with a colon', fileOf(record(0, 0, [1]).slice(1))],
    ['Line 2, column 5: this is no hexadecimal digit', fileOf(record(0, 0, [1]), ':010x00000')],
    [
      'Line 1, column 2: the length says 2 bytes of data, and there are 1',
      ':02000000010000\n:00000001FF'.replace('010000', '01FD'),
    ],
    [
      'Line 2, column 12: the checksum is 00; the bytes have FD',
      fileOf(record(0, 0, [1]), ':010001000100'),
    ],
    ['Line 1, column 8: the type is 06; there are 00 to 05', fileOf(record(6, 0, []))],
    ['Line 1, column 2: type 04 has 2 bytes of data, and there are 1', fileOf(record(4, 0, [1]))],
    [
      'Line 1, column 2: type 05 has 4 bytes of data, and there are 2',
      fileOf(record(5, 0, [1, 2])),
    ],
    ['Line 1, column 2: type 01 has 0 bytes of data, and there are 1', record(1, 0, [1])],
    ['Line 2, column 4: this writes to 01 again', fileOf(record(0, 0, [1, 2]), record(0, 1, [2]))],
    [
      'Line 2, column 4: this writes to 04 again',
      fileOf(record(0, 4, [1, 2]), record(0, 3, [1, 2])),
    ],
    [
      'Line 3, column 1: this stands after the end of the file',
      `${fileOf(record(0, 0, [1]))}${END}`,
    ],
    ['Line 1, column 14: the file ends without an end-of-file record', record(0, 0, [1])],
    ['Line 1, column 14: the file ends without', `${record(0, 0, [1])}\r\n\x1a`],
    ['Line 1, column 1: the file ends without', ''],
    ['The file has no data', fileOf()],
    [
      'Line 2, column 4: this ends above FFFFFFFF',
      fileOf(record(4, 0, [0xff, 0xff]), record(0, 0xffff, [1, 2])),
    ],
  ])('is refused: %s', (message, text) => {
    expect(messageOf(text)).toContain(message);
  });

  const ONE = record(0, 0, [7]);

  it.each([
    ['alone on the last line', `${ONE}\r\n${END}\r\n${CTRL_Z}`],
    ['alone, after line feeds', `${ONE}\n${END}\n${CTRL_Z}`],
    ['on the last line', `${ONE}\r\n${END}${CTRL_Z}`],
    ['with a line feed behind it', `${ONE}\n${END}\n${CTRL_Z}\r\n`],
    ['that fills up a sector', `${ONE}\r\n${END}\r\n${CTRL_Z.repeat(90)}`],
    ['after carriage returns alone', `${ONE}\r${END}\r${CTRL_Z}`],
  ])('may end in Ctrl-Z: %s', (_, text) => {
    expect(got(parse(text))).toEqual({ startAddress: 0, bytes: Uint8Array.of(7) });
  });

  it.each([
    ['Line 2, column 1', `${ONE}\r\n${CTRL_Z}\r\n${END}\r\n`],
    ['Line 1, column 14', `${ONE}${CTRL_Z}\r\n${END}\r\n`],
    ['Line 1, column 3', `:0${CTRL_Z}0000\n${END}\n`],
    ['Line 1, column 1', `${CTRL_Z}${ONE}\n${END}\n`],
    ['Line 2, column 12', `${ONE}\n${END}${CTRL_Z}\n${END}`],
  ])('has no Ctrl-Z elsewhere, which is refused with its place: %s', (place, text) => {
    expect(messageOf(text)).toBe(`${place}: a Ctrl-Z stands before the end of the file.`);
  });

  /** Pieces of memory at addresses that do not meet. */
  const memories = fc
    .array(fc.tuple(fc.nat({ max: 300 }), fc.uint8Array({ minLength: 1, maxLength: 40 })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => {
      let at = 0xfff0;
      return parts.map(([gap, data]) => {
        const piece = { at: at + gap, data: [...data] };
        at += gap + data.length;
        return piece;
      });
    });

  it('is read as it was written, in whatever order and way', () => {
    const order = fc.infiniteStream(fc.nat());
    fc.assert(
      fc.property(memories, order, fc.boolean(), (pieces, keys, inSegments) => {
        const records = pieces.flatMap(({ at, data }) =>
          data.map((byte, i) => {
            const address = at + i;
            return inSegments
              ? [record(2, 0, [(address >> 16) << 4, 0]), record(0, address & 0xffff, [byte])]
              : [record(4, 0, [0, address >> 16]), record(0, address & 0xffff, [byte])];
          }),
        );
        const shuffled = records
          .map((lines) => ({ lines, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .flatMap(({ lines }) => lines);
        const first = pieces[0]!.at;
        const last = pieces.at(-1)!;
        const expected = new Uint8Array(last.at + last.data.length - first).fill(0xff);
        for (const { at, data } of pieces) expected.set(data, at - first);
        const { startAddress, bytes } = got(parse(fileOf(...shuffled)));
        expect(startAddress).toBe(first);
        expect(Buffer.from(bytes).equals(Buffer.from(expected))).toBe(true);
      }),
    );
  });

  it('is refused when any one character is no digit', () => {
    const text = record(0, 0xfff4, [1, 0xf2, 0xab, 0xcd]);
    const others = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
    for (const other of others.filter((one) => !/[0-9A-Fa-f\r\n]/.test(one))) {
      for (let at = 1; at < text.length; at++) {
        const broken = text.slice(0, at) + other + text.slice(at + 1);
        // A blank at the end of a line is none of it; what is left has an odd digit.
        const isBlankAtEnd = at === text.length - 1 && /[ \t]/.test(other);
        const what = isBlankAtEnd
          ? 'a record has 10 to 520 digits in pairs'
          : other === CTRL_Z
            ? 'a Ctrl-Z stands before the end of the file'
            : 'this is no hexadecimal digit';
        const place = `Line 1, column ${at + 1}: ${what}`;
        expect(messageOf(`${broken}\n${END}`).slice(0, place.length)).toBe(place);
      }
    }
  });

  it('is refused when any one digit is another', () => {
    const text = record(0, 0x1234, [1, 2, 0xab, 0xcd]);
    const digit = fc.integer({ min: 1, max: text.length - 1 });
    fc.assert(
      fc.property(digit, fc.integer({ min: 1, max: 15 }), (at, by) => {
        const other = (Number.parseInt(text[at]!, 16) ^ by).toString(16);
        const broken = text.slice(0, at) + other + text.slice(at + 1);
        expect(parse(`${broken}\n${END}`)).toMatchObject({ ok: false });
      }),
    );
  });
});

describe('an image in Intel HEX', () => {
  const text = fileOf(record(4, 0, [0x08, 0]), record(0, 0, [1, 2]), record(0, 4, [3]));
  const hexOf = (content: string): string => Buffer.from(content).toString('hex');

  it('image.create: is stored as it was uploaded: its hash is the file’s', () => {
    const us = service();
    const { hash } = us.upload('app-1.2.3.hex', hexOf(text));
    expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it.each([
    ['a broken one', text.replace('0102', '0103'), 'Line 2, column 14: the checksum is F'],
    ['any bytes', '\0', 'Line 1, column 1: a record begins with a colon'],
  ])('image.create: may be none: %s is opaque, and its campaign warns', (_, content, why) => {
    const us = service();
    const devices = us.devices(1);
    const bytes = Buffer.from(content);
    const { hash } = us.upload('a-1.2.3.HEX', hexOf(content));
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    us.bench.reload();
    const memory = us.tryAsk({ kind: 'image.memory', name: 'a-1.2.3.HEX' });
    expect(failureOf(memory).code).toBe('image.no-memory');
    expect(failureOf(memory).message).toContain(why);
    us.upload('b-1.2.3.hex', hexOf(text));
    const { device_group_id } = us.do({
      kind: 'deviceGroup.create',
      group: { name: 'g', devices },
    });
    const warningsOf = (image_name: string) => {
      const campaign = { name: 'c', image_name, device_group_id };
      const { campaign_id } = us.do({ kind: 'campaign.create', campaign });
      us.bench.runUntil(us.bench.nowUs + 10 * S);
      return full(us, campaign_id).warnings.filter((each) => each.includes('HEX'));
    };
    expect(warningsOf('a-1.2.3.HEX')).toEqual([
      expect.stringMatching(/^a-1\.2\.3\.HEX is no Intel HEX, and is sent as it is: Line/),
    ]);
    expect(warningsOf('b-1.2.3.hex')).toEqual([]);
  });

  it('image.create: may have a record far from the others; the gap between is no content', () => {
    const us = service();
    const uicr = [record(4, 0, [0x10, 0]), record(0, 0x1014, [4, 5, 6, 7])];
    us.upload('a.hex', hexOf(fileOf(record(0, 0, [1, 2]), record(0, 4, [3]), ...uicr)));
    us.upload('a.bin', '01020304050607');
    const [bin] = us.ask({ kind: 'image.list' });
    const response = { start_address: 0, bytes: 7, hash: bin!.hash };
    expect(us.ask({ kind: 'image.memory', name: 'a.hex' })).toEqual(response);
  });

  it('reports the memory that it describes, which a .bin has not', () => {
    const us = service();
    us.upload('a.hex', hexOf(text));
    us.upload('a.bin', '0102ffff03');
    const [bin] = us.ask({ kind: 'image.list' });
    expect(us.ask({ kind: 'image.memory', name: 'a.hex' })).toEqual({
      start_address: 0x0800_0000,
      bytes: 5,
      hash: bin!.hash,
    });
    expect(us.refusedQuery({ kind: 'image.memory', name: 'a.bin' })).toBe('image.no-memory');
    expect(us.refusedQuery({ kind: 'image.memory', name: 'b.hex' })).toBe('image.unknown');
  });

  it('image.create: may be a file of the most bytes that are taken', () => {
    const line = `${record(
      0,
      0,
      Array.from({ length: 255 }, () => 0),
    )}\n`;
    const count = Math.floor(MOST / (line.length + 1));
    let file = '';
    for (let i = 0; i < count && file.length + 60 < MOST - line.length; i++) {
      const address = i * 255;
      if (i === 0 || address >> 16 !== (address - 255) >> 16) {
        file += `${record(4, 0, [0, address >> 16])}\n`;
      }
      file += `${record(
        0,
        address & 0xffff,
        Array.from({ length: 255 }, () => i & 0xff),
      )}\n`;
    }
    expect(service().upload('a.hex', hexOf(file + END)).name).toBe('a.hex');
  });
});

describe('an image with a header of a boot loader', () => {
  it('image.create: is stored as it was uploaded, header and all', () => {
    const bytes = Buffer.concat([Buffer.from('SFU1'), Buffer.alloc(316, 7), Buffer.from('body')]);
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(service().upload('app-1.2.3.sfb', bytes.toString('hex')).hash).toBe(hash);
  });
});
