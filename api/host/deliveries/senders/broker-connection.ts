/** One connection to a broker: MQTT 3.1.1, QoS 1. What is published is taken once it says so. */
import type { Socket } from 'node:net';
import type { MqttClient } from 'mqtt';
import type { HostTime } from '../../clock/host-time.ts';
import type { GuardedNetwork } from '../network/guarded-network.ts';
import { CONNECT_S } from '../network/request-errors.ts';
import type { SocketPlace } from '../network/tcp-socket.ts';

/** What a connection to a broker is made of. */
export interface LineNeeds {
  readonly network: GuardedNetwork;
  readonly time: HostTime;
  /** What is being opened is cut off. */
  readonly signal: AbortSignal;
}

/** Identity of a client at a broker. */
export interface Login {
  readonly clientId: string;
  /** Undefined: none. */
  readonly username?: string;
  readonly password?: string;
}

/** A broker has said no (MQTT 3.1.1 §3.2.2.3), or nothing. */
export class NotLetIn extends Error {}

/** It broke off before the broker had said that it has what was published. */
export class BrokenLine extends Error {}

/** A topic, or a message, that no broker takes. */
export class NotPublishable extends Error {}

const KEEP_ALIVE_S = 60;
const LONGEST_GOODBYE_MS = 1_000;

/** Return codes of CONNACK. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: 'The broker does not speak MQTT 3.1.1.',
  2: 'The broker refuses the client id.',
  3: 'The broker is not available.',
  4: 'The broker refuses user name or password.',
  5: 'The broker does not authorise this client.',
};

export class BrokerConnection {
  readonly #client: MqttClient;
  #isOpen = true;
  /** Publishes that are not acknowledged, which end with the line. */
  readonly #underway = new Set<(error: Error) => void>();

  private constructor(client: MqttClient) {
    this.#client = client;
    client.on('close', () => this.#end());
    // What is wrong shows by its end.
    client.on('error', () => undefined);
  }

  /** Throws `NoWay` or `NotLetIn`: nothing was published. */
  static async open(place: SocketPlace, login: Login, needs: LineNeeds): Promise<BrokerConnection> {
    const socket = await needs.network.connect(place, needs.signal);
    // Loaded lazily: hosts without deliveries save the loading time.
    const { MqttClient } = await import('mqtt');
    const client = new MqttClient(() => socket, {
      ...login,
      protocolVersion: 4,
      clean: true,
      keepalive: KEEP_ALIVE_S,
      // The delivery queue decides what is published again, and when.
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
    });
    await isLetIn(client, socket, needs);
    return new BrokerConnection(client);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  onEnd(act: () => void): void {
    this.#client.once('close', act);
  }

  /** Resolves once the broker has it. */
  publish(topic: string, body: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => {
        this.#underway.delete(settle);
        signal.removeEventListener('abort', aborts);
        if (error === undefined) resolve();
        else reject(error);
      };
      const aborts = () => settle(signal.reason as Error);
      if (signal.aborted) return aborts();
      if (!this.#isOpen) return settle(new BrokenLine());
      signal.addEventListener('abort', aborts);
      this.#underway.add(settle);
      this.#client.publish(topic, body, { qos: 1 }, (error) => {
        if (error == null) settle();
        else settle(this.#isOpen ? new NotPublishable(error.message) : new BrokenLine());
      });
    });
  }

  /** Says goodbye, for a second at most. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => this.#client.stream.destroy(), LONGEST_GOODBYE_MS);
      this.#client.once('close', () => {
        clearTimeout(late);
        resolve();
      });
      this.#client.end(false);
    });
  }

  #end(): void {
    this.#isOpen = false;
    this.#client.end(true);
    for (const settle of [...this.#underway]) settle(new BrokenLine());
  }
}

function isLetIn(
  client: MqttClient,
  socket: Socket,
  { time, signal }: Omit<LineNeeds, 'network'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      late.cancel();
      client.off('connect', comes).off('error', fails).off('close', closes);
      signal.removeEventListener('abort', closes);
      settle();
    };
    const gives = (says: string) => {
      socket.destroy();
      end(() => reject(new NotLetIn(says)));
    };
    const comes = () => end(resolve);
    const fails = (error: Error & { readonly code?: number | string }) =>
      gives(REFUSALS[Number(error.code)] ?? 'What listens there is no broker.');
    const closes = () => gives('It hung up before it let us in.');
    const late = time.later(() => gives(SILENT), CONNECT_S * 1_000);
    client.on('connect', comes).on('error', fails).on('close', closes);
    signal.addEventListener('abort', closes);
  });
}

const SILENT = `The broker did not let us in within ${CONNECT_S} s.`;
