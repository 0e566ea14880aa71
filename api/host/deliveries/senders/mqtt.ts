/** Sends to brokers of users: MQTT, with or without TLS. START HERE of what speaks MQTT. */
import { randomBytes } from 'node:crypto';
import type { MqttRoute } from '../../../../core/delivery/targets/mqtt.ts';
import { brokerSender, filledIn } from './publishing.ts';
import type { Sender, SenderNeeds } from './sender.ts';
import { placeOf } from './urls.ts';

const PORT = 1883;
export const TLS_PORT = 8883;

/** Brokers know one client by an id, so no two programs may have the same. */
export const ownClientIds = (): ((target: string) => string) => {
  const program = randomBytes(6).toString('hex');
  return (target) => `fleetwave-${program}-${target}`;
};

export function mqttSender(needs: SenderNeeds): Sender<MqttRoute> {
  const ownId = ownClientIds();
  return brokerSender(needs, (delivery, { host, ssl, topic, clientId, username, password }) => ({
    target: delivery.target,
    place: { ...placeOf(host, ssl ? TLS_PORT : PORT), ...(ssl && { tls: {} }) },
    login: {
      clientId: clientId === '' ? ownId(delivery.target) : filledIn(clientId, delivery),
      ...(username !== '' && { username, password }),
    },
    topic: filledIn(topic, delivery),
  }));
}
