/** What the command line does when Fleetwave itself is wrong. */
import { afterEach, expect, it, vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';
import { assert } from '../../sim/base/assert.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a broken invariant ends with 70 and a message that takes the blame', async () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    assert(text === '', 'a frame has a time on air');
    return true;
  });
  expect(await commandLine(['airtime', '--sf', '7', '--bytes', '1'])).toBe(70);
  const message = written.join('');
  expect(message).toMatch(/^fleetwave \S+ is at fault here, not your scenario\. Please report it /);
  expect(message).toContain('broken invariant: a frame has a time on air');
});
