/** Topics of brokers. */
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { BROKER_ADDRESS } from '../addresses.ts';
import {
  DESTINATION_SOURCE,
  ENTRY,
  OPTIONAL,
  SECRET,
  ENTRY_SOURCE as source,
  TEXT,
  TOPIC,
} from './common-rows.ts';
import { isBroker, isTopic } from './forms.ts';
import { declareKind, heldAs } from './kind.ts';

export interface MqttRoute {
  readonly kind: 'mqtt';
  /** `host` or `host:port`. */
  readonly host: string;
  readonly ssl: boolean;
  /** With `${DEVEUI}` and `${FPORT}`. */
  readonly topic: string;
  /** With `${DEVEUI}`; '': the sender’s choice. */
  readonly clientId: string;
  /** '': none. */
  readonly username: string;
  readonly password: string;
}

const MQTT_ENTRY = {
  Host: {
    type: 'text',
    most: 300,
    rule: isBroker,
    allowed: 'host and port such as broker.example.com:8883, without a scheme',
    required: true,
    is: 'The broker: host and port.',
    source,
  },
  Username: { type: 'text', required: true, is: 'Of the broker.', source },
  Password: { ...SECRET, required: true, is: 'Of the broker.', source },
  Topic: {
    type: 'text',
    most: 1_000,
    rule: (text: string) => isTopic(text, ['DEVEUI', 'FPORT']),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes them.
    allowed: 'a topic without # and +, with no variables but ${DEVEUI} and ${FPORT}',
    required: true,
    is: 'Topic of what is published; variables are replaced at each delivery.',
    source,
  },
  SSL: {
    type: 'flag',
    default: false,
    null: 'absent',
    is: 'Whether it connects over TLS.',
    source,
  },
  ClientId: {
    ...OPTIONAL,
    rule: (text: string) => text === '' || isTopic(text, ['DEVEUI']),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes it.
    allowed: 'text without # and +, with no variable but ${DEVEUI}',
    is: 'What the service calls itself at the broker; it chooses if empty.',
    source,
  },
  ...ENTRY,
} as const satisfies Fields;

const DATA = {
  host: { ...BROKER_ADDRESS, required: true, is: 'The broker.', source: DESTINATION_SOURCE },
  topic: TOPIC,
  ssl: {
    type: 'flag',
    default: false,
    is: 'Whether it connects over TLS.',
    source: DESTINATION_SOURCE,
  },
  client_id: { ...TEXT, null: 'absent', is: 'Client id; one of its own when absent.' },
} as const satisfies Fields;

export const MQTT = declareKind({
  entry: {
    array: 'MqttParams',
    knob: 'mqtt',
    rows: MQTT_ENTRY,
    is: 'Topics of brokers.',
    address: ({ Host, Topic }) => `${Host}/${Topic}`,
    hasVariables: true,
    host: ({ Host }) => Host,
    route: ({ Host: host, SSL: ssl, Topic: topic, ClientId: clientId, ...entry }): MqttRoute => {
      const { Username: username, Password: password } = entry;
      return { kind: 'mqtt', host, ssl, topic, clientId, username, password };
    },
  },
  destination: {
    type: 'mqtt',
    credentials: ['basic_auth'],
    rows: DATA,
    place: 'host',
    route: ({ host, topic, ssl, client_id: clientId = '' }, credentials): MqttRoute => {
      const { username, password } = heldAs(credentials, 'basic_auth') ?? NO_LOGIN;
      return { kind: 'mqtt', host, ssl, topic, clientId, username, password };
    },
  },
});

const NO_LOGIN = { username: '', password: '' };
