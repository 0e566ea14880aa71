/**
 * How a target is reached, secrets in clear: what a host that delivers has to know of it. No
 * operation answers it.
 */
import type { Header } from '../headers.ts';

/** OAuth 2.0 client credentials (RFC 6749 §4.4) that deliveries are made with. */
export interface TokenGrant {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

export interface WebhookRoute {
  readonly kind: 'webhook';
  readonly url: string;
  /** All of the user’s, Authorization among them. */
  readonly headers: readonly Header[];
  /** What requests are signed with (Standard Webhooks); '': they are not. */
  readonly secret: string;
  /** Where a token comes from that is their Authorization. */
  readonly grant?: TokenGrant;
}

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

/** A cloud that devices are known to by a certificate. */
export interface CloudARoute {
  readonly kind: 'cloudA';
  readonly endpoint: string;
  /** With `${DEVEUI}` and `${FPORT}`. */
  readonly topic: string;
  /** PEM; '': none was given. */
  readonly certificate: string;
  readonly privateKey: string;
}

/** A cloud whose hub gives access by a policy with a key. */
export interface CloudBRoute {
  readonly kind: 'cloudB';
  readonly host: string;
  readonly apiVersion: string;
  /** '': none was given. */
  readonly policyName: string;
  readonly policyKey: string;
}

export type Route = WebhookRoute | MqttRoute | CloudARoute | CloudBRoute;

/** A route, and whether its target takes something. */
export interface Way {
  readonly route: Route;
  readonly enabled: boolean;
}

/** The topic of uplinks in a cloud whose targets name none. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
export const CLOUD_A_TOPIC = 'devices/${DEVEUI}/uplinks';
