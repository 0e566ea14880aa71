/** A command that breaks an invariant ends its process once, and is stepped over then. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startEmulator } from '../../../api/emulator.ts';
import type { JournalEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { openWorld } from '../../../api/host/journal/world-folder.ts';
import { World } from '../../../core/world/world.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-own-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const POISON = {
  kind: 'command',
  atUs: 0,
  command: { kind: 'endDeviceGroup.create', by: 'default', group: { Name: 'poison' } },
} as const;

const options = {
  durable: true,
  http: true,
  paused: true,
  logLevel: 'silent',
  startAt: '2026-03-01T00:00:00Z',
} as const;

/** Puts the command into the journal, as if the process had ended while it carried it out. */
async function poison(data: string): Promise<void> {
  const worldOf = {
    folder: join(data, 'world'),
    build: '',
    startUnixMs: 0,
    onBroken: () => undefined,
  };
  const { world, startUnixMs } = JSON.parse(readFileSync(join(data, 'world/world.json'), 'utf8'));
  const opened = await openWorld({ ...worldOf, startUnixMs, worldAt: () => world });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { stored } = opened.value;
  await stored.journal.appended(POISON as unknown as JournalEntry);
  await stored.close();
}

it('is carried out once more at the next start, and at no other', async () => {
  const data = folder;
  await (await startEmulator({ ...options, data })).stop();
  await poison(data);
  const apply = World.prototype.apply;
  let thrown = 0;
  vi.spyOn(World.prototype, 'apply').mockImplementation(function (this: World, admitted) {
    const { command, steppedOver } = admitted as typeof POISON & { steppedOver?: true };
    if (command.group?.Name === 'poison' && steppedOver !== true) {
      thrown++;
      throw new Error('broken invariant: planted');
    }
    return apply.call(this, admitted) as never;
  });
  for (let start = 0; start < 3; start++) {
    await (await startEmulator({ ...options, data })).stop();
    expect(thrown).toBe(1);
  }
});
