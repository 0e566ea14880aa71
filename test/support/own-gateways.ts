/** Commands about gateways, their groups and multicast groups; a subscriber carries each out. */
import type { Command } from '../../core/command.ts';
import type { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';

type Submit = (command: Command) => Result<unknown>;

interface Listed {
  readonly Id: string;
}

/** An EUI that nothing else has, of this time alone; `mark` begins it. */
const freshEui = (world: World, mark: string): string =>
  `${mark}${(1 + world.events).toString(16).toUpperCase().padStart(14, '0')}`;

/** Gateways are registered, grouped, changed and deleted; `word` is of this time alone. */
export function gatewaysOwn(
  world: World,
  by: string,
  word: string,
  devEui: string,
  submit: Submit,
): void {
  const NodeId = freshEui(world, 'FD');
  const gateway = gatewayInput(world, by, word, NodeId, submit);
  if (gateway === undefined || !submit({ kind: 'baseStation.create', by, gateway }).ok) return;
  // What is created is there once the world has gone on.
  world.runUntil(world.nowUs + 1);
  groupsOwn(by, word, NodeId, submit);
  multicastOwn(world, by, word, { NodeId, devEui }, submit);
  const { NodeId: _, MacAddress: __, ...others } = gateway;
  submit({ kind: 'baseStation.replace', by, Id: NodeId, gateway: others });
  submit({ kind: 'baseStation.update', by, Id: NodeId, gateway: { Name: `${word} 2` } });
  const description = { LocationType: 'INDOOR' } as const;
  submit({ kind: 'baseStation.describe', by, Gateways: [NodeId], description });
  submit({ kind: 'baseStation.delete', by, Id: NodeId });
}

/** The creation input of a gateway, of a profile of its own. */
function gatewayInput(world: World, by: string, word: string, NodeId: string, submit: Submit) {
  const gatewayProfile = { Name: `${by} ${word} ${world.events}` };
  submit({ kind: 'gatewayProfile.create', by, gatewayProfile });
  const profiles = world.ask({ kind: 'gatewayProfile.list', by });
  if (!profiles.ok) return undefined;
  return {
    NodeId,
    GatewayProfile: profiles.value.GatewayProfiles[0]!.Id,
    MacAddress: '02:00:00:00:00:01',
    Name: word,
    AntennaGain: '2.15',
    LocationType: 'OUTDOOR',
    Coordinates: { X: '0', Y: '0' },
  } as const;
}

function groupsOwn(by: string, Name: string, NodeId: string, submit: Submit): void {
  const group = { Name, GatewayList: [NodeId] };
  const created = submit({ kind: 'gatewayGroup.create', by, group });
  const Id = created.ok ? (created.value as Listed).Id : '';
  submit({ kind: 'gatewayGroup.replace', by, Id, group: { Name: `${Name} 2` } });
  submit({ kind: 'gatewayGroup.update', by, Id, group: { GatewayList: [NodeId] } });
  submit({ kind: 'gatewayGroup.delete', by, Id });
}

interface Members {
  readonly NodeId: string;
  readonly devEui: string;
}

/** Data rates and frequencies that one region or another has for downlinks. */
const CHANNELS = [
  [3, 869_525_000],
  [8, 923_300_000],
  [2, 923_200_000],
] as const;

/** A multicast group on a channel of the region; a message goes to it. */
function multicastOwn(
  world: World,
  by: string,
  Name: string,
  { NodeId, devEui }: Members,
  submit: Submit,
): void {
  const MulticastDevEUI = freshEui(world, 'FC');
  const MulticastDevAddr = (0xc0000000 + (world.events & 0x0fffffff)).toString(16).toUpperCase();
  const KEY = '0F'.repeat(16);
  const given = { Name, MulticastDevEUI, MulticastDevAddr, GroupType: 'C' } as const;
  const keys = { MulticastNwkSKey: KEY, MulticastAppSKey: KEY };
  CHANNELS.find(([DataRate, Frequency]) => {
    const group = { ...given, ...keys, DataRate, Frequency };
    return submit({ kind: 'multicastGroup.create', by, group }).ok;
  });
  const one = { by, MulticastDevEUI };
  const [Devices, Gateways] = [[devEui], [NodeId]];
  submit({ kind: 'multicastGroup.update', ...one, group: { Name: `${Name} 2` } });
  submit({ kind: 'multicastGroup.addDevices', ...one, Devices });
  submit({ kind: 'multicastGroup.addGateways', ...one, Gateways });
  submit({ kind: 'message.send', by, DevEUI: MulticastDevEUI, Payload: '01', TargetPort: '9' });
  submit({ kind: 'multicastGroup.removeGateways', ...one, Gateways });
  submit({ kind: 'multicastGroup.removeDevices', ...one, Devices });
  submit({ kind: 'multicastGroup.delete', ...one });
}
