/**
 * Filters of a log as a table of classes: words of one filter are alternatives, filters narrow each
 * other, and a neutral word is none (device and gateway management, log filters).
 */
import type { Given } from '../../../sim/base/rows/fields.ts';
import { classesWhere, type EntryClass } from './entries.ts';
import type { LOG_FILTERS } from './rows.ts';

type Filters = Given<typeof LOG_FILTERS>;
type Name = keyof typeof LOG_FILTERS;

/** The word of each filter that a class has; undefined: it has none of them. */
const WORDS: Readonly<Record<Name, (each: EntryClass) => string | undefined>> = {
  'LogFrameFilter.Stream': ({ down }) => (down ? 'DOWNSTREAM' : 'UPSTREAM'),
  'LogFrameFilter.MessageType': ({ content }) => content,
  'LogFrameFilter.Late': ({ late }) => (late ? 'LATETRUE' : 'LATEFALSE'),
  'LogFrameFilter.Activation': ({ activation }) => activation || undefined,
  'LogFrameFilter.Ack': ({ ack }) => (ack ? 'ACKTRUE' : 'ACKFALSE'),
};

const isNeutral = (word: string): boolean => word.startsWith('NO') && word.endsWith('FILTER');

/** Undefined: every class fits. */
export function classesOf(filters: Filters): Uint8Array | undefined {
  const active = (Object.keys(WORDS) as Name[]).flatMap((name) => {
    const words: readonly string[] = filters[name] ?? [];
    return words.length === 0 || words.some(isNeutral) ? [] : [{ words, wordOf: WORDS[name] }];
  });
  if (active.length === 0) return undefined;
  return classesWhere((each) =>
    active.every(({ words, wordOf }) => words.includes(wordOf(each) ?? '')),
  );
}
