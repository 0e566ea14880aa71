/** How destinations are reached, as their data and their credentials say. */
import { toBase64 } from '../../../sim/base/bytes.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { CredentialType } from '../credentials/rows.ts';
import type { Route, TokenGrant, WebhookRoute } from '../deliveries/route.ts';
import type { DestinationType } from '../deliveries/target.ts';
import type { Header } from '../headers.ts';
import type { Data } from '../secrets.ts';
import { headersIn } from './data.ts';

/** Credentials with their secrets. */
export interface KnownCredentials {
  readonly type: CredentialType;
  readonly data: Data;
}

/** Without credentials it is reached as anybody reaches it, if it is. */
export function routeOf(
  type: DestinationType,
  data: Data,
  credentials: KnownCredentials | undefined,
): Route {
  const of = textsOf(data);
  const held = textsOf(credentials?.data ?? {});
  switch (type) {
    case 'webhook':
      return webhookOf(data, credentials);
    case 'mqtt':
      return {
        kind: 'mqtt',
        host: of('host'),
        ssl: data.ssl === true,
        topic: of('topic'),
        clientId: of('client_id'),
        username: held('username'),
        password: held('password'),
      };
    case 'cloud_a_iot_core':
      return {
        kind: 'cloudA',
        endpoint: of('endpoint'),
        topic: of('topic'),
        certificate: held('certificate'),
        privateKey: held('private_key'),
      };
    case 'cloud_b_iot_hub':
      return {
        kind: 'cloudB',
        host: of('host'),
        apiVersion: of('api_version'),
        policyName: held('policy_name'),
        policyKey: held('key'),
      };
  }
}

function webhookOf(data: Data, credentials: KnownCredentials | undefined): WebhookRoute {
  const of = textsOf(data);
  const route = { kind: 'webhook', url: of('url'), secret: of('secret') } as const;
  const headers = headersIn(data);
  switch (credentials?.type) {
    case 'basic_auth':
      return { ...route, headers: [...headers, basicAuth(credentials.data)] };
    case 'client_credentials':
      return { ...route, headers, grant: grantOf(credentials.data) };
    default:
      return { ...route, headers };
  }
}

/** RFC 7617. */
function basicAuth(data: Data): Header {
  const of = textsOf(data);
  const bytes = encodeUtf8(`${of('username')}:${of('password')}`);
  return { header: 'Authorization', value: `Basic ${toBase64(bytes)}` };
}

function grantOf(data: Data): TokenGrant {
  const of = textsOf(data);
  return {
    tokenUrl: of('token_url'),
    clientId: of('client_id'),
    clientSecret: of('client_secret'),
    scopes: data.scopes as readonly string[],
  };
}

const textsOf =
  (data: Data) =>
  (name: string): string =>
    typeof data[name] === 'string' ? data[name] : '';
