/** Entries of a timeline that are repeated, and populations that grow: what is too much of them. */
import { describe, expect, it } from 'vitest';
import { ENTRIES_MAX } from '../../scenarios/language/members.ts';
import { faultsOf, shortestWith } from './scenario.ts';

/** Faults of an entry that reboots the three devices of the shortest scenario, which runs a day. */
const faultsOfReboot = (when: string): string[] =>
  faultsOf(shortestWith(`timeline: [{ ${when}, reboot: { device: meter } }]\nduration: 1 d`));

describe('an entry that is repeated', () => {
  it.each([
    ['at: 1 h, every: 1 h'],
    ['at: 1 h, every: 1 h, until: 1 h'],
    ['at: 1 h, every: 1 h, until: 30 d'],
  ])('may be so: %s', (when) => {
    expect(faultsOfReboot(when)).toEqual([]);
  });

  it('ends only where it is repeated', () => {
    expect(faultsOfReboot('at: 1 h, until: 2 h')).toEqual([
      'file.yaml:3:30  /timeline/0/until  an end of what is done once; ' +
        'allowed: every, such as 1 w, beside it',
    ]);
  });

  it('does not end before it begins', () => {
    expect(faultsOfReboot('at: 1 h, every: 1 h, until: 59 min')).toEqual([
      'file.yaml:3:42  /timeline/0/until  59 min is before the first time, 1 h; ' +
        'allowed: at least 1 h',
    ]);
  });

  it('is repeated so often in a run, and no more often', () => {
    const most = ENTRIES_MAX.timeline;
    const every = 86_400 / most;
    expect(faultsOfReboot(`at: 0 s, every: ${every} s`)).toEqual([
      `file.yaml:3:30  /timeline/0/every  every ${every} s is ${most + 1} times; ` +
        `allowed: at most ${most} times in a run`,
    ]);
    expect(faultsOfReboot(`at: ${every} s, every: ${every} s`)).toEqual([]);
  });

  it('finds what it names at each of its times', () => {
    const text = (until: string) =>
      shortestWith(
        `timeline:\n  - { at: 1 h, every: 1 h, until: ${until}, reboot: { device: meter-3 } }\n` +
          '  - { at: 150 min, removeDevice: meter-3 }\nduration: 1 d',
      );
    expect(faultsOf(text('150 min'))).toEqual([]);
    expect(faultsOf(text('3 h')).join()).toContain('/timeline/0/reboot/device');
  });
});

describe('a population that grows', () => {
  const adding = (...counts: readonly number[]): string[] =>
    faultsOf(
      shortestWith(
        `timeline:\n${counts
          .map((count) => `  - { at: 1 h, addDevices: { population: meter, count: ${count} } }\n`)
          .join('')}`,
      ),
    );

  it('has as many devices as a scenario may have, and no more', () => {
    const hundredThousands = Array.from({ length: 9 }, () => 100_000);
    expect(adding(...hundredThousands, 99_997)).toEqual([]);
    expect(adding(...hundredThousands, 99_998)).toEqual([
      'file.yaml:13:56  /timeline/9/addDevices/count  1000001 devices are too many; ' +
        'allowed: at most 1000000',
    ]);
  });

  it('has those that are left, as runs of their numbers', () => {
    const faults = faultsOf(
      shortestWith(
        'timeline:\n' +
          ['meter-2', 'meter-3', 'meter-5', 'meter-10']
            .map((name) => `  - { at: 1 h, removeDevice: ${name} }\n`)
            .join('') +
          '  - { at: 2 h, reboot: { device: meter-3 } }',
      ),
      ['devices.meter.count=10'],
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('allowed: meter-1, meter-4, meter-6 … meter-9');
  });
});
