/** Roots of devices' multicast keys, and how the platform learns them (TS005-2.0.0 §4.3). */

import { vendorKey } from '../../core/base/vendor-key.ts';
import type { PlatformCommand } from '../../core/operations.ts';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { DrawPurpose, draw, entityKey, type Seed } from '../../sim/base/random.ts';
import type { DevicePlan } from '../../sim/plan/network-plan.ts';
import type { MulticastKeys } from '../schema/update-schema.ts';

const WORDS = 4;

/** The root that a device was made with, 32 hexadecimal digits; undefined: that of its sessions. */
export function rootKeyOf(
  keys: MulticastKeys,
  { name, devEui }: { readonly name: string; readonly devEui: string },
  random: Seed,
  subscriber: string,
): string | undefined {
  if (keys === 'own') return undefined;
  if (keys === 'vendor') return toHex(vendorKey(subscriber, devEui));
  const { key0, key1 } = entityKey(random, name);
  const words = Array.from({ length: WORDS }, (_, i) => draw(key0, key1, DrawPurpose.genAppKey, i));
  return words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Commands by which the platform learns the roots of new devices, for their subscriber to give. */
export function keyCommands(
  keys: MulticastKeys,
  devices: readonly DevicePlan[],
): PlatformCommand[] {
  if (devices.length === 0 || keys === 'own' || keys === 'none') return [];
  if (keys === 'vendor') {
    const devEuis = devices.map(({ devEui }) => devEui);
    return [{ kind: 'key.generate', keygen_type: 'vendor', devices: devEuis }];
  }
  // Of a wrong key every bit is another.
  const uploaded = (hex: string): string =>
    keys === 'wrong' ? toHex(fromHex(hex).map((byte) => ~byte)) : hex;
  const entries = devices.map(
    ({ devEui, genAppKey = '' }) => [devEui, uploaded(genAppKey)] as const,
  );
  return [{ kind: 'key.upload', keys: Object.fromEntries(entries) }];
}
