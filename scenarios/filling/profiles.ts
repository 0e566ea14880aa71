/**
 * A scenario's receivers, service profiles, decoder types, output profiles and gateway profiles,
 * and what its populations and gateways refer to, as commands of the start.
 */
import { namedId } from '../../core/base/ids.ts';
import type { NativeWord } from '../../core/codecs/native.ts';
import type { Command } from '../../core/command.ts';
import { DECODER_NAMES } from '../../core/management/decoders/decoder-types.ts';
import { assert } from '../../sim/base/assert.ts';
import type { Seed } from '../../sim/base/random.ts';
import type { GatewayPlan } from '../../sim/plan/network-plan.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import { outputProfileOf, type ProfileEntry } from '../schema/delivery-schema.ts';
import { modelOf } from '../schema/gateway-profile-schema.ts';
import type { DeviceEntry, Scenario } from '../schema/schema.ts';
import { descriptionCommands } from './gateway-descriptions.ts';
import { idIn, type UpdateIds } from './ids.ts';

/** The profiles come before the populations and gateways that refer to them. */
export function profileCommands(
  scenario: Scenario,
  gateways: readonly GatewayPlan[],
  ids: UpdateIds,
  random: Seed,
): Command[] {
  const { serviceProfiles, decoderTypes, outputProfiles, gatewayProfiles, devices } = scenario;
  return [
    ...scenario.receivers.map((entry): Command => {
      const { name, subscriber: _, ...receiver } = entry;
      return { kind: 'receiver.put', by: ownerOf(scenario, entry), name, receiver };
    }),
    ...serviceProfiles.map((entry): Command => {
      const { name, description } = entry;
      return {
        kind: 'serviceProfile.create',
        by: ownerOf(scenario, entry),
        id: idIn(ids.serviceProfiles, name),
        serviceProfile: { Name: name, Description: description },
      };
    }),
    ...decoderTypes.map((entry): Command => {
      const { name, codec } = entry;
      assert(codec.by !== 'file', 'the loader has read the files');
      const algorithm =
        codec.by === 'decoder'
          ? { PayloadDecoder: codec.word }
          : { PayloadDecoder: 'JAVASCRIPT' as const, Script: codec.text };
      return {
        kind: 'decoderType.create',
        by: ownerOf(scenario, entry),
        id: idIn(ids.decoderTypes, name),
        decoderType: { Name: name, ...algorithm },
      };
    }),
    ...outputProfiles.map((entry): Command => {
      return {
        kind: 'outputProfile.create',
        by: ownerOf(scenario, entry),
        id: idIn(ids.outputProfiles, entry.name),
        outputProfile: outputProfileOf(entry as unknown as ProfileEntry),
      };
    }),
    ...gatewayProfiles.map((entry): Command => {
      const { name } = entry;
      return {
        kind: 'gatewayProfile.create',
        by: ownerOf(scenario, entry),
        id: idIn(ids.gatewayProfiles, name),
        gatewayProfile: modelOf(entry),
      };
    }),
    ...devices.flatMap((entry): Command[] => {
      const preset = presetOf(entry, ids, random);
      if (Object.keys(preset).length === 0) return [];
      const Id = namedId('medium', random, 'deviceProfile', entry.name);
      return [{ kind: 'deviceProfile.preset', by: ownerOf(scenario, entry), Id, preset }];
    }),
    ...descriptionCommands(scenario, gateways, ids, random),
  ];
}

/** What a population says of its devices; what it does not say is as in every world. */
function presetOf(entry: DeviceEntry, ids: UpdateIds, random: Seed) {
  const { serviceProfile, decoderType, outputProfile, privateData } = entry;
  const idOf = (list: 'serviceProfiles' | 'outputProfiles', name: string) => idIn(ids[list], name);
  return {
    ...(serviceProfile === undefined
      ? {}
      : { ServiceProfile: idOf('serviceProfiles', serviceProfile) }),
    ...(decoderType === undefined ? {} : { DecoderType: decoderOf(decoderType, ids, random) }),
    ...(outputProfile === undefined
      ? {}
      : { OutputProfile: idOf('outputProfiles', outputProfile) }),
    ...(privateData ? { PrivateData: true } : {}),
  };
}

/** A name of the file comes before the word of an algorithm, which every world has. */
function decoderOf(word: string, ids: UpdateIds, random: Seed): string {
  const own = ids.decoderTypes.get(word);
  if (own !== undefined) return own;
  return namedId('medium', random, 'decoderType', DECODER_NAMES[word as NativeWord]);
}
