/** Commands of device and gateway management; a subscriber executes each once. */
import type { Command } from '../../core/command.ts';
import type { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { deliverOwn } from './own-deliveries.ts';
import { gatewaysOwn } from './own-gateways.ts';

type Submit = (command: Command) => Result<unknown>;

interface Listed {
  readonly Id: string;
}

/** Devices are registered, grouped, spoken to and deleted; `word` is of this time alone. */
export function manageOwn(world: World, by: string, word: string, submit: Submit): void {
  const devEuis = registerOwn(world, by, word, submit);
  const [first = '', second = ''] = devEuis;
  const group = { Name: word, DeviceList: devEuis };
  const [stored, spare] = [0, 1].map(() => {
    const created = submit({ kind: 'endDeviceGroup.create', by, group });
    return created.ok ? (created.value as Listed).Id : '';
  });
  submit({ kind: 'endDeviceGroup.replace', by, Id: stored!, group: { Name: `${word} 2` } });
  submit({ kind: 'endDeviceGroup.update', by, Id: stored!, group: { DeviceList: [second] } });
  submit({ kind: 'endDeviceGroup.delete', by, Id: spare! });
  speakToOwn(world, by, submit);
  submit({ kind: 'endDevice.delete', by, DevEUI: first });
  const eui = `FE${(1 + world.events).toString(16).padStart(14, '0')}`;
  submit({ kind: 'gateway.create', by, gateway: { eui } });
  submit({ kind: 'gateway.remove', by, eui });
  delegateOwn(by, second, submit);
  gatewaysOwn(world, by, word, second, submit);
  deliverOwn(world, by, word, second, submit);
}

/** DevEUIs of new devices, two of each profile that takes their keys. */
function registerOwn(world: World, by: string, word: string, submit: Submit): string[] {
  const profiles = world.ask({ kind: 'deviceProfile.list', by });
  const services = world.ask({ kind: 'serviceProfile.list', by });
  if (!profiles.ok || !services.ok) return [];
  const ServiceProfile = services.value.ServiceProfiles[0]!.Id;
  const devEuis: string[] = [];
  for (const { Id: DeviceProfile } of profiles.value.DeviceProfiles.slice(0, 4)) {
    const number = 1 + world.events * 8 + devEuis.length;
    const DevEUI = `EE${number.toString(16).toUpperCase().padStart(14, '0')}`;
    const device = {
      Name: `${by} ${word} ${devEuis.length}`,
      DevEUI,
      ActivationType: 'OTAA',
      ServiceProfile,
      DeviceProfile,
      ApplicationEUI: '0000000000000001',
      ApplicationKey: '00'.repeat(16),
    } as const;
    if (submit({ kind: 'endDevice.create', by, device }).ok) devEuis.push(DevEUI);
  }
  // What is created is there once the world has gone on.
  world.runUntil(world.nowUs + 1);
  const [DevEUI = ''] = devEuis;
  const [{ Id }] = profiles.value.DeviceProfiles as unknown as [Listed];
  const references = { ServiceProfile, DeviceProfile: Id };
  submit({ kind: 'endDevice.update', by, DevEUI, device: { PrivateData: true } });
  submit({ kind: 'endDevice.replace', by, DevEUI, device: { Name: `${word} 3`, ...references } });
  submit({ kind: 'deviceProfile.assign', by, Id, Devices: devEuis });
  submit({ kind: 'deviceProfile.preset', by, Id, preset: { ServiceProfile } });
  return devEuis;
}

/** A delegation of a device, which is changed and ended. */
function delegateOwn(by: string, devEui: string, submit: Submit): void {
  const lasting = { delegate_to: 'north', expires_at: '2090-01-01T00:00:00Z' };
  const delegation = { ...lasting, include_devices: [devEui] };
  const created = submit({ kind: 'delegation.create', by, delegation });
  if (!created.ok) return;
  const { delegation_id } = created.value as { readonly delegation_id: string };
  submit({ kind: 'delegation.update', by, delegation_id, delegation: { exclude_devices: [] } });
  submit({ kind: 'delegation.delete', by, delegation_id });
}

/** A message to the first device that some gateway has heard. */
function speakToOwn(world: World, by: string, submit: Submit): void {
  const listed = world.ask({ kind: 'device.list', by });
  for (const { devEui: DevEUI } of listed.ok ? listed.value : []) {
    const message = { DevEUI, Payload: '01', TargetPort: '9', FlushQueue: true };
    if (!submit({ kind: 'message.send', by, ...message }).ok) continue;
    submit({ kind: 'downlink.clear', by, devEui: DevEUI });
    return;
  }
}
