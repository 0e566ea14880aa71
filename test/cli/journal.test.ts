/** `fleetwave journal` over the data folder of a world that was served. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';
import { startEmulator } from '../../api/emulator.ts';
import type { JournalEntry } from '../../api/host/journal/entries-msgpack.ts';
import { openWorld } from '../../api/host/journal/world-folder.ts';

let data = '';
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'fleetwave-journal-'));
  await started();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(data, { recursive: true, force: true });
});

/** The world of the folder is served, and stopped. */
async function started(): Promise<void> {
  const startAt = '2026-03-01T00:00:00Z';
  const options = { durable: true, http: true, paused: true, startAt, data } as const;
  await (await startEmulator(options)).stop();
}

/** Makes groups in a segment of their own; the folder is held until the promise comes. */
async function held(names: readonly string[]): Promise<() => Promise<void>> {
  const { world } = JSON.parse(readFileSync(join(data, 'world/world.json'), 'utf8'));
  const folder = join(data, 'world');
  const from = { folder, build: '', startUnixMs: 0, worldAt: () => world };
  const opened = await openWorld({ ...from, onBroken: () => undefined });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { stored } = opened.value;
  for (const Name of names) {
    const command = { kind: 'endDeviceGroup.create', by: 'default', group: { Name } };
    const entry = { kind: 'command', atUs: 0, command } as unknown as JournalEntry;
    await stored.journal.appended(entry);
  }
  return () => stored.close();
}

const groups = async (...names: readonly string[]) => await (await held(names))();

async function journal(...words: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
  const status = await commandLine(['journal', ...words]);
  vi.restoreAllMocks();
  return { status, ...printed };
}

const segments = () =>
  readdirSync(join(data, 'world')).filter((name) => /^segment-\d+$/.test(name));

function damage(segment: string, byte: number): void {
  const path = join(data, 'world', segment);
  const bytes = readFileSync(path);
  bytes[byte]! ^= 1;
  writeFileSync(path, bytes);
}

describe('fleetwave journal verify', () => {
  it('reports what a journal has, and ends with 0', async () => {
    await groups('roofs', 'cellars');
    await groups('attics');
    const { status, stdout, stderr } = await journal('verify', data);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^2 segments, \d+ bytes, 3 entries\n {2}command +3\nfrom 2026-03-01T/);
  });

  it('reads beside a process that has the folder, names it, and changes nothing', async () => {
    const release = await held(['roofs']);
    const { status, stdout } = await journal('verify', data);
    await release();
    expect(status).toBe(0);
    expect(stdout).toContain(`It is written by the process ${process.pid} on `);
    expect(stdout).toContain('1 entry');
  });

  it('reports a torn tail, and ends with 0', async () => {
    await groups('roofs');
    const path = join(data, 'world', segments()[0]!);
    const { size } = statSync(path);
    writeFileSync(path, 'FWJ1', { flag: 'a' });
    const { status, stdout } = await journal('verify', data);
    expect(status).toBe(0);
    expect(stdout).toContain(`A torn tail: 4 bytes of ${segments()[0]} from byte ${size} on `);
    expect(statSync(path).size).toBe(size + 4);
  });

  it('reports damage with segment, byte and sequence number, and ends with 3', async () => {
    await groups('roofs', 'cellars');
    damage('segment-00000001', 400);
    const { status, stderr } = await journal('verify', data);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^segment-00000001 is damaged at byte 399: .* sequence number 2 was/);
    expect(stderr).toMatch(/\nBehind it \d+ frames? can be read/);
  });

  it('reads the folder that a server would keep its world in, where none is named', async () => {
    await groups('roofs');
    vi.stubEnv('FLEETWAVE_DATA', data);
    const { status, stdout } = await journal('verify');
    vi.unstubAllEnvs();
    expect([status, stdout.includes('1 entry')]).toEqual([0, true]);
  });

  it('ends with 2 where there is no world, and makes none', async () => {
    const none = join(data, 'none');
    const { status, stderr } = await journal('verify', none);
    expect([status, stderr]).toEqual([2, `${none} has no stored world: world.json is missing.\n`]);
    expect(existsSync(none)).toBe(false);
  });
});

describe('fleetwave journal cut', () => {
  it('reports what would go, and takes nothing away without --yes', async () => {
    await groups('roofs', 'cellars');
    damage('segment-00000001', 400);
    const before = readFileSync(join(data, 'world/segment-00000001'));
    const { status, stdout, stderr } = await journal('cut', data);
    expect([status, stderr]).toEqual([2, 'Nothing was cut: say --yes to cut it.\n']);
    expect(stdout).toMatch(
      /^From byte \d+ of segment-00000001 on: \d+ bytes, among them \d+ frame/,
    );
    expect(readFileSync(join(data, 'world/segment-00000001'))).toEqual(before);
  });

  it('cuts out damage that no start takes, and the world is served again', async () => {
    await groups('roofs');
    await groups('cellars');
    damage('segment-00000002', 400);
    await expect(started()).rejects.toThrow('segment-00000002 is damaged at byte');
    const { status, stdout } = await journal('cut', data, '--yes');
    expect(status).toBe(0);
    const [, stored = ''] = /Stored: (.*segment-00000002\.cut-\d+)\n/.exec(stdout) ?? [];
    expect(statSync(stored).size).toBeGreaterThan(0);
    expect(stdout).toMatch(/\n2 segments, \d+ bytes, 1 entry\n/);
    await started();
    expect((await journal('verify', data)).status).toBe(0);
  });

  it('cuts a journal that is whole where an entry begins', async () => {
    await groups('roofs');
    await groups('cellars');
    expect((await journal('cut', data, '--yes')).stdout).toMatch(/there is nothing to cut/);
    expect((await journal('cut', data, '--segment', '2', '--yes')).status).toBe(0);
    expect(segments()).toEqual(['segment-00000001']);
    const { status, stderr } = await journal('cut', data, '--at', '1', '--yes');
    expect([status, stderr.startsWith('No entry of segment-00000001 begins at byte 1;')]).toEqual([
      2,
      true,
    ]);
  });

  it('is refused where another process has the folder, and where a number is none', async () => {
    const release = await held(['roofs']);
    const { status, stderr } = await journal('cut', data, '--segment', '1', '--yes');
    await release();
    expect(status).toBe(2);
    expect(stderr).toContain(`is used by the process ${process.pid} on `);
    expect((await journal('cut', data, '--segment', '0')).stderr).toBe(
      '--segment "0" is not right; allowed: a whole number from 1 to 99999999\n',
    );
    expect((await journal('verify', data)).stdout).toContain('1 entry');
  });
});

describe('fleetwave journal export', () => {
  it('prints a line an entry', async () => {
    await groups('roofs', 'cellars');
    const { status, stdout } = await journal('export', data);
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).command.group.Name);
    expect([status, names]).toEqual([0, ['roofs', 'cellars']]);
  });

  it('writes a file that nobody else reads, whatever stood there', async () => {
    await groups('roofs');
    const out = join(data, 'out.ndjson');
    writeFileSync(out, 'old', { mode: 0o644 });
    const { status, stdout } = await journal('export', data, '--out', out);
    expect([status, stdout, statSync(out).mode & 0o777]).toEqual([0, '', 0o600]);
    expect(readFileSync(out, 'utf8')).toMatch(/^\{"sequence":1,.*"roofs".*\}\n$/);
    expect(existsSync(`${out}.new`)).toBe(false);
  });

  it('has what stands before damage, and ends with 3', async () => {
    await groups('roofs');
    await groups('cellars');
    damage('segment-00000002', 400);
    const { status, stdout, stderr } = await journal('export', data);
    expect([status, stdout.includes('roofs'), stdout.includes('cellars')]).toEqual([
      3,
      true,
      false,
    ]);
    expect(stderr).toMatch(/^segment-00000002 is damaged/);
  });
});

it('fleetwave journal names what it can do', async () => {
  const { status, stderr } = await journal();
  expect([status, stderr]).toEqual([2, expect.stringContaining('verify, cut, export')]);
});
