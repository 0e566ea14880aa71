/** A world that is killed again and again, its receiver, and a broker that is killed as well. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Broker, startBroker } from '../../support/mqtt-brokers.ts';
import type { Draw } from '../../support/power-loss-disk.ts';
import { type Ask, clientOf } from '../clients.ts';
import { crashFolder } from '../folder.ts';
import type { Served } from '../served.ts';
import type { BrokenBuild } from './broken-builds.ts';
import type { DeliveringLife } from './child.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { WatchedBroker } from './watched-broker.ts';
import { scenarioOf } from './world.ts';

export class DeliveringTown {
  readonly folder = crashFolder();
  readonly receiver: Receiver;
  readonly way: WatchedBroker;
  readonly broker: Broker;
  readonly #child: string;
  readonly #life: DeliveringLife;
  #process: ChildProcess | undefined;
  /** Secrets are reported at the first start. */
  #served: Served | undefined;
  kills = { server: 0, broker: 0 };

  private constructor(
    child: string,
    parts: { receiver: Receiver; way: WatchedBroker; broker: Broker },
    build?: BrokenBuild,
  ) {
    const { receiver, way, broker } = parts;
    this.#child = child;
    this.receiver = receiver;
    this.way = way;
    this.broker = broker;
    const scenario = join(this.folder, 'delivered.yaml');
    writeFileSync(scenario, scenarioOf({ webhookPort: receiver.port, brokerPort: way.port }));
    this.#life = { data: join(this.folder, 'data'), scenario, build };
  }

  static async open(child: string, draw: Draw, build?: BrokenBuild): Promise<DeliveringTown> {
    const broker = await startBroker({ users: { ann: 'opensesame' } });
    const way = await WatchedBroker.before(broker.port);
    const receiver = await openReceiver(draw);
    return new DeliveringTown(child, { receiver, way, broker }, build);
  }

  /** It serves. */
  async start(): Promise<void> {
    const began = fork(this.#child, [JSON.stringify(this.#life)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process = began;
    const ended = once(began, 'exit').then(([status]) => {
      if (this.#process === began) throw new Error(`it ended by itself, with ${status}`);
      return [undefined];
    });
    const [served] = (await Promise.race([once(began, 'message'), ended])) as [Served];
    ended.catch(() => undefined);
    this.#served = { ...served, ...(this.#served && { ...this.#served, url: served.url }) };
  }

  /** Number of lives; in each the broker is killed, and then the server. */
  async live(lives: number): Promise<void> {
    await this.start();
    for (let life = 0; life < lives; life++) {
      await sleep(500);
      await this.killBroker();
      await sleep(700);
      await this.killServer();
      await this.start();
    }
  }

  async killServer(): Promise<void> {
    const killed = this.#process!;
    this.#process = undefined;
    if (killed.exitCode !== null) return;
    const isOver = once(killed, 'exit');
    killed.kill('SIGKILL');
    await isOver;
    this.kills.server++;
  }

  async killBroker(): Promise<void> {
    await this.broker.kill();
    this.kills.broker++;
    await sleep(20);
    await this.broker.restart();
  }

  async ask(): Promise<Ask> {
    const ask = await clientOf(this.#served!);
    if (ask === undefined) throw new Error('it does not answer');
    return ask;
  }

  async remove(): Promise<void> {
    if (this.#process !== undefined) await this.killServer();
    await this.receiver.close();
    await this.way.close();
    await this.broker.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
