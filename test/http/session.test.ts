/**
 * A request that changes the world is an entry of the timeline: what is asked over REST and what a
 * scenario file says at the same instants come to the same world.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { toBase64 } from '../../sim/base/bytes.ts';
import { IS_LONG, someRuns } from '../support/long.ts';
import { runText } from '../support/sessions.ts';
import { casesOf, requestOf } from './fuzz/cases.ts';
import { type Answer, FLEET_FILE, type Fleet, makeFleet, NAMES, type Name } from './fuzz/fleet.ts';
import { devicesOf, poolsOf, restock } from './fuzz/pools.ts';

const FLEET = readFileSync(FLEET_FILE, 'utf8');
const HOUR = 3_600;

/** Asks over REST, and writes what it asked as the entries of a timeline. */
class Scribe {
  readonly fleet: Fleet;
  readonly entries: object[] = [];
  #now = 0;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  async wait(seconds: number): Promise<void> {
    await this.fleet.advance(seconds);
    this.#now += seconds;
  }

  /** `status`: what is expected. */
  async send(
    by: Name,
    [method, path, body]: readonly [string, string, unknown?],
    command: object,
    status: number,
  ): Promise<Answer> {
    const answer = await this.fleet.send(by, method, `/api/v3.2${path}`, body ?? {});
    return this.#noted(by, answer, command, status);
  }

  async upload(by: Name, name: string, bytes: Uint8Array, status: number): Promise<Answer> {
    const answer = await this.fleet.upload(by, name, bytes);
    const command = { kind: 'image.create', name, bytes: toBase64(bytes) };
    return this.#noted(by, answer, command, status);
  }

  #noted(by: Name, answer: Answer, command: object, status: number): Answer {
    expect(answer.statusCode, answer.body).toBe(status);
    this.entries.push({ at: `${this.#now} s`, command: { ...command, by } });
    return answer;
  }

  /** The scenario file of the fleet, with all that was asked. */
  get file(): string {
    const own = FLEET.replace(/^duration: .*$/m, `duration: ${this.#now} s`);
    return `${own}\n${stringify({ timeline: this.entries }, { aliasDuplicateObjects: false })}`;
  }
}

/** A campaign of each subscriber, one halted, one restarted, and refusals of several kinds. */
async function day(scribe: Scribe): Promise<void> {
  await scribe.wait(HOUR);
  for (const by of NAMES) {
    const image_name = `${by}-3.1.0.bin`;
    const devices = devicesOf(scribe.fleet, by).slice(0, 3);
    await scribe.upload(by, image_name, Buffer.alloc(350, by), 201);
    await scribe.upload(by, image_name, Buffer.alloc(9), 409);
    const tags = ['spring', `${by}/a`];
    await scribe.send(
      by,
      ['PUT', `/images/tags/${image_name}`, tags],
      { kind: 'image.replaceTags', name: image_name, tags },
      200,
    );
    const group = { name: 'three', devices };
    const created = { kind: 'deviceGroup.create', group };
    const { device_group_id } = (
      await scribe.send(by, ['POST', '/device_groups', group], created, 200)
    ).json<Record<string, string>>();
    await scribe.wait(61.000001);
    const campaign = { name: 'up', image_name, device_group_id, min_downlink_delay: 1 };
    const begun = { kind: 'campaign.create', campaign };
    const { campaign_id } = (
      await scribe.send(by, ['POST', '/campaigns', campaign], begun, 202)
    ).json<Record<string, string>>();
    await scribe.send(
      by,
      ['DELETE', `/images/${image_name}`],
      { kind: 'image.delete', name: image_name },
      409,
    );
    await scribe.wait(600);
    const halted = { kind: 'campaign.halt', campaign_id };
    await scribe.send(by, ['POST', `/campaigns/${campaign_id}/halt`], halted, 204);
    await scribe.send(by, ['POST', `/campaigns/${campaign_id}/halt`], halted, 409);
    const nobody = { kind: 'campaign.halt', campaign_id: 'nobody' };
    await scribe.send(by, ['POST', '/campaigns/nobody/halt'], nobody, 404);
    await scribe.wait(0.5);
    const again = { kind: 'campaign.restart', campaign_id, changes: { redundancy: 0.25 } };
    const restart = ['POST', `/campaigns/${campaign_id}/restart`, { redundancy: 0.25 }] as const;
    await scribe.send(by, restart, again, 202);
    await scribe.wait(5 * HOUR);
  }
}

describe('a request that changes the world is an entry of the timeline', () => {
  it('commands of a file, and the same over REST, come to the same outcome', async () => {
    const fleet = await makeFleet();
    const scribe = new Scribe(fleet);
    await day(scribe);
    const run = runText(scribe.file);
    expect(run.digest()).toEqual(fleet.served.digest());
    expect(run.events).toBe(fleet.served.events);
    const other = runText(scribe.file.replace('redundancy: 0.25', 'redundancy: 0.5'));
    expect(other.digest().outcome).not.toBe(run.digest().outcome);
    await fleet.close();
  });

  it('a random session produces the same outcome when its file is run', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const fleet = await makeFleet();
        await randomSession(fleet, seed, statuses);
        const session = await fleet.get('ann', '/sim/v1/session.yaml');
        expect(session.headers['content-type']).toBe('application/yaml; charset=utf-8');
        const run = runText(session.body);
        expect(run.digest()).toEqual(fleet.served.digest());
        expect(run.events).toBe(fleet.served.events);
        await fleet.close();
      }),
      { numRuns: someRuns(3) },
    );
    for (const status of IS_LONG ? [200, 201, 202, 204, 400, 404, 409] : [200, 204, 400, 404]) {
      expect([...statuses]).toContain(status);
    }
  });
});

const REQUESTS = IS_LONG ? 150 : 60;

/** Requests of all kinds that change something, right ones as a rule, between advances. */
async function randomSession(fleet: Fleet, seed: number, statuses: Set<number>): Promise<void> {
  await fleet.advance(600);
  let pools = await restock(fleet, 0);
  const changing = fleet.operations.filter(
    ({ method, path }) => method !== 'GET' && /^\/(api|v1)\//.test(path),
  );
  const cases = fc.sample(fc.oneof(...changing.map(casesOf)), { seed, numRuns: REQUESTS });
  for (const [i, given] of cases.entries()) {
    const { statusCode } = await fleet.ask(requestOf(given, pools, fleet.parts.tokens[given.as]));
    statuses.add(statusCode);
    if (i % 10 > 0) continue;
    await fleet.advance((given.nth % 900_000_001) / 1e6);
    pools = i % 50 === 0 ? await restock(fleet, i) : await poolsOf(fleet);
  }
  await fleet.advance(HOUR);
}
