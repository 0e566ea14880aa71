/** Idempotency keys as a journal has them (docs/decisions/0105). */
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { History } from '../../../api/host/journal/history.ts';
import { redacted } from '../../../api/host/journal/redaction.ts';
import { AnswerStore, type KeyedRequest } from '../../../api/host/requests/response-store.ts';

const DAY_MS = 86_400_000;

const requestOf = (key: string, fingerprint = 'f'): KeyedRequest => ({
  subscriber: 'ann',
  caller: '',
  method: 'POST',
  path: '/v1/groups/devices',
  key,
  fingerprint,
});
const claimOf = (key: string, beganAtMs = 0) => ({ ...requestOf(key), beganAtMs });
const command = (key?: string, beganAtMs = 0) =>
  ({
    kind: 'command',
    atUs: 0,
    command: { kind: 'noise' },
    ...(key && { claim: claimOf(key, beganAtMs) }),
  }) as unknown as JournalEntry;
const answered = (key: string, body?: string, life = 0, givenAtMs = 0): JournalEntry => ({
  kind: 'answered',
  atUs: 0,
  life,
  claim: claimOf(key),
  givenAtMs,
  ...(body === undefined ? {} : { answer: { status: 200, headers: {}, body } }),
});
const resulted = (key: string, life = 0): JournalEntry => ({
  kind: 'resulted',
  atUs: 0,
  life,
  claim: claimOf(key),
  result: '{"ok":true,"value":7}',
});

/** What a request with a key amounts to after these entries. */
function comesTo(key: string, entries: readonly JournalEntry[], nowMs = 1, fingerprint = 'f') {
  const history = new History();
  for (const entry of entries) history.add(entry);
  const store = new AnswerStore(() => nowMs);
  history.keys.restoreTo(store);
  const begun = store.begin(requestOf(key, fingerprint));
  if (!begun.ok) return begun.failure.code;
  if ('answer' in begun.value) return Buffer.from(begun.value.answer.body ?? []).toString();
  return begun.value.claim.earlier ?? 'carried out';
}

describe('a key after a restart', () => {
  it('has the answer that the journal has', () => {
    expect(comesTo('a', [command('a'), answered('a', 'ä')])).toBe('ä');
    expect(comesTo('a', [answered('a', 'refused')])).toBe('refused');
    expect(comesTo('b', [command('a'), answered('a', 'ä')])).toBe('carried out');
  });

  it('is refused to another request', () => {
    const entries = [command('a'), answered('a', 'ä'), command('b'), resulted('b')];
    for (const key of ['a', 'b']) expect(comesTo(key, entries, 1, 'g')).toBe('idempotency.reused');
  });

  it('has the result of its command where a crash prevented the answer', () => {
    expect(comesTo('a', [command('a'), resulted('a')])).toEqual({ ok: true, value: 7 });
    expect(comesTo('a', [command('a'), resulted('a'), answered('a', 'ä')])).toBe('ä');
  });

  it('has done its work where the state that it named is stored', () => {
    const named: JournalEntry = { kind: 'named', atUs: 0, name: 'one', claim: claimOf('a') };
    expect(comesTo('a', [named])).toEqual({ ok: true, value: undefined });
    expect(comesTo('a', [named, answered('a', 'ä')])).toBe('ä');
    expect(comesTo('b', [named])).toBe('carried out');
    expect(comesTo('a', [{ kind: 'named', atUs: 0, name: 'one' }])).toBe('carried out');
  });

  it('is carried out anew after 24 hours', () => {
    const entries = [command('a'), answered('a', 'ä', 0, 5), command('b', 5), resulted('b')];
    expect(comesTo('a', entries, DAY_MS + 4)).toBe('ä');
    expect(comesTo('a', entries, DAY_MS + 5)).toBe('carried out');
    expect(comesTo('b', [command('b'), resulted('b')], DAY_MS)).toBe('carried out');
  });

  it('is of the world that is there: a restore forgets it, and what comes late from before', () => {
    const restored: JournalEntry = { kind: 'restored', atUs: 0 };
    expect(comesTo('a', [command('a'), answered('a', 'ä'), restored])).toBe('carried out');
    expect(comesTo('a', [command('a'), restored, answered('a', 'ä')])).toBe('carried out');
    expect(comesTo('a', [command('a'), restored, resulted('a')])).toBe('carried out');
    expect(comesTo('a', [restored, command('a'), answered('a', 'ä', 1)])).toBe('ä');
  });

  it('is as if it had never come where it has no answer, or its command is stepped over', () => {
    const steppedOver: JournalEntry = { kind: 'steppedOver', atUs: 0 };
    expect(comesTo('a', [command('a'), answered('a')])).toBe('carried out');
    const history = new History();
    for (const entry of [command(), command('a'), steppedOver]) history.add(entry);
    expect(history.keys.open).toEqual([]);
  });

  it('names the command whose result is wanted', () => {
    const history = new History();
    const entries = [command(), command('a'), command('b'), answered('b', 'ä'), command('c')];
    for (const entry of entries) history.add(entry);
    expect(history.keys.open.map((each) => [each.claim.key, each.command])).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
    expect(history.state().commands.every((each) => !('claim' in each))).toBe(true);
  });

  it('is not shown by an export, and neither is its answer', () => {
    for (const entry of [command('canary'), answered('canary', 'canary'), resulted('canary')]) {
      const result = entry.kind === 'resulted' ? { result: 'canary' } : {};
      expect(JSON.stringify(redacted({ ...entry, ...result }))).not.toContain('canary');
    }
  });
});
