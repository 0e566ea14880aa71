/** Paused, from one start and one seed: the same requests are answered with the same bytes. */
import { describe, expect, it } from 'vitest';
import { itLong } from '../support/long.ts';
import { type Answer, SERVICE, ServedEntry, TOWN } from '../support/served-http.ts';

const BOUNDARY = 'a-boundary';

function imageBody(
  name: string,
  content: string,
): { headers: Record<string, string>; body: string } {
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body:
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="${name}"\r\n` +
      `Content-Type: application/octet-stream\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
  };
}

/** Headers that are the connection's. */
const OF_CONNECTIONS = /^(connection|keep-alive|transfer-encoding)$/;

const bytesOf = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_CONNECTIONS.test(name)),
  ),
  text,
});

type Ask = (method: string, path: string, asked?: object) => Promise<unknown>;

interface Ways {
  /** Asked after each request. */
  readonly between?: (entry: ServedEntry) => Promise<void>;
  readonly advance?: (entry: ServedEntry, seconds: number) => Promise<void>;
}

/** All answers of one day: each request may use what the ones before it answered. */
async function dayOf({ between, advance = inOneStep }: Ways = {}, options: object = {}) {
  const entry = await ServedEntry.open(TOWN, options);
  try {
    const answers: object[] = [];
    const ask: Ask = async (method, path, asked) => {
      const answer = await entry.service(method, path, asked);
      answers.push({ asked: `${method} ${path}`, ...bytesOf(answer) });
      await between?.(entry);
      return answer.body;
    };
    const devices = await entry.devEuisOf('meter');
    await advance(entry, 600);
    await ask('POST', '/images', imageBody('meter-2.0.0.bin', 'new firmware'));
    await ask('PUT', '/images/tags/meter-2.0.0.bin', { body: ['b', 'a'] });
    const group = await ask('POST', '/device_groups', { body: { name: 'all', devices } });
    const { device_group_id } = group as { device_group_id: string };
    await ask('POST', '/device_groups', { body: { name: 'none', devices: [] } });
    const campaign = { name: 'spring', image_name: 'meter-2.0.0.bin', device_group_id };
    const created = await ask('POST', '/campaigns', { body: campaign });
    const { campaign_id } = created as { campaign_id: string };
    await ask('POST', '/upgrade_delegation', {
      body: {
        delegate_to: 'bob',
        expires_at: '2026-04-01T00:00:00Z',
        include_devices: devices,
      },
    });
    const job = { name: 'ping', downlink_hex: '01', downlink_fport: 5, device_group_id };
    const expected = { expected_uplink_hex: '01', expected_uplink_fport: 5 };
    await ask('POST', '/reliable_downlinks', { body: { ...job, ...expected } });
    for (let step = 0; step < 8; step++) {
      await advance(entry, 450);
      await ask('GET', `/campaigns/${campaign_id}`);
      await ask('GET', `/campaigns/${campaign_id}/short-status`);
    }
    await ask('POST', `/campaigns/${campaign_id}/halt`);
    await ask('POST', `/campaigns/${campaign_id}/restart`, { body: { redundancy: 1 } });
    await advance(entry, 3_600);
    const lists = ['/campaigns', '/history', '/device_version/all', '/upgrade_delegation'];
    for (const path of [...lists, '/reliable_downlinks']) {
      await ask('GET', path);
    }
    const { body: subscriber } = await entry.ask('POST', '/sim/v1/subscribers', {
      body: { name: 'dora' },
    });
    const { client_secret: _, password: __, ...response } = subscriber as Record<string, unknown>;
    answers.push(response);
    const session = await entry.ask('GET', '/sim/v1/session.yaml');
    // What secrets are verified by is drawn with them.
    const text = session.text.replaceAll(/(?<=Verifier: )[0-9A-F]{64}/g, 'DRAWN');
    expect(text).not.toBe(session.text);
    answers.push({ ...bytesOf(session), text });
    return answers;
  } finally {
    await entry.close();
  }
}

async function inOneStep(entry: ServedEntry, seconds: number): Promise<void> {
  await entry.advance(seconds);
}

/** By jobs that nobody waits for, in steps that nothing falls together with, and to an instant. */
async function byJobs(entry: ServedEntry, seconds: number): Promise<void> {
  const now = async () =>
    Date.parse(((await entry.ask('GET', '/sim/v1/clock')).body as { now: string }).now);
  const end = new Date((await now()) + seconds * 1000).toISOString();
  await entry.advance(0);
  await entry.advance(seconds / 7);
  for (const body of [{ by: 1.234567 }, { to: end }]) {
    const headers = { prefer: 'respond-async' };
    const job = await entry.ask('POST', '/sim/v1/clock:advance', { headers, body });
    expect(job.status).toBe(202);
    expect(job.headers['preference-applied']).toBe('respond-async');
    for (;;) {
      const { body: state } = await entry.ask('GET', String(job.headers.location));
      if ((state as { state: string }).state !== 'running') break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** What a day has whose requests stand alone; it is lived once. */
let plain: ReturnType<typeof dayOf> | undefined;
const plainDay = () => (plain ??= dayOf());

describe('the same requests', () => {
  it('have the same bytes: ids, instants and the session among them', async () => {
    const [one, other] = [await dayOf(), await dayOf()];
    expect(one.length).toBeGreaterThan(25);
    expect(other).toEqual(one);
  });

  itLong('have other bytes with another seed', async () => {
    expect(await dayOf({}, { seed: 'another' })).not.toEqual(await plainDay());
  });

  it('have the same bytes when hundreds of questions are asked in between', async () => {
    let asked = 0;
    const between = async (entry: ServedEntry) => {
      const paths = ['campaigns', 'device_groups', 'images', 'history', 'device_version/all'];
      for (const path of [...paths, 'images/tags', 'images/tags/meter-2.0.0.bin']) {
        await entry.ask('GET', `${SERVICE}/${path}`);
        await entry.ask('HEAD', `/api/latest/${path}`, { token: await entry.tokenOf('bob') });
        asked++;
      }
      await entry.ask('GET', '/sim/v1/session.yaml');
      // Many times as much as all others.
      if (asked % 5 === 0) await entry.ask('GET', '/openapi.json');
    };
    expect(await dayOf({ between })).toEqual(await plainDay());
    expect(asked).toBeGreaterThan(180);
  });

  it('have the same bytes however the clock is advanced', async () => {
    expect(await dayOf({ advance: byJobs })).toEqual(await plainDay());
  });

  itLong('have the same bytes when what is refused is asked in between', async () => {
    const between = async (entry: ServedEntry) => {
      await entry.service('POST', '/device_groups', { body: { name: 'x', devices: ['FF'] } });
      await entry.service('POST', '/campaigns', { body: '{"broken' });
      await entry.service('DELETE', '/images/never.bin');
      await entry.service('GET', '/campaigns', { token: 'garbage' });
      await entry.service('GET', '/campaigns', { token: await entry.tokenOf('ann', 'User.Read') });
      await entry.ask('POST', '/sim/v1/clock:advance', { body: { by: -1 } });
    };
    const withoutSession = (answers: object[]) => answers.slice(0, -1);
    expect(withoutSession(await dayOf({ between }))).toEqual(withoutSession(await dayOf()));
  });
});
