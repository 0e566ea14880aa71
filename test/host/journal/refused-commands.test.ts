/** Commands that were refused change nothing, and are no burden (docs/decisions/0103). */
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { History } from '../../../api/host/journal/history.ts';
import { DurableCommands } from '../../../api/host/world/durable-commands.ts';
import { REFUSED_BYTES } from '../../../api/host/world/refused-bytes.ts';
import { World } from '../../../core/world/world.ts';
import { sessionText } from '../../../scenarios/session.ts';
import { groupNamed, SEED, serveFrom } from '../../support/durable-served.ts';
import { drawsOf, settled } from '../../support/journals.ts';
import { PowerLossDisk } from '../../support/power-loss-disk.ts';
import { SERVED_DAY } from '../../support/served-day.ts';

const WORD = 'a-word-that-nothing-else-has';
const refusedGroup = {
  kind: 'endDeviceGroup.create',
  by: 'ann',
  group: { Name: WORD, DeviceList: Array.from({ length: 2_000 }, () => 'FFFFFFFFFFFFFFFF') },
} as const;

describe('a command that is refused', () => {
  it('changes nothing of a world, its digest included', () => {
    const [world, other] = [World.create(SERVED_DAY, SEED), World.create(SERVED_DAY, SEED)];
    expect(world.submit(groupNamed('roofs'))).toMatchObject({ ok: true });
    expect(other.submit(groupNamed('roofs'))).toMatchObject({ ok: true });
    expect(world.submit(refusedGroup)).toMatchObject({ ok: false });
    expect(world.digest()).toEqual(other.digest());
    expect(world.toBytes()).toEqual(other.toBytes());
  });

  it('fills the bucket of its subscriber, until that one waits', async () => {
    const { served } = await serveFrom(new PowerLossDisk(drawsOf(1)), true);
    const commands = new DurableCommands(served, {
      append: (_, done) => {
        queueMicrotask(() => done('durable'));
        return REFUSED_BYTES.most / 2;
      },
    });
    for (const name of ['roofs', 'cellars', 'masts']) await commands.submit(groupNamed(name));
    expect(commands.waitS('ann')).toBe(0);
    await commands.submit(refusedGroup);
    expect(commands.waitS('ann')).toBe(0);
    await commands.submit(refusedGroup);
    await commands.submit(refusedGroup);
    expect(commands.waitS('ann')).toBeGreaterThan(0);
    expect(commands.waitS('bob')).toBe(0);
  });

  it('is no part of what a restart carries out, nor of a session', async () => {
    const disk = new PowerLossDisk(drawsOf(1));
    const first = await serveFrom(disk, true);
    for (const command of [groupNamed('roofs'), refusedGroup, groupNamed('cellars')]) {
      await first.commands.submit(command);
    }
    await settled();
    await first.journal.close();
    const { past, served } = await serveFrom(disk, true);
    expect(past.commands).toHaveLength(3);
    expect(JSON.stringify(past.commands)).not.toContain(WORD);
    expect(served.digest()).toEqual(first.served.digest());
    for (const { log } of [served, first.served]) {
      const session = { document: {}, seed: SEED, startUnixMs: 1.78e12, nowUs: 1, commands: log };
      expect(sessionText(session)).not.toContain(WORD);
      expect(sessionText(session)).toContain('cellars');
    }
  });
});

describe('the mark of a refusal', () => {
  const command = (name: string, claim?: object) =>
    ({ kind: 'command', atUs: 0, command: { kind: 'noise', by: 'ann', name }, ...claim }) as never;
  const refused = (place: number, life = 0): JournalEntry => ({
    kind: 'refused',
    atUs: 0,
    life,
    place,
  });
  const claim = {
    claim: {
      subscriber: 'ann',
      caller: '',
      method: 'POST',
      path: '/',
      key: 'k',
      fingerprint: 'f',
      beganAtMs: 0,
    },
  };
  const textOf = (...entries: readonly JournalEntry[]) => {
    const history = new History();
    for (const entry of entries) history.add(entry);
    return JSON.stringify(history.state().commands);
  };

  it('takes the fields of its command and leaves its place', () => {
    const text = textOf(command('one'), command('two'), refused(0));
    expect(text).not.toContain('one');
    expect(text).toContain('two');
    expect(JSON.parse(text)).toHaveLength(2);
  });

  it('is of its life', () => {
    expect(textOf({ kind: 'restored', atUs: 0 }, command('one'), refused(0, 0))).toContain('one');
  });

  it('leaves a command whole whose request has no answer yet', () => {
    expect(textOf(command('one', claim), refused(0))).toContain('one');
  });
});
