/**
 * Paths of overrides: `devices.meter.count`, `devices.*.adr`, and names in quotes where they hold
 * points: `images."fw-1.2.0.bin".bytes`.
 */

export interface Step {
  readonly key: string;
  /** Whether it stood in quotes: then it is a name, and neither an index nor `*`. */
  readonly quoted: boolean;
}

const STEP = /(?:"([^"]*)"|([^".=]+))(\.|=|$)/y;

/** Steps of a path that ends at the text's end, or at its first `=` where `until` says so. */
export function readSteps(
  text: string,
  until: 'end' | '=' = 'end',
): { readonly steps: readonly Step[]; readonly endsAt: number } | undefined {
  const steps: Step[] = [];
  let at = 0;
  for (;;) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const [all, quoted, plain = ''] = match;
    const key = quoted ?? plain.trim();
    if (key === '') return undefined;
    steps.push({ key, quoted: quoted !== undefined });
    at += all.length;
    const end = match[3];
    if (end === '.') continue;
    const isRight = until === '=' ? end === '=' : end === '';
    return isRight ? { steps, endsAt: at } : undefined;
  }
}
