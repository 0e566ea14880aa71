/** docs/differences.md names nothing that is not there: paths, options, codes, and limits. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { optionOf, SETTING_NAMES } from '../../api/host/settings/table.ts';
import {
  LONGEST_RETRY_AFTER_S,
  MOST_ATTEMPTS,
  MOST_UNDERWAY,
  MOST_WAITING,
  TIMEOUT_US,
} from '../../core/delivery/deliveries/schedule.ts';
import { FAILURES } from '../../core/operations.ts';

const page = readFileSync('docs/differences.md', 'utf8');
const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: object };
const named = (pattern: RegExp): readonly string[] =>
  [...page.matchAll(pattern)].map(([, name]) => name!);

/** Paths without operations of their own. */
const BESIDE = [
  '/api/v3.2',
  '/api/latest',
  '/docs',
  '/metrics',
  '/oauth/token',
  '/oauth2/token',
  '/sim/ca.pem',
  '/sim/v1',
];

describe('docs/differences.md', () => {
  it('names paths that are there', () => {
    const asked = named(/`(?:GET |POST |PUT |DELETE )?(\/[\w/{}.:-]+)`/g);
    const known = [...Object.keys(paths), ...BESIDE, '/payloads'];
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.filter((path) => !known.includes(path))).toEqual([]);
  });

  it('names options that `fleetwave serve` has', () => {
    const options = named(/`--([\w-]+)/g);
    const known = SETTING_NAMES.map(optionOf);
    expect(options.length).toBeGreaterThan(7);
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
  });

  it('names codes that operations have', () => {
    const codes = named(/`([a-z]\w+\.[a-z][a-z-]+)`/g).filter((code) => !/\.(yaml|md)$/.test(code));
    expect(codes.length).toBeGreaterThan(1);
    expect(codes.filter((code) => !(code in FAILURES))).toEqual([]);
  });

  it('reports the limits of deliveries as they are', () => {
    expect([MOST_ATTEMPTS, MOST_UNDERWAY, MOST_WAITING]).toEqual([8, 10, 10_000]);
    expect([TIMEOUT_US / 1e6, LONGEST_RETRY_AFTER_S]).toEqual([15, 86_400]);
    expect(page).toContain('a time-out (15 s)');
    expect(page).toContain('ten under way at a time');
    expect(page).toContain('10 000 deliveries and seven days at most');
  });

  it('has each of its sections in its contents', () => {
    const sections = named(/^## (.+)$/gm);
    const links = named(/\]\(#([\w-]+)\)/g);
    const slug = (title: string) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w ]/g, '')
        .replaceAll(' ', '-');
    expect(links).toEqual(sections.map(slug));
  });
});
