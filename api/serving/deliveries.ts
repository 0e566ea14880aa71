/** What delivers to real receivers, as the options of an emulator want it. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { KEY_BYTES } from '../host/accounts/secrets.ts';
import { HOST_TIME } from '../host/clock/host-time.ts';
import { Deliverer } from '../host/deliveries/deliverer.ts';
import {
  DamagedStore,
  DeliveryStore,
  type StoreOptions,
} from '../host/deliveries/delivery-store.ts';
import { Egress } from '../host/deliveries/network/egress.ts';
import { GuardedNetwork } from '../host/deliveries/network/guarded-network.ts';
import { type Senders, sendersOf } from '../host/deliveries/senders/senders.ts';
import { WORLD_FOLDER } from '../host/journal/durable-folder.ts';
import type { DurableWorld } from '../host/journal/world-folder.ts';
import { describeSystemError, isSystemError } from '../host/process/system-error.ts';
import {
  type EmulatorOptions,
  hostOf,
  isLoopback,
  WrongOptions,
} from '../host/settings/emulator-options.ts';

/** In the folder of the world. */
const OUTBOX_FOLDER = 'outbox';

/** Undefined: what leaves the world goes nowhere. Throws `WrongOptions`. */
export async function delivererOf(
  options: EmulatorOptions,
  stored: DurableWorld | undefined,
): Promise<Deliverer | undefined> {
  if (options.deliver === 'none') return undefined;
  const folder =
    stored === undefined ? undefined : join(options.data!, WORLD_FOLDER, OUTBOX_FOLDER);
  const onTrouble = troubleTeller();
  try {
    return await Deliverer.open({
      exists: folder !== undefined && existsSync(folder),
      open: (onWritten) => {
        const parts = { time: HOST_TIME, onTrouble, onWritten };
        if (folder === undefined) return storeForNow(parts);
        return DeliveryStore.open({ ...parts, folder, key: stored!.keyFor(OUTBOX_FOLDER) });
      },
      senders: guardedSenders(options),
      time: HOST_TIME,
      onTrouble,
      onBroken: endWithoutOutbox,
    });
  } catch (error) {
    if (error instanceof WrongOptions) throw error;
    throw new WrongOptions([`${folder} cannot be opened: ${wordsOf(error)}`]);
  }
}

/** What of a store is the same wherever it is. */
type StoreParts = Pick<StoreOptions, 'time' | 'onTrouble' | 'onWritten'>;

/** A world that ends with its process has an outbox that does, whose key nobody else has. */
async function storeForNow(parts: StoreParts): Promise<DeliveryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetwave-outbox-'));
  return DeliveryStore.open({ ...parts, folder, key: randomBytes(KEY_BYTES), isForNow: true });
}

function guardedSenders(options: EmulatorOptions): Senders {
  const { allowDeliveryTo: allowed = [], cloudAEndpoint, cloudBEndpoint } = options;
  const egress = new Egress({ toOwnMachine: isLoopback(hostOf(options)), allowed });
  const ca = options.deliveryCa === undefined ? [] : [certificatesIn(options.deliveryCa)];
  const network = new GuardedNetwork({ egress, time: HOST_TIME, ca });
  const endpoints = {
    ...(cloudAEndpoint && { cloudA: cloudAEndpoint }),
    ...(cloudBEndpoint && { cloudB: cloudBEndpoint }),
  };
  return sendersOf({ network, time: HOST_TIME, endpoints });
}

function certificatesIn(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    throw new WrongOptions([`--delivery-ca ${path} cannot be read: ${wordsOf(error)}`]);
  }
  throw new WrongOptions([`--delivery-ca ${path} has no certificate (PEM)`]);
}

// ── what goes wrong ──────────────────────────────────────────────────────────────────────────────

const wordsOf = (error: unknown): string => {
  const { cause = error } = error as { readonly cause?: unknown };
  if (isSystemError(cause)) return describeSystemError(cause);
  return cause instanceof Error ? cause.message : String(cause);
};

/** Reports a failure once until it changes, since the disk is tried every second. */
function troubleTeller(): (error: unknown) => void {
  let text = '';
  return (error) => {
    const words = wordsOf(error);
    if (words === text) return;
    text = words;
    process.stderr.write(`fleetwave: what is delivered cannot be written: ${words}\n`);
  };
}

/** EX_IOERR of sysexits.h. */
const DISK_FAULT = 74;

function endWithoutOutbox(error: unknown): never {
  const words = error instanceof DamagedStore ? error.message : inspect(error);
  process.stderr.write(`fleetwave ends: ${words}\n`);
  process.exit(DISK_FAULT);
}
