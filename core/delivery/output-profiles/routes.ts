/** How targets of profiles are reached, as their entries say. */
import { CLOUD_A_TOPIC, type Route } from '../deliveries/route.ts';
import type { Header } from '../headers.ts';
import type { EntryTarget } from './targets.ts';

export function routeOf({ entry }: EntryTarget): Route {
  if ('URL' in entry) {
    const { URL: url, TokenType, TokenValue, Secret: secret } = entry;
    return { kind: 'webhook', url, headers: authorization(TokenType, TokenValue), secret };
  }
  if ('Topic' in entry) {
    const { Host: host, SSL: ssl, Topic: topic, ClientId: clientId } = entry;
    const { Username: username, Password: password } = entry;
    return { kind: 'mqtt', host, ssl, topic, clientId, username, password };
  }
  if ('Endpoint' in entry) {
    const { Endpoint: endpoint, x509Certificate: certificate, PrivateKey: privateKey } = entry;
    return { kind: 'cloudA', endpoint, topic: CLOUD_A_TOPIC, certificate, privateKey };
  }
  const { Host: host, ApiVersion: apiVersion } = entry;
  const { SharedAccessPolicyName: policyName, SharedAccessKey: policyKey } = entry;
  return { kind: 'cloudB', host, apiVersion, policyName, policyKey };
}

/** A type without a value is no authorization. */
const authorization = (type: string, value: string): readonly Header[] =>
  value === '' ? [] : [{ header: 'Authorization', value: `${type} ${value}`.trim() }];
