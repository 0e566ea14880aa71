/**
 * A process that serves a world that is stored, and kills itself at a chosen moment, as `kill -9`
 * would. It takes one `Life` as its argument, and reports its parent where it listens.
 */
import { startEmulator } from '../../api/emulator.ts';
import { EntryJournal } from '../../api/host/journal/entry-journal.ts';
import { BROKEN_BUILDS, withOptions } from './broken-builds.ts';
import { type Life, type Served, STORED } from './served.ts';
import { type Hit, watchFiles } from './watched-files.ts';

/** Small, so that a life has several. */
const SEGMENT_BYTES = 16_384;
/** Virtual seconds a second: a time mark is written every quarter of a second or so. */
const SPEED = 60;

const life = JSON.parse(process.argv[2] ?? '') as Life;
const hit = counted(life.ends);
watchFiles(hit);
watchEntries(hit);
withOptions({ segmentBytes: SEGMENT_BYTES });
if (life.build !== undefined) BROKEN_BUILDS[life.build]();

const { url, clientId, clientSecret } = await startEmulator({
  ...STORED,
  data: life.data,
  scenario: life.scenario,
  paused: life.paused ?? false,
  speed: SPEED,
});
process.send?.({ url, clientId, clientSecret } satisfies Served);
process.once('disconnect', () => process.exit());

/** Ends the process when the point has come so often. */
function counted(ends: Life['ends']): Hit {
  let left = ends?.hit ?? 0;
  const isNext = (point: string) => point === ends?.point && left === 1;
  const counts = (point: string) => {
    if (point === ends?.point && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  return Object.assign(counts, { isNext });
}

/** Between what becomes of an entry and what its world does with that. */
function watchEntries(report: Hit): void {
  const { append } = EntryJournal.prototype;
  EntryJournal.prototype.append = function (entry, done) {
    report(`${entry.kind}.asked`);
    return append.call(this, entry, (fate) => {
      report(`${entry.kind}.acknowledged`);
      done(fate);
      report(`${entry.kind}.applied`);
    });
  };
}
