/** Page tokens of a list are void in any other: each list has a name of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = readdirSync('core', { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);
const NAME = /\{ by, name: '([^']+)', entries/g;

describe('names of paged lists', () => {
  it('are distinct', () => {
    const names = SOURCES.flatMap((path) =>
      [...readFileSync(join('core', path), 'utf8').matchAll(NAME)].map(([, name]) => name!),
    );
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
