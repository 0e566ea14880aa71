/** A bridge by a stepped clock: a function has what its gateways send, another requests frames. */
import { Bridge } from '../../api/bridge/bridge.ts';
import { bridgedPlan } from '../../api/bridge/bridged-plan.ts';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import {
  type DatagramJson,
  readDatagram,
  writeDatagram,
} from '../../sim/gateway/forwarder-datagram.ts';
import { SteppedTime } from './stepped-time.ts';

/** A datagram that a gateway has sent. */
export interface SentDatagram {
  readonly gateway: number;
  readonly atS: number;
  readonly name: string;
  readonly json: DatagramJson;
}

interface Ends {
  sent(datagram: SentDatagram): void;
  warn(sentence: string): void;
}

export class SteppedBridge {
  readonly time = new SteppedTime();
  readonly bridge: Bridge;
  readonly #takes: ((bytes: Uint8Array) => void)[] = [];

  constructor(scenario: Scenario, { sent, warn }: Ends) {
    const { plan, gateways } = bridgedPlan(scenario, 'a', Date.UTC(2026, 0));
    const links = gateways.map((_, gateway) => ({
      onDatagram: (take: (bytes: Uint8Array) => void) => void (this.#takes[gateway] = take),
      send: (bytes: Uint8Array) => {
        const read = readDatagram(bytes);
        if (!read.ok) throw new Error(read.failure.message);
        const { name, json = {} } = read.value;
        sent({ gateway, atS: this.time.nowMs / 1_000, name, json });
      },
    }));
    this.bridge = new Bridge({
      plan,
      seed: 'a',
      speed: 1,
      gateways,
      links,
      time: this.time,
      observer: { trace: () => undefined, opened: () => undefined, answered: () => undefined },
      options: { codecs: codecEngine() },
      warn,
    });
  }

  /** The server requests a transmission of a gateway. */
  pullResp(gateway: number, token: number, txpk: DatagramJson): void {
    this.#takes[gateway]!(writeDatagram({ name: 'PULL_RESP', token, json: { txpk } } as never));
  }

  /** From start to end; `after` is called after each step. */
  async run(after: () => void = () => undefined): Promise<void> {
    const { bridge, time } = this;
    const ended = bridge.run(0);
    while (time.step()) {
      after();
      if (bridge.world.nowUs >= bridge.world.endUs) break;
    }
    await ended;
  }
}
