/**
 * Checks of policies of device configurations: their devices, and that the decoder types of these
 * devices encode what is desired of them, as far as a file shows it.
 */

import type { Codec } from '../../core/codecs/codec.ts';
import { NATIVE_CODECS } from '../../core/codecs/native.ts';
import type { JsonObject } from '../../sim/base/json.ts';
import { jsonCopy } from '../../sim/base/json.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import type { Member, Named, Report, Roll } from '../language/members.ts';
import { checkOwnDevices, findNamed, type Known } from './group-check.ts';

export function checkPolicies(
  policies: readonly Named[],
  groups: readonly Named[],
  decoderTypes: readonly Named[],
  known: Known,
  report: Report,
): void {
  for (const policy of policies) {
    checkReceivers(policy, groups, known, report);
    checkConfig(policy, groups, decoderTypes, known.devices, report);
  }
}

function checkReceivers(
  policy: Named,
  groups: readonly Named[],
  known: Known,
  report: Report,
): void {
  const { devices, deviceGroup, population } = policy.entry;
  if (devices !== undefined) checkOwnDevices(policy, known, report, 'policy');
  const find = (key: 'deviceGroup' | 'population', kind: string, things: readonly Named[]) =>
    findNamed(key, kind, things, policy, known.subscribers, report);
  find('deviceGroup', 'device group of management', groups);
  find('population', 'population', known.devices.members);
  if (devices !== undefined || deviceGroup !== undefined || population !== undefined) return;
  const allowed = 'devices, deviceGroup or population beside its name';
  report(policy.path, { what: `the policy "${policy.name}" has no devices`, allowed });
}

/** Each population that it names, or that has a device it names, once. */
function checkConfig(
  policy: Named,
  groups: readonly Named[],
  decoderTypes: readonly Named[],
  devices: Roll,
  report: Report,
): void {
  const { path, entry } = policy;
  const { config } = entry;
  const desired = isMap(config) ? jsonCopy(config) : undefined;
  if (desired === undefined || Object.keys(desired).length === 0) return;
  const group = groups.find(({ name }) => name === entry.deviceGroup)?.entry.devices;
  const words = [entry.devices, group, [entry.population]].flatMap((each) =>
    Array.isArray(each) ? each.filter((word) => typeof word === 'string') : [],
  );
  const members = words.flatMap((word) => devices.named(word) ?? devices.meant(word)?.member ?? []);
  for (const member of new Set(members)) {
    const wrong = wrongOf(member, desired, decoderTypes);
    if (wrong !== undefined) report([...path, 'config'], wrong);
  }
}

/** What is wrong with a configuration for a population; undefined: nothing, or nobody can say. */
function wrongOf({ name, entry }: Member, desired: JsonObject, decoderTypes: readonly Named[]) {
  const word = entry.decoderType;
  const own = decoderTypes.find((each) => each.name === word);
  const algorithm = String(own === undefined ? (word ?? '') : own.entry.decoder);
  const allowed = `what the decoder type of ${name} encodes`;
  if (algorithm === '') return { what: `${name} has no decoder type, which encodes it`, allowed };
  const codecs: Readonly<Record<string, Codec>> = NATIVE_CODECS;
  if (!Object.hasOwn(codecs, algorithm)) return undefined;
  const { configuration } = codecs[algorithm]!;
  if (configuration === undefined) {
    return { what: `${algorithm}, the decoder type of ${name}, encodes no configuration`, allowed };
  }
  const encoded = configuration.encode(desired);
  return 'errors' in encoded ? { what: encoded.errors.join(' '), allowed } : undefined;
}
