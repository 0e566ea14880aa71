/** Who sent it, and that it is whole: Standard Webhooks 1.0.0, symmetric signatures (`v1`). */
import { createHmac } from 'node:crypto';
import type { Delivery } from './sender.ts';

/** `secret`: '' where there is none to sign with. `wallMs`: of this attempt. */
export function standardWebhookHeaders(
  { id, body }: Pick<Delivery, 'id' | 'body'>,
  secret: string,
  wallMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(wallMs / 1_000));
  const response = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === '') return response;
  const signed = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`);
  return { ...response, 'webhook-signature': `v1,${signed.digest('base64')}` };
}

/** `whsec_` and the key in base64, or a text whose bytes are the key. */
function keyOf(secret: string): Buffer {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+)={0,2}$/.exec(secret) ?? [];
  return encoded === '' ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}
