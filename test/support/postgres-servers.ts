/** PostgreSQL on this machine, in a test's hands: it is killed, emptied, and comes back. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** Where Debian has it, a folder a version. */
const PROGRAMS = '/usr/lib/postgresql';

function program(name: string): string | undefined {
  if (!existsSync(PROGRAMS)) return undefined;
  const versions = readdirSync(PROGRAMS).sort((a, b) => Number(b) - Number(a));
  const paths = versions.map((version) => join(PROGRAMS, version, 'bin', name));
  return paths.find((path) => existsSync(path));
}

export function hasPostgres(): boolean {
  const has = program('initdb') !== undefined;
  if (!has) console.warn('!! There is no PostgreSQL (Debian): it is not tested as an engine !!');
  return has;
}

/** It refuses to be run by root. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: '-u' | '-g') =>
    Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export class PostgresServer {
  readonly port: number;
  readonly url: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  readonly #owner = owner();
  #process: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const { uid, gid } = this.#owner;
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
    const created = [
      '-D',
      join(this.#folder, 'data'),
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--no-locale',
    ];
    execFileSync(program('initdb')!, [...created, '-A', 'trust', '--no-sync'], {
      stdio: 'ignore',
      ...this.#owner,
    });
  }

  async restart(): Promise<void> {
    const where = ['-D', join(this.#folder, 'data'), '-k', this.#folder, '-p', String(this.port)];
    const words = [...where, '-c', 'listen_addresses=127.0.0.1'];
    this.#process = spawn(program('postgres')!, words, { stdio: 'ignore', ...this.#owner });
    for (;;) {
      try {
        await this.asked('select 1');
        return;
      } catch {
        // Not yet.
        await sleep(20);
      }
    }
  }

  async asked(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows ?? [];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async empty(): Promise<void> {
    await this.asked(`do $$ declare t text; begin
      for t in select format('%I.%I', schemaname, tablename) from pg_tables
        where schemaname in ('bullmq', 'fleetwave') and tablename <> 'migration'
      loop execute 'delete from ' || t; end loop; end $$`);
  }

  /** Of all but its own user, from now on. */
  async askForPasswords(): Promise<void> {
    const rules = ['postgres trust', 'all scram-sha-256'];
    const lines = rules.map((rule) => `host all ${rule.replace(' ', ' 127.0.0.1/32 ')}\n`);
    writeFileSync(join(this.#folder, 'data', 'pg_hba.conf'), lines.join(''));
    await this.asked('select pg_reload_conf()');
  }

  /** Its processes go with it, and let go of the port. */
  async kill(): Promise<void> {
    const killed = this.#process;
    if (killed === undefined) return;
    this.#process = undefined;
    const isOver = once(killed, 'exit');
    // To all at once, without writing anything: what a loss of power leaves.
    killed.kill('SIGQUIT');
    await isOver;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** On a free port of the loopback address. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = new PostgresServer(await freePort());
  await server.restart();
  return server;
}
