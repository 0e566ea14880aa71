/**
 * A served world whose commands are stored before they are carried out. After any crash every
 * command that was acknowledged has happened, and time is not before what was reported. The world
 * is the one that its log leads to.
 */
import { describe, expect, it } from 'vitest';
import type { Fate } from '../../../api/host/journal/journal.ts';
import { DurableCommands } from '../../../api/host/world/durable-commands.ts';
import { digestAt, groupNamed, groupsOf, serveFrom } from '../../support/durable-served.ts';
import { drawsOf, settled } from '../../support/journals.ts';
import { some } from '../../support/long.ts';
import { PowerLossDisk } from '../../support/power-loss-disk.ts';

const newDisk = (seed = 1) => new PowerLossDisk(drawsOf(seed));

describe('a command that is stored', () => {
  it('is answered once it is on the disk, and has happened then', async () => {
    const { commands, served, time } = await serveFrom(newDisk());
    time.pass(1_000);
    const answer = commands.submit(groupNamed('roofs'));
    expect(groupsOf(served)).not.toContain('roofs');
    expect(await answer).toMatchObject({ ok: true });
    expect(groupsOf(served)).toContain('roofs');
  });

  it('waits with others for one turn, in whose order all are applied', async () => {
    const disk = newDisk();
    const { commands, served } = await serveFrom(disk);
    await settled();
    const before = disk.operations;
    const names = Array.from({ length: 64 }, (_, i) => `group ${i}`);
    const answers = await Promise.all(names.map((name) => commands.submit(groupNamed(name))));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(groupsOf(served)).toEqual(expect.arrayContaining(names));
    // One of the first by itself, twenty whose cost is not known yet, the others together.
    expect(disk.operations - before).toBeLessThanOrEqual(16);
  });

  it('is refused as it would be without a journal, and leaves no trace then', async () => {
    const { commands, journal } = await serveFrom(newDisk());
    await settled();
    const stored = journal.acknowledged;
    const answer = await commands.submit({ kind: 'endDeviceGroup.create', by: 'ann' } as never);
    expect(answer.ok).toBe(false);
    expect(journal.acknowledged).toBe(stored);
  });

  it('does not happen where the disk is full, and the world goes on', async () => {
    const disk = newDisk();
    const { commands, served, time, journalTime } = await serveFrom(disk);
    await settled();
    disk.capacity = 0;
    const answer = await commands.submit(groupNamed('roofs'));
    expect(answer).toMatchObject({ ok: false, failure: { code: 'journal.full' } });
    expect(groupsOf(served)).not.toContain('roofs');
    disk.capacity = Number.POSITIVE_INFINITY;
    journalTime.passes(2_000);
    expect(await commands.submit(groupNamed('roofs'))).toMatchObject({ ok: true });
    time.pass(1_000);
    expect(groupsOf(served)).toContain('roofs');
  });
});

describe('commands of one turn', () => {
  it('are reported each its own fate, anyone who is reported first', async () => {
    const { served } = await serveFrom(newDisk());
    const reports: ((fate: Fate) => void)[] = [];
    const commands = new DurableCommands(served, { append: (_, done) => reports.push(done) });
    const before = commands.submit(groupNamed('before'));
    const [stored, refused] = ['kept', 'refused'].map((name) => commands.submit(groupNamed(name)));
    reports[0]!('durable');
    await before;
    reports[2]!('full');
    reports[1]!('durable');
    expect(await stored).toMatchObject({ ok: true });
    expect(await refused).toMatchObject({ ok: false, failure: { code: 'journal.full' } });
    expect(groupsOf(served)).toEqual(expect.arrayContaining(['before', 'kept']));
    expect(groupsOf(served)).not.toContain('refused');
  });
});

describe('what is done between commands', () => {
  it('has the world for itself: commands and others that come meanwhile wait', async () => {
    const { served } = await serveFrom(newDisk());
    const reports: ((fate: Fate) => void)[] = [];
    const commands = new DurableCommands(served, { append: (_, done) => reports.push(done) });
    expect(commands.isIdle).toBe(true);
    const done: string[] = [];
    let end = () => {};
    const first = commands.between(
      () =>
        new Promise<void>((resolve) => {
          done.push('first');
          end = resolve;
        }),
    );
    const second = commands.between(async () => void done.push('second'));
    const answer = commands.submit(groupNamed('roofs'));
    await settled();
    expect(done).toEqual(['first']);
    expect(reports).toHaveLength(0);
    expect(commands.isIdle).toBe(false);
    end();
    await first;
    await settled();
    reports[0]!('durable');
    expect(await answer).toMatchObject({ ok: true });
    await second;
    await settled();
    expect(done).toEqual(['first', 'second']);
    expect(commands.isIdle).toBe(true);
  });
});

describe('the clock of a world that is stored', () => {
  it('stands still while the disk is full, and goes on by itself once there is room', async () => {
    const disk = newDisk();
    const { served, time, journalTime } = await serveFrom(disk);
    const passes = async (ms: number) => {
      for (let i = 0; i < ms; i += 100) {
        time.pass(100);
        await settled();
      }
    };
    await passes(500);
    disk.capacity = 0;
    await passes(3_000);
    const stood = served.nowUs;
    await passes(3_000);
    expect(served.nowUs).toBe(stood);
    disk.capacity = Number.POSITIVE_INFINITY;
    journalTime.passes(2_000);
    await passes(3_000);
    expect(served.nowUs).toBeGreaterThan(stood);
  });

  it('goes no further than the journal has it, and does not wait for it', async () => {
    const disk = newDisk();
    const { served, time } = await serveFrom(disk);
    await settled();
    time.settle();
    for (let second = 1; second <= 20; second++) {
      time.pass(100);
      served.catchUp();
      await settled();
      time.settle();
    }
    expect(served.nowUs).toBeGreaterThan(100 * 1_000_000);
    expect(served.behindUs).toBeLessThan(6 * 1_000_000);
    disk.isDead = true;
    const stands = served.nowUs;
    time.pass(60_000);
    served.catchUp();
    expect(served.nowUs - stands).toBeLessThanOrEqual(60 * 500_000);
  });

  it('stands after a stop where it stood, and after a pause where it was paused', async () => {
    for (const stop of ['stop', 'pause'] as const) {
      const disk = newDisk();
      const { served, time, journal } = await serveFrom(disk);
      for (let i = 0; i < 5; i++) {
        await settled();
        time.pass(100);
      }
      if (stop === 'stop') served.stop();
      else served.setPace({ isPaused: true });
      const { nowUs } = served;
      await settled();
      if (stop === 'stop') await journal.close();
      const again = await serveFrom(disk.restart(), true);
      expect(again.served.nowUs).toBe(nowUs);
      expect(again.served.digest()).toEqual(served.digest());
    }
  });

  it('advances at full speed to its goal, over many leases', async () => {
    const disk = newDisk();
    const { served, time } = await serveFrom(disk, true);
    let isOver = false;
    served.advance({ kind: 'instant', atUs: 7_200_000_000 }, {} as never, () => {
      isOver = true;
    });
    for (let i = 0; i < 400 && !isOver; i++) {
      time.settle();
      await settled();
    }
    expect([isOver, served.nowUs]).toEqual([true, 7_200_000_000]);
    await settled();
    const again = await serveFrom(disk.restart(), true);
    expect(again.served.nowUs).toBe(7_200_000_000);
  });
});

describe('a world whose power goes at any moment', () => {
  const ROUNDS = Number(process.env.FLEETWAVE_ROUNDS ?? some(100));

  it(`has what was answered, in ${ROUNDS} rounds of several lives`, async () => {
    for (let seed = 0; seed < ROUNDS; seed++) {
      const draw = drawsOf(seed);
      let disk = newDisk(seed);
      const answered: string[] = [];
      let count = 0;
      for (let life = 0; life < 3; life++) {
        const bench = await serveFrom(disk).catch(() => undefined);
        if (bench !== undefined) {
          const { commands, served, time, past } = bench;
          expect(groupsOf(served)).toEqual(expect.arrayContaining(answered));
          expect(served.nowUs).toBeGreaterThanOrEqual(count);
          expect(served.nowUs).toBe(past.standsAtUs);
          expect(served.digest().full).toBe(digestAt(past, served.nowUs));
          disk.powerEndsIn = 3 + draw(40);
          for (let step = 0; step < 12 && !disk.isDead; step++) {
            for (let i = draw(4); i > 0; i--) {
              const name = `${life}.${step}.${i}`;
              void commands.submit(groupNamed(name)).then((answer) => {
                if (answer.ok) answered.push(name);
                count = Math.max(count, served.nowUs);
              });
            }
            time.pass(draw(900));
            served.catchUp();
            count = Math.max(count, served.nowUs);
            if (draw(3) > 0) await settled();
          }
          await settled();
        }
        disk = disk.restart();
      }
    }
  });
});
