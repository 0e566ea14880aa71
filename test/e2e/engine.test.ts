/** `fleetwave study run --engine` and `fleetwave worker`, each a process that may be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildId } from '../../api/host/studies/build.ts';
import { planId } from '../../api/host/studies/keys.ts';
import { localCertificates } from '../../api/host/tls/local-ca.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
import type { EngineServer } from '../support/engine-servers.ts';
import { answering, queueAt, TOWN, until } from '../support/engine-study.ts';
import { freePort } from '../support/free-port.ts';
import { itLong } from '../support/long.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres-servers.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-servers.ts';

const STUDY = `study: hills
scenario: town.yaml
parameters: { hills: { set: radio.shadowing, values: [0 dB, 10 dB] } }
replicates: 12
`;

const RESULTS = ['study.json', 'points.csv', 'runs.csv', 'runs.msgpack'];

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly over: Promise<number | null>;
}

describe.skipIf(!hasRedis())('a study on an engine', () => {
  let redis: RedisServer;
  let folder = '';
  const at = (...path: readonly string[]) => join(folder, ...path);
  const running: Started[] = [];

  function fleetwave(...words: readonly string[]): Started {
    const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: folder, stdio: 'pipe' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said += text;
      });
    }
    const over = new Promise<number | null>((resolve) => child.on('close', resolve));
    const started = { child, said: () => said, over };
    running.push(started);
    return started;
  }

  const study = (out: string, ...more: readonly string[]) =>
    fleetwave('study', 'run', 'plan.json', '--sink', `dir:${out}`, ...more);
  const onEngine = (out: string, url = redis.url) => study(out, '--engine', url);
  const worker = (url = redis.url) =>
    fleetwave('worker', '--engine', url, '--workers', '1', '--lost-after', '2');

  /** Once all of it has been killed, the next test begins with nothing. */
  async function endAll(): Promise<void> {
    for (const { child, over } of running.splice(0)) {
      child.kill('SIGKILL');
      await over;
    }
    await redis.empty();
  }

  const landed = (out: string): number => {
    try {
      return readdirSync(at(out, 'chunks')).filter((name) => name.endsWith('.jsonl')).length;
    } catch {
      return 0;
    }
  };
  const hasLanded = (out: string, chunks: number) =>
    until(async () => (landed(out) >= chunks ? true : undefined));

  function isAsThreads(out: string): void {
    for (const name of RESULTS) {
      expect(readFileSync(at(out, name)).equals(readFileSync(at('threads', name)))).toBe(true);
    }
  }

  beforeAll(async () => {
    bundle();
    redis = await startRedis();
    folder = mkdtempSync(join(tmpdir(), 'fleetwave-on-engine-'));
    writeFileSync(at('town.yaml'), TOWN);
    writeFileSync(at('study.yaml'), STUDY);
    await fleetwave('study', 'plan', 'study.yaml', '--out', 'plan.json').over;
    // Small chunks, so that there are many to lose.
    const plan = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    writeFileSync(at('plan.json'), `${JSON.stringify({ ...plan, chunkRuns: 1 })}\n`);
    expect(await study('threads', '--workers', '1').over).toBe(0);
  }, 120_000);
  afterEach(endAll);
  afterAll(async () => {
    await endAll();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes the same files as on threads, whichever worker ran what', async () => {
    // Another one than Debian's may be named: Valkey, or a newer Redis.
    const url = process.env.FLEETWAVE_REDIS ?? redis.url;
    for (const _ of [1, 2]) fleetwave('worker', '--engine', url, '--workers', '1');
    const { over, said } = study('plain', '--engine', url);
    expect(await over, said()).toBe(0);
    isAsThreads('plain');
  });

  async function killedWorker(out: string, chunks: number): Promise<void> {
    const first = worker();
    const second = worker();
    const { over, said } = onEngine(out);
    await hasLanded(out, chunks);
    first.child.kill('SIGKILL');
    expect(await over, said() + second.said()).toBe(0);
    isAsThreads(out);
  }

  async function killedCoordinator(out: string, chunks: number): Promise<void> {
    worker();
    const killed = onEngine(out);
    await hasLanded(out, chunks);
    killed.child.kill('SIGKILL');
    await killed.over;
    const { over, said } = onEngine(out);
    expect(await over, said()).toBe(0);
    isAsThreads(out);
  }

  async function killedEngine(
    out: string,
    chunks: number,
    outageMs: number,
    server: EngineServer = redis,
  ): Promise<void> {
    const working = worker(server.url);
    const { over, said } = onEngine(out, server.url);
    await hasLanded(out, chunks);
    await server.kill();
    await sleep(outageMs);
    await server.restart();
    expect(await over, said() + working.said()).toBe(0);
    expect(said()).toContain('is back');
    isAsThreads(out);
  }

  it('loses nothing when a worker is killed', () => killedWorker('worker-1', 3));

  it('loses nothing when its coordinator is killed, and the same command is given', () =>
    killedCoordinator('coordinator-1', 3));

  itLong('loses nothing when Redis is killed, and comes back after three seconds', () =>
    killedEngine('redis-1', 3, 3000),
  );

  itLong(
    'loses nothing under twenty kills each of worker, coordinator and Redis',
    async () => {
      for (let kill = 2; kill < 22; kill++) {
        const chunks = 1 + (kill % 20);
        await killedWorker(`worker-${kill}`, chunks);
        await endAll();
        await killedCoordinator(`coordinator-${kill}`, chunks);
        await endAll();
        await killedEngine(`redis-${kill}`, chunks, 100 * kill);
        await endAll();
      }
    },
    3_600_000,
  );

  itLong(
    'goes on after Redis was away for ten seconds, and for sixty',
    async () => {
      for (const seconds of [10, 60]) {
        await killedEngine(`away-${seconds}`, 3, 1000 * seconds);
        await endAll();
      }
    },
    600_000,
  );

  itLong(
    'reports from any machine how far it is, and is cancelled from there, and goes on',
    async () => {
      const asks = async (...words: readonly string[]) => {
        const asked = fleetwave('study', ...words, '--engine', redis.url);
        expect(await asked.over, asked.said()).toBe(0);
        return asked.said();
      };
      const working = worker();
      const cancelled = onEngine('cancelled');
      await hasLanded('cancelled', 2);
      // It would come to the end meanwhile.
      working.child.kill('SIGSTOP');
      expect(await asks('status', 'plan.json', '--sink', 'cancelled')).toMatch(
        /^hills: \d+ of 24 runs.*\nredis:.*: \d+ chunks? waiting, .*; 1 worker on 1 thread\n$/,
      );
      const plan = planId(JSON.parse(readFileSync(at('plan.json'), 'utf8')));
      expect(await asks('cancel', plan)).toMatch(/^hills: cancelled\. \d+ chunks? taken back, /);
      expect(await cancelled.over, cancelled.said()).toBe(143);
      working.child.kill('SIGCONT');
      expect(cancelled.said()).toMatch(
        /Cancelled: \d+ of 24 runs are there; finished runs are stored/,
      );
      const elsewhere = await asks('status', plan);
      expect(elsewhere).toMatch(/^hills: its rows land in a folder that is not at hand here\n/);
      expect(elsewhere).toContain('It is cancelled; the same study run takes it up');
      const { over, said } = study('cancelled', '--engine', redis.url, '--resume');
      expect(await over, said()).toBe(0);
      isAsThreads('cancelled');
    },
  );

  itLong('runs over TLS, by a user of Redis who may do no more than a study needs', async () => {
    const created = await localCertificates(undefined, { names: [], now: new Date() });
    if (!created.ok) expect.fail(created.failure.message);
    for (const name of ['key', 'cert', 'ca'] as const) {
      writeFileSync(at(`${name}.pem`), created.value[name]);
    }
    const port = await freePort();
    const files = ['--tls-cert-file', at('cert.pem'), '--tls-key-file', at('key.pem')];
    const tls = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
    const user = 'meter on >p@ss ~bull:fleetwave-* &* +@all -@dangerous +info';
    const closed = await startRedis([...tls, '--user', ...user.split(' ')]);
    const url = `rediss://meter:p%40ss@localhost:${port}`;
    process.env.NODE_EXTRA_CA_CERTS = at('ca.pem');
    try {
      const working = worker(url);
      const { over, said } = onEngine('tls', url);
      expect(await over, said() + working.said()).toBe(0);
      isAsThreads('tls');
      delete process.env.NODE_EXTRA_CA_CERTS;
      const unknown = fleetwave('worker', '--engine', url);
      expect(await unknown.over).toBe(2);
      expect(unknown.said()).toContain(': TLS fails (');
    } finally {
      delete process.env.NODE_EXTRA_CA_CERTS;
      await closed.stop();
    }
  });

  describe.skipIf(!hasPostgres())('over PostgreSQL', () => {
    let postgres: PostgresServer;
    beforeAll(async () => {
      postgres = await startPostgres();
    });
    afterAll(() => postgres.stop());

    // The one below amounts to them, too.
    const url = process.env.FLEETWAVE_POSTGRES;
    it.skipIf(!url)('produces the same files as over Redis and on threads', async () => {
      for (const _ of [1, 2]) worker(url);
      const { over, said } = onEngine('postgres', url);
      expect(await over, said()).toBe(0);
      isAsThreads('postgres');
    });

    itLong(
      'produces the same files after PostgreSQL was killed, and came back in three seconds',
      () => killedEngine('postgres-1', 3, 3000, postgres),
    );

    itLong(
      'loses nothing under twenty kills of PostgreSQL',
      async () => {
        for (let kill = 2; kill < 22; kill++) {
          await killedEngine(`postgres-${kill}`, 1 + (kill % 20), 100 * kill, postgres);
          await endAll();
          await postgres.empty();
        }
      },
      3_600_000,
    );
  });

  itLong(
    'ends with Ctrl-C, reports what is there, and continues with the same command',
    async () => {
      const working = worker();
      const stopped = onEngine('stopped');
      await hasLanded('stopped', 2);
      stopped.child.kill('SIGINT');
      expect(await stopped.over, stopped.said()).toBe(130);
      expect(stopped.said()).toMatch(/Stopped: \d+ of 24 runs are there; finished runs are stored/);
      const { over, said } = onEngine('stopped');
      expect(await over, said()).toBe(0);
      isAsThreads('stopped');
      working.child.kill('SIGTERM');
      expect(await working.over, working.said()).toBe(143);
    },
  );

  itLong('ends with Ctrl-C also while Redis is away', async () => {
    const working = worker();
    const stopped = onEngine('away');
    await hasLanded('away', 2);
    await redis.kill();
    await until(async () => (stopped.said().includes('has gone away') ? true : undefined));
    stopped.child.kill('SIGINT');
    const code = await stopped.over;
    working.child.kill('SIGINT');
    await sleep(500);
    working.child.kill('SIGINT');
    await working.over;
    await redis.restart();
    expect(code, stopped.said()).toBe(130);
    expect(stopped.said()).toContain('does not answer: what was handed out stays there');
    worker();
    const { over, said } = onEngine('away');
    expect(await over, said()).toBe(0);
    isAsThreads('away');
  });

  itLong('says that it has no worker of its build, and goes on when one comes', async () => {
    const { over, said } = onEngine('lonely');
    await until(async () => (said().includes('no worker of this build') ? true : undefined));
    worker();
    expect(await over, said()).toBe(0);
    expect(said()).toMatch(/is there: fleetwave worker --engine redis:.* begins one\n/);
    expect(said().split('no worker of this build')).toHaveLength(2);
  });

  itLong('names what came to no end on any worker, with exit code 3', async () => {
    const failing = await queueAt(redis.url, buildId());
    const { over, said } = onEngine('given-up');
    const broken = answering(
      failing,
      async ({ opts }) => {
        Object.assign(opts, { attempts: 1 });
        throw new Error('out of memory');
      },
      { limiter: { max: 1, duration: 3_600_000 } },
    );
    await until(async () => ((await failing.queue.getFailedCount()) > 0 ? true : undefined));
    await broken.close(true);
    worker();
    expect(await over, said()).toBe(3);
    await failing.close();
    expect(said()).toMatch(
      /1 chunk came to no end on any worker:\n {2}1 run from point 1, seed town[^:]*: its /,
    );
    expect(said()).toContain(': its workers failed: out of memory\n');
    expect(landed('given-up')).toBe(23);
    const again = onEngine('given-up');
    expect(await again.over, again.said()).toBe(0);
    isAsThreads('given-up');
  });

  it('reports an address at which nobody is, and options that do not go together', async () => {
    const nobody = study('never', '--engine', 'redis://127.0.0.1:1');
    expect(await nobody.over).toBe(2);
    expect(nobody.said()).toMatch(
      /^fleetwave study: redis:\/\/127\.0\.0\.1:1: nobody listens there/,
    );
    const both = study('never', '--engine', redis.url, '--shard', '1/2', '--workers', '3');
    expect(await both.over).toBe(2);
    expect(both.said().trimEnd().split('\n')).toEqual([
      'fleetwave study: --workers is of each fleetwave worker, and the study runs on all of them',
      'fleetwave study: --shard hands out by itself what --engine hands out',
    ]);
    const wrong = fleetwave('worker', '--engine', 'http://one', '--lost-after', '0');
    expect(await wrong.over).toBe(2);
    expect(wrong.said()).toContain('--lost-after "0" is not right; allowed: ');
  });
});
