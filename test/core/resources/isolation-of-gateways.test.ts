/** E58 for what is told of gateways, multicast groups and logs; and what holds for every operation. */
import { frameOf, USUAL_FRAME } from '../../support/heard-frames.ts';
import { testIsolation } from './isolation.ts';
import { NORTH, type Subscriber } from './service.ts';

testIsolation('gatewayStatistics', () => NORTH, {
  'gatewayStatistics.connection': () => ({}),
  'gatewayStatistics.health': () => ({}),
  'gatewayStatistics.get': (Id) => ({ Id }),
  'gatewayStatistics.devices': (Id) => ({ Id }),
});

testIsolation('gatewayEvent', () => NORTH, {
  'gatewayEvent.list': (NodeID) => ({ NodeID }),
});

/** A profile of Ann’s own. */
const annsProfile = (ann: Subscriber) =>
  ann.do({ kind: 'gatewayProfile.create', gatewayProfile: { Name: 'secret', Model: 'hers' } });

testIsolation('gatewayProfile', annsProfile, {
  'gatewayProfile.create': () => ({ gatewayProfile: { Name: 'another' } }),
  'gatewayProfile.list': () => ({}),
});

testIsolation('rfRegion', annsProfile, { 'rfRegion.list': () => ({}) });

const MulticastDevEUI = 'FC00000000000001';
const group = {
  Name: 'lamps',
  MulticastDevEUI,
  MulticastDevAddr: 'C0000001',
  GroupType: 'C',
  MulticastNwkSKey: '0F'.repeat(16),
  MulticastAppSKey: 'F0'.repeat(16),
  DataRate: 3,
  Frequency: 869_525_000,
} as const;

const annsGroup = (ann: Subscriber, devEui: string) => {
  ann.do({ kind: 'multicastGroup.create', group });
  ann.do({ kind: 'multicastGroup.addGateways', MulticastDevEUI, Gateways: [NORTH] });
  ann.do({ kind: 'multicastGroup.addDevices', MulticastDevEUI, Devices: [devEui] });
  return devEui;
};

testIsolation('multicastGroup', annsGroup, {
  'multicastGroup.create': () => ({
    group: { ...group, MulticastDevEUI: 'FC00000000000002', MulticastDevAddr: 'C0000002' },
  }),
  'multicastGroup.list': () => ({}),
  'multicastGroup.get': () => ({ MulticastDevEUI }),
  'multicastGroup.update': () => ({ MulticastDevEUI, group: { Name: 'others' } }),
  'multicastGroup.delete': () => ({ MulticastDevEUI }),
  'multicastGroup.addDevices': (devEui) => ({ MulticastDevEUI, Devices: [devEui] }),
  'multicastGroup.removeDevices': (devEui) => ({ MulticastDevEUI, Devices: [devEui] }),
  'multicastGroup.gateways': () => ({ MulticastDevEUI }),
  'multicastGroup.addGateways': () => ({ MulticastDevEUI, Gateways: [NORTH] }),
  'multicastGroup.removeGateways': () => ({ MulticastDevEUI, Gateways: [NORTH] }),
});

/** A frame of Ann’s device that was heard. */
const annsFrame = ({ bench }: Subscriber, devEui: string) =>
  bench.platform.hear({ kind: 'frameUp', frame: frameOf({ ...USUAL_FRAME, devEui }) }, 0);

testIsolation('log', annsFrame, { 'log.list': () => ({}) });
