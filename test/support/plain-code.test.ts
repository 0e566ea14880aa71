import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { afterAll, describe, expect, it } from 'vitest';

interface Plain {
  readonly transform: (this: object, code: string, id: string) => string | null;
}
const url = new URL('../../api/plain-code.mjs', import.meta.url).href;
const { plainCode } = (await import(url)) as { readonly plainCode: Plain };

const folder = mkdtempSync(join(tmpdir(), 'plain-code-'));
const path = join(folder, 'sim', 'one.ts');
afterAll(() => rmSync(folder, { recursive: true }));

const parser = { parse: (code: string, options: object) => parseAst(code, options) };
const plain = (code: string, id = path): string | null =>
  plainCode.transform.call(parser, code, id);

describe('code of a bundle in plainer words', () => {
  it('calls an assertion where it fails alone', () => {
    expect(plain("assert(a > 0 || b, 'one holds');")).toBe(
      "(a > 0 || b) || assert(false, 'one holds');",
    );
  });

  it('keeps an else where it was', () => {
    expect(plain("if (x) assert(y, 'y'); else z();")).toBe(
      "if (x) (y) || assert(false, 'y'); else z();",
    );
  });

  it('words an invariant where it is broken alone', () => {
    expect(plain('assert(known(x), name(x));')).toBe('(known(x)) || assert(false, name(x));');
  });

  it('has private names as plain ones', () => {
    expect(plain('class A { #x = 1; #f() { return this.#x; } }')).toBe(
      'class A { $x = 1; $f() { return this.$x; } }',
    );
  });

  it('keeps the private names of a class and of the one that it extends apart', () => {
    expect(plain('class B extends A { #x = 1; f = () => this.#x; }')).toBe(
      'class B extends A { $x$B = 1; f = () => this.$x$B; }',
    );
  });

  it('has the numbers of a table, its own or an imported one', () => {
    writeFileSync(
      join(folder, 'fates.ts'),
      'export const Fate = {\n  /** In flight. */\n  pending: 0,\n  lost: -1,\n} as const;\n',
    );
    const code =
      "import { Fate as F } from '../fates.ts';\nuse(F.lost, F.pending, F.other, x.F.lost);";
    expect(plain(code)).toContain('use(-1, 0, F.other, x.F.lost);');
    const own = 'export const K = { a: 0x10 } as const;\nuse(K.a, K[b]);';
    expect(plain(own)).toContain('use(16, K[b]);');
  });

  it('takes no question for a private name, which would be one for a variable', () => {
    expect(() => plain('class A { #x = 1; is(a) { return #x in a; } }')).toThrow('#x in …');
  });

  it('leaves tables that are not of whole numbers, and code of others, as they are', () => {
    const code = "export const T = { a: 'x', b: 1 } as const;\nuse(T.b);";
    expect(plain(code)).toBe(code);
    expect(plain("assert(a, 'b');", join(folder, 'api', 'one.ts'))).toBeNull();
  });
});
