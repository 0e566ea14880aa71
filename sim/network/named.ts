/** Rows of the things that a request names; the caller guarantees that they exist. */
import { assert } from '../base/assert.ts';
import { NONE } from '../kernel/columns.ts';
import type { Sides } from './sides.ts';

/** Row of the device with this DevEUI. */
export function rowOf({ devices }: Sides['device'], devEui: string): number {
  const row = devices.byEui(devEui);
  assert(row !== NONE, 'a device of the network is meant');
  return row;
}

/** Row of its registration at the server. */
export function registrationOf({ registrations }: Sides['server'], devEui: string): number {
  const row = registrations.byEui(devEui);
  assert(row !== NONE, 'a device of the network is meant');
  return row;
}

/** Row of the gateway in service with this EUI. */
export function gatewayRowOf({ gateways }: Sides['server'], eui: string): number {
  const row = gateways.rowByEui(eui);
  assert(row !== NONE, 'a gateway in service is meant');
  return row;
}
