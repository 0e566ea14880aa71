/** Servers and clients as processes of their own, for `serve.mjs`. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const COMMAND = process.env.FLEETWAVE ?? path('../../../dist/fleetwave.js');

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One request on a connection of its own: status, value and ms. */
export function ask({ url, ca, token }, { method = 'GET', path, type, body }) {
  const request = url.startsWith('https') ? requestTls : requestPlain;
  const text = body === undefined || body instanceof Buffer ? body : JSON.stringify(body);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text && { 'content-type': type ?? 'application/json', 'content-length': text.length }),
    };
    const asked = request(url + path, { method, ca, headers, agent: false }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isJson = /json/.test(answer.headers['content-type'] ?? '');
        const value = isJson ? JSON.parse(bytes.toString()) : bytes.toString();
        const ms = performance.now() - began;
        resolve({ status: answer.statusCode, value, bytes: bytes.length, ms });
      });
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/** Starts `fleetwave serve` and waits for its first answer; `folder` keeps its certificates. */
export async function serve(words, { isTls = true, isProbed = true, folder } = {}) {
  const own = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  const readyFile = join(own, 'ready.json');
  const data = folder ?? join(own, 'data');
  const all = ['serve', ...words, '--port', '0', '--data', data, '--ready-file', readyFile];
  const probe = isProbed ? ['--expose-gc', '--import', path('./probe.mjs')] : [];
  const execArgv = [...probe, ...(process.env.SERVER_FLAGS?.split(' ') ?? [])];
  const began = performance.now();
  const child = fork(COMMAND, [...all, '--quiet', ...(isTls ? [] : ['--http'])], {
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the server has ended');
    await sleep(2);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8'));
  const server = { url: ready.url, ca: ready.ca === null ? undefined : readFileSync(ready.ca) };
  const { status } = await ask(server, { path: '/sim/v1/health' });
  const startMs = performance.now() - began;
  if (status !== 200) throw new Error(`the first answer is ${status}`);
  return {
    ...server,
    startMs,
    pid: child.pid,
    token: await tokenFrom(server, ready),
    tell: (wanted = {}) => {
      const report = once(child, 'message').then(([message]) => message);
      child.send(wanted);
      return report;
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(own, { recursive: true });
    },
  };
}

async function tokenFrom(server, { client_id, client_secret }) {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  });
  const body = Buffer.from(form.toString());
  const type = 'application/x-www-form-urlencoded';
  const { value } = await ask(server, { method: 'POST', path: '/oauth/token', type, body });
  return value.access_token;
}

/** Uploads an image of some bytes. */
export async function upload(server, name, size = 1024) {
  const head = `--b\r\ncontent-disposition: form-data; name="image"; filename="${name}"\r\n`;
  const type = 'content-type: application/octet-stream\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head + type), Buffer.alloc(size, 7), END]);
  const multipart = { method: 'POST', path: '/api/v3.2/images', body };
  const { status } = await ask(server, { ...multipart, type: 'multipart/form-data; boundary=b' });
  if (status !== 201) throw new Error(`the upload is answered with ${status}`);
}

const END = Buffer.from('\r\n--b--\r\n');

/** What a client of its own process measures (load.mjs). */
export async function load(asked) {
  const child = fork(path('./load.mjs'), { serialization: 'advanced' });
  child.send(asked);
  const [report] = await once(child, 'message');
  return report;
}

/** A bare server that reads bodies and answers as many bytes as the others do. */
export async function yardstick(isTls, certificates) {
  const child = fork(path('./yardstick.mjs'), { serialization: 'advanced' });
  child.send({ isTls, certificates });
  const [{ url }] = await once(child, 'message');
  return { url, pid: child.pid, stop: () => child.kill() };
}

/** CPU time of a process so far, in seconds (Linux). */
export function cpuSeconds(pid) {
  const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(words[11]) + Number(words[12])) / 100;
}

/** Resident memory of a process, MiB (Linux). */
export const residentMiB = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
