/** A journal as JSON lines, an entry each, in their order. */
import { formatInstant } from '../../../core/base/instant.ts';
import type { DurableFolder } from './durable-folder.ts';
import type { EntryFields } from './fields-msgpack.ts';
import { inText, redacted } from './redaction.ts';
import { type Readable, type Verdict, verify } from './verify.ts';

export interface ExportOptions {
  /** Whether keys, secrets and verifiers stand in clear. */
  readonly withSecrets: boolean;
}

/** `write` takes whole lines, and is waited for. What is behind damage is not written. */
export const exportEntries = (
  stored: Readable & Pick<DurableFolder, 'startUnixMs'>,
  { withSecrets }: ExportOptions,
  write: (line: string) => void | Promise<void>,
): Promise<Verdict> =>
  verify(stored, ({ sequence }, fields) => {
    const shown = withSecrets ? fields : redacted(fields);
    return write(`${JSON.stringify(lineOf(sequence, shown, stored.startUnixMs))}\n`);
  });

/** `instant` is that of virtual time, in whole ms; `at_us` has it to the µs. */
function lineOf(sequence: number, { kind, atUs, ...fields }: EntryFields, startUnixMs: number) {
  const instant = formatInstant(startUnixMs + Math.floor(atUs / 1000));
  return { sequence, instant, at_us: atUs, kind, ...(inText(fields) as object) };
}
