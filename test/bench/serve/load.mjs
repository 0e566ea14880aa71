/**
 * A client that asks as fast as it is answered, for `serve.mjs`: connections that stay open, one
 * request at a time on each. It writes bytes that were created beforehand and looks at status and
 * length of what comes, so that it costs less than anyone who answers.
 *
 * A process of its own: it is sent what to do as a message, and sends what came of it.
 */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Stands for the number of a request, which has as many digits everywhere. */
const NUMBER = '#';
const digits = (number) => String(number).padStart(7, '0');

/** The bytes of a request. */
function bytesOf({ host, token }, { method = 'GET', path, body, key }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = text.replaceAll(NUMBER, digits(0)).length;
  return [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
    ...(body === undefined ? [] : ['content-type: application/json']),
    ...(method === 'GET' ? [] : [`content-length: ${length}`]),
    '',
    text,
  ].join('\r\n');
}

/** One connection: `next` gives the bytes of a request until it gives none. */
function converse({ url, next, onAnswer, onEnd }) {
  const { hostname: host, port, protocol } = new URL(url);
  const socket =
    protocol === 'https:'
      ? connectTls({ host, port, rejectUnauthorized: false })
      : connect({ host, port });
  socket.setNoDelay(true);
  let sentAt = 0;
  let left = 0;
  let head = '';
  let status = 0;
  let isLast = false;
  const ask = () => {
    const bytes = next();
    if (bytes === undefined) return socket.end();
    sentAt = performance.now();
    socket.write(bytes, 'latin1');
  };
  const answered = () => {
    head = '';
    onAnswer(status, performance.now() - sentAt);
    // A server may ask for a new connection after that many requests.
    if (isLast) socket.end();
    else ask();
  };
  socket.on(protocol === 'https:' ? 'secureConnect' : 'connect', ask);
  socket.on('data', (chunk) => {
    if (left > 0) {
      left -= chunk.length;
      if (left === 0) answered();
      return;
    }
    head += chunk.latin1Slice();
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    status = Number(head.slice(9, 12));
    isLast = /\r\nconnection: close/i.test(head.slice(0, end));
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0);
    left = length - (head.length - end - 4);
    if (left === 0) answered();
  });
  socket.on('error', () => onAnswer(-1, 0));
  socket.on('close', () => onEnd(isLast));
}

/** What percent of the times are no longer than. */
const percentile = (sorted, percent) =>
  sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)];

/**
 * Asks on many connections: for some seconds, or that many requests. `requests` are taken in turns,
 * `#` in them is the number of the request; `pauseMs`: between an answer and the next request.
 */
export function load({ url, token, requests, connections, seconds, count = Infinity }) {
  const host = new URL(url).host;
  const created = requests.map((request) => bytesOf({ host, token }, request));
  const times = [];
  const statuses = {};
  const began = performance.now();
  const until = seconds === undefined ? Infinity : began + 1000 * seconds;
  let asked = 0;
  let open = 0;
  return new Promise((resolve) => {
    const next = () => {
      if (asked >= count || performance.now() >= until) return undefined;
      const bytes = created[asked % created.length];
      asked++;
      return bytes.replaceAll(NUMBER, digits(asked));
    };
    const finish = () => {
      const tookMs = performance.now() - began;
      const sorted = Float64Array.from(times).sort();
      resolve({
        answers: times.length,
        perSecond: (1000 * times.length) / tookMs,
        p50: percentile(sorted, 50),
        p99: percentile(sorted, 99),
        longest: sorted.at(-1),
        statuses,
      });
    };
    const start = () => {
      open++;
      converse({
        url,
        next,
        onAnswer: (status, ms) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          times.push(ms);
        },
        onEnd: (isToGoOn) => {
          open--;
          if (isToGoOn) start();
          else if (open === 0) finish();
        },
      });
    };
    for (let i = 0; i < connections; i++) start();
  });
}

process.on('message', async (asked) => {
  process.send(await load(asked));
  process.disconnect();
});
