/** A journal as JSON lines: what stands in them, and that nothing secret does. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { exportEntries } from '../../../api/host/journal/export.ts';
import { inText, redacted } from '../../../api/host/journal/redaction.ts';
import { type ListedOperation, OPERATIONS } from '../../../core/operations.ts';
import type { Kind } from '../../../sim/base/rows/fields.ts';
import { drawsOf, KEY, opened, WORLD } from '../../support/journals.ts';
import { PowerLossDisk } from '../../support/power-loss-disk.ts';

const CANARY = 'CANARY';

/** Values of a kind, one an alternative; what is secret in them is a canary. */
function samplesOf(kind: Kind): readonly unknown[] {
  if (kind.secret) return [CANARY];
  switch (kind.type) {
    case 'list':
      return samplesOf(kind.of).map((each) => [each]);
    case 'map':
      return samplesOf(kind.of).map((each) => ({ A1: each }));
    case 'either':
      return kind.kinds.flatMap(samplesOf);
    case 'json':
      return [{ within: { apiToken: CANARY } }];
    case 'record':
      return recordsOf(kind.fields);
    default:
      return ['plain'];
  }
}

/** The number of that each value of each field is in one of them. */
function recordsOf(fields: Readonly<Record<string, Kind>>): readonly object[] {
  const all = Object.entries(fields).map(([name, kind]) => [name, samplesOf(kind)] as const);
  const most = Math.max(1, ...all.map(([, samples]) => samples.length));
  return Array.from({ length: most }, (_, i) =>
    Object.fromEntries(all.map(([name, samples]) => [name, samples[i % samples.length]])),
  );
}

const commandsOf = ([kind, { takes }]: [string, ListedOperation]) =>
  recordsOf(takes).map((fields) => ({ kind, by: 'ann', ...fields }));

const COMMANDS = Object.entries<ListedOperation>(OPERATIONS).flatMap(commandsOf);

async function linesOf(entries: readonly object[], withSecrets = false): Promise<string[]> {
  const disk = new PowerLossDisk(drawsOf(1));
  const { journal } = await opened(disk);
  for (const entry of entries) journal.append(encodeEntry(entry as never).payload, () => undefined);
  await journal.close();
  const lines: string[] = [];
  const stored = { disk, key: KEY, world: WORLD, startUnixMs: Date.UTC(2026, 2, 1) };
  await exportEntries(stored, { withSecrets }, (line) => void lines.push(line));
  return lines;
}

describe('an entry as a line', () => {
  const command = { kind: 'image.create', by: 'ann', content: Uint8Array.of(1, 2, 255) };
  const entries = [
    { kind: 'command', atUs: 1_500_001, command },
    { kind: 'clockReached', atUs: 2_000_000 },
    { kind: 'of tomorrow', atUs: 2_000_000, file: 'snap', apiKey: 'CANARY' },
  ];

  it('has instant, kind and command, and bytes as base64', async () => {
    const lines = await linesOf(entries);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        sequence: 1,
        instant: '2026-03-01T00:00:01.500Z',
        at_us: 1_500_001,
        kind: 'command',
        command: { kind: 'image.create', by: 'ann', content: 'AQL/' },
      },
      {
        sequence: 2,
        instant: '2026-03-01T00:00:02Z',
        at_us: 2_000_000,
        kind: 'clockReached',
      },
      {
        sequence: 3,
        instant: '2026-03-01T00:00:02Z',
        at_us: 2_000_000,
        kind: 'of tomorrow',
        file: 'snap',
        apiKey: '[redacted]',
      },
    ]);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('reports contents by their SHA-256', async () => {
    const content = new Uint8Array(5_000);
    const [line] = await linesOf([{ kind: 'command', atUs: 0, command: { ...command, content } }]);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(JSON.parse(line!).command.content).toEqual({ sha256 });
  });

  it('has secrets in clear where they are asked for', async () => {
    const [, , last] = await linesOf(entries, true);
    expect(JSON.parse(last!).apiKey).toBe('CANARY');
  });
});

describe('what is secret in a command', () => {
  const shown = (command: object) =>
    JSON.stringify(inText(redacted({ kind: 'command', atUs: 0, command })));

  it('is not shown, whatever the operation is', () => {
    const withSecrets = COMMANDS.filter((command) => JSON.stringify(command).includes(CANARY));
    expect(new Set(withSecrets.map(({ kind }) => kind)).size).toBeGreaterThan(15);
    for (const command of withSecrets) expect(shown(command), command.kind).not.toContain(CANARY);
  });

  it('alone is not shown', () => {
    const whole = COMMANDS.filter((command) => !JSON.stringify(command).includes(CANARY));
    expect(whole.length).toBeGreaterThan(50);
    for (const command of whole) {
      expect(shown(command)).toBe(JSON.stringify({ kind: 'command', atUs: 0, command }));
    }
  });

  it('is looked for by name where no row knows the command or the field', () => {
    const command = { kind: 'thing.make', by: 'ann', deep: [{ client_secret: CANARY, size: 5 }] };
    expect(shown(command)).not.toContain(CANARY);
    expect(shown(command)).toContain('"size":5');
    expect(shown({ kind: 'image.create', by: 'ann', verifier: CANARY })).not.toContain(CANARY);
  });
});
