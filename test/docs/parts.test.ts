/** The parts of `docs/` that derive from the product are as the product has them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PARTS, withPart } from './parts.ts';

describe('a part of a page that derives from the product', () => {
  it.each(PARTS)('is as `npm run docs` writes it: $page, $name', (part) => {
    const page = readFileSync(new URL(`../../${part.page}`, import.meta.url), 'utf8');
    expect(withPart(page, part)).toBe(page);
  });

  it('is found by its markers, and nothing around it changes', () => {
    const part = { page: 'a.md', name: 'a', text: () => 'new\n' };
    const [begins, ends] = ['<!-- a: npm run docs writes this -->\n', '<!-- /a -->\n'];
    const page = `before\n${begins}\nold\n\n${ends}after\n`;
    expect(withPart(page, part)).toBe(page.replace('old', 'new'));
    expect(() => withPart('before\n', part)).toThrow('no markers of a');
  });
});
