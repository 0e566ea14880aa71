/** Names of the commands in an FRMPayload on a port of an application package. */
import { type CommandSet, readCommands } from '../../sim/lorawan/message.ts';
import { clockSync } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import { fragmentation } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import { multicastSetup } from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';
import type { PackagesPlan } from '../../sim/plan/packages-plan.ts';

const PACKAGES = { clockSync, fragmentation, multicastSetup, firmwareManagement } as const;

interface Directions {
  readonly uplink: CommandSet;
  readonly downlink: CommandSet;
}

/** Standard names of the commands in their order; undefined: the port is of no package. */
export function commandNames(
  packages: PackagesPlan,
  direction: 'uplink' | 'downlink',
  { fPort, payload }: { readonly fPort: number | null; readonly payload: Uint8Array },
): readonly string[] | undefined {
  for (const name of Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]) {
    const own = packages[name];
    if (own?.fPort !== fPort) continue;
    const versions: Readonly<Record<number, Directions>> = PACKAGES[name];
    const set = versions[own.version]![direction];
    return readCommands(set, payload).commands.map((command) => String(command.name));
  }
  return undefined;
}
