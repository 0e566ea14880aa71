/** Files that are written line by line, and places of faults in files of JSON. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJson } from '../../../api/host/files/recorded-run.ts';
import { LinesFile, NdjsonFile, TraceFile } from '../../../api/host/files/trace-file.ts';
import type { TraceRow } from '../../../sim/observation/observer.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-files-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = () => readFileSync(path, 'utf8');

describe('a file of lines', () => {
  it('is empty when it is created, whatever stood in it', () => {
    writeFileSync(path, 'old');
    const file = new LinesFile(path);
    expect(written()).toBe('');
    file.close();
    expect(written()).toBe('');
  });

  it('has all lines in their order once it is closed', () => {
    const file = new LinesFile(path);
    file.line('één');
    file.line('');
    file.line('two');
    file.close();
    expect(written()).toBe('één\n\ntwo\n');
  });

  it('is written when a million characters are gathered, line feeds among them', () => {
    const file = new LinesFile(path);
    const most = 1 << 20;
    file.line('x'.repeat(most - 5));
    expect(written()).toHaveLength(0);
    file.line('yy');
    expect(written()).toHaveLength(0);
    file.line('');
    expect(written()).toHaveLength(most);
    file.line('z');
    expect(written()).toHaveLength(most);
    file.close();
    expect(written()).toHaveLength(most + 2);
    expect(written().slice(-7)).toBe('\nyy\n\nz\n'.slice(-7));
  });

  it('is closed once, and takes no line afterwards', () => {
    const file = new LinesFile(path);
    file.close();
    expect(() => file.line('late')).toThrow('no line comes after the file was closed');
    expect(() => file.close()).toThrow('a file is closed once');
    expect(written()).toBe('');
  });
});

it('a file of JSON documents counts its rows', () => {
  const file = new NdjsonFile(path);
  file.write({ a: 1 });
  file.write({ b: [2] });
  file.close();
  expect([file.rows, written()]).toEqual([2, '{"a":1}\n{"b":[2]}\n']);
});

describe('a trace', () => {
  const rows = [
    { kind: 'deviceStarts', device: 'alder', appKey: 'A', nwkKey: 'N' },
    { kind: 'uplinkBegins', device: 'alder', keys: 'K' },
    { kind: 'downlinkPlanned', gateway: 'roof', keys: 'K' },
    { kind: 'uplinkEnds', device: 'alder', keys: 'none of those' },
  ] as unknown as TraceRow[];
  const traced = (options?: { withKeys?: boolean }) => {
    const file = new TraceFile(path, options);
    for (const row of rows) file.trace(row);
    file.close();
    return written()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
  };

  it('has no keys, unless they are asked for', () => {
    expect(traced()).toEqual([
      { kind: 'deviceStarts', device: 'alder' },
      { kind: 'uplinkBegins', device: 'alder' },
      { kind: 'downlinkPlanned', gateway: 'roof' },
      { kind: 'uplinkEnds', device: 'alder', keys: 'none of those' },
    ]);
    expect(traced({ withKeys: false })).toEqual(traced());
    expect(traced({ withKeys: true })).toEqual(rows);
  });
});

describe('a file that is not JSON', () => {
  const faultIn = (text: string): string => {
    writeFileSync(path, text);
    const read = readJson(path, 'a list');
    return 'faults' in read ? read.faults.join() : 'no fault';
  };
  const at = (place: string) => expect.stringContaining(`${path}:${place}`);

  it('is reported with line and column of its fault', () => {
    expect(faultIn('{"a": 1,\n "b": 2 3}')).toEqual(at('2:9 '));
    expect(faultIn('{"a": 1 2}')).toEqual(at('1:9 '));
    expect(faultIn('{"a": 1 2}')).toContain('is not JSON: ');
    expect(faultIn('{"a": 1 2}')).toContain('; allowed: a list');
  });

  it('is reported with its end where something is missing there', () => {
    expect(faultIn('')).toEqual(at('1:1 '));
    expect(faultIn('[1,\n2')).toEqual(at('2:2 '));
  });

  it('is none where it can be read, and differs from one that cannot', () => {
    expect(faultIn('[1]')).toBe('no fault');
    rmSync(path);
    const read = readJson(path, 'a list');
    expect('faults' in read && read.faults.join()).toContain('cannot be read: ');
    writeFileSync(path, '');
  });
});
