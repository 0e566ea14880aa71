/** A message is published to a broker, and what that came to is told. */

import type { Route } from '../../../../core/delivery/deliveries/route.ts';
import type { HostTime } from '../../host-time.ts';
import type { Egress } from '../egress.ts';
import { BrokenLine, NotLetIn, NotPublishable } from './broker-line.ts';
import { BrokerLines, type Way } from './broker-lines.ts';
import { within } from './deadline.ts';
import { ATTEMPT_S, noAnswer, unanswered } from './no-answer.ts';
import { readable } from './says.ts';
import type { Parcel, Sender, Sent } from './sender.ts';

export interface BrokerSenderOptions {
  readonly egress: Egress;
  readonly time: HostTime;
  /** PEMs of authorities that are trusted beside those of Node.js. */
  readonly ca?: readonly string[];
}

/** Where a message of a route goes, and under which topic; a sentence: why it cannot. */
export type Addressing<To> = (parcel: Parcel, route: To) => (Way & { topic: string }) | string;

export function brokerSender<To extends Route>(
  { egress, time, ca = [] }: BrokerSenderOptions,
  addressed: Addressing<To>,
): Sender<To> {
  const lines = new BrokerLines({ egress, time, ca });
  return {
    send: async (parcel, route, signal) => {
      const way = addressed(parcel, route);
      if (typeof way === 'string') return unanswered('not possible', way);
      if (!TOPIC.test(way.topic)) return unanswered('not possible', NO_TOPIC);
      try {
        await within(ATTEMPT_S * 1_000, { time, signal }, (bounded) =>
          lines.over(way, (line) => line.publish(way.topic, parcel.body, bounded)),
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
export const filledIn = (text: string, { what }: Parcel): string =>
  text
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
    .replaceAll('${DEVEUI}', what.about)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
    .replaceAll('${FPORT}', what.fPort === undefined ? '' : String(what.fPort));
