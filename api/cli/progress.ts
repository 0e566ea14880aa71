/** How far a run is: a bar on a terminal, else a plain line now and then, both on stderr. */
import { performance } from 'node:perf_hooks';
import type { SingleBar } from 'cli-progress';

export interface Progress {
  /** `share` of the virtual time that is over, 0…1, and events dispatched so far. */
  update(share: number, events: number): void;
  stop(): void;
}

/** Wall time between plain lines, and before the first, ms. */
const LINE_EVERY_MS = 10_000;

export async function startProgress(quiet: boolean): Promise<Progress> {
  if (quiet) return { update: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? drawnBar() : plainLines();
}

async function drawnBar(): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress');
  const bar: SingleBar = new cliProgress.SingleBar(
    {
      format: '{bar} {percentage} %  {events} events  {duration_formatted} + {eta_formatted}',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      // Ctrl-C is the run's, which ends the bar itself.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1000, 0, { events: 0 });
  return {
    update: (share, events) => bar.update(Math.round(share * 1000), { events }),
    stop: () => bar.stop(),
  };
}

function plainLines(): Progress {
  let nextMs = performance.now() + LINE_EVERY_MS;
  return {
    update: (share, events) => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + LINE_EVERY_MS;
      process.stderr.write(`${(share * 100).toFixed(1)} % of the virtual time, ${events} events\n`);
    },
    stop: () => undefined,
  };
}
