/** Endpoints of a cloud that knows its clients by a certificate. */
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { ENDPOINT_ADDRESS } from '../addresses.ts';
import { REDACTED } from '../secrets.ts';
import { DESTINATION_SOURCE, ENTRY, SECRET, ENTRY_SOURCE as source, TOPIC } from './common-rows.ts';
import { CLOUD_A as FORM, isCertificate, isKey } from './forms.ts';
import { declareKind, heldAs } from './kind.ts';

export interface CloudARoute {
  readonly kind: 'cloudA';
  readonly endpoint: string;
  /** With `${DEVEUI}` and `${FPORT}`. */
  readonly topic: string;
  /** PEM; '': none was given. */
  readonly certificate: string;
  readonly privateKey: string;
}

/** The topic of uplinks where a target names none. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
const UPLINKS = 'devices/${DEVEUI}/uplinks';

const PARAMS = {
  Endpoint: {
    type: 'text',
    most: 300,
    pattern: FORM,
    allowed: '{prefix}.iot.{region}.{domain}, without scheme and port',
    required: true,
    is: 'Where the cloud takes data in.',
    source,
  },
  x509Certificate: {
    type: 'text',
    most: 16_384,
    raw: true,
    rule: isCertificate,
    allowed: 'a certificate in PEM, with \\n for the ends of its lines',
    required: true,
    is: 'By which the service is known there.',
    source,
  },
  PrivateKey: {
    ...SECRET,
    most: 16_384,
    raw: true,
    rule: (text: string) => text === REDACTED || isKey(text),
    allowed: 'a private key in PEM, with \\n for the ends of its lines',
    required: true,
    is: 'That of the certificate.',
    source,
  },
  ...ENTRY,
} as const satisfies Fields;

const DATA = {
  endpoint: {
    ...ENDPOINT_ADDRESS,
    required: true,
    is: 'Endpoint of the account.',
    source: DESTINATION_SOURCE,
  },
  topic: TOPIC,
} as const satisfies Fields;

export const CLOUD_A = declareKind({
  entry: {
    array: 'CloudAParams',
    knob: 'cloudA',
    rows: PARAMS,
    is: 'Endpoints of the first kind of cloud.',
    address: ({ Endpoint }) => Endpoint,
    host: ({ Endpoint }) => Endpoint,
    route: ({ Endpoint: endpoint, x509Certificate: certificate, ...entry }): CloudARoute => {
      const { PrivateKey: privateKey } = entry;
      return { kind: 'cloudA', endpoint, topic: UPLINKS, certificate, privateKey };
    },
  },
  destination: {
    type: 'cloud_a_iot_core',
    credentials: ['x509_certificate'],
    rows: DATA,
    place: 'endpoint',
    route: ({ endpoint, topic }, credentials): CloudARoute => {
      const held = heldAs(credentials, 'x509_certificate');
      const { certificate = '', private_key: privateKey = '' } = held ?? {};
      return { kind: 'cloudA', endpoint, topic, certificate, privateKey };
    },
  },
});
