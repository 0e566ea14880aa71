/** Worlds by themselves: who may ask for a fork that is still being made. */
import { describe, expect, it } from 'vitest';
import { BEGINNING, MemoryStates, type PastState } from '../../../api/host/replay/saved-states.ts';
import { scenarioOf } from '../../../api/host/world/served-scenario.ts';
import { Worlds } from '../../../api/host/world/worlds.ts';
import { type Admitted, refusedAt } from '../../../core/world/log.ts';

async function worldsThatOpen(
  open: () => Promise<void>,
  past: PastState = BEGINNING,
): Promise<Worlds> {
  const broken: unknown[] = [];
  return Worlds.open({
    origins: scenarioOf({ startAt: '2026-03-01T00:00:00Z', seed: 'worlds' }, 0),
    states: new MemoryStates(),
    past,
    named: new Map(),
    pace: { isPaused: true },
    onBroken: (error) => broken.push(error),
    open,
    close: async () => undefined,
    warn: (_, error) => broken.push(error),
  });
}

describe('a past with a refusal that a killed process has not marked', () => {
  it('leaves it out of the log, and leads to the world that the mark leads to', async () => {
    const command = { kind: 'endDeviceGroup.delete', by: 'default', Id: 'AbCdEf12' } as never;
    const unmarked: Admitted = { kind: 'command', atUs: 60e6, command };
    const steppedOver: Admitted = { ...unmarked, steppedOver: true };
    const opened = (...commands: readonly Admitted[]) =>
      worldsThatOpen(async () => undefined, { ...BEGINNING, commands, standsAtUs: 90e6 });
    const found = await opened(unmarked, steppedOver);
    const marked = await opened(refusedAt(unmarked), steppedOver);
    expect(found.main.served.log).toEqual(marked.main.served.log);
    expect(found.main.served.log.map(({ refused = false }) => refused)).toEqual([true, false]);
    const digestOf = (worlds: Worlds) =>
      worlds.main.served.inSteps((world) => world.outcomeInSteps());
    expect(await digestOf(found)).toBe(await digestOf(marked));
    for (const worlds of [found, marked]) worlds.stop();
  });
});

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
