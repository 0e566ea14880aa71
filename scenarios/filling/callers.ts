/** Callers of the timeline's commands: the owner of the thing that an entry names. */
import type { Owners } from '../../core/base/subscribers.ts';
import type { Naming } from '../language/naming.ts';
import { firstOf, type Owned, ownerOf } from '../language/subscriber-knob.ts';
import type { Site } from '../language/verb.ts';
import type { Scenario } from '../schema/schema.ts';
import { namesOf, type TimelineEntry } from '../schema/timeline-schema.ts';

/** `owners` says whose the devices and gateways are that are there by then. */
export function callersOf(
  scenario: Scenario,
  owners: Owners,
  { devEui, gatewayEui }: Pick<Site, 'devEui' | 'gatewayEui'>,
): (entry: TimelineEntry) => string {
  const ownersOf = (entries: readonly (Owned & { readonly name: string })[]) =>
    new Map(entries.map((entry) => [entry.name, ownerOf(scenario, entry)]));
  const populations = ownersOf(scenario.devices);
  const gatewayEntries = ownersOf(scenario.gateways);
  const campaigns = ownersOf(scenario.campaigns);
  const delegations = ownersOf(scenario.delegations);
  const jobs = ownersOf(scenario.reliableDownlinks);
  const managedCampaigns = ownersOf(scenario.managedCampaigns);
  const ofDevice = (word: string) => owners.ownerOf('device', devEui(word));
  const ofGateway = (word: string) => owners.ownerOf('gateway', gatewayEui(word));
  /** Whose something is; undefined: nobody's yet. */
  const ownerNames: Readonly<Record<Naming, (word: string) => string | undefined>> = {
    device: ofDevice,
    devices: (word) => populations.get(word) ?? ofDevice(word),
    leavingDevice: ofDevice,
    growingPopulation: (word) => populations.get(word),
    gateway: ofGateway,
    gateways: (word) => gatewayEntries.get(word) ?? ofGateway(word),
    leavingGateway: ofGateway,
    newGateway: () => undefined,
    campaign: (word) => campaigns.get(word),
    delegation: (word) => delegations.get(word),
    job: (word) => jobs.get(word),
    managedCampaign: (word) => managedCampaigns.get(word),
    subscriber: (word) => word,
    caller: (word) => word,
  };
  return ({ verb, given }) => {
    for (const { path, naming } of namesOf(verb)) {
      const [key] = path;
      const word = key === undefined ? given : (given as Readonly<Record<string, unknown>>)[key];
      const owner = typeof word === 'string' ? ownerNames[naming](word) : undefined;
      if (owner !== undefined) return owner;
    }
    return firstOf(scenario.subscribers);
  };
}
