/** Worlds by themselves: who may ask for a fork that is still being made. */
import { describe, expect, it } from 'vitest';
import { BEGINNING, MemoryStates } from '../../../api/host/replay/saved-states.ts';
import { scenarioOf } from '../../../api/host/world/served-scenario.ts';
import { Worlds } from '../../../api/host/world/worlds.ts';

async function worldsThatOpen(open: () => Promise<void>): Promise<Worlds> {
  const broken: unknown[] = [];
  return Worlds.open({
    origins: scenarioOf({ startAt: '2026-03-01T00:00:00Z', seed: 'worlds' }, 0),
    states: new MemoryStates(),
    past: BEGINNING,
    named: new Map(),
    pace: { isPaused: true },
    onBroken: (error) => broken.push(error),
    open,
    close: async () => undefined,
    warn: (_, error) => broken.push(error),
  });
}

describe('a fork', () => {
  it('is known once its entry point is open: nobody ends one that opens afterwards', async () => {
    let opens = (): void => undefined;
    let opened = Promise.resolve();
    const worlds = await worldsThatOpen(() => opened);
    opened = new Promise((resolve) => {
      opens = resolve;
    });
    const created = worlds.fork(worlds.main, {});
    for (let turn = 0; turn < 10; turn++) await undefined;
    expect(worlds.forks).toEqual([]);
    expect(await worlds.end(`${worlds.main.id}-1`)).toBe(false);
    opens();
    const fork = await created;
    expect(fork.ok && worlds.of(fork.value.id)).toBe(fork.ok && fork.value);
    expect(worlds.forks).toHaveLength(1);
    worlds.stop();
  });

  it('whose entry point does not open is none', async () => {
    let opens = async (): Promise<void> => undefined;
    const worlds = await worldsThatOpen(() => opens());
    opens = () => Promise.reject(new Error('no entry point'));
    await expect(worlds.fork(worlds.main, {})).rejects.toThrow('no entry point');
    expect(worlds.forks).toEqual([]);
    worlds.stop();
  });
});
