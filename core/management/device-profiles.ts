/**
 * Device profiles, a device type of the world each. A type stands for class, version of LoRaWAN and
 * behaviour, and for whether the server knows the roots of the devices’ multicast keys
 * (docs/decisions/0053). They are the world’s, so nothing is stored of them but what a subscriber’s
 * devices of a type refer to before anybody says otherwise: their preset.
 */
import { andThen, fail, found, ok, type Result } from '../../sim/base/result.ts';
import type { Given } from '../../sim/base/rows/fields.ts';
import type { DeviceTypeView, NetworkView } from '../../sim/contract/view.ts';
import { MEDIUM_ID } from '../base/ids.ts';
import { type Owned, Store } from '../base/store.ts';
import type { Asking } from '../base/subscribers.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { listOf, record, responseField } from '../rows/answers.ts';
import { changes, id } from '../rows/fields.ts';
import { REFERENCES } from './end-devices/rows.ts';
import { type Referred, UNKNOWN_REFERENCES, unknownReference } from './references.ts';
import { RESPONSE, responded } from './response.ts';

const source = 'device and gateway management: Device profile';

/** Devices of one request, which nothing else waits for longer than 50 ms. */
const MOST_DEVICES = 2_000;

const { DeviceProfile: _, Name: __, ...PRESET } = REFERENCES;

const Id = id('The device profile, by its id.');

const OPERATIONS = {
  'deviceProfile.list': {
    verb: 'list',
    takes: {},
    answers: record({
      DeviceProfiles: responseField({
        ...listOf(
          record({
            Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
            Name: responseField({ type: 'text', is: 'Its name.', source }),
          }),
        ),
        is: 'Those that devices may have.',
        source,
      }),
    }),
    fails: [],
    is: 'Device profiles: the types of the world’s devices.',
  },
  'deviceProfile.assign': {
    verb: 'change',
    takes: {
      Id,
      Devices: {
        type: 'list',
        of: { type: 'text', least: 0, storedIn: 'upper' },
        most: MOST_DEVICES,
        required: true,
        is: 'DevEUIs of those that get it.',
        source,
      },
    },
    answers: record({
      Responses: responseField({
        ...listOf(
          record({
            DevEUI: responseField({ type: 'text', least: 0, is: 'The device.' }),
            Response: responseField({ type: 'flag', is: 'Whether it has the profile now.' }),
            Error: responseField({
              type: 'text',
              least: 0,
              most: 1_000,
              is: 'Why it has not; else nothing.',
            }),
          }),
        ),
        is: 'What became of each, in the order of the request.',
      }),
    }),
    fails: ['deviceProfile.unknown'],
    is: 'Gives each device a profile, by itself, and reports why it failed for others.',
  },
  'deviceProfile.preset': {
    verb: 'change',
    takes: { Id, preset: changes(PRESET) },
    answers: RESPONSE,
    fails: ['deviceProfile.unknown', ...UNKNOWN_REFERENCES],
    is: 'Sets the profiles that devices of a type refer to by default; ' + 'absent fields stay.',
  },
} as const satisfies Operations;

/** What a subscriber's devices of a type refer to before anybody says otherwise. */
export type Preset = Partial<Given<typeof PRESET>>;

/** The same as it is stored. */
type StoredPreset = Preset & Owned & { readonly Id: string };

/** A device profile, with the row of its device type. */
export interface DeviceProfile extends DeviceTypeView {
  readonly Id: string;
  readonly row: number;
}

/** What else this resource uses. */
export interface Needs extends Pick<Surroundings, 'world'>, Referred {
  /** A device has an output profile now, or none any more. */
  readonly outputProfile: Referred['outputProfile'] & {
    follow(devEui: string, nowUs: number): void;
  };
  readonly endDevice: {
    giveProfile(devEui: string, profile: DeviceProfile, asking: Asking): Result<unknown>;
  };
}

/** A subscriber's devices of a type. */
function ofType(row: number, view: NetworkView): readonly string[] {
  const { devEui, type } = view.deviceColumns();
  return devEui.filter((_, place) => type[place] === row);
}

const hasOutputProfile = ({ OutputProfile }: Preset): boolean => (OutputProfile ?? '') !== '';

/** Sets or clears the default output profile of the caller's devices of a type. */
function followAll(needs: Needs, { row }: DeviceProfile, { nowUs, view }: Asking): void {
  for (const devEui of ofType(row, view)) needs.outputProfile.follow(devEui, nowUs);
}

/** Types with names of their own: those that rows of files make of a population have its name. */
function typesIn(view: NetworkView) {
  const seen = new Set<string>();
  return Array.from({ length: view.deviceTypes }, (_, row) => row).flatMap((row) => {
    const type = view.deviceType(row);
    if (type === undefined || seen.has(type.name)) return [];
    seen.add(type.name);
    return [{ ...type, row }];
  });
}

const NO_PRESET: Preset = {};

export const deviceProfileResource = declareResource({
  name: 'deviceProfile',
  is: 'Device profiles, and the devices that have them.',
  permission: 'Device',
  failures: { 'deviceProfile.unknown': 'unknown' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const presets = new Store<StoredPreset>('presets', ({ Id }) => Id);
    /** Ids by the row of the type, since somebody looked. */
    const ids: string[] = [];

    const idOf = (row: number, name: string): string =>
      (ids[row] ??= needs.world.namedId('medium', 'deviceProfile', name));

    /** Those that a subscriber sees, in the order of the world's types. */
    const list = (view: NetworkView): readonly DeviceProfile[] =>
      typesIn(view).map(({ row, ...type }) => ({ ...type, Id: idOf(row, type.name), row }));

    const get = (id: string, view: NetworkView) => list(view).find(({ Id }) => Id === id);

    const known = (id: string, { view }: Asking) =>
      found(get(id, view), 'deviceProfile.unknown', `No device profile is ${id}.`);

    return {
      ...presets.saving,
      handle: handlers(OPERATIONS, {
        'deviceProfile.list': (_, { view }) =>
          ok({ DeviceProfiles: list(view).map(({ Id, name }) => ({ Id, Name: name })) }),
        'deviceProfile.assign': ({ Id, Devices }, asking) =>
          andThen(known(Id, asking), (profile) =>
            ok({
              Responses: Devices.map((DevEUI) => {
                const given = needs.endDevice.giveProfile(DevEUI, profile, asking);
                const why = given.ok ? '' : given.failure.message;
                return { DevEUI, Response: given.ok, Error: why };
              }),
            }),
          ),
        'deviceProfile.preset': ({ Id, preset }, asking) =>
          andThen(known(Id, asking), (profile) => {
            const unknown = unknownReference(needs, preset, asking);
            if (unknown !== undefined) return fail(...unknown);
            const { by: owner } = asking;
            const before = presets.get(owner, Id);
            const after = { ...before, ...preset, owner, Id };
            presets.put(after);
            if (hasOutputProfile(after) !== hasOutputProfile(before ?? NO_PRESET)) {
              followAll(needs, profile, asking);
            }
            return responded();
          }),
      }),

      /** What a subscriber sees by an id. */
      get,

      /** The id of the profile that a device's type is. */
      idOf,

      /** What a subscriber's devices of a type refer to before anybody says otherwise. */
      presetOf: (owner: string, id: string): Preset => presets.get(owner, id) ?? NO_PRESET,

      /** Whether a type of a subscriber's devices refers to this. */
      refersTo: (owner: string, field: 'DecoderType' | 'OutputProfile', id: string): boolean =>
        presets.list(owner).some((each) => each[field] === id),
      /** Whether devices of some type have this output profile by default. */
      presetsOutputProfile: (owner: string, id: string): boolean =>
        presets.list(owner).some(({ OutputProfile }) => OutputProfile === id),

      hasPresets: (owner: string): boolean => presets.list(owner).length > 0,
    };
  },
});
