/** The state of a network as plain data: what a snapshot holds, table by table. */
import { assert } from '../base/assert.ts';
import type { Stepwise } from '../base/stepwise.ts';
import type { Sides } from './sides.ts';

export type SavedSides = ReturnType<typeof saveSides>;

export function saveSides({ device, server }: Sides) {
  return {
    devices: device.devices.save(),
    channelSets: device.channelSets.save(),
    deviceDutyCycle: device.dutyCycle.save(),
    links: device.links.save(),
    uplinkAir: device.uplinkAir.save(),
    downlinkAir: device.downlinkAir.save(),
    multicastAir: device.multicastAir.save(),
    outgoing: device.outgoing.save(),
    behaviours: device.behaviours.save(),
    settings: device.settings.save(),
    troubles: device.troubles.save(),
    failures: device.failures.save(),
    listed: device.listed.save(),
    groups: device.multicast.save(),
    checks: device.completionChecks.save(),
    energy: device.energy.save(),
    beaconLog: device.beaconLog.save(),
    classB: device.classB.save(),
    classBRegistrations: server.classB.save(),
    slots: device.slots.save(),
    gateways: server.gateways.save(),
    downlinks: server.downlinks.save(),
    gatewayDutyCycle: server.dutyCycle.save(),
    registrations: server.registrations.save(),
    serverChannelSets: server.channelSets.save(),
    collector: server.collector.save(),
    queue: server.queue.save(),
    requests: server.requests.save(),
    multicast: server.multicast.save(),
    tally: server.tally.save(),
  };
}

/** Puts saved state in sides that were built from the same plan, in steps. */
export function* loadingSides({ device, server }: Sides, saved: SavedSides): Stepwise {
  device.devices.load(saved.devices);
  yield;
  device.channelSets.load(saved.channelSets);
  device.dutyCycle.load(saved.deviceDutyCycle);
  // What is on the air asks the links and the gateways.
  device.links.load(saved.links);
  server.gateways.load(saved.gateways);
  yield;
  device.uplinkAir.load(saved.uplinkAir);
  device.downlinkAir.load(saved.downlinkAir);
  yield;
  device.multicastAir.load(saved.multicastAir);
  device.outgoing.load(saved.outgoing);
  device.behaviours.load(saved.behaviours);
  device.settings.load(saved.settings);
  device.troubles.load(saved.troubles);
  device.failures.load(saved.failures);
  device.listed.load(saved.listed);
  device.multicast.load(saved.groups);
  yield;
  device.completionChecks.load(saved.checks);
  device.energy.load(saved.energy);
  yield;
  device.beaconLog.load(saved.beaconLog);
  device.classB.load(saved.classB);
  server.classB.load(saved.classBRegistrations);
  device.slots.load(saved.slots);
  server.downlinks.load(saved.downlinks);
  server.dutyCycle.load(saved.gatewayDutyCycle);
  yield;
  server.registrations.load(saved.registrations);
  yield;
  server.channelSets.load(saved.serverChannelSets);
  server.collector.load(saved.collector);
  server.queue.load(saved.queue);
  server.requests.load(saved.requests);
  server.multicast.load(saved.multicast);
  server.tally.load(saved.tally);
  const devices = device.devices.identities.length;
  assert(device.uplinkAir.flights.rows === devices, 'a device has one row in all saved tables');
  const gateways = server.gateways.stations.length;
  assert(device.downlinkAir.flights.rows === gateways, 'a gateway has one row in all saved tables');
}
