/** The folder of a run's results: what an earlier run wrote goes, whatever else is there stays. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RESULT_FILES, remember, removeEarlier } from '../../../api/host/files/results-folder.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'fleetwave-results-'));
  folder = join(parent, 'out');
  mkdirSync(join(folder, 'captures'), { recursive: true });
});
afterEach(() => rmSync(parent, { recursive: true }));

const write = (...names: string[]) => {
  for (const name of names) writeFileSync(join(folder, name), 'a');
};
const here = () => readdirSync(folder).sort();
const next = (open: string[] = [], needed: string[] = []) =>
  removeEarlier(folder, {
    open: open.map((name) => join(folder, name)),
    needed: needed.map((name) => join(folder, name)),
  });

it('a run removes all files that have the names of results, and no other file', () => {
  write(...Object.values(RESULT_FILES), 'notes.txt');
  next();
  expect(here()).toEqual(['captures', 'notes.txt']);
});

it('a run keeps what it writes already and what it was made of', () => {
  write('result.json', 'trace.ndjson', 'report.html');
  next(['trace.ndjson'], ['result.json']);
  expect(here()).toEqual(['captures', 'result.json', 'trace.ndjson']);
});

it('a run with one capture leaves a list of it, and the next run removes both', () => {
  write('up.pcap', 'result.json');
  remember(folder, [join(folder, 'up.pcap'), join(folder, 'result.json')]);
  expect(here()).toContain('.fleetwave-files');
  next();
  expect(here()).toEqual(['captures']);
});

it('a run with several captures, some in folders, leaves a list of all', () => {
  write('up.pcap', 'down.pcap', 'captures/all.pcap');
  remember(
    folder,
    ['up.pcap', 'down.pcap', 'captures/all.pcap'].map((name) => join(folder, name)),
  );
  next();
  expect(here()).toEqual(['captures']);
  expect(readdirSync(join(folder, 'captures'))).toEqual([]);
});

it('a run with results alone has no list, and removes that of an earlier one', () => {
  remember(folder, [join(folder, 'up.pcap')]);
  remember(folder, [join(folder, 'result.json')]);
  expect(existsSync(join(folder, '.fleetwave-files'))).toBe(false);
  remember(folder, []);
  expect(here()).toEqual(['captures']);
});

it('a list names nothing outside of its folder', () => {
  writeFileSync(join(parent, 'beside.pcap'), 'a');
  remember(folder, [join(parent, 'beside.pcap'), folder]);
  expect(here()).toEqual(['captures']);
  const outside = ['../beside.pcap', join(parent, 'beside.pcap'), 'a/../../beside.pcap', ''];
  writeFileSync(join(folder, '.fleetwave-files'), JSON.stringify(outside));
  next();
  expect(existsSync(join(parent, 'beside.pcap'))).toBe(true);
  expect(existsSync(folder)).toBe(true);
});

it.each(['{', '[1]', '"up.pcap"'])('a list that is none, such as %s, removes nothing', (text) => {
  write('up.pcap');
  writeFileSync(join(folder, '.fleetwave-files'), text);
  next();
  expect(here()).toEqual(['captures', 'up.pcap']);
});
