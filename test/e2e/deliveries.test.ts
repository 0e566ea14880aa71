/** `fleetwave run --deliveries`: a line for each delivery, attempt and end, against the result. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';
import { groupedBy } from '../../core/base/grouped.ts';
import type { Effect } from '../../core/delivery/deliveries/effects.ts';

/** Uplinks to a poor receiver, to one that is gone and to a broker; a gateway that is lost. */
const TOWN = `scenario: town
duration: 12 h
start: 2026-03-01T12:00:00Z
area: { radius: 500 m }
gateways: [{ name: roof }]
devices:
  - name: meter
    count: 4
    joinWithin: 5 min
    traffic: { every: 10 min }
    outputProfile: out
outputProfiles:
  - name: out
    rest:
      - { url: https://poor.example/in, outputFormat: simple }
      - { url: https://gone.example/in, outputFormat: extended }
    mqtt:
      - host: broker.example:8883
        username: us
        password: word
        topic: up/\${DEVEUI}/\${FPORT}
receivers:
  - { name: poor, at: 'https://poor.example/*', failure: 20 %, hang: 10 % }
  - { name: gone, at: 'https://gone.example/*', answer: 410 }
  - { name: desk, at: 'https://desk.example/*' }
destinations: [{ name: desk, type: webhook, data: { url: https://desk.example/in } }]
alerts: [{ name: lost, gateways: all, destinations: [desk] }]
timeline:
  - { at: 4 h, gatewayFault: { gateway: roof, fault: backhaul } }
  - { at: 6 h, gatewayFault: { gateway: roof, fault: backhaul, on: false } }
`;

let folder = '';
let file = '';
let stderr = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-deliveries-'));
  file = join(folder, 'town.yaml');
  writeFileSync(file, TOWN);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
});

afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const path = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(path(name), 'utf8');

async function run(...words: readonly string[]): Promise<number> {
  stderr = '';
  return commandLine(['run', file, '--no-report', ...words]);
}

/** Lines of a file, in its order. */
function linesOf(name: string): Effect[] {
  const text = read(name);
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Effect);
}

type Of<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;
const ofKind = <Kind extends Effect['kind']>(lines: readonly Effect[], kind: Kind): Of<Kind>[] =>
  lines.filter((line): line is Of<Kind> => line.kind === kind);

describe('a run with --deliveries', () => {
  let lines: Effect[] = [];
  let result: { deliveries: { emitted: number; attempts: number; fates: object } };

  beforeAll(async () => {
    expect(await run('--out', path('effects'), '--deliveries', path('effects.ndjson'))).toBe(0);
    lines = linesOf('effects.ndjson');
    result = JSON.parse(read('effects/result.json'));
  });

  it('reports as many deliveries, attempts and ends of each kind as the result counts', () => {
    const { emitted, attempts, fates } = result.deliveries;
    const ends: Record<string, number> = {};
    for (const { how } of ofKind(lines, 'ended')) ends[how] = (ends[how] ?? 0) + 1;
    const { waiting, paused, ...ended } = { waiting: 0, paused: 0, ...fates };
    expect(ofKind(lines, 'emitted')).toHaveLength(emitted);
    expect(ends).toEqual(ended);
    expect(paused).toBeGreaterThan(0);
    const begun = attempts - ofKind(lines, 'attempted').length;
    // What is begun when the run ends is not answered yet.
    expect(begun).toBeGreaterThanOrEqual(0);
    expect(begun).toBeLessThanOrEqual(waiting);
    expect(new Set(ofKind(lines, 'ended').map(({ how }) => how))).toEqual(
      new Set(['delivered', 'refused', 'left']),
    );
  });

  it('reports each delivery from its first line to its end, in the order of time', () => {
    const times = lines.map(({ atUs }) => atUs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const stories = groupedBy(lines, ({ id }) => id);
    let tries = 0;
    for (const [first, ...rest] of stories.values()) {
      expect(first!.kind).toBe('emitted');
      const last = rest.at(-1);
      const attempts = ofKind(rest, 'attempted');
      expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, i) => i + 1));
      for (const [i, { nextAtUs }] of attempts.entries()) {
        const next = attempts[i + 1];
        if (next !== undefined) expect(next.atUs).toBeGreaterThanOrEqual(nextAtUs!);
        const isLast = i + 1 === attempts.length && last?.kind === 'ended';
        expect(nextAtUs === undefined).toBe(isLast);
      }
      tries = Math.max(tries, attempts.length);
      expect(rest.filter(({ kind }) => kind === 'ended').length).toBeLessThanOrEqual(1);
      expect(rest.some(({ kind }) => kind === 'emitted')).toBe(false);
    }
    expect(tries).toBeGreaterThanOrEqual(2);
  });

  it('reports where each went, and the body that it left with', () => {
    const emitted = ofKind(lines, 'emitted');
    const [simple, extended, raw] = emitted.map(({ to, what, body }) => ({ to, what, body }));
    const devEui = simple!.what.about;
    expect(devEui).toMatch(/^[0-9A-F]{16}$/);
    expect(simple).toMatchObject({
      to: { kind: 'webhook', address: 'https://poor.example/in' },
      what: { kind: 'uplink' },
      body: { DevEUI: devEui, PayloadHex: expect.stringMatching(/^([0-9a-f]{2})+$/i) },
    });
    expect(simple!.body).not.toHaveProperty('GatewayList');
    expect(extended!.body).toMatchObject({ DevEUI: devEui, GatewayList: expect.anything() });
    const { Fport } = simple!.body as { Fport: string };
    expect(raw!.to).toEqual({
      kind: 'mqtt',
      address: expect.stringMatching(new RegExp(`broker\\.example:8883.*up/${devEui}/${Fport}$`)),
    });
    const events = emitted.filter(({ what }) => what.kind === 'gateway_connectivity');
    const statuses = events.map(({ body }) => (body as { data: { status: string } }).data.status);
    expect(statuses).toEqual(['offline', 'online']);
  });

  it('reports that a 410 pauses its target, and no attempt follows', () => {
    const attempts = ofKind(lines, 'attempted').filter(({ receiver }) => receiver === 'gone');
    expect(attempts[0]).toMatchObject({ attempt: 1, answer: 410, disables: true });
    expect(attempts.filter(({ disables }) => disables)).toHaveLength(1);
    const { atUs } = attempts[0]!;
    // What was under way with it was answered within the receiver's latency.
    for (const later of attempts) expect(later.atUs - atUs).toBeLessThanOrEqual(100_000);
  });

  it('changes neither digest nor result, and writes the same bytes again', async () => {
    expect(await run('--out', path('plain'))).toBe(0);
    expect(read('plain/result.json')).toBe(read('effects/result.json'));
    const words = ['--logs', path('logs.ndjson'), '--trace'];
    expect(await run('--out', path('more'), '--deliveries', path('more.ndjson'), ...words)).toBe(0);
    expect(read('more.ndjson') === read('effects.ndjson')).toBe(true);
    const other = ['--out', path('other'), '--seed', 'other'];
    expect(await run(...other, '--deliveries', path('other.ndjson'))).toBe(0);
    expect(read('other.ndjson') === read('effects.ndjson')).toBe(false);
  });

  it('writes an empty file where nothing is delivered', async () => {
    const none = ['--set', 'devices.meter.count=0', '--set', 'alerts=[]', '--set', 'timeline=[]'];
    expect(await run('--out', path('none'), '--deliveries', path('none.ndjson'), ...none)).toBe(0);
    expect(read('none.ndjson')).toBe('');
  });
});

describe('--deliveries is refused', () => {
  it('where its file cannot be written, before anything runs', async () => {
    const at = path('no/such/folder.ndjson');
    expect(await run('--out', path('refused'), '--deliveries', at)).toBe(2);
    expect(stderr).toBe(`${at}: cannot be written: there is no such file or folder\n`);
    expect(() => read('refused/result.json')).toThrow('ENOENT');
  });

  it.skipIf(!existsSync('/dev/full'))('where the disk is full, with a sentence', async () => {
    expect(await run('--out', path('full'), '--deliveries', '/dev/full')).toBe(74);
    expect(stderr).toBe('/dev/full: cannot be written: no space is left on the device\n');
  });

  it('where the logs go to the same file, which stays as it is', async () => {
    writeFileSync(path('both.ndjson'), 'mine');
    const both = ['--logs', path('both.ndjson'), '--deliveries', path('./both.ndjson')];
    expect(await run('--out', path('refused'), ...both)).toBe(2);
    expect(stderr).toMatch(/both\.ndjson: cannot be the file of the logs and of the deliveries\n$/);
    expect(read('both.ndjson')).toBe('mine');
  });
});
