/** Sends to the cloud that knows its clients by a certificate: MQTT over TLS. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { CloudARoute } from '../../../../core/delivery/targets/cloud-a.ts';
import { ownClientIds, TLS_PORT } from './mqtt.ts';
import { brokerSender, filledIn } from './publishing.ts';
import type { Sender, SenderNeeds } from './sender.ts';
import { placeOf } from './urls.ts';

export interface CloudSenderOptions extends SenderNeeds {
  /** `host:port` to connect to; each target's own, port 8883, when absent. */
  readonly endpoint?: string;
}

export function cloudASender({ endpoint, ...options }: CloudSenderOptions): Sender<CloudARoute> {
  const ownId = ownClientIds();
  return brokerSender(options, (delivery, route) => {
    const tls = identityOf(route);
    if (typeof tls === 'string') return tls;
    return {
      target: delivery.target,
      place: { ...placeOf(endpoint ?? route.endpoint, TLS_PORT), tls },
      login: { clientId: ownId(delivery.target) },
      topic: filledIn(route.topic, delivery),
    };
  });
}

function identityOf({ certificate, privateKey }: CloudARoute) {
  if (certificate === '' || privateKey === '') return 'It has no certificate, or no key of it.';
  const [cert, key] = [linesOf(certificate), linesOf(privateKey)];
  try {
    const isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
    return isPair ? { cert, key } : 'Its private key is not that of its certificate.';
  } catch {
    return 'Its certificate or its private key is no PEM.';
  }
}

/** New lines may be written as two characters. */
const linesOf = (pem: string): string => pem.replaceAll('\\n', '\n');
