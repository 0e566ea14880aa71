/** The folder of a study: rows that landed are there, and what is wrong with them is found. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FolderDamaged,
  type LandedRow,
  RowsDiffer,
  StudyFolder,
} from '../../../api/host/studies/study-folder.ts';

let root = '';
let folder: StudyFolder;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fleetwave-study-folder-'));
  folder = folderAt('one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function folderAt(name: string): StudyFolder {
  const created = new StudyFolder(join(root, name));
  created.make();
  return created;
}

const row = (number: number, more: Partial<LandedRow> = {}): LandedRow => ({
  key: `key-${number}`,
  seed: `s/${number}`,
  digest: `digest-${number}`,
  figures: { joined: number / 10, uplinks: null },
  unfinished: [],
  ...more,
});
const rows = (...numbers: readonly number[]) => numbers.map((number) => row(number));
const chunks = (name = 'one') => readdirSync(join(root, name, 'chunks')).sort();
const fileIn = (name: string, chunk: string) => join(root, name, 'chunks', chunk);
const read = (from = folder) => [...from.readRows().values()];

describe('rows that landed', () => {
  it('are read again as they were, by their key', () => {
    const broken: LandedRow = { key: 'b', seed: 's/9', error: 'AssertionError: "x"\u2028' };
    folder.land('study', 0, rows(1, 2));
    folder.land('study', 1, [row(3), broken]);
    expect(read()).toEqual([...rows(1, 2, 3), broken]);
    expect(chunks()).toEqual(['study-000000.jsonl', 'study-000001.jsonl']);
  });

  it('are there once, and the parts of their chunk are gone', () => {
    folder.landPart('study', 0, rows(1));
    folder.landPart('study', 1, rows(4));
    expect(read()).toEqual(rows(1, 4));
    folder.land('study', 0, rows(1, 2));
    expect(read()).toEqual(rows(1, 2, 4));
    expect(chunks()).toHaveLength(2);
    folder.land('study', 0, rows(1, 2));
    expect(read()).toEqual(rows(1, 2, 4));
  });

  it('are none where there is no folder yet', () => {
    expect(new StudyFolder(join(root, 'none')).readRows().size).toBe(0);
  });

  it('have the figures of all studies that stored some', () => {
    folder.land('a', 0, [row(1, { figures: { joined: 1, 'campaign.t50': 5 } })]);
    folder.land('b', 0, [row(1, { figures: { joined: 1, 'group.x': 7 } })]);
    expect(read()[0]!.figures).toEqual({ joined: 1, 'campaign.t50': 5, 'group.x': 7 });
  });
});

describe('different rows of one world', () => {
  const other = [row(1, { digest: 'another' })];

  it('are found where another worker landed the same chunk, and both files are stored', () => {
    folder.land('study', 0, rows(1));
    expect(() => folder.land('study', 0, other)).toThrow(RowsDiffer);
    expect(chunks()).toHaveLength(2);
    expect(() => read()).toThrow(/study-000000.*have different rows of one world, seed s\/1/);
  });

  it.each<[string, Partial<LandedRow>]>([
    ['another digest', { digest: 'another' }],
    ['another figure', { figures: { joined: 0.2, uplinks: null } }],
    ['a figure that was not measured', { figures: { joined: null } }],
    ['another figure, and more of them', { figures: { joined: 0.2, uplinks: null, more: 1 } }],
    ['another figure, and fewer of them', { figures: { joined: 0.2 } }],
    ['an error', { digest: undefined, figures: undefined, error: 'Error: x' }],
  ])('with %s are found in chunks of different studies', (_, more) => {
    folder.land('a', 0, rows(1));
    folder.land('b', 0, [row(1, more)]);
    expect(() => read()).toThrow(RowsDiffer);
  });

  it('are found when folders are put together', () => {
    const two = folderAt('two');
    folder.land('study', 0, rows(1, 2));
    two.land('study', 0, [row(2), ...other]);
    expect(() => folder.takeFrom(two, () => true)).toThrow(RowsDiffer);
    expect(read()).toEqual(rows(1, 2));
  });
});

describe('folders that are put together', () => {
  it('have the rows of both, each once', () => {
    const two = folderAt('two');
    folder.land('study', 0, rows(1, 2));
    two.land('study', 0, rows(1, 2));
    two.land('study', 1, rows(3));
    two.landPart('study', 2, rows(4));
    folder.takeFrom(two, () => true);
    expect(read()).toEqual(rows(1, 2, 3, 4));
    expect(read(two)).toEqual(rows(1, 2, 3, 4));
  });

  it('heal a chunk that is cut off in one of them', () => {
    const two = folderAt('two');
    for (const each of [folder, two]) each.land('study', 0, rows(1, 2));
    const file = fileIn('one', 'study-000000.jsonl');
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, `${whole.split('\n')[0]}\n`);
    folder.takeFrom(two, () => true);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    writeFileSync(fileIn('two', 'study-000000.jsonl'), `${whole.split('\n')[0]}\n`);
    folder.takeFrom(two, () => true);
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });
});

describe('a chunk that is cut off', () => {
  it('at any byte is read as rows that were there, or reported with its file and line', () => {
    folder.land('study', 0, rows(1, 2, 3));
    const file = fileIn('one', 'study-000000.jsonl');
    const whole = readFileSync(file);
    const ends = [...whole.toString()].flatMap((sign, at) => (sign === '\n' ? [at] : []));
    for (let length = whole.length - 1; length >= 0; length--) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      // A line that lacks but its end is whole.
      const lines = ends.filter((end) => end <= length).length;
      const isBetween = length === 0 || ends.includes(length) || ends.includes(length - 1);
      if (isBetween) expect(read()).toEqual(rows(1, 2, 3).slice(0, lines));
      else {
        const text = `${file}:${lines + 1} is not a row as it was written; the file may be removed`;
        expect(() => read()).toThrow(text);
        continue;
      }
      // What is run again lands over it.
      folder.land('study', 0, rows(1, 2, 3));
      expect(readFileSync(file)).toEqual(whole);
    }
  });
});

describe('what is none of a study’s', () => {
  it('is left alone where it is called otherwise', () => {
    folder.land('study', 0, rows(1));
    writeFileSync(fileIn('one', 'notes.txt'), 'x');
    writeFileSync(fileIn('one', 'study-000001.jsonl.123.tmp'), '{"key":');
    expect(read()).toEqual(rows(1));
  });

  it.each([
    ['text', 'words\n', ':1'],
    ['another JSON', '{"a":1}\n', ':1'],
    ['a row without a result', '\n{"key":"k","seed":"s"}\n', ':2'],
    ['a row of texts', '{"key":"k","seed":"s","digest":"d","figures":{"joined":"1"}}\n', ':1'],
    ['an empty list', '[]', ':1'],
  ])('is reported with its file and line: %s', (_, text, line) => {
    const file = fileIn('one', 'other.jsonl');
    writeFileSync(file, text);
    expect(() => read()).toThrow(FolderDamaged);
    expect(() => read()).toThrow(`${file}${line} is not a row as it was written`);
  });

  it('is reported where it is a folder', () => {
    mkdirSync(fileIn('one', 'other.jsonl'));
    expect(() => read()).toThrow(/other\.jsonl: cannot be read: it is a folder/);
  });
});

describe('the checksum of a row', () => {
  const chunk = 'study-000000.jsonl';
  const change = (name: string, act: (text: string) => string) => {
    const file = fileIn(name, chunk);
    writeFileSync(file, act(readFileSync(file, 'utf8')));
  };

  it('notices each change of a digit, at its line', () => {
    folder.land('study', 0, rows(1, 2));
    const text = readFileSync(fileIn('one', chunk), 'utf8');
    const digits = [...text].flatMap((letter, at) => (/\d/.test(letter) ? [at] : []));
    expect(digits.length).toBeGreaterThan(20);
    for (const at of digits) {
      const other = text[at] === '7' ? '3' : '7';
      change('one', () => text.slice(0, at) + other + text.slice(at + 1));
      const line = at < text.indexOf('\n') ? 1 : 2;
      expect(() => read()).toThrow(`${chunk}:${line} is not a row as it was written`);
    }
  });

  it('is looked at before rows of another folder are taken', () => {
    const other = folderAt('two');
    other.land('study', 0, rows(1));
    change('two', (text) => text.replace('0.1', '0.2'));
    expect(() => folder.takeFrom(other, () => true)).toThrow(FolderDamaged);
  });

  it('is absent in rows of builds before, which are read and counted', () => {
    folder.land('study', 0, rows(1, 2, 3));
    expect([read(), folder.unchecked]).toEqual([rows(1, 2, 3), 0]);
    change('one', (text) => text.replace(/,"crc32":"[0-9a-f]{8}"\}\n/, '}\n'));
    expect([read(), folder.unchecked]).toEqual([rows(1, 2, 3), 1]);
  });
});
