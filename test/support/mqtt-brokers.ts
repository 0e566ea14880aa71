/** Mosquitto on this machine, in a test's hands: it is killed, stopped, paused, and comes back. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { freePort } from './free-port.ts';

/** Where Debian has it. */
const PROGRAM = '/usr/sbin/mosquitto';

const ESTABLISHED = '01';

export function hasMosquitto(): boolean {
  const has = existsSync(PROGRAM);
  if (!has) console.warn('!! There is no mosquitto (Debian: mosquitto): brokers are not tested !!');
  return has;
}

export interface BrokerOptions {
  /** Passwords by user; who has none is not let in. */
  readonly users: Readonly<Record<string, string>>;
  /** PEM; absent: it speaks no TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Heard {
  readonly topic: string;
  readonly payload: string;
}

export class Broker {
  readonly port: number;
  readonly #options: BrokerOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'mosquitto-'));
  #process: ChildProcess | undefined;

  constructor(port: number, options: BrokerOptions) {
    this.port = port;
    this.#options = options;
    this.#configure();
  }

  /** It listens, on the same port as before. */
  async restart(): Promise<void> {
    this.#process = spawn(PROGRAM, ['-c', join(this.#folder, 'mosquitto.conf')], {
      stdio: 'ignore',
    });
    while (!(await listens(this.port))) await sleep(5);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const killed = this.#process;
    if (killed === undefined) return;
    this.#process = undefined;
    const isOver = once(killed, 'exit');
    killed.kill(signal);
    await isOver;
  }

  /** It takes connections and says nothing, until it is woken. */
  pause(): void {
    this.#process!.kill('SIGSTOP');
  }

  wake(): void {
    this.#process!.kill('SIGCONT');
  }

  /** The ports of those who are connected (Linux). */
  async connections(): Promise<readonly string[]> {
    const own = `0100007F:${this.port.toString(16).toUpperCase().padStart(4, '0')}`;
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
    const fields = lines.map((line) => line.trim().split(/\s+/));
    const open = fields.filter(([, local, , state]) => local === own && state === ESTABLISHED);
    return open.map(([, , remote]) => remote!).sort();
  }

  async connected(): Promise<number> {
    return (await this.connections()).length;
  }

  /** All that is published from now on. */
  async listen(user: string, topic = '#'): Promise<{ heard: Heard[]; end: () => Promise<void> }> {
    const { users, tls } = this.#options;
    const heard: Heard[] = [];
    const client = await connectAsync(`${tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${this.port}`, {
      username: user,
      password: users[user]!,
      rejectUnauthorized: false,
    });
    client.on('message', (at, payload) => heard.push({ topic: at, payload: payload.toString() }));
    await client.subscribeAsync(topic, { qos: 1 });
    return { heard, end: () => client.endAsync(true) };
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #configure(): void {
    const { users, tls } = this.#options;
    const file = (name: string) => join(this.#folder, name);
    writeFileSync(file('users'), '');
    for (const [user, password] of Object.entries(users)) {
      execFileSync('mosquitto_passwd', ['-b', file('users'), user, password], { stdio: 'ignore' });
    }
    for (const [name, pem] of Object.entries(tls ?? {})) writeFileSync(file(name), pem);
    const lines = [
      'user root',
      `listener ${this.port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${file('users')}`,
      'persistence false',
      'max_queued_messages 0',
      ...(tls ? [`keyfile ${file('key')}`, `certfile ${file('cert')}`] : []),
    ];
    writeFileSync(file('mosquitto.conf'), `${lines.join('\n')}\n`);
  }
}

/** On a free port of the loopback address. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const broker = new Broker(await freePort(), options);
  await broker.restart();
  return broker;
}

async function listens(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
