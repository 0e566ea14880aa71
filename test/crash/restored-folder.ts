/** What a start finds in a data folder, by way of a copy: the folder stays as the crash left it. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../api/emulator.ts';
import { type Ask, clientOf, GROUPS, IMAGES } from './clients.ts';
import { crashFolder } from './folder.ts';
import { type Served, STORED } from './served.ts';
import type { FoundWorld } from './story.ts';

export interface Found {
  readonly world: FoundWorld;
  /** All that was answered, to be compared with what another start answers. */
  readonly answers: string;
}

/** How a folder is started again. */
export type Starts = (data: string) => Promise<Served & { readonly stop: () => Promise<void> }>;

/** By this process and its own product. */
export const startsHere =
  (scenario: string): Starts =>
  (data) =>
    startEmulator({ ...STORED, data, scenario, paused: true });

/** `states`: whether it may use those that were saved. Throws where the start is refused. */
export async function foundIn(data: string, starts: Starts, states: boolean): Promise<Found> {
  const copy = crashFolder();
  try {
    cpSync(data, copy, { recursive: true });
    if (!states) rmSync(join(copy, 'world/snapshots'), { recursive: true, force: true });
    const served = await starts(copy);
    try {
      return await report((await clientOf(served))!);
    } finally {
      await served.stop();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

interface Answers {
  readonly world: { readonly world_id: string; readonly now: string };
  readonly groups: { readonly DeviceGroups: readonly { readonly Name: string }[] };
  readonly images: readonly { readonly name: string }[];
  readonly snapshots: { readonly snapshots: readonly { readonly name: string }[] };
}

async function report(ask: Ask): Promise<Found> {
  const body = async (path: string) => (await ask('GET', path))?.body;
  const answers = {
    world: await body('/sim/v1/world'),
    groups: await body(GROUPS),
    images: await body(IMAGES),
    snapshots: await body('/sim/v1/snapshots'),
  } as Answers;
  const snapshots = answers.snapshots.snapshots.map(({ name }) => name);
  const world = {
    worldId: answers.world.world_id,
    nowMs: Date.parse(answers.world.now),
    created: new Set([
      ...answers.groups.DeviceGroups.map(({ Name }) => Name),
      ...answers.images.map(({ name }) => name),
    ]),
    snapshots,
  };
  const restored = await restoredTo(ask, snapshots.at(-1));
  return { world, answers: JSON.stringify({ ...answers, restored }) };
}

/** What a state with a name is, once it is gone back to. */
async function restoredTo(ask: Ask, name: string | undefined): Promise<unknown> {
  if (name === undefined) return undefined;
  const { status } = (await ask('POST', `/sim/v1/snapshots/${name}/restore`))!;
  return { status, world: (await ask('GET', '/sim/v1/world'))?.body };
}
