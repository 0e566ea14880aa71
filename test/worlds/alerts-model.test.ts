/**
 * Destinations, credentials, alerts, gateways and faults in any order, by two subscribers: each
 * command is answered as a model of plain lists has it, lists tell what the model has, page by
 * page; and a world that is saved, forked or replayed is the same to the last byte.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import {
  type Alert,
  AlertsModel,
  belong,
  CREDENTIAL_TYPES,
  type CredentialType,
  DESTINATION_TYPES,
  type DestinationType,
  type Outcome,
} from '../support/alerts-model.ts';
import { someRuns } from '../support/long.ts';
import { eui, HOUR_US, MINUTE_US, networkOf } from '../support/small-network.ts';
import { throughBytes } from '../support/worlds.ts';

const GATEWAYS = [1, 2, 3, 4].map((number) => eui('06', number));
const OWNERS = ['ann', 'bob'] as const;
const ownerAt = (i: number) => OWNERS[i === 3 ? 1 : 0];
const NEVER = '00000000-0000-4000-8000-000000000000';

const owners = {
  devices: [],
  gateways: GATEWAYS.map((each, i) => [each, ownerAt(i)] as const),
};
const network = networkOf({ gatewaysAt: [100, 200, 300, 400], traffic: { process: 'none' } });
const plan = {
  name: 'x',
  description: '',
  durationUs: 100 * HOUR_US,
  network,
  timeline: [],
  owners,
};

const DATA = {
  webhook: { url: 'https://x.example/' },
  mqtt: { host: 'broker', topic: 't' },
  cloud_b_iot_hub: { host: 'h.example.net' },
} as const;
const SECRETS = {
  basic_auth: { username: 'ann', password: 'x' },
  client_credentials: { token_url: 'https://x.example', client_id: 'a', client_secret: 'x' },
  cloud_b_shared_access_policy: { policy_name: 'a', key: 'x' },
} as const;

const step = fc.record({
  what: fc.constantFrom(
    ...(['newCredentials', 'credentials', 'credentials', 'credentials', 'noCredentials'] as const),
    ...(['newDestination', 'newDestination', 'destination', 'noDestination'] as const),
    ...(['newAlert', 'newAlert', 'alert', 'noAlert', 'add', 'add', 'remove', 'remove'] as const),
    ...(['addOne', 'removeOne', 'removeGateway', 'createGateway'] as const),
    ...(['down', 'down', 'down', 'down', 'up', 'up'] as const),
    ...(['save', 'fork'] as const),
  ),
  /** Which of those that there are or were is meant, whose, and in what way. */
  pick: fc.nat(),
  more: fc.array(fc.nat(), { maxLength: 3 }),
  by: fc.constantFrom('ann', 'ann', 'bob'),
  minutes: fc.constantFrom(0, 0, 0, 1, 20, 20),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

const at = <T>(all: readonly T[], pick: number): T => all[pick % all.length]!;

class Driven {
  world: World = World.create(plan, 'x', this.#options);
  readonly model = new AlertsModel(owners.gateways);
  readonly log: TimedCommand[] = [];
  readonly emitted: string[] = [];
  readonly outcomes = new Map<string, number>();
  /** Ids that there are or were. */
  readonly #ids = { credentials: [NEVER], destination: [NEVER], alert: [NEVER] };

  get #options() {
    return {
      effects: (effect: { readonly kind: string }) => {
        this.emitted.push(JSON.stringify(effect));
      },
    };
  }

  carryOut(given: Step): void {
    const { what, minutes } = given;
    this.world.runUntil(this.world.nowUs + minutes * MINUTE_US);
    if (what === 'fork') this.world = this.world.fork(this.#options);
    if (what === 'save') {
      const bytes = throughBytes(this.world.snapshot());
      this.world = World.restore(plan, 'x', bytes, this.#options);
    }
    if (what !== 'fork' && what !== 'save') this.#command(given);
  }

  /** Submits a command; the model says what becomes of it. */
  #try(command: Command, expected: Outcome): { readonly id: string } | undefined {
    this.log.push({ atUs: this.world.nowUs, command });
    const answer = this.world.submit(command) as {
      readonly ok: boolean;
      readonly value: { readonly id: string };
      readonly failure: { readonly code: string };
    };
    const outcome = answer.ok ? '' : answer.failure.code;
    expect(`${command.kind} ${outcome}`).toBe(`${command.kind} ${expected}`);
    this.outcomes.set(expected, (this.outcomes.get(expected) ?? 0) + 1);
    return answer.ok ? answer.value : undefined;
  }

  #command({ what, pick, more, by }: Step): void {
    const { model } = this;
    if (what === 'down' || what === 'up') {
      const gateway = at(GATEWAYS, pick);
      const command = { kind: 'gateway.fault', eui: gateway, fault: 'backhaul', by } as const;
      const isHis = model.gateways.get(gateway) === by;
      this.#try({ ...command, on: what === 'down' }, isHis ? '' : 'gateway.unknown');
    } else if (what === 'removeGateway' || what === 'createGateway') {
      this.#gateway(what, at(GATEWAYS, pick), by);
    } else if (/redentials$/.test(what)) this.#credentials(what, pick, more, by);
    else if (/estination$/.test(what)) this.#destination(what, pick, more, by);
    else if (/lert$/.test(what)) this.#alert(what, pick, more, by);
    else this.#members(what, pick, more, by);
  }

  #gateway(what: 'removeGateway' | 'createGateway', gateway: string, by: string): void {
    if (what === 'removeGateway') {
      const expected = this.model.removeGateway(by, gateway);
      this.#try({ kind: 'gateway.remove', eui: gateway, by }, expected);
    } else {
      const expected = this.model.createGateway(by, gateway);
      this.#try({ kind: 'gateway.create', gateway: { eui: gateway }, by }, expected);
    }
  }

  #credentials(what: string, pick: number, more: readonly number[], by: string): void {
    const type: CredentialType = at(CREDENTIAL_TYPES, more[0] ?? 0);
    const name = `c${pick % 5}`;
    const credentials = { name, type, data: SECRETS[type] };
    const used = this.model.destinations.flatMap((each) => each.credentials ?? []);
    const isLikely = what === 'credentials' && pick % 3 > 0 && used.length > 0;
    const credentials_id = at(isLikely ? used : this.#ids.credentials, pick);
    if (what === 'newCredentials') {
      const { id } = this.#try({ kind: 'credentials.create', credentials, by }, '')!;
      this.model.credentials.push({ by, id, name, type });
      this.#ids.credentials.push(id);
    } else if (what === 'noCredentials') {
      const expected = this.model.deleteCredentials(by, credentials_id);
      this.#try({ kind: 'credentials.delete', credentials_id, by }, expected);
    } else {
      const expected = this.model.replaceCredentials(by, credentials_id, name, type);
      this.#try({ kind: 'credentials.replace', credentials_id, credentials, by }, expected);
    }
  }

  #destination(what: string, pick: number, more: readonly number[], by: string): void {
    const destination_id = at(this.#ids.destination, pick);
    if (what === 'noDestination') {
      const expected = this.model.deleteDestination(by, destination_id);
      this.#try({ kind: 'destination.delete', destination_id, by }, expected);
      return;
    }
    const type: DestinationType = at(DESTINATION_TYPES, more[0] ?? 0);
    const fitting = this.model.credentials.filter(
      (each) => each.by === by && belong(type, each.type),
    );
    const any =
      pick % 5 === 0 || fitting.length === 0 ? this.#ids.credentials : fitting.map(({ id }) => id);
    const credentials = more[1] === undefined ? null : at(any, more[1]);
    const [name, enabled] = [`d${pick % 5}`, pick % 2 === 0];
    const data: object = DATA[type];
    const destination = { name, type, enabled, credentials_id: credentials, data };
    if (what === 'destination') {
      const next = { name, type, enabled, credentials };
      const expected = this.model.replaceDestination(by, destination_id, next);
      this.#try({ kind: 'destination.replace', destination_id, destination, by }, expected);
      return;
    }
    const expected = this.model.mayBe(by, type, credentials);
    const created = this.#try({ kind: 'destination.create', destination, by }, expected);
    if (created === undefined) return;
    this.model.destinations.push({ by, id: created.id, name, type, enabled, credentials });
    this.#ids.destination.push(created.id);
  }

  #alert(what: string, pick: number, more: readonly number[], by: string): void {
    const alert_id = this.#alertId(pick, by);
    if (what === 'noAlert') {
      const expected = this.model.deleteAlert(by, alert_id);
      this.#try({ kind: 'alert.delete', alert_id, by }, expected);
      return;
    }
    const near = pick % 5 === 0 ? GATEWAYS : GATEWAYS.filter((_, i) => ownerAt(i) === by);
    const nodes = more.map((each) => at(near, each));
    const mine = this.model.destinations.filter((each) => each.by === by).map(({ id }) => id);
    const any = pick % 7 === 0 || mine.length === 0 ? this.#ids.destination : mine;
    const destinations = [...more, pick].slice(0, pick % 4).map((each) => at(any, each));
    const [name, type] = [`a${pick % 5}`, 'gateway_connectivity' as const];
    const data = { node_ids: nodes };
    const alert = { name, type, data, destination_ids: destinations };
    if (what === 'alert') {
      const expected = this.model.replaceAlert(by, alert_id, name, nodes, destinations);
      this.#try({ kind: 'alert.replace', alert_id, alert, by }, expected);
      return;
    }
    const expected = this.model.mayAlert(by, nodes, destinations);
    const created = this.#try({ kind: 'alert.create', alert, by }, expected);
    if (created === undefined) return;
    const stored: Alert = { by, id: created.id, name, type, nodes: [], destinations: [] };
    this.model.alerts.push(stored);
    this.model.replaceAlert(by, created.id, name, nodes, destinations);
    this.#ids.alert.push(created.id);
  }

  /** Mostly of one that is his. */
  #alertId(pick: number, by: string): string {
    const his = this.model.alerts.filter((each) => each.by === by).map(({ id }) => id);
    return at(pick % 4 === 0 || his.length === 0 ? this.#ids.alert : his, pick);
  }

  #members(what: string, pick: number, more: readonly number[], by: string): void {
    const alert_id = this.#alertId(pick, by);
    const his = pick % 4 === 0 ? GATEWAYS : GATEWAYS.filter((_, i) => ownerAt(i) === by);
    const node_id = at(his, pick >> 3);
    const node_ids = more.map((each) => at(his, each));
    if (what === 'addOne') {
      const expected = this.model.add(by, alert_id, [node_id]);
      this.#try({ kind: 'alert.addGateway', alert_id, node_id, by }, expected);
    } else if (what === 'removeOne') {
      const expected = this.model.remove(by, alert_id, [node_id]);
      this.#try({ kind: 'alert.removeGateway', alert_id, node_id, by }, expected);
    } else if (what === 'add') {
      const expected = this.model.add(by, alert_id, node_ids);
      this.#try({ kind: 'alert.addGateways', alert_id, node_ids, by }, expected);
    } else {
      const expected = this.model.remove(by, alert_id, node_ids);
      this.#try({ kind: 'alert.removeGateways', alert_id, node_ids, by }, expected);
    }
  }

  /** All that a list reports, in pages of two. */
  listed(kind: 'credentials.list' | 'destination.list' | 'alert.list', by: string): Response[] {
    const reports: Response[] = [];
    for (let page_token = ''; ; ) {
      const answer = this.world.ask({ kind, limit: 2, page_token, by });
      if (!answer.ok) throw new Error(answer.failure.message);
      const { data, meta } = answer.value as {
        readonly data: readonly Response[];
        readonly meta: { readonly more: boolean; readonly next_page_token: string | null };
      };
      reports.push(...data);
      expect(meta.next_page_token === null).toBe(!meta.more);
      if (!meta.more) return reports;
      page_token = meta.next_page_token!;
    }
  }
}

interface Response {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly type: string;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

/** Lists tell what the model has. */
function compare(driven: Driven): void {
  const { model } = driven;
  for (const by of OWNERS) {
    const his = <T extends { readonly by: string; readonly id: string }>(all: readonly T[]) =>
      all.filter((each) => each.by === by).sort(byId);
    expect(driven.listed('credentials.list', by)).toMatchObject(
      his(model.credentials).map(({ id, name, type }) => ({ id, owner_id: by, name, type })),
    );
    expect(driven.listed('destination.list', by)).toMatchObject(
      his(model.destinations).map(({ id, name, type, enabled, credentials }) => ({
        id,
        owner_id: by,
        name,
        type,
        enabled,
        credentials_id: credentials,
      })),
    );
    expect(driven.listed('alert.list', by)).toEqual(
      his(model.alerts).map(({ id, name, type, nodes, destinations }) => ({
        id,
        owner_id: by,
        name,
        type,
        data: { node_ids: nodes },
        destination_ids: destinations,
      })),
    );
  }
}

describe('destinations, credentials and alerts', () => {
  it('are as a model of plain lists has them, and the same in every way to carry them out', () => {
    const seen = new Map<string, number>();
    let reportedCount = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 120 }), (steps) => {
        const driven = new Driven();
        for (const [i, each] of steps.entries()) {
          driven.carryOut(each);
          if (i % 8 === 0) compare(driven);
        }
        driven.world.runUntil(driven.world.nowUs + HOUR_US);
        compare(driven);
        // Replayed without a break, without anybody listening or asking.
        const replayed: World = World.create(plan, 'x');
        for (const { atUs, command } of driven.log) {
          replayed.runUntil(atUs);
          replayed.submit(command);
        }
        replayed.runUntil(driven.world.nowUs);
        expect(replayed.digest()).toEqual(driven.world.digest());
        expect(replayed.toBytes()).toEqual(driven.world.toBytes());
        for (const [outcome, count] of driven.outcomes) {
          seen.set(outcome, (seen.get(outcome) ?? 0) + count);
        }
        reportedCount += driven.emitted.filter((each) => each.includes('"emitted"')).length;
      }),
      { numRuns: someRuns(60, 8) },
    );
    const outcomes = [
      '',
      'credentials.unknown',
      'credentials.in-use',
      'destination.unknown',
      'destination.credentials',
      'alert.destinations',
      'alert.unknown-gateway',
      'alert.unknown-destination',
      'alert.unknown',
      'alert.gateways',
      'alert.has-gateway',
      'alert.no-gateway',
      'gateway.unknown',
    ];
    for (const outcome of outcomes) expect([outcome, seen.has(outcome)]).toEqual([outcome, true]);
    expect(reportedCount).toBeGreaterThan(0);
  });
});
