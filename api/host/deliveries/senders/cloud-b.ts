/**
 * Sends to the cloud whose hub gives access by a policy with a key: MQTT over TLS, as each device,
 * with a token that is good for an hour.
 */
import { createHmac } from 'node:crypto';
import type { CloudBRoute } from '../../../../core/delivery/targets/cloud-b.ts';
import type { CloudSenderOptions } from './cloud-a.ts';
import { TLS_PORT } from './mqtt.ts';
import { brokerSender } from './publishing.ts';
import type { Sender } from './sender.ts';
import { placeOf } from './urls.ts';

const TOKEN_S = 3_600;
/** A connection is made anew so long before its token ends. */
const EARLY_S = 300;

export function cloudBSender({ endpoint, ...options }: CloudSenderOptions): Sender<CloudBRoute> {
  return brokerSender(options, ({ target, what }, route) => {
    const { host, apiVersion, policyName, policyKey } = route;
    if (policyName === '' || policyKey === '') return 'It has no policy, or no key of it.';
    if (!BASE64.test(policyKey)) return 'The key of its policy is no Base64.';
    const device = what.about;
    const expiresS = Math.floor(options.time.wallMs() / 1_000) + TOKEN_S;
    const resource = `${host}/devices/${device}`;
    return {
      target,
      place: { ...placeOf(endpoint ?? host, TLS_PORT), tls: {} },
      login: {
        clientId: device,
        username: `${host}/${device}/?api-version=${apiVersion}`,
        password: sasToken({ resource, policyName, policyKey, expiresS }),
      },
      passwordOf: `${policyName} ${policyKey}`,
      goodUntilMs: (expiresS - EARLY_S) * 1_000,
      topic: `devices/${device}/messages/events/`,
    };
  });
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface SasOptions {
  /** What it gives access to. */
  readonly resource: string;
  readonly policyName: string;
  /** Base64. */
  readonly policyKey: string;
  /** S since 1970. */
  readonly expiresS: number;
}

/** A shared access signature: an HMAC-SHA256 of the resource and of when it ends. */
function sasToken({ resource, policyName, policyKey, expiresS }: SasOptions): string {
  const sr = encodeURIComponent(resource);
  const hmac = createHmac('sha256', Buffer.from(policyKey, 'base64'));
  const sig = encodeURIComponent(hmac.update(`${sr}\n${expiresS}`).digest('base64'));
  const skn = encodeURIComponent(policyName);
  return `SharedAccessSignature sr=${sr}&sig=${sig}&se=${expiresS}&skn=${skn}`;
}
