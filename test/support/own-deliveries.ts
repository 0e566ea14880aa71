/** Commands about deliveries, alerts, codecs and configurations; a subscriber carries each out. */
import type { Command } from '../../core/command.ts';
import type { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { decoding } from './codecs.ts';

type Submit = (command: Command) => Result<unknown>;

/** A word of what is made: its id, as one service or another calls it. */
const idOf = (created: Result<unknown>): string => {
  const { Id = '', id = Id } = (created.ok ? created.value : {}) as { Id?: string; id?: string };
  return id;
};

const URL = 'https://in.example.org/';

/** `devEui`: a device of theirs; `word` is of this time alone. */
export function deliverOwn(
  world: World,
  by: string,
  word: string,
  devEui: string,
  submit: Submit,
): void {
  imageOwn(by, word, submit);
  scriptOwn(by, word, submit);
  profileOwn(by, word, devEui, submit);
  const destination_id = destinationOwn(by, word, submit);
  alertOwn(world, by, word, destination_id, submit);
  submit({ kind: 'destination.delete', by, destination_id });
  configureOwn(world, by, devEui, submit);
}

/** An image that no campaign has. */
function imageOwn(by: string, word: string, submit: Submit): void {
  const name = `${word}-9.0.0.bin`;
  submit({ kind: 'image.create', by, name, bytes: new Uint8Array(100), tags: ['a'] });
  submit({ kind: 'image.replaceTags', by, name, tags: ['b', 'c'] });
  submit({ kind: 'image.addTags', by, name, tags: ['d'] });
  submit({ kind: 'image.removeTags', by, name, tags: ['c'] });
  submit({ kind: 'image.deleteTags', by, name });
  submit({ kind: 'image.delete', by, name });
}

/** A codec in JavaScript. */
function scriptOwn(by: string, name: string, submit: Submit): void {
  const decoder = { name, script: decoding('return { data: { port: input.fPort } };') };
  const Id = idOf(submit({ kind: 'decoder.create', by, decoder }));
  submit({ kind: 'decoder.replace', by, Id, decoder: { ...decoder, name: `${name} 2` } });
  submit({ kind: 'decoder.delete', by, Id });
}

/** An output profile toward a simulated receiver, which a device has for a while. */
function profileOwn(by: string, Name: string, devEui: string, submit: Submit): void {
  submit({ kind: 'receiver.put', by, name: Name, receiver: { at: `${URL}*` } });
  const outputProfile = { Name, RestParams: [{ URL, OutputFormat: 'simple' }] } as const;
  const Id = idOf(submit({ kind: 'outputProfile.create', by, outputProfile }));
  // An id is given once, here and below.
  submit({ kind: 'outputProfile.create', by, outputProfile, id: Id });
  submit({ kind: 'outputProfile.assign', by, Id, Devices: [devEui] });
  // Refused while a device has it.
  submit({ kind: 'outputProfile.delete', by, Id });
  submit({ kind: 'outputProfile.replace', by, Id, outputProfile });
  submit({ kind: 'outputProfile.update', by, Id, outputProfile: { Name: `${Name} 2` } });
  submit({ kind: 'outputProfile.assignAll', by, Id, Devices: [] });
  submit({ kind: 'outputProfile.delete', by, Id });
  submit({ kind: 'receiver.delete', by, name: Name });
}

/** A destination that stays, with credentials that do not. */
function destinationOwn(by: string, name: string, submit: Submit): string {
  const data = { username: 'ann', password: 'opensesame' };
  const credentials = { name, type: 'basic_auth', data } as const;
  const credentials_id = idOf(submit({ kind: 'credentials.create', by, credentials }));
  submit({ kind: 'credentials.create', by, credentials, id: credentials_id });
  submit({ kind: 'credentials.replace', by, credentials_id, credentials });
  const destination = { name, type: 'webhook', data: { url: URL } } as const;
  const destination_id = idOf(submit({ kind: 'destination.create', by, destination }));
  submit({ kind: 'destination.create', by, destination, id: destination_id });
  const changed = { ...destination, credentials_id };
  submit({ kind: 'destination.replace', by, destination_id, destination: changed });
  submit({ kind: 'credentials.delete', by, credentials_id });
  return destination_id;
}

/** An alert of a gateway of theirs, if there is one. */
function alertOwn(
  world: World,
  by: string,
  name: string,
  destination_id: string,
  submit: Submit,
): void {
  const listed = world.ask({ kind: 'gateway.list', by });
  const node_id = (listed.ok ? listed.value : [])[0]?.eui ?? '';
  const destination_ids = [destination_id];
  const type = 'gateway_connectivity';
  const alert = { name, type, data: { node_ids: [] }, destination_ids } as const;
  const alert_id = idOf(submit({ kind: 'alert.create', by, alert }));
  submit({ kind: 'alert.create', by, alert, id: alert_id });
  submit({ kind: 'alert.replace', by, alert_id, alert });
  // The second time, it is on the alert already, or is not there any more.
  for (let i = 0; i < 2; i++) submit({ kind: 'alert.addGateway', by, alert_id, node_id });
  for (let i = 0; i < 2; i++) submit({ kind: 'alert.removeGateway', by, alert_id, node_id });
  submit({ kind: 'alert.addGateways', by, alert_id, node_ids: [node_id] });
  submit({ kind: 'alert.removeGateways', by, alert_id, node_ids: [node_id] });
  submit({ kind: 'alert.delete', by, alert_id });
}

/** A device is set by hand, through a codec that can say settings. */
function configureOwn(world: World, by: string, dev_eui: string, submit: Submit): void {
  const listed = world.ask({ kind: 'decoderType.list', by });
  const types = listed.ok ? listed.value.DecoderTypes : [];
  const DecoderType = types.find(({ PayloadDecoder }) => /SETTINGS/.test(PayloadDecoder))?.Id ?? '';
  const desired = { config: { uplinkPeriod: 600 } };
  // Refused without such a codec, and under the control of policies.
  submit({ kind: 'deviceConfiguration.enableManualControl', by, dev_eui });
  submit({ kind: 'endDevice.update', by, DevEUI: dev_eui, device: { DecoderType } });
  submit({ kind: 'deviceConfiguration.setDesired', by, dev_eui, desired });
  submit({ kind: 'deviceConfiguration.enableManualControl', by, dev_eui });
  submit({ kind: 'deviceConfiguration.setDesired', by, dev_eui, desired });
  submit({ kind: 'deviceConfiguration.cancel', by, dev_eui });
  submit({ kind: 'deviceConfiguration.disableManualControl', by, dev_eui });
}
