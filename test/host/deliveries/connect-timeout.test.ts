/** A receiver to which no connection comes about is given up after five seconds, for now. */
import { expect, it } from 'vitest';
import { Egress } from '../../../api/host/deliveries/network/egress.ts';
import { webhookSender } from '../../../api/host/deliveries/senders/webhook.ts';
import { deliveryOf, needsOf, routeTo } from '../../support/sending.ts';

it('is a time-out that counts as no attempt', async () => {
  const resolve = () => undefined;
  const egress = new Egress({ toOwnMachine: true, allowed: [], resolve });
  const sender = webhookSender(needsOf({ egress }));
  const uncut = new AbortController().signal;
  await expect(sender.send(deliveryOf(), routeTo('http://slow.test/'), uncut)).resolves.toEqual({
    answer: 'timeout',
    retryAfterS: 0,
    says: 'There was no connection within 5 s.',
    isUnsent: true,
  });
  await sender.close();
});
