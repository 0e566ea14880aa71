/**
 * Device profiles of the LoRaWAN device repository (YAML) and of ChirpStack (TOML), as knobs of a
 * population and settings of the network.
 */
import { parse as parseToml, TomlError } from 'smol-toml';
import { z } from 'zod';
import { quote, sentence } from '../../scenarios/language/complaint.ts';
import { parseYaml } from '../../scenarios/language/yaml-source.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import { type NetworkSettings, regionNamed } from './regions.ts';
import type { ListFault } from './table.ts';
import { readLorawan, readVersion } from './values.ts';

/** What a profile says of devices and of their network. */
interface ProfileFacts {
  readonly region: RegionName | undefined;
  readonly knobs: Readonly<Record<string, string | number>>;
  readonly settings: NetworkSettings;
}

/** A file with a profile; `id` is its name without the ending. */
interface ProfileFile extends ProfileFacts {
  readonly is: 'profile';
  readonly file: string;
  readonly id: string;
}

/** A file with a device model, which names profiles by region. */
interface ModelFile {
  readonly is: 'model';
  readonly file: string;
  readonly id: string;
  readonly name: string;
  readonly firmware: string;
  readonly profiles: readonly { readonly id: string; readonly region: RegionName | undefined }[];
}

export type ProfileSource =
  | ProfileFile
  | ModelFile
  | { readonly is: 'other'; readonly file: string };

export interface ReadProfile {
  readonly source?: ProfileSource;
  readonly faults: readonly ListFault[];
}

/** A profile as devices have it: of a model, or by itself. */
export interface Profile extends ProfileFacts {
  readonly title: string;
  readonly file: string;
  /** What a list may call it, in small letters and digits. */
  readonly words: readonly string[];
}

const word = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Messages of the schemas say what is allowed; `faultsOf` puts the value before. */
const whole = (least: number, most: number) =>
  z
    .int({ error: `a whole number from ${least} to ${most}` })
    .check(
      z.gte(least, { error: `a whole number from ${least} to ${most}` }),
      z.lte(most, { error: `a whole number from ${least} to ${most}` }),
    );
const within = (least: number, most: number, unit: string) => {
  const error = `${least} to ${most} ${unit}`;
  return z.number({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
};
const flag = z.boolean({ error: 'true or false' });
const words = z.string({ error: 'text' });
const megahertz = within(100, 1000, 'MHz');
const version = z
  .union([z.string(), z.number()], { error: 'a version such as 1.0.3' })
  .transform((given, context) => {
    // YAML takes 1.0 for a number.
    const read = readLorawan(typeof given === 'number' ? given.toFixed(1) : given);
    if ('value' in read) return read.value;
    context.addIssue({ code: 'custom', message: read.fault });
    return z.NEVER;
  });

/** TheThingsNetwork/lorawan-devices, a profile of `vendor/…/`. */
const RepositoryProfile = z.looseObject({
  macVersion: version,
  supportsJoin: flag.optional(),
  supportsClassB: flag.optional(),
  supportsClassC: flag.optional(),
  pingSlotPeriod: z
    .literal([1, 2, 4, 8, 16, 32, 64, 128], { error: '1, 2, 4, 8, 16, 32, 64, 128' })
    .optional(),
  maxEIRP: within(-20, 36, 'dBm').optional(),
  rx1Delay: whole(0, 15).optional(),
  rx1DataRateOffset: whole(0, 7).optional(),
  rx2DataRateIndex: whole(0, 13).optional(),
  rx2Frequency: megahertz.optional(),
  factoryPresetFrequencies: z.array(megahertz).optional(),
});

/** The same repository, a device. */
const RepositoryModel = z.looseObject({
  name: words,
  firmwareVersions: z.array(
    z.looseObject({
      version: z.union([z.string(), z.number()]).transform(String),
      profiles: z.record(z.string(), z.looseObject({ id: z.string() })).optional(),
    }),
  ),
});

/** chirpstack-device-profiles, `profiles/`. */
const ChirpStackProfile = z.looseObject({
  region: words,
  mac_version: version,
  supports_otaa: flag.optional(),
  supports_class_b: flag.optional(),
  supports_class_c: flag.optional(),
  max_eirp: within(-20, 36, 'dBm').optional(),
  abp: z
    .looseObject({
      rx1_delay: whole(0, 15).optional(),
      rx1_dr_offset: whole(0, 7).optional(),
      rx2_dr: whole(0, 13).optional(),
      rx2_freq: within(0, 1e9, 'Hz').optional(),
    })
    .optional(),
  class_b: z
    .looseObject({
      ping_slot_nb_k: whole(0, 7).optional(),
      ping_slot_periodicity: whole(0, 7).optional(),
    })
    .optional(),
});

/** The same, `devices/`. */
const ChirpStackModel = z.looseObject({
  name: words,
  firmware: z
    .array(z.looseObject({ version: z.string(), profiles: z.array(z.string()) }))
    .optional(),
});

/** Values that are absent are left out. */
const given = <Value>(values: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );

const deviceClass = (b = false, c = false): 'A' | 'B' | 'C' => (c ? 'C' : b ? 'B' : 'A');
const activation = (joins = true): 'otaa' | 'abp' => (joins ? 'otaa' : 'abp');
const seconds = (delay: number | undefined) => (delay ? `${delay} s` : undefined);

/** Devices that join learn the windows of their network, so these are of personalised ones. */
const ofPersonalised = (
  joins: boolean | undefined,
  settings: Readonly<Record<string, unknown>>,
): NetworkSettings => (joins === false ? given(settings) : {});

function repositoryFacts(profile: z.output<typeof RepositoryProfile>): ProfileFacts {
  const { supportsClassB, supportsClassC, pingSlotPeriod: period } = profile;
  const isB = deviceClass(supportsClassB, supportsClassC) === 'B';
  const { maxEIRP, rx2DataRateIndex: rx2, rx2Frequency, factoryPresetFrequencies: own } = profile;
  return {
    region: undefined,
    knobs: given<string | number>({
      class: deviceClass(supportsClassB, supportsClassC),
      lorawan: profile.macVersion,
      activation: activation(profile.supportsJoin),
      pingSlotPeriodicity: isB && period ? Math.round(Math.log2(period)) : undefined,
      maxEirp: maxEIRP === undefined ? undefined : `${maxEIRP} dBm`,
    }),
    settings: ofPersonalised(profile.supportsJoin, {
      rx1Delay: seconds(profile.rx1Delay),
      rx1DrOffset: profile.rx1DataRateOffset,
      rx2DataRate: rx2 === undefined ? undefined : `DR${rx2}`,
      rx2Frequency: rx2Frequency === undefined ? undefined : `${rx2Frequency} MHz`,
      channels: own?.map((frequency) => `${frequency} MHz`),
    }),
  };
}

function chirpStackFacts(profile: z.output<typeof ChirpStackProfile>): ProfileFacts {
  const { supports_class_b: b, supports_class_c: c, max_eirp: eirp, abp = {} } = profile;
  const { class_b: { ping_slot_nb_k: k, ping_slot_periodicity: period } = {} } = profile;
  // 2^k slots in a beacon period are one every 2^(7 − k) seconds.
  const periodicity = period ?? (k === undefined ? undefined : 7 - k);
  return {
    region: regionNamed(profile.region)?.region,
    knobs: given<string | number>({
      class: deviceClass(b, c),
      lorawan: profile.mac_version,
      activation: activation(profile.supports_otaa),
      pingSlotPeriodicity: deviceClass(b, c) === 'B' ? periodicity : undefined,
      // 0 is what its forms have where nobody has said anything.
      maxEirp: eirp ? `${eirp} dBm` : undefined,
    }),
    settings: ofPersonalised(profile.supports_otaa, {
      rx1Delay: seconds(abp.rx1_delay),
      rx1DrOffset: abp.rx1_dr_offset,
      rx2DataRate: abp.rx2_dr === undefined ? undefined : `DR${abp.rx2_dr}`,
      rx2Frequency: abp.rx2_freq ? `${abp.rx2_freq / 1e6} MHz` : undefined,
    }),
  };
}

const idOf = (file: string): string => file.replace(/^.*[\\/]/, '').replace(/\.(toml|ya?ml)$/i, '');

/** Lists of a vendor’s devices, and codecs: they say nothing of the network. */
const isOther = (value: Readonly<Record<string, unknown>>): boolean =>
  ['endDevices', 'uplinkDecoder', 'downlinkEncoder', 'vendors'].some((key) => key in value);

const EXPECTED = 'a profile or a device of the LoRaWAN device repository';

/** YAML: a profile has `macVersion`, a device `firmwareVersions`. */
export function readRepositoryFile(file: string, text: string): ReadProfile {
  const { value, source, problems } = parseYaml(file, text);
  const [problem] = problems;
  if (problem !== undefined) {
    return { faults: [{ file, line: problem.line, message: problem.message }] };
  }
  const lineOf = (path: readonly PropertyKey[]) =>
    source.locate(path.filter((key) => typeof key !== 'symbol')).line;
  const id = idOf(file);
  if (isMap(value) && value.macVersion !== undefined) {
    const read = RepositoryProfile.safeParse(value);
    if (!read.success) return { faults: faultsOf(file, value, read.error, lineOf) };
    return { source: { is: 'profile', file, id, ...repositoryFacts(read.data) }, faults: [] };
  }
  if (isMap(value) && value.firmwareVersions !== undefined) {
    const read = RepositoryModel.safeParse(value);
    if (!read.success) return { faults: faultsOf(file, value, read.error, lineOf) };
    const { name, firmwareVersions } = read.data;
    const latest = firmwareVersions.at(-1);
    const profiles = Object.entries(latest?.profiles ?? {}).map(([region, { id: profile }]) => ({
      id: profile,
      region: regionNamed(region)?.region,
    }));
    const firmware = latest?.version ?? '';
    return { source: { is: 'model', file, id, name, firmware, profiles }, faults: [] };
  }
  if (isMap(value) && isOther(value)) return { source: { is: 'other', file }, faults: [] };
  return { faults: [{ file, line: 0, message: sentence({ what: 'is none', allowed: EXPECTED }) }] };
}

/** TOML: a table `profile`, `device` or `vendor`. */
export function readChirpStackFile(file: string, text: string): ReadProfile {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = parseToml(text);
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 0;
    const [why] = (error as Error).message.split('\n');
    return { faults: [{ file, line, message: `is not TOML: ${why}` }] };
  }
  const id = idOf(file);
  if (isMap(value.profile)) {
    const read = ChirpStackProfile.safeParse(value.profile);
    if (!read.success)
      return { faults: faultsOf(file, value.profile, read.error, () => 0, 'profile') };
    return { source: { is: 'profile', file, id, ...chirpStackFacts(read.data) }, faults: [] };
  }
  if (isMap(value.device)) {
    const read = ChirpStackModel.safeParse(value.device);
    if (!read.success)
      return { faults: faultsOf(file, value.device, read.error, () => 0, 'device') };
    const { name, firmware = [] } = read.data;
    const latest = firmware.at(-1);
    const profiles = (latest?.profiles ?? []).map((each) => ({
      id: idOf(each),
      region: undefined,
    }));
    const source = {
      is: 'model',
      file,
      id,
      name,
      firmware: latest?.version ?? '',
      profiles,
    } as const;
    return { source, faults: [] };
  }
  if (isMap(value.vendor)) return { source: { is: 'other', file }, faults: [] };
  const allowed = 'a table profile, device or vendor, as ChirpStack’s device profiles have';
  return { faults: [{ file, line: 0, message: sentence({ what: 'is none', allowed }) }] };
}

function faultsOf(
  file: string,
  document: unknown,
  { issues }: z.ZodError,
  lineOf: (path: readonly PropertyKey[]) => number,
  table?: string,
): ListFault[] {
  return issues.map(({ code, path, message }) => {
    const pointer = ['', ...(table === undefined ? [] : [table]), ...path].map(String).join('/');
    const value = valueAt(document, path);
    const what = value === undefined ? 'is missing' : `${quote(value)} is not right here`;
    const words = code === 'custom' ? message : sentence({ what, allowed: message });
    return { file, line: lineOf(path), message: `${pointer}  ${words}` };
  });
}

const valueAt = (document: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], document);

/** Profiles as devices have them, in this region; `missing` are named and not given. */
export function profilesOf(sources: readonly ProfileSource[]): {
  readonly profiles: readonly Profile[];
  readonly notes: readonly ListFault[];
} {
  const files = sources.filter((source) => source.is === 'profile');
  const linked = new Set<string>();
  const notes: ListFault[] = [];
  const ofModels = sources.flatMap((source): Profile[] => {
    if (source.is !== 'model') return [];
    const { file, id, name, firmware } = source;
    const runs = readVersion(firmware);
    return source.profiles.flatMap(({ id: named, region }) => {
      const profile = files.find((each) => word(each.id) === word(named));
      if (profile === undefined) {
        const message = `names the profile ${quote(named)}, which is not among the files`;
        notes.push({ file, line: 0, message });
        return [];
      }
      linked.add(profile.file);
      const knobs = { ...profile.knobs, ...('value' in runs ? { firmware: runs.value } : {}) };
      const words = [id, name, profile.id].map(word);
      return [{ ...profile, title: name, file, words, knobs, region: profile.region ?? region }];
    });
  });
  const alone = files
    .filter(({ file }) => !linked.has(file))
    .map((each): Profile => ({ ...each, title: each.id, words: [word(each.id)] }));
  return { profiles: [...ofModels, ...alone], notes };
}

/** Whether a list means this profile by the type of a device, such as `elsys ers`. */
export const isMeant = (profile: Profile, type: string): boolean => {
  const own = word(type);
  return own !== '' && profile.words.some((each) => each !== '' && own.endsWith(each));
};
