/**
 * Words of the timeline that name a device, gateway, population, campaign, delegation, job, managed
 * campaign or subscriber. Each kind says what must be there at that time, and what the entry does
 * to it; `checks/timeline-check.ts` holds files to it, the generators draw words by it, and the
 * JSON Schema has it as `names`.
 */
import * as z from 'zod';
import { text } from './kinds.ts';
import { name, subscriberName } from './readers.ts';

/**
 * What a file of places may call a thing: one line, without control characters. The JSON Schema has
 * the same pattern, so it is written without what needs a flag.
 */
export const GIVEN_NAME = /^[ -~\u00a0-\u2027\u202a-\uffff]{1,80}$/;
const known = text(GIVEN_NAME, 'a name or an EUI');

const READERS = {
  /** A device that is there, by name or DevEUI. */
  device: text(GIVEN_NAME, 'a device name such as meter-17, or a DevEUI'),
  /** Devices that are there: a population, or one by name or DevEUI. */
  devices: text(GIVEN_NAME, 'a population, a device name such as meter-17, or a DevEUI'),
  /** A device that is there, and is not any more after the entry. */
  leavingDevice: known,
  /** A population with a count, which gets more devices. */
  growingPopulation: name(),
  /** A gateway that is there, by name or EUI. */
  gateway: known,
  /** Gateways that are there: all of an entry with a count, or one by name or EUI. */
  gateways: known,
  /** A gateway that is there, and is not any more after the entry. */
  leavingGateway: known,
  /** The name of a gateway that is not there yet. */
  newGateway: name(),
  /** A campaign that has been created. */
  campaign: name(),
  /** A delegation that has been created. */
  delegation: name(),
  /** A reliable downlink job that has been created. */
  job: name(),
  /** A managed campaign that has been created. */
  managedCampaign: name(),
  /** A subscriber of the scenario. */
  subscriber: subscriberName(),
  /** Caller of a command: a subscriber, one that a command creates, or any. */
  caller: subscriberName(),
} as const;

export type Naming = keyof typeof READERS;

/** A word that names something. */
export const named = (naming: Naming): z.ZodType<string, unknown> =>
  READERS[naming].meta({ names: naming }) as z.ZodType<string, unknown>;

/** Where in a value a word stands that names something; an empty path is the value itself. */
export interface NamedField {
  readonly path: readonly [] | readonly [key: string];
  readonly naming: Naming;
}

/** The names in a word, or in a map of words. */
export function namedFields(schema: z.ZodType): readonly NamedField[] {
  const own = namingOf(schema);
  if (own !== undefined) return [{ path: [], naming: own }];
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([key, field]): NamedField[] => {
      const naming = namingOf(field);
      return naming === undefined ? [] : [{ path: [key], naming }];
    },
  );
}

const namingOf = (schema: z.ZodType): Naming | undefined =>
  wordOf(schema).meta()?.names as Naming | undefined;

/** What stands where something may be absent. */
const wordOf = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
