/**
 * A process that serves a world that is stored and delivers what leaves it, until it is killed. It
 * takes one `DeliveringLife` as its argument, and reports its parent where it listens. The pauses
 * between attempts pass sixty times as fast as on the wall.
 */
import { startEmulator } from '../../../api/emulator.ts';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import { type Served, STORED } from '../served.ts';
import { BROKEN_BUILDS, type BrokenBuild } from './broken-builds.ts';

export interface DeliveringLife {
  readonly data: string;
  readonly scenario: string;
  readonly build?: BrokenBuild | undefined;
}

/** Virtual seconds in one that `HOST_TIME` has. */
const SPEED = 10;
const HURRY = 60;

const { data, scenario, build } = JSON.parse(process.argv[2] ?? '') as DeliveringLife;
hurry();
if (build !== undefined) BROKEN_BUILDS[build]();

const { url, clientId, clientSecret } = await startEmulator({
  ...STORED,
  data,
  scenario,
  speed: SPEED,
});
process.send?.({ url, clientId, clientSecret } satisfies Served);
process.once('disconnect', () => process.exit());

function hurry(): void {
  const { wallMs, elapsedMs, later } = HOST_TIME;
  Object.assign(HOST_TIME, {
    wallMs: () => wallMs() * HURRY,
    elapsedMs: () => elapsedMs() * HURRY,
    later: (act: () => void, ms: number) => later(act, ms / HURRY),
  });
}
