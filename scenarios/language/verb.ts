/** What a row of the timeline's verbs is, and what it may ask for when it becomes commands. */
import type * as z from 'zod';
import type { PlatformCommand } from '../../core/operations.ts';
import type { Placement, Point } from './placement.ts';

/** What a verb may ask for when it becomes commands. */
export interface Site {
  /** UTC instant of virtual time zero, ms since 1970. */
  readonly startUnixMs: number;
  /** DevEUI of the device that a name means; a word that is no name is the EUI itself. */
  readonly devEui: (word: string) => string;
  /** DevEUIs of the population, or of the device, that a word means. */
  readonly devEuis: (word: string) => readonly string[];
  /** EUI of the gateway that a name means; a word that is no name is the EUI itself. */
  readonly gatewayEui: (word: string) => string;
  /** EUIs of the entry's gateways, or of the gateway, that a word means. */
  readonly gatewayEuis: (word: string) => readonly string[];
  /** EUI of a gateway that comes: the one that it had, where it was there before. */
  readonly newGatewayEui: (name: string) => string;
  /** Id of the campaign that a name means. */
  readonly campaignId: (name: string) => string;
  /** Id of the delegation that a name means. */
  readonly delegationId: (name: string) => string;
  /** Patterns of the DevEUIs that words name: of a population, of a device, or the words. */
  readonly patterns: (words: readonly string[]) => readonly string[];
  /** Id of the reliable downlink job that a name means. */
  readonly jobId: (name: string) => string;
  /** Id of the managed campaign that a name means. */
  readonly managedCampaignId: (name: string) => string;
  /** The point of one thing; without a placement where it stood before, or the centre. */
  readonly point: (placement: Placement | undefined, name: string) => Point;
  /** Where one of many stands within a spread, 0 … `mostUs`; another for each entry's time. */
  readonly spreadUs: (devEui: string, mostUs: number) => number;
  /** Creates more devices of a population, in the population's places without a placement. */
  readonly grow: (
    population: string,
    count: number,
    placement: Placement | undefined,
  ) => readonly PlatformCommand[];
}

/** A command, and how long after its entry's time it is given, µs. */
export interface Later {
  readonly afterUs: number;
  readonly command: PlatformCommand;
  /** EUIs of many things that it is for, in their order; the command names the first. */
  readonly each?: readonly string[];
  /** Of what ends by itself: what began it. */
  readonly ends?: Later;
}

/** The same for one thing or many, as one step; none where there is nothing. */
export function forEach(
  euis: readonly string[],
  step: (first: string) => Omit<Later, 'each'>,
): readonly Later[] {
  const [first] = euis;
  if (first === undefined) return [];
  return euis.length === 1 ? [step(first)] : [{ ...step(first), each: euis }];
}

export interface Verb<Schema extends z.ZodType> {
  /** What it does, a sentence for people. */
  readonly is: string;
  readonly takes: Schema;
  readonly commands: (given: z.output<Schema>, site: Site) => readonly (PlatformCommand | Later)[];
}

/** Checks a row and keeps its types. */
export const verb = <Schema extends z.ZodType>(row: Verb<Schema>): Verb<Schema> => row;
