/** How targets of profiles are reached, as their entries say. */
import { CLOUD_A_TOPIC, type Route } from '../deliveries/route.ts';
import type { ArrayName } from '../deliveries/target.ts';
import type { Header } from '../headers.ts';
import type { Entries } from './entries.ts';
import type { EntryTarget } from './targets.ts';

type RouteOf = {
  readonly [A in ArrayName]: (entry: Entries[A][number]) => Route;
};

/** By array: how an entry of it is reached. */
const ROUTES: RouteOf = {
  RestParams: ({ URL: url, TokenType, TokenValue, Secret: secret }) => {
    return { kind: 'webhook', url, headers: authorization(TokenType, TokenValue), secret };
  },
  MqttParams: ({ Host: host, SSL: ssl, Topic: topic, ClientId: clientId, ...entry }) => {
    const { Username: username, Password: password } = entry;
    return { kind: 'mqtt', host, ssl, topic, clientId, username, password };
  },
  CloudAParams: ({ Endpoint: endpoint, x509Certificate: certificate, PrivateKey: privateKey }) => {
    return { kind: 'cloudA', endpoint, topic: CLOUD_A_TOPIC, certificate, privateKey };
  },
  CloudBParams: ({ Host: host, ApiVersion: apiVersion, ...entry }) => {
    const { SharedAccessPolicyName: policyName, SharedAccessKey: policyKey } = entry;
    return { kind: 'cloudB', host, apiVersion, policyName, policyKey };
  },
};

export const routeOf = ({ array, entry }: EntryTarget): Route => ROUTES[array](entry as never);

/** A type without a value is no authorization. */
const authorization = (type: string, value: string): readonly Header[] =>
  value === '' ? [] : [{ header: 'Authorization', value: `${type} ${value}`.trim() }];
