/** Publishes a message to a broker and returns the outcome. */

import type { Route } from '../../../../core/delivery/targets/kinds.ts';
import type { Sent } from '../network/attempt-result.ts';
import { ATTEMPT_S, noAnswer, unanswered } from '../network/request-errors.ts';
import { BrokenLine, NotLetIn, NotPublishable } from './broker-connection.ts';
import { BrokerLines, type Way } from './broker-connections.ts';
import { within } from './deadline.ts';
import { readable } from './response-text.ts';
import type { Delivery, Sender, SenderNeeds } from './sender.ts';

/** Where a message of a route goes, and under which topic; a sentence: why it cannot. */
export type Addressing<To> = (delivery: Delivery, route: To) => (Way & { topic: string }) | string;

export function brokerSender<To extends Route>(
  { network, time }: SenderNeeds,
  addressed: Addressing<To>,
): Sender<To> {
  const lines = new BrokerLines({ network, time });
  return {
    send: async (delivery, route, signal) => {
      const way = addressed(delivery, route);
      if (typeof way === 'string') return unanswered('not possible', way);
      if (!TOPIC.test(way.topic)) return unanswered('not possible', NO_TOPIC);
      try {
        await within(ATTEMPT_S * 1_000, { time, signal }, (bounded) =>
          lines.over(way, (line) => line.publish(way.topic, delivery.body, bounded)),
        );
        return unanswered('acknowledged', '');
      } catch (error) {
        return sentOf(error);
      }
    },
    forget: (target) => lines.forget(target),
    close: () => lines.close(),
  };
}

/** MQTT 3.1.1 §4.7: a name without wildcards. */
const TOPIC = /^[^+#\0]+$/;
const NO_TOPIC = 'Nothing is published under its topic: it is empty, or has + or #.';

function sentOf(error: unknown): Sent {
  if (error instanceof NotLetIn) {
    return { ...unanswered('connection refused', readable(error.message)), isUnsent: true };
  }
  if (error instanceof BrokenLine) {
    return unanswered('connection failed', 'The connection broke off before it was acknowledged.');
  }
  if (error instanceof NotPublishable) return unanswered('not possible', readable(error.message));
  return noAnswer(error);
}

/** A text with variables, as topics and client ids have them. */
export const filledIn = (text: string, { what }: Delivery): string =>
  text
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
    .replaceAll('${DEVEUI}', what.about)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
    .replaceAll('${FPORT}', what.fPort === undefined ? '' : String(what.fPort));
