/**
 * Multicast keys of devices (docs/operations.md, Multicast keys): the root of a device's
 * chain of multicast keys, GenAppKey in LoRaWAN 1.0.x and the AppKey's root in 1.1 (TS005-2.0.0
 * §4.3). It wraps a campaign's McKey for the device. No answer contains a key.
 */
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import type { Field } from '../../sim/base/rows/fields.ts';
import type { NetworkView } from '../../sim/contract/view.ts';
import { Store } from '../base/store.ts';
import { vendorKey } from '../base/vendor-key.ts';
import { declareResource, done, handlers, type Operations } from '../kit/resource.ts';
import { EUI, EUIS } from '../rows/fields.ts';

/** A device need not exist yet, and loses no key when it goes. */
export interface DeviceKey {
  readonly owner: string;
  /** 16 upper-case hexadecimal digits. */
  readonly devEui: string;
  /** 32 upper-case hexadecimal digits. */
  readonly key: string;
}

/** Row of operations that derive keys. */
export const KEYGEN_TYPE = {
  type: 'choice',
  words: ['vendor'],
  required: true,
  failure: 'key.keygen-type',
  is: 'How keys are made.',
  source: 'firmware update service, device group',
} as const satisfies Field;

const source = 'firmware update service, multicast keys';
const DEVICES = {
  ...EUIS,
  required: true,
  failure: 'key.malformed',
  is: 'DevEUIs; the devices need not exist.',
  source,
} as const satisfies Field;

const KEYS = {
  type: 'map',
  keys: EUI,
  of: { type: 'hex', digits: 32, secret: true },
  most: 1_000_000,
  required: true,
  failure: 'key.malformed',
  body: true,
  is: '32 hexadecimal digits by DevEUI.',
  source,
} as const satisfies Field;

const OPERATIONS = {
  'key.upload': {
    verb: 'ownCreate',
    takes: { keys: KEYS },
    answers: null,
    fails: [],
    is: 'Uploads keys; one that a device has already is replaced. All are taken or none.',
  },
  'key.generate': {
    verb: 'ownChange',
    takes: { keygen_type: KEYGEN_TYPE, devices: DEVICES },
    answers: null,
    fails: [],
    is: 'Derives keys from DevEUI and subscriber.',
  },
  'key.delete': {
    verb: 'ownDelete',
    takes: { devices: { ...DEVICES, body: true } },
    answers: null,
    fails: [],
    is: 'Deletes keys; a device without one is no error.',
  },
} as const satisfies Operations;

/** The key that wraps McKey for a device. */
export type RootKey =
  /** Of the operator's own product: the network server has it. */
  | { readonly kind: 'own' }
  /** Uploaded or generated, right or wrong. */
  | { readonly kind: 'given'; readonly key: Uint8Array }
  | { readonly kind: 'none' };

/** What keys offer to other resources. */
export type Keys = ReturnType<(typeof keyResource)['make']>;

export const keyResource = declareResource({
  name: 'key',
  is: 'Keys by which multicast keys of devices are derived.',
  permission: 'Device',
  failures: {
    'key.malformed': 'malformed',
    'key.keygen-type': 'malformed',
  },
  operations: OPERATIONS,
  make: () => {
    const keys = new Store<DeviceKey>('keys', ({ devEui }) => devEui);

    /** Gives each device the key that its vendor put into it. */
    const generate = (owner: string, devEuis: readonly string[]): void => {
      for (const devEui of devEuis) {
        keys.put({ owner, devEui, key: toHex(vendorKey(owner, devEui)).toUpperCase() });
      }
    };

    /** The key that campaigns wrap with for a device of this owner: what was given comes first. */
    const rootOf = (owner: string, devEui: string, view: NetworkView): RootKey => {
      const given = keys.get(owner, devEui);
      if (given !== undefined) return { kind: 'given', key: fromHex(given.key) };
      return view.device(devEui)?.rootKeyKnown === true ? { kind: 'own' } : { kind: 'none' };
    };

    return {
      ...keys.saving,
      generate,

      /** The same for those of the owner's devices that have none: what there is stays. */
      generateMissing(owner: string, devEuis: readonly string[], view: NetworkView): void {
        generate(
          owner,
          devEuis.filter((devEui) => rootOf(owner, devEui, view).kind === 'none'),
        );
      },

      rootOf,

      handle: handlers(OPERATIONS, {
        'key.upload': (given, { by: owner }) => {
          for (const [devEui, key] of Object.entries(given.keys)) keys.put({ owner, devEui, key });
          return done();
        },
        'key.generate': ({ devices }, { by }) => done(generate(by, devices)),
        'key.delete': ({ devices }, { by }) => {
          for (const devEui of devices) keys.remove(by, devEui);
          return done();
        },
      }),
    };
  },
});
