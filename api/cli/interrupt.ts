/** Work that Ctrl-C, or a supervisor, may end before its time. */
import { ExitCode } from './exit.ts';

export type Signal = 'SIGINT' | 'SIGTERM';

/**
 * The signal that stopped it, if one did; a second one ends the process at once. `act` resolves to
 * whether it came to its end.
 */
export async function interruptible(
  act: (stops: () => boolean) => Promise<boolean>,
): Promise<Signal | undefined> {
  let stopped: Signal | undefined;
  const stop = (signal: Signal) => {
    if (stopped !== undefined) process.exit(exitCodeOf(signal));
    stopped = signal;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    const whole = await act(() => stopped !== undefined);
    return whole ? undefined : stopped;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

export function exitCodeOf(signal: Signal): ExitCode {
  return signal === 'SIGINT' ? ExitCode.interrupted : ExitCode.terminated;
}
