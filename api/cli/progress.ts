/** How far a run is: a bar on a terminal, else a plain line now and then, both on stderr. */
import { performance } from 'node:perf_hooks';
import type { SingleBar } from 'cli-progress';
import { duration } from '../../reports/text/format.ts';

/** What progress shows of a world while it runs. */
export interface Running {
  readonly nowUs: number;
  readonly endUs: number;
  /** Events dispatched so far. */
  readonly events: number;
  /** How far it is in words of its own; absent: by its campaigns. */
  words?(): string;
  progress(): {
    readonly campaigns: readonly { readonly devices: number; readonly success: number }[];
  };
}

export interface Progress {
  update(world: Running): void;
  stop(): void;
}

/** Wall time between plain lines, and before the first, ms. */
const LINE_EVERY_MS = 10_000;
/** Wall time between two looks at the campaigns, ms. */
const LOOK_EVERY_MS = 100;

export async function startProgress(quiet: boolean): Promise<Progress> {
  if (quiet) return { update: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? drawnBar() : plainLines();
}

async function drawnBar(): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress');
  const bar: SingleBar = new cliProgress.SingleBar(
    {
      format:
        '{bar} {percentage} %  {events} events{updated}  after {duration_formatted}, ' +
        '{eta_formatted} left',
      formatTime: (seconds: unknown) => secondsLeft(Number(seconds)),
      // Over the latest updates, several a second.
      etaBuffer: 60,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      // Ctrl-C is the run's, which ends the bar itself.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1000, 0, { events: 0, updated: '' });
  let nextLookMs = 0;
  let updated = '';
  return {
    update: (world) => {
      if (performance.now() >= nextLookMs || world.nowUs >= world.endUs) {
        nextLookMs = performance.now() + LOOK_EVERY_MS;
        updated = devicesUpdated(world, '  ');
      }
      bar.update(Math.round(shareOf(world) * 1000), { events: world.events, updated });
    },
    stop: () => bar.stop(),
  };
}

/** Not finite where nothing has moved for a while. */
export const secondsLeft = (seconds: number): string =>
  Number.isFinite(seconds) ? duration(Math.round(seconds)) : 'a while';

function plainLines(): Progress {
  let nextMs = performance.now() + LINE_EVERY_MS;
  return {
    update: (world) => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + LINE_EVERY_MS;
      process.stderr.write(`${progressLine(world)}\n`);
    },
    stop: () => undefined,
  };
}

/** `12.5 % of the virtual time, 20000 events, 12 of 1000 devices updated`. */
export function progressLine(world: Running): string {
  const share = (shareOf(world) * 100).toFixed(1);
  const updated = devicesUpdated(world, ', ');
  return `${share} % of the virtual time, ${world.events} events${updated}`;
}

function shareOf({ nowUs, endUs }: Running): number {
  return nowUs / endUs;
}

/** Over all campaigns; nothing before the first. */
function devicesUpdated(world: Running, before: string): string {
  if (world.words !== undefined) return `${before}${world.words()}`;
  const { campaigns } = world.progress();
  const devices = campaigns.reduce((sum, one) => sum + one.devices, 0);
  const success = campaigns.reduce((sum, one) => sum + one.success, 0);
  return campaigns.length === 0 ? '' : `${before}${success} of ${devices} devices updated`;
}
