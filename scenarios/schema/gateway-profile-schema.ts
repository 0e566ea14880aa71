/**
 * What device and gateway management knows of gateways: the section of their profiles, and knobs of
 * gateways that no radio wave sees.
 */
import type * as z from 'zod';
import { GATEWAY_PROFILE } from '../../core/management/gateways/gateway-profiles.ts';
import { GATEWAY_MODELS, INTERFACE_TYPES } from '../../core/management/gateways/models.ts';
import { CREATION, HIGHEST_METERS } from '../../core/management/gateways/rows.ts';
import { choice, flag, measure, plainNumber, text } from '../language/kinds.ts';
import { knob, leaf, list, maybe, needed, record } from '../language/knob.ts';
import { name, readDescription } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { gatewayKnobs, hardwarePlan } from './gateway-schema.ts';

const { Name, Description, Manufacturer, Model, SoftwareVersion } = GATEWAY_PROFILE;
const { CPUPercent, CellProvider, CellRSSI, WiFiSSID, VSWR } = GATEWAY_PROFILE;
const { receptionPaths, chip, clockError, forwarder, maxEirp } = gatewayKnobs;

const words = () => leaf(readDescription, { type: 'string' });

const Interface = record({
  name: needed(name(), { is: 'What its system calls it.' }),
  type: needed(choice(...INTERFACE_TYPES), { is: 'Interface type.' }),
});

export const GatewayProfile = record({
  name: needed(name(), { is: 'Its name, and what its id derives from.', source: Name.source }),
  description: knob(words(), '', { is: 'For people.', source: Description.source }),
  receptionPaths,
  chip,
  clockError,
  forwarder,
  maxEirp,
  manufacturer: knob(words(), '', { is: Manufacturer.is }),
  model: knob(words(), '', { is: Model.is }),
  softwareVersion: knob(words(), '', { is: SoftwareVersion.is }),
  cpuPercent: knob(plainNumber(0, 100), 0, { is: CPUPercent.is }),
  freeMemory: knob(measure('size', '0 B', '1000 GiB'), '0 B', { is: 'Memory that is free.' }),
  cellProvider: knob(words(), '', { is: CellProvider.is }),
  cellRssi: knob(plainNumber(-150, 0), 0, { is: CellRSSI.is }),
  wifiSsid: knob(words(), '', { is: WiFiSSID.is }),
  interfaces: knob(list(Interface, 0, 10, 'interfaces'), [{ name: 'eth0', type: 'ethernet' }], {
    is: 'Its ways into the network.',
  }),
  vswr: knob(plainNumber(1, 100), 1.2, { is: VSWR.is }),
  secureBackhaul: knob(flag(), true, { is: GATEWAY_PROFILE.SecureBackhaul.is }),
  subscriber,
});

/** What a profile is created with. */
export function modelOf(entry: z.output<typeof GatewayProfile>) {
  return {
    Name: entry.name,
    Description: entry.description,
    Manufacturer: entry.manufacturer,
    Model: entry.model,
    SoftwareVersion: entry.softwareVersion,
    CPUPercent: entry.cpuPercent,
    FreeMemKB: Math.floor(entry.freeMemory / 1024),
    CellProvider: entry.cellProvider,
    CellRSSI: entry.cellRssi,
    WiFiSSID: entry.wifiSsid,
    Interfaces: entry.interfaces.map(({ name: Name, type: Type }) => ({ Name, Type })),
    VSWR: entry.vswr,
    SecureBackhaul: entry.secureBackhaul,
    Hardware: {
      receptionPaths: entry.receptionPaths,
      maxEirpCentiDbm: entry.maxEirp,
      ...hardwarePlan(entry),
    },
  };
}

const { GatewayProfile: profile, LocationType, MacAddress, IMEI, ICCID } = CREATION;

/** What management reports of a gateway; its hardware stays that of the other knobs. */
export const registrationKnobs = {
  gatewayProfile: maybe(name(), {
    is:
      'Gateway profile that management shows for it, a name of `gatewayProfiles`, or ' +
      `${GATEWAY_MODELS.map(({ Name }) => Name).join('; ')}; ${GATEWAY_MODELS[0]?.Name} when ` +
      'absent. Its hardware is that of the other knobs.',
    source: profile.source,
  }),
  locationType: maybe(choice(...LocationType.words), {
    is: 'Whether it stands in a building: OUTDOOR when absent.',
    source: LocationType.source,
  }),
  height: maybe(measure('length', `-${HIGHEST_METERS} m`, `${HIGHEST_METERS} m`), {
    is: 'Height above sea level; 0 when absent.',
    source: CREATION.Coordinates.source,
  }),
  macAddress: maybe(text(MacAddress.pattern, MacAddress.allowed), {
    is: 'Made from its EUI when absent.',
    source: MacAddress.source,
  }),
  cellular: maybe(
    record({
      imei: knob(text(IMEI.pattern, IMEI.allowed), '', { is: IMEI.is, source: IMEI.source }),
      iccid: knob(text(ICCID.pattern, ICCID.allowed), '', { is: ICCID.is, source: ICCID.source }),
    }),
    { is: 'Its mobile network, a map that may be empty; none when absent.' },
  ),
};
