/**
 * Multicast keys of devices (docs/operations.md, Multicast keys): the root of a device's
 * chain of multicast keys, GenAppKey in LoRaWAN 1.0.x and the AppKey's root in 1.1 (TS005-2.0.0
 * §4.3). It wraps a campaign's McKey for the device. No answer contains a key.
 */
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { sha256 } from '../../sim/base/sha256.ts';
import type { Fold } from '../kit/fold.ts';
import type { Handlers } from '../kit/handlers.ts';
import { declareResource } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { NetworkView } from '../network-face.ts';

/** A device need not exist yet, and loses no key when it goes. */
export interface DeviceKey {
  readonly owner: string;
  /** 16 upper-case hexadecimal digits. */
  readonly devEui: string;
  /** 32 lower-case hexadecimal digits. */
  readonly key: string;
}

export type KeyCommand =
  /** 32 hexadecimal digits by DevEUI; a key that a device has already is replaced. */
  | { readonly kind: 'key.upload'; readonly keys: Readonly<Record<string, string>> }
  /** DevEUIs; one without a key is no error. */
  | { readonly kind: 'key.delete'; readonly devices: readonly string[] }
  /** Derives keys from DevEUI and subscriber; `vendor` is the only type. */
  | {
      readonly kind: 'key.generate';
      readonly keygen_type: string;
      readonly devices: readonly string[];
    };

export interface KeyAnswers {
  'key.upload': undefined;
  'key.delete': undefined;
  'key.generate': undefined;
}

export type KeyFailure = 'key.dev-eui' | 'key.malformed' | 'key.keygen-type';

/** The key that wraps McKey for a device. */
export type RootKey =
  /** Of the operator's own product: the network server has it. */
  | { readonly kind: 'own' }
  /** Uploaded or generated, right or wrong. */
  | { readonly kind: 'given'; readonly key: Uint8Array }
  | { readonly kind: 'none' };

const DEV_EUI = /^[0-9A-Fa-f]{16}$/;
const KEY = /^[0-9A-Fa-f]{32}$/;
const KEY_BYTES = 16;

const VENDOR = 'vendor';

export class Keys {
  readonly #keys = new Store<DeviceKey>(({ devEui }) => devEui);

  readonly commands: Handlers<KeyCommand, KeyAnswers, KeyFailure> = {
    'key.upload': ({ keys }, { by }) => this.#upload(by, Object.entries(keys)),
    'key.delete': ({ devices }, { by }) => this.#delete(by, devices),
    'key.generate': ({ keygen_type, devices }, { by }) =>
      refuseType(keygen_type) ?? this.generate(by, devices),
  };

  /** The key that a campaign of this owner wraps with: what was given comes before the server's. */
  rootOf(owner: string, devEui: string, view: NetworkView): RootKey {
    const given = this.#keys.get(owner, devEui);
    if (given !== undefined) return { kind: 'given', key: fromHex(given.key) };
    return view.device(devEui)?.rootKeyKnown === true ? { kind: 'own' } : { kind: 'none' };
  }

  /** Gives each device the key that its vendor put into it. */
  generate(owner: string, devEuis: readonly string[]): Result<undefined, KeyFailure> {
    return this.#upload(
      owner,
      devEuis.map((devEui) => [devEui, toHex(vendorKey(owner, devEui))]),
    );
  }

  fold(fold: Fold): void {
    this.#keys.fold(fold, 'keys');
  }

  save(): readonly DeviceKey[] {
    return this.#keys.save();
  }

  load(saved: readonly DeviceKey[]): void {
    this.#keys.load(saved);
  }

  /** All or none. */
  #upload(
    owner: string,
    entries: readonly (readonly [devEui: string, hex: string])[],
  ): Result<undefined, KeyFailure> {
    const refusal = refuseDevEui(entries.map(([devEui]) => devEui));
    if (refusal !== undefined) return refusal;
    const wrong = entries.find(([, hex]) => !KEY.test(hex));
    if (wrong !== undefined) {
      // The message names the device, never the key.
      const message = `The key of ${wrong[0]} is not 32 hexadecimal digits.`;
      return fail('key.malformed', message, `/${wrong[0]}`);
    }
    for (const [devEui, hex] of entries) {
      this.#keys.put({ owner, devEui: devEui.toUpperCase(), key: hex.toLowerCase() });
    }
    return ok(undefined);
  }

  #delete(owner: string, devEuis: readonly string[]): Result<undefined, KeyFailure> {
    const wrong = refuseDevEui(devEuis);
    if (wrong !== undefined) return wrong;
    for (const devEui of devEuis) this.#keys.remove(owner, devEui.toUpperCase());
    return ok(undefined);
  }
}

export const keyResource = declareResource({
  name: 'key',
  verbs: { 'key.upload': 'own', 'key.generate': 'own', 'key.delete': 'own' },
  make: () => new Keys(),
});

/**
 * The key, 16 bytes, that the vendor puts into a subscriber's device: the first half of the SHA-256
 * of `vendor/<subscriber>/<DevEUI>`, the DevEUI in upper case, in UTF-16, big-endian.
 */
export function vendorKey(subscriber: string, devEui: string): Uint8Array {
  const text = [VENDOR, subscriber, devEui.toUpperCase()].join('/');
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) >> 8;
    bytes[2 * i + 1] = text.charCodeAt(i);
  }
  return sha256(bytes).slice(0, KEY_BYTES);
}

/** What is wrong with a way to make keys; undefined: nothing. */
export function refuseType(type: string): Result<never, KeyFailure> | undefined {
  if (type === VENDOR) return undefined;
  return fail('key.keygen-type', `${type} is no way to make keys; ${VENDOR} is.`, '/keygen_type');
}

// ── inside ───────────────────────────────────────────────────────────────────────────────────────

function refuseDevEui(devEuis: readonly string[]): Result<never, KeyFailure> | undefined {
  const wrong = devEuis.findIndex((devEui) => !DEV_EUI.test(devEui));
  if (wrong < 0) return undefined;
  const message = `${devEuis[wrong]} is no DevEUI of 16 hexadecimal digits.`;
  return fail('key.dev-eui', message, `/${wrong}`);
}
