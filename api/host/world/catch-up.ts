/** A world that runs to the instant of the wall clock before anybody asks it. */
import { formatInstant } from '../../../core/base/instant.ts';
import { WrongOptions } from '../settings/emulator-options.ts';
import type { ServedWorld } from './served-world.ts';

/** One that is there already stays where it is. Throws `WrongOptions` where it is too far. */
export function caughtUp(served: ServedWorld, wallMs: number): Promise<void> {
  const atUs = served.facts.instantOf(wallMs);
  if (atUs <= served.nowUs) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const asked = { to: formatInstant(wallMs) };
    const advance = served.advance({ kind: 'instant', atUs }, asked, ({ state }) => {
      if (state === 'finished') resolve();
      else reject(new Error(`The world has ${state} on its way to the wall clock.`));
    });
    if (!advance.ok) reject(new WrongOptions([`--catch-up: ${advance.failure.message}`]));
  });
}
