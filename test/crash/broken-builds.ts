/**
 * Builds that are broken on purpose: what the harness has to notice. Each changes one thing of the
 * product within the process that serves. A build that does not sync is seen by a disk that loses
 * its power alone, and is in test/host/journal/power-loss.test.ts.
 */

import { HOST_TIME } from '../../api/host/clock/host-time.ts';
import { StoredContents } from '../../api/host/journal/contents.ts';
import { Journal, type JournalOptions } from '../../api/host/journal/journal.ts';
import { StoredStates } from '../../api/host/journal/states-msgpack.ts';

export const BROKEN_BUILDS = {
  'answers before it writes': () => {
    const { append } = Journal.prototype;
    Journal.prototype.append = function (payload, done) {
      queueMicrotask(() => done('durable'));
      setTimeout(() => append.call(this, payload, () => undefined), LATE_MS);
    };
  },
  'has contents on the disk after their entry': () => {
    const { put } = StoredContents.prototype;
    StoredContents.prototype.put = async function (contents) {
      setTimeout(() => void put.call(this, contents), LATE_MS);
    };
  },
  'takes a state of any life': () => {
    const { latestIn } = StoredStates.prototype;
    StoredStates.prototype.latestIn = async function (origins, past) {
      for (let life = 0; life <= past.life; life++) {
        const found = await latestIn.call(this, origins, { ...past, life });
        if (found !== undefined) return found;
      }
      return undefined;
    };
  },
  'seals no ends': () => withOptions({ time: { ...HOST_TIME, later: never } }),
} as const satisfies Readonly<Record<string, () => void>>;

export type BrokenBuild = keyof typeof BROKEN_BUILDS;

/** What it breaks is how it starts; the others leave folders that any build may start from. */
export const STARTS_WRONG: BrokenBuild = 'takes a state of any life';

/** So long after the answer, ms: a process that is killed meanwhile has not done it. */
const LATE_MS = 500;
const never = () => ({ cancel: () => undefined });

/** Journals are opened with these, whatever the product says. */
export function withOptions(own: Partial<JournalOptions>): void {
  const { open } = Journal;
  Journal.open = (disk, options, onEntry) =>
    open.call(Journal, disk, { ...options, ...own }, onEntry);
}
