/** Deliveries and routes for what sends to real receivers. */
import { createPrivateKey, webcrypto } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { HOST_TIME } from '../../api/host/clock/host-time.ts';
import { Egress } from '../../api/host/deliveries/network/egress.ts';
import {
  GuardedNetwork,
  type NetworkOptions,
} from '../../api/host/deliveries/network/guarded-network.ts';
import type { Delivery, SenderNeeds } from '../../api/host/deliveries/senders/sender.ts';
import { localCertificates } from '../../api/host/tls/local-ca.ts';
import type { WebhookRoute } from '../../core/delivery/targets/webhook.ts';

export const deliveryOf = (changes: Partial<Delivery> = {}): Delivery => ({
  id: 'msg_1',
  target: '1',
  what: { kind: 'uplink', about: '0000000000000001', fPort: 1 },
  body: '{"n":1,"text":"ü"}',
  ...changes,
});

export const routeTo = (url: string, changes: Partial<WebhookRoute> = {}): WebhookRoute => ({
  kind: 'webhook',
  url,
  headers: [],
  secret: '',
  ...changes,
});

/** Names and where they lead; the last answer stays. All others are not known. */
export function namesOf(known: Readonly<Record<string, readonly string[][]>>) {
  const asked: string[] = [];
  const resolve = (
    name: string,
    _: unknown,
    then: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => {
    asked.push(name);
    const answers = known[name.replace(/\.$/, '')];
    if (answers === undefined) {
      return then(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    }
    const times = asked.filter((each) => each === name).length;
    const addresses = answers[Math.min(times, answers.length) - 1]!;
    then(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, asked };
}

/** As where the emulator listens on loopback. */
export const toOwnMachine = (): Egress => new Egress({ toOwnMachine: true, allowed: [] });

/** What a sender is made of, on this machine unless `egress` says otherwise. */
export function needsOf({
  egress = toOwnMachine(),
  time = HOST_TIME,
  ca = [],
}: Partial<NetworkOptions> = {}): SenderNeeds {
  return { network: new GuardedNetwork({ egress, time, ca }), time };
}

/** Of this machine, as from `now` on. */
export async function certificatesFrom(now: Date) {
  const created = await localCertificates(undefined, { names: [], now });
  if (!created.ok) throw new Error(created.failure.message);
  return created.value;
}

/** Of this machine, and issued by itself. */
export async function selfSigned(now: Date) {
  const x509 = await import('@peculiar/x509');
  const kind = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(kind, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=127.0.0.1',
    notBefore: now,
    notAfter: new Date(now.getTime() + 3_600_000),
    keys,
    signingAlgorithm: kind,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    cert: cert.toString('pem'),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
