/**
 * A world that is stored on a disk that is full: writes are refused in the words of their families,
 * reads go on, and once there is room all goes on by itself. The disk is a small one in memory,
 * which takes the right to mount it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmulator } from '../../api/emulator.ts';
import { drawsOf } from '../support/journals.ts';
import { refusalAt } from '../support/served-http.ts';
import { type Answer, type Ask, clientOf, GROUPS, IMAGES, makesGroup, uploads } from './clients.ts';
import { newDurable, type Stored } from './process-runs.ts';
import { foundIn, startsHere } from './restored-folder.ts';
import { STORED } from './served.ts';
import type { Story } from './story.ts';

let disk = '';
let stored: Stored;
/** Why there is no disk; empty: there is one. */
let refusal = '';

beforeAll(() => {
  stored = newDurable();
  disk = mkdtempSync(join(tmpdir(), 'fleetwave-full-'));
  const words = ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk];
  const { status, stderr, error } = spawnSync('mount', words, { encoding: 'utf8' });
  if (status !== 0) refusal = `no disk can be mounted here: ${error?.message ?? stderr.trim()}`;
});
afterAll(() => {
  if (refusal === '') spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
  stored.remove();
});

/** Bytes that are left for the world at first. */
const CAPACITY = 200_000;
const WRITERS = 16;
/** Each writer goes on until it was refused so often. */
const REFUSALS = 3;

const MINUTE_MS = 60_000;

interface Refused {
  readonly path: string;
  readonly answer: Answer;
}

/** Notes what is refused for want of room; anything else that fails is an error of the test. */
function watched(ask: Ask, refused: Refused[]): Ask {
  return async (method, path, body) => {
    const answer = (await ask(method, path, body))!;
    if (answer.status === 507) refused.push({ path, answer });
    else expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  };
}

const nowOf = async (ask: Ask) =>
  Date.parse(((await ask('GET', '/sim/v1/clock'))!.body as { now: string }).now);

/** True as soon as it is, within two minutes. */
async function becomes(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 1_200; i++) {
    if (await isSo()) return true;
    await setTimeout(100);
  }
  return false;
}

async function fill(ask: Ask, story: Story, refused: Refused[]): Promise<void> {
  const writer = async (number: number) => {
    const own: Refused[] = [];
    const client = { ask: watched(ask, own), story, draw: drawsOf(number) };
    while (own.length < REFUSALS) await (number % 4 === 0 ? uploads : makesGroup)(client);
    refused.push(...own);
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
}

describe('a world on a disk that is full', () => {
  it('refuses writes with 507, goes on reading, and goes on writing once there is room', async ({
    skip,
  }) => {
    skip(refusal !== '', refusal);
    const { scenario, story } = stored;
    const data = join(disk, 'data');
    const filler = join(disk, 'filler');
    mkdirSync(data);
    const emulator = await startEmulator({ ...STORED, data, scenario, speed: 60 });
    const ask = (await clientOf(emulator))!;
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - CAPACITY));

    const refused: Refused[] = [];
    await fill(ask, story, refused);
    for (const { path, answer } of refused) {
      expect(answer.body).toEqual(refusalAt(path, 507, 'journal.full'));
    }
    expect(new Set(refused.map(({ path }) => path))).toEqual(new Set([GROUPS, IMAGES]));
    const named = (await ask('POST', '/sim/v1/snapshots', { name: 'full' }))!;
    expect(named.body).toEqual(refusalAt('/sim/v1/snapshots', 507, 'journal.full'));
    for (const path of [GROUPS, IMAGES, '/sim/v1/world']) {
      expect((await ask('GET', path))!.status).toBe(200);
    }

    const stood = await nowOf(ask);
    rmSync(filler);
    const writes = async () =>
      (await makesGroup({ ask, story, draw: () => 0 })) && (await nowOf(ask)) > stood + MINUTE_MS;
    expect(await becomes(writes)).toBe(true);
    await fillNothing(ask, story);
    await emulator.stop();

    const { world } = await foundIn(data, startsHere(scenario), false);
    expect(story.judge(world)).toEqual([]);
    expect(story.counts.commands).toBeGreaterThan(100);
  });
});

describe('a start on a disk that is full', () => {
  it('is refused, and leaves the folder as it was', async ({ skip }) => {
    skip(refusal !== '', refusal);
    const data = join(disk, 'later');
    const start = () => startEmulator({ ...STORED, data, scenario: stored.scenario });
    await (await start()).stop();
    const files = () => readdirSync(data, { recursive: true }).sort();
    const before = files();
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize));
    await expect(start()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(files()).toEqual(before);
    rmSync(join(disk, 'filler'));
    await (await start()).stop();
  });
});

/** All that is asked now is done. */
async function fillNothing(ask: Ask, story: Story): Promise<void> {
  const none: Refused[] = [];
  const client = { ask: watched(ask, none), story, draw: drawsOf(99) };
  await Promise.all([makesGroup(client), uploads(client), makesGroup(client)]);
  expect(none).toEqual([]);
}
