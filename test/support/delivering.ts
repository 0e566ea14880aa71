/** Deliveries and configured devices of a subscriber: one of each thing that can be reported of. */
import type { Command } from '../../core/command.ts';
import type { Answered } from '../../core/operations.ts';
import type { World } from '../../core/world/world.ts';
import { BROKER, CLOUD_A, CLOUD_B, WEBHOOK } from './targets.ts';

export interface Delivering {
  readonly by: string;
  /** They send on FPort 10. The first is configured by hand, the last by a policy. */
  readonly devEuis: readonly string[];
  readonly gateways: readonly string[];
}

/** Gives a command, and gives its answer back. */
export type Submit = (command: Command) => ReturnType<World['submit']>;

/** Nothing of this is refused. */
export function beginDelivering(submit: Submit, { by, devEuis, gateways }: Delivering): void {
  const give = <const Given extends Command>(command: Given) => {
    const came = submit(command);
    if (!came.ok) throw new Error(`${command.kind} was refused: ${came.failure.message}`);
    return came.value as Extract<Answered<Given['kind']>, { readonly ok: true }>['value'];
  };
  const receiver = { at: 'https://example.com/*', failure: 0.5, phases: [PHASE] };
  give({ kind: 'receiver.put', by, name: 'desk', receiver });

  const outputProfile = {
    Name: 'everywhere',
    RestParams: [{ ...WEBHOOK, Secret: 'hush' }],
    MqttParams: [BROKER],
    CloudAParams: [CLOUD_A],
    CloudBParams: [CLOUD_B],
  };
  const { Id } = give({ kind: 'outputProfile.create', by, outputProfile });
  give({ kind: 'outputProfile.assign', by, Id, Devices: devEuis });

  const destination_ids = DESTINATIONS.map((destination) => {
    const credentials = CREDENTIALS[destination.type];
    const { id: credentials_id } = give({ kind: 'credentials.create', by, credentials });
    const given = { ...destination, credentials_id };
    return give({ kind: 'destination.create', by, destination: given }).id;
  });
  const data = { node_ids: gateways };
  const alert = { name: 'roof', type: 'gateway_connectivity', data, destination_ids } as const;
  give({ kind: 'alert.create', by, alert });

  const decoder = { name: 'own', script: CONFIGURED };
  const { Id: DecoderType } = give({ kind: 'decoder.create', by, decoder });
  for (const DevEUI of devEuis) {
    give({ kind: 'endDevice.update', by, DevEUI, device: { DecoderType } });
  }
  const [first, last] = [devEuis[0]!, devEuis.at(-1)!];
  const policy = { name: 'night', config: { period: 9 }, devices: [last] };
  give({ kind: 'deviceConfiguration.addPolicy', by, policy });
  const desired = { config: { period: 5 } };
  give({ kind: 'deviceConfiguration.setDesired', by, dev_eui: first, desired });
}

const PHASE = { from: 3_600, until: 7_200, answer: 503, retryAfter: 60 };

const DESTINATIONS = [
  {
    name: 'desk',
    type: 'webhook',
    data: {
      url: 'https://example.com/alerts',
      headers: [{ header: 'X-Desk', value: 'a' }],
      secret: 'hush',
    },
  },
  { name: 'broker', type: 'mqtt', data: { host: BROKER.Host, topic: 'alerts' } },
  {
    name: 'cloud a',
    type: 'cloud_a_iot_core',
    data: { endpoint: CLOUD_A.Endpoint, topic: 'alerts' },
  },
  { name: 'cloud b', type: 'cloud_b_iot_hub', data: { host: 'hub.example.com' } },
] as const;

/** Of a type that fits that of their destination. */
const CREDENTIALS = {
  webhook: {
    name: 'desk',
    type: 'client_credentials',
    data: {
      token_url: 'https://example.com/token',
      client_id: 'us',
      client_secret: 'hush',
      scopes: ['alerts'],
    },
  },
  mqtt: { name: 'broker', type: 'basic_auth', data: { username: 'us', password: 'hush' } },
  cloud_a_iot_core: {
    name: 'cloud a',
    type: 'x509_certificate',
    data: { certificate: CLOUD_A.x509Certificate, private_key: CLOUD_A.PrivateKey },
  },
  cloud_b_iot_hub: {
    name: 'cloud b',
    type: 'cloud_b_shared_access_policy',
    data: { policy_name: 'device', key: 'aHVzaA==' },
  },
} as const;

/** What a device is set to is the hour of its uplink: it changes again and again. */
const CONFIGURED = `
var configuration = { confirmation: 'uplink-ack', fPorts: [10] };
function decodeUplink(input) { return { data: { port: input.fPort, bytes: input.bytes } }; }
function encodeConfiguration(input) {
  return { fragments: [{ fPort: 11, bytes: [1, input.config.period] }] };
}
function decodeConfiguration(input) {
  return { config: { hour: input.recvTime.getUTCHours(), more: { list: [null, true, 'x'] } } };
}
`;
