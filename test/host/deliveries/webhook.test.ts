/** What goes to real receivers of webhooks, good ones and bad ones, and what an attempt came to. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import type { Sent } from '../../../api/host/deliveries/network/attempt-result.ts';
import { Egress } from '../../../api/host/deliveries/network/egress.ts';
import type { NetworkOptions } from '../../../api/host/deliveries/network/guarded-network.ts';
import { readable } from '../../../api/host/deliveries/senders/response-text.ts';
import { retryAfterS } from '../../../api/host/deliveries/senders/retry-after.ts';
import type { Sender } from '../../../api/host/deliveries/senders/sender.ts';
import { webhookSender } from '../../../api/host/deliveries/senders/webhook.ts';
import type { WebhookRoute } from '../../../core/delivery/targets/webhook.ts';
import {
  type Behave,
  type Behaviour,
  HttpReceiver,
  type ReceiverOptions,
} from '../../support/http-receivers.ts';
import { ManualTime } from '../../support/manual-time.ts';
import {
  certificatesFrom,
  deliveryOf,
  namesOf,
  needsOf,
  routeTo,
  selfSigned,
} from '../../support/sending.ts';

/** Of attempts that nobody cuts off. */
const UNCUT = new AbortController().signal;

let time: ManualTime;
let sender: Sender<WebhookRoute>;
let open: { close(): Promise<void> }[];
beforeEach(() => {
  time = new ManualTime();
  open = [];
  sender = newSender();
});
afterEach(async () => {
  for (const each of open) await each.close();
});

function newSender(options: Partial<NetworkOptions> = {}): Sender<WebhookRoute> {
  const created = webhookSender(needsOf({ time, ...options }));
  open.push(created);
  return created;
}

async function receiver(
  behaviour: Behaviour,
  options: Partial<ReceiverOptions> = {},
): Promise<HttpReceiver> {
  const opened = await HttpReceiver.open({ behaviour, ...options });
  open.push(opened);
  return opened;
}

/** What comes of one attempt. */
const sendTo = (url: string, changes: Partial<WebhookRoute> = {}): Promise<Sent> =>
  sender.send(deliveryOf(), routeTo(url, changes), UNCUT);

describe('a request', () => {
  it('is a POST of the body, byte for byte, as JSON, to path and query of the URL', async () => {
    const to = await receiver('accepts');
    await expect(sendTo(to.url('/a%20b?c=d#e'))).resolves.toEqual({
      answer: 204,
      retryAfterS: 0,
      says: '',
    });
    const [seen] = to.seen;
    expect(seen).toMatchObject({ method: 'POST', path: '/a%20b?c=d', body: deliveryOf().body });
    expect(seen!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(deliveryOf().body)),
      host: `127.0.0.1:${to.port}`,
    });
    expect(seen!.headers['user-agent']).toMatch(/^Fleetwave\/\d/);
  });

  it('has the headers of the user, but those of the way there and of who sent it', async () => {
    const to = await receiver('accepts');
    const own = { 'X-Room': 'a b', Authorization: 'Basic abc', 'Content-Type': 'application/x' };
    const not = {
      Host: 'evil',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'upgrade',
      'Webhook-Id': 'msg_2',
      'webhook-signature': 'v1,abc',
      'x-lines': 'a\r\nb: c',
    };
    const headers = Object.entries({ ...own, ...not }).map(([header, value]) => ({
      header,
      value,
    }));
    await expect(sendTo(to.url(), { headers })).resolves.toMatchObject({ answer: 204 });
    expect(to.seen[0]!.headers).toMatchObject({
      'x-room': 'a b',
      authorization: 'Basic abc',
      'content-type': 'application/x',
      'webhook-id': 'msg_1',
      host: `127.0.0.1:${to.port}`,
    });
    const sent = Object.keys(to.seen[0]!.headers);
    expect(sent).not.toContain('webhook-signature');
    expect(sent).not.toContain('transfer-encoding');
    expect(sent).not.toContain('x-lines');
  });

  it('has the same id and body at each attempt, and the time of the attempt', async () => {
    const to = await receiver('fails');
    await sendTo(to.url());
    time.pass(5_500);
    await sendTo(to.url());
    const [first, second] = to.seen;
    expect(second).toMatchObject({ id: 'msg_1', sha256: first!.sha256 });
    const seconds = to.seen.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(seconds).toEqual([Date.UTC(2026, 2, 1) / 1_000, Date.UTC(2026, 2, 1) / 1_000 + 5]);
  });

  it.each([
    ['whsec_ and the key in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'],
    ['any text', 'correct horse / battery=staple', 'raw'],
    ['text that begins like a key', 'whsec_not base64!', 'raw'],
  ] as const)('is signed as Standard Webhooks has it with %s', async (_, secret, format) => {
    const to = await receiver('accepts');
    sender = newSender({ time: HOST_TIME });
    await sendTo(to.url(), { secret });
    const verifier = new Webhook(secret, format === 'raw' ? { format } : {});
    const { body, headers } = to.seen[0]!;
    const given = headers as Record<string, string>;
    expect(verifier.verify(body, given)).toEqual(JSON.parse(body));
    expect(() => verifier.verify(`${body} `, given)).toThrow('No matching signature');
    expect(() => verifier.verify(body, { ...given, 'webhook-id': 'msg_2' })).toThrow();
  });

  it('is made on the connections of its target, ten at most, which stay open', async () => {
    const to = await receiver('accepts');
    const deliveries = Array.from({ length: 40 }, (_, i) => deliveryOf({ id: `msg_${i}` }));
    await Promise.all(deliveries.map((each) => sender.send(each, routeTo(to.url()), UNCUT)));
    await sendTo(to.url());
    expect(to.seen).toHaveLength(41);
    expect(to.connections).toBeLessThanOrEqual(10);
    await sender.send(deliveryOf({ target: '2' }), routeTo(to.url()), UNCUT);
    const before = to.connections;
    await sender.forget('1');
    await sendTo(to.url());
    expect(to.connections).toBe(before + 1);
  });

  it('waits for no other target, even one at the same receiver', async () => {
    const accepts: Behave = (answer, { id }) =>
      void (id === 'msg_2' && answer.writeHead(204).end());
    const to = await receiver('hangs', { behaves: accepts });
    const hanging = Array.from({ length: 20 }, () => sendTo(to.url()));
    await to.hasSeen(10);
    const other = deliveryOf({ id: 'msg_2', target: '2' });
    await expect(sender.send(other, routeTo(to.url()), UNCUT)).resolves.toMatchObject({
      answer: 204,
    });
    await sender.close();
    await Promise.all(hanging);
    expect(to.seen).toHaveLength(11);
  });

  it('goes to the new URL once its target has another', async () => {
    const [old, fresh] = [await receiver('accepts'), await receiver('accepts')];
    await sendTo(old.url());
    await sendTo(fresh.url());
    await sendTo(fresh.url('/other'));
    expect([old.seen.length, fresh.seen.length]).toEqual([1, 2]);
    await expect.poll(() => old.connected).toBe(0);
    expect(fresh.connected).toBeGreaterThan(0);
  });
});

describe('an answer', () => {
  it.each([
    ['accepts', 204, 0, ''],
    ['accepts with words', 200, 0, 'Thank you.'],
    ['fails', 500, 0, 'Out of order.'],
    ['is unavailable for 120 s', 503, 120, ''],
    ['asks for 7 s', 429, 7, ''],
    ['asks for nonsense', 429, 0, ''],
    ['is gone', 410, 0, ''],
    ['knows nobody', 401, 0, 'Who are you?'],
  ] as const)('of a receiver that %s is %i', async (behaviour, answer, retryAfterS, says) => {
    const to = await receiver(behaviour);
    await expect(sendTo(to.url())).resolves.toEqual({ answer, retryAfterS, says });
  });

  it('may ask for a date', async () => {
    const to = await receiver('asks for a date');
    time.wall = Date.now();
    const { answer, retryAfterS } = await sendTo(to.url());
    expect(answer).toBe(429);
    // Dates have whole seconds.
    expect(retryAfterS).toBeGreaterThanOrEqual(88);
    expect(retryAfterS).toBeLessThanOrEqual(91);
  });

  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['99999999999', 99_999_999_999],
    ['Sun, 01 Mar 2026 00:02:00 GMT', 120],
    ['Sunday, 01-Mar-26 00:02:00 GMT', 120],
    ['Sun Mar  1 00:02:00 2026', 120],
    ['Sat, 28 Feb 2026 00:00:00 GMT', 0],
    ['', 0],
    ['-5', 0],
    ['1.5', 0],
    ['1e3', 0],
    ['2026-03-01T00:02:00Z', 0],
    ['Sun, 99 Mar 2026 00:02:00 GMT', 0],
  ])('that has Retry-After: %s asks for %i s', (given, seconds) => {
    expect(retryAfterS(given, Date.UTC(2026, 2, 1))).toBe(seconds);
  });

  it('may have a header twice: the first one holds', async () => {
    const behaves: Behave = ({ socket }) =>
      void socket!.end('HTTP/1.1 429 No\r\nRetry-After: 7\r\nRetry-After: 8\r\n\r\n');
    const to = await receiver('accepts', { behaves });
    await expect(sendTo(to.url())).resolves.toMatchObject({ answer: 429, retryAfterS: 7 });
  });

  it('is reported in 1 000 characters at most, and with no half of one', () => {
    expect(readable(`${'x'.repeat(999)}😀😀`)).toBe('x'.repeat(999));
    expect(readable(`${'x'.repeat(998)}😀😀`)).toBe(`${'x'.repeat(998)}😀`);
  });

  it.each(['redirects with 301', 'redirects with 307'] as const)(
    'that %s is final, and nothing is asked where it leads',
    async (behaviour) => {
      const elsewhere = await receiver('accepts');
      const to = await receiver(behaviour, { elsewhere: elsewhere.url('/secret') });
      const sent = await sendTo(to.url());
      expect(sent.answer).toBe(Number(behaviour.slice(-3)));
      expect(sent.says).toBe(`Not followed: ${elsewhere.url('/secret')}`);
      expect(elsewhere.connections).toBe(0);
    },
  );

  it('is reported as plain text on one line', async () => {
    const to = await receiver('answers with HTML');
    const { answer, says } = await sendTo(to.url());
    expect(answer).toBe(400);
    expect(says).toBe('<h1>No [31m!</h1> <script>alert(1)</script>');
  });

  it('gives away no secret that was sent', async () => {
    const to = await receiver('echoes');
    const headers = [
      { header: 'X-Api-Key', value: 'canary-1' },
      { header: 'X-Room', value: 'kitchen' },
    ];
    const { says } = await sendTo(to.url(), { headers, secret: 'canary-2' });
    expect(says).toContain('"x-api-key":"********"');
    expect(says).toContain('kitchen');
    expect(says).not.toContain('canary');
  });

  it('is read to 16 kB and no further, however much there is', async () => {
    const to = await receiver('answers with a flood');
    const { answer, says } = await sendTo(to.url());
    expect(answer).toBe(200);
    expect(says).toBe('x'.repeat(1_000));
    // What the system's buffers hold beside it.
    expect(to.flooded).toBeLessThan(20_000_000);
  });

  it.each(['hangs in its answer', 'drips its answer'] as const)(
    'that %s is its status, and what has come within two seconds',
    async (behaviour) => {
      const to = await receiver(behaviour);
      const sent = sendTo(to.url());
      await to.hasSeen(1);
      await saying();
      time.pass(2_000);
      await expect(sent).resolves.toMatchObject({ answer: 200 });
      expect((await sent).says).toMatch(/^(Half of|\.+)$/);
    },
  );

  it('that breaks off is its status as well', async () => {
    const to = await receiver('resets in its answer');
    await expect(sendTo(to.url())).resolves.toMatchObject({ answer: 200, says: 'Half of' });
  });

  /** The body of an answer is being read. */
  async function saying(): Promise<void> {
    await expect.poll(() => time.sleeps).toContain(2_000);
    // Turns of the loop as well as time: where it stood still, what is due is done first.
    for (let i = 0; i < 10; i++) await sleep(10);
  }
});

describe('no answer', () => {
  it.each(['hangs', 'drips its headers'] as const)(
    'of a receiver that %s is a time-out after 15 s',
    async (behaviour) => {
      const to = await receiver(behaviour);
      const sent = sendTo(to.url());
      await to.hasSeen(1);
      let isOver = false;
      void sent.then(() => {
        isOver = true;
      });
      time.pass(14_999);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(isOver).toBe(false);
      time.pass(1);
      await expect(sent).resolves.toEqual({
        answer: 'timeout',
        retryAfterS: 0,
        says: 'There was no answer within 15 s.',
      });
    },
  );

  it('breaks nothing here, whatever bytes come in its place', async () => {
    const part = fc.oneof(
      fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 ', 'HTTP/9.9 999', '\r\n', '\r\n\r\n', ': '),
      fc.constantFrom('content-length', 'transfer-encoding: chunked', 'retry-after', '__proto__'),
      fc.constantFrom('location', '0', '-1', '99999999999999999999', '7\r\nabc', '\0'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    let bytes = '';
    const behaves: Behave = ({ socket }) => void socket!.end(bytes);
    const to = await receiver('accepts', { behaves });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        bytes = parts.join('');
        const { answer, says } = await sendTo(to.url());
        expect(typeof answer === 'number' || answer === 'connection failed').toBe(true);
        expect(says.length).toBeLessThanOrEqual(1_000);
      }),
    );
  });

  it.each([
    ['hangs up', 'It hung up without an answer.'],
    ['resets', 'It hung up without an answer.'],
    ['has long headers', 'The headers of its answer are too long.'],
    ['speaks no HTTP', /^Its answer is not HTTP \(HPE_\w+\)\.$/],
  ] as const)('of a receiver that %s is a failed connection', async (behaviour, says) => {
    const to = await receiver(behaviour);
    const sent = await sendTo(to.url());
    expect(sent).toEqual({
      answer: 'connection failed',
      retryAfterS: 0,
      says: expect.stringMatching(says),
    });
  });

  it('is no attempt where nobody listens, until the receiver has started again', async () => {
    const to = await receiver('accepts');
    await sendTo(to.url());
    const [url, { port }] = [to.url(), to];
    await to.close();
    await expect(sendTo(url)).resolves.toEqual({
      answer: 'connection refused',
      retryAfterS: 0,
      says: 'Nobody listens there.',
      isUnsent: true,
    });
    await receiver('accepts', { port });
    await expect(sendTo(url)).resolves.toMatchObject({ answer: 204 });
  });

  it('is no attempt where the name is not known', async () => {
    sender = newSender({
      egress: new Egress({ toOwnMachine: true, allowed: [], resolve: namesOf({}).resolve }),
    });
    await expect(sendTo('http://nobody.test/')).resolves.toMatchObject({
      answer: 'connection refused',
      says: 'Its name is not known.',
      isUnsent: true,
    });
  });

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'http://a:b@127.0.0.1/', 'hooks', ''])(
    'comes of what is no URL of HTTP: %j',
    async (url) => {
      const says = 'It has no URL of HTTP.';
      await expect(sendTo(url)).resolves.toMatchObject({ answer: 'not possible', says });
    },
  );

  it('is waited for when the attempt is cut off, or all is closed', async () => {
    const to = await receiver('hangs');
    const cut = new AbortController();
    const first = sender.send(deliveryOf(), routeTo(to.url()), cut.signal);
    const second = sendTo(to.url());
    await to.hasSeen(2);
    cut.abort();
    await expect(first).resolves.toMatchObject({ answer: 'connection failed' });
    await sender.close();
    await expect(second).resolves.toMatchObject({ answer: 'connection failed' });
    await expect(sendTo(to.url())).resolves.toMatchObject({ answer: 'connection failed' });
    expect(to.seen).toHaveLength(2);
    expect(time.pending).toBe(0);
  });
});

describe('a receiver over TLS', () => {
  const YEAR_MS = 365 * 86_400_000;
  const NAMES = namesOf({ 'other.test': [['127.0.0.1']], localhost: [['127.0.0.1']] });
  const egress = new Egress({ toOwnMachine: true, allowed: [], resolve: NAMES.resolve });

  it('is trusted by the authorities that are given, under its own names', async () => {
    const tls = await certificatesFrom(new Date());
    const to = await receiver('accepts', { tls });
    sender = newSender({ egress, ca: [tls.ca] });
    await expect(sendTo(to.url())).resolves.toMatchObject({ answer: 204 });
    await expect(sendTo(to.url('/', 'localhost'))).resolves.toMatchObject({ answer: 204 });
    await expect(sendTo(to.url('/', 'other.test'))).resolves.toEqual({
      answer: 'connection refused',
      retryAfterS: 0,
      says: 'Its certificate is for other names.',
      isUnsent: true,
    });
    expect(to.seen).toHaveLength(2);
  });

  it.each([
    ['is of nobody who is trusted', 0, false, 'Who issued its certificate is not trusted.'],
    ['has expired', -2 * YEAR_MS, true, 'Its certificate has expired.'],
    ['is not valid yet', YEAR_MS, true, 'Its certificate is not valid yet.'],
  ] as const)('is sent nothing when its certificate %s', async (_, fromMs, isTrusted, says) => {
    const tls = await certificatesFrom(new Date(Date.now() + fromMs));
    const to = await receiver('accepts', { tls });
    sender = newSender({ egress, ca: isTrusted ? [tls.ca] : [] });
    await expect(sendTo(to.url())).resolves.toEqual({
      answer: 'connection refused',
      retryAfterS: 0,
      says,
      isUnsent: true,
    });
    expect(to.seen).toHaveLength(0);
  });

  it('is sent nothing when it issued its certificate itself, unless that is trusted', async () => {
    const tls = await selfSigned(new Date(Date.now() - 60_000));
    const to = await receiver('accepts', { tls });
    await expect(sendTo(to.url())).resolves.toMatchObject({
      answer: 'connection refused',
      says: 'Who issued its certificate is not trusted.',
      isUnsent: true,
    });
    expect(to.seen).toHaveLength(0);
    sender = newSender({ egress, ca: [tls.cert] });
    await expect(sendTo(to.url())).resolves.toMatchObject({ answer: 204 });
  });

  it('is sent nothing when it does not speak TLS', async () => {
    const to = await receiver('accepts');
    await expect(sendTo(`https://127.0.0.1:${to.port}/`)).resolves.toMatchObject({
      answer: 'connection refused',
      says: 'It does not speak TLS, or none that is safe.',
      isUnsent: true,
    });
    expect(to.seen).toHaveLength(0);
  });
});
