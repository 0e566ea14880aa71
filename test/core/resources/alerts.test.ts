/**
 * Output alerts (data delivery): rows 130 to 138. When something is reported: alert-events.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, NORTH, SOUTH, type Subscriber, service } from './service.ts';

const EAST = 'AA0000000000000F';
const NEVER_NODE = 'AA000000000000FF';
const NEVER = '00000000-0000-4000-8000-000000000000';

const toward = (us: Subscriber): string =>
  us.do({
    kind: 'destination.create',
    destination: { name: 'desk', type: 'webhook', data: { url: 'https://x.example/' } },
  }).id;

const withGateways = (): Subscriber => service({ gateways: [NORTH, SOUTH, EAST] });

interface AlertGiven {
  readonly name: string;
  readonly type: 'gateway_connectivity';
  readonly data: { readonly node_ids: readonly string[] };
  readonly destination_ids: readonly string[];
}

const alertOf = (
  node_ids: readonly string[],
  destination_ids: readonly string[],
  more: object = {},
): AlertGiven => ({
  name: 'roof',
  type: 'gateway_connectivity',
  data: { node_ids },
  destination_ids,
  ...more,
});

const createNew = (us: Subscriber, ...node_ids: string[]): string =>
  us.do({ kind: 'alert.create', alert: alertOf(node_ids, [toward(us)]) }).id;
const read = (us: Subscriber, alert_id: string) => us.ask({ kind: 'alert.get', alert_id });
const nodesOf = (us: Subscriber, alert_id: string) => read(us, alert_id).data.node_ids;
const savedOf = ({ bench }: Subscriber) => JSON.stringify(bench.platform.save());

const add = (alert_id: string, node_id: string) =>
  ({ kind: 'alert.addGateway', alert_id, node_id }) as const;
const remove = (alert_id: string, node_id: string) =>
  ({ kind: 'alert.removeGateway', alert_id, node_id }) as const;
const batchAdd = (alert_id: string, node_ids: readonly string[]) =>
  ({ kind: 'alert.addGateways', alert_id, node_ids }) as const;
const batchRemove = (alert_id: string, node_ids: readonly string[]) =>
  ({ kind: 'alert.removeGateways', alert_id, node_ids }) as const;

describe('an alert', () => {
  it('alert.create and get: is answered as it is reported, its NodeIds and ids in their case', () => {
    const us = withGateways();
    const [one, other] = [toward(us), toward(us)] as const;
    const alert = alertOf([EAST.toLowerCase(), NORTH], [other.toUpperCase(), one]);
    const answer = us.do({ kind: 'alert.create', alert });
    expect(answer).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      owner_id: 'default',
      name: 'roof',
      type: 'gateway_connectivity',
      data: { node_ids: [EAST, NORTH] },
      destination_ids: [other, one],
    });
    expect(read(us, answer.id.toUpperCase())).toEqual(answer);
  });

  it('alert.create: keeps each gateway and destination once', () => {
    const us = withGateways();
    const to = toward(us);
    const alert = alertOf([SOUTH, NORTH, SOUTH.toLowerCase()], [to, to.toUpperCase()]);
    const answer = us.do({ kind: 'alert.create', alert });
    expect(answer.data.node_ids).toEqual([SOUTH, NORTH]);
    expect(answer.destination_ids).toEqual([to]);
  });

  it('alert.create: may monitor nothing at first', () => {
    const us = withGateways();
    const id = createNew(us);
    expect(nodesOf(us, id)).toEqual([]);
    expect(us.do(add(id, NORTH)).data.node_ids).toEqual([NORTH]);
  });

  it('alert.list: is listed in the order of ids, page by page', () => {
    const us = withGateways();
    const ids = [NORTH, SOUTH, EAST].map((each) => createNew(us, each)).sort();
    const list = { kind: 'alert.list' } as const;
    expect(us.ask(list)).toEqual({
      data: ids.map((id) => read(us, id)),
      meta: { more: false, next_page_token: null },
    });
    const first = us.ask({ ...list, limit: 1 });
    const page_token = first.meta.next_page_token!;
    expect(us.ask({ ...list, page_token }).data.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(us.refusedQuery({ ...list, page_token: 'x' })).toBe('alert.page');
    expect(us.refusedQuery({ kind: 'destination.list', page_token })).toBe('destination.page');
  });

  it('alert.replace: is replaced whole', () => {
    const us = withGateways();
    const id = createNew(us, NORTH, SOUTH);
    const to = toward(us);
    const alert = alertOf([SOUTH, EAST], [to], { name: 'cellar' });
    const answer = us.do({ kind: 'alert.replace', alert_id: id, alert });
    expect(answer).toEqual(read(us, id));
    expect(answer).toMatchObject({ id, name: 'cellar', destination_ids: [to] });
    expect(answer.data.node_ids).toEqual([SOUTH, EAST]);
  });

  it('alert.delete: is deleted for good; its destinations stay', () => {
    const us = withGateways();
    const id = createNew(us, NORTH);
    const { destination_ids } = read(us, id);
    us.do({ kind: 'alert.delete', alert_id: id });
    expect(us.refusedQuery({ kind: 'alert.get', alert_id: id })).toBe('alert.unknown');
    expect(us.refused({ kind: 'alert.delete', alert_id: id })).toBe('alert.unknown');
    const [destination_id] = destination_ids as [string];
    expect(us.try({ kind: 'destination.delete', destination_id }).ok).toBe(true);
  });

  it('destination.delete: may end without destinations; another PUT needs one again', () => {
    const us = withGateways();
    const id = createNew(us, NORTH);
    const [destination_id] = read(us, id).destination_ids as [string];
    us.do({ kind: 'destination.delete', destination_id });
    expect(read(us, id)).toMatchObject({ destination_ids: [], data: { node_ids: [NORTH] } });
    const { name, type, data, destination_ids } = read(us, id);
    const alert = { name, type, data, destination_ids } as AlertGiven;
    const back = { kind: 'alert.replace', alert_id: id, alert } as const;
    const { code, path } = failureOf(us.try(back));
    expect([code, path]).toEqual(['alert.destinations', '/destination_ids']);
    const again = { ...alert, destination_ids: [toward(us)] };
    expect(us.try({ ...back, alert: again }).ok).toBe(true);
  });

  it('loses a gateway that is removed, as do all others', () => {
    const us = withGateways();
    const ids = [createNew(us, NORTH, SOUTH), createNew(us, SOUTH, EAST), createNew(us, SOUTH)];
    us.do({ kind: 'gateway.remove', eui: SOUTH });
    expect(ids.map((id) => nodesOf(us, id))).toEqual([[NORTH], [EAST], []]);
    us.do({ kind: 'gateway.create', gateway: { eui: SOUTH } });
    expect(ids.map((id) => nodesOf(us, id))).toEqual([[NORTH], [EAST], []]);
  });
});

describe('the gateways of an alert', () => {
  it('alert.addGateway: are one more; gatewayTwice: 409 for one that is on it', () => {
    const us = withGateways();
    const id = createNew(us, NORTH);
    expect(us.do(add(id, SOUTH.toLowerCase())).data.node_ids).toEqual([NORTH, SOUTH]);
    const failure = failureOf(us.try(add(id, NORTH.toLowerCase())));
    expect([failure.code, failure.path]).toEqual(['alert.has-gateway', '/node_id']);
  });

  it('alert.removeGateway: are one less; gatewayAbsent: 412 for one that is not on it, whatever it is', () => {
    const us = withGateways();
    const id = createNew(us, NORTH, SOUTH);
    expect(us.do(remove(id, NORTH.toLowerCase())).data.node_ids).toEqual([SOUTH]);
    for (const node of [NORTH, EAST, NEVER_NODE]) {
      expect(us.refused(remove(id, node))).toBe('alert.no-gateway');
    }
  });

  it('alert.addGateways: are several more, one that stands there twice counts once', () => {
    const us = withGateways();
    const id = createNew(us, NORTH);
    const answer = us.do(batchAdd(id, [EAST, SOUTH, EAST.toLowerCase()]));
    expect(answer.data.node_ids).toEqual([NORTH, EAST, SOUTH]);
    expect(read(us, id)).toEqual(answer);
  });

  it('alert.removeGateways: are several less', () => {
    const us = withGateways();
    const id = createNew(us, NORTH, SOUTH, EAST);
    expect(us.do(batchRemove(id, [EAST, NORTH, EAST])).data.node_ids).toEqual([SOUTH]);
  });

  it.each([
    ['allOrNoneAdded', batchAdd, [EAST, NORTH, SOUTH], 'alert.has-gateway', '/node_ids/1'],
    ['allOrNoneAdded', batchAdd, [NORTH], 'alert.has-gateway', '/node_ids/0'],
    ['allOrNoneRemoved', batchRemove, [NORTH, EAST], 'alert.no-gateway', '/node_ids/1'],
    ['allOrNoneRemoved', batchRemove, [NEVER_NODE, NORTH], 'alert.no-gateway', '/node_ids/0'],
    ['alert.addGateways', batchAdd, [EAST, NEVER_NODE], 'alert.unknown-gateway', '/node_ids/1'],
    ['alert.addGateways', batchAdd, [NORTH, NEVER_NODE], 'alert.unknown-gateway', '/node_ids/1'],
    ['noGateways', batchAdd, [], 'alert.gateways', '/node_ids'],
    ['noGateways', batchRemove, [], 'alert.gateways', '/node_ids'],
    ['malformedField', batchAdd, [EAST, 'AA'], 'alert.gateways', '/node_ids/1'],
  ] as const)('%s: all or nothing, %# ', (_, command, node_ids, code, path) => {
    const us = withGateways();
    const id = createNew(us, NORTH);
    const before = savedOf(us);
    const failure = failureOf(us.try(command(id, node_ids)));
    expect([failure.code.replace('eui.malformed', 'alert.gateways'), failure.path]).toEqual([
      code,
      path,
    ]);
    expect(savedOf(us)).toBe(before);
  });

  it('alert.addGateway to removeGateways: are those of an alert that there is', () => {
    const us = withGateways();
    for (const command of [
      add(NEVER, NORTH),
      remove(NEVER, NORTH),
      batchAdd(NEVER, [NORTH]),
      batchRemove(NEVER, [NORTH]),
    ]) {
      expect(us.refused(command)).toBe('alert.unknown');
    }
  });

  it('foreignThing: are one’s own: another’s is as unknown as one that never was', () => {
    const [ann, bob] = annAndBob();
    const id = createNew(ann, NORTH);
    for (const command of [add, remove]) {
      const [his, never] = [SOUTH, NEVER_NODE].map((node) =>
        failureOf(ann.try(command(id, node))),
      ) as [{ code: string; message: string }, { code: string; message: string }];
      expect(his.code).toBe(never.code);
      expect(his.message.replace(SOUTH, NEVER_NODE)).toBe(never.message);
    }
    const alert = alertOf([NORTH], [toward(bob)]);
    expect(bob.refused({ kind: 'alert.create', alert })).toBe('alert.unknown-gateway');
  });

  it('alert.create and addGateways: may be ten thousand, in one alert and in ten of them', () => {
    const euis = Array.from({ length: 10_000 }, (_, i) => `BB${String(i).padStart(14, '0')}`);
    const us = service({ gateways: euis });
    const to = toward(us);
    const ids = Array.from(
      { length: 10 },
      () => us.do({ kind: 'alert.create', alert: alertOf(euis, [to]) }).id,
    );
    expect(nodesOf(us, ids[3]!)).toEqual(euis);
    us.do(batchRemove(ids[0]!, euis));
    us.do(batchAdd(ids[0]!, [...euis].reverse()));
    expect(nodesOf(us, ids[0]!)).toEqual([...euis].reverse());
    us.do({ kind: 'gateway.remove', eui: euis[0]! });
    expect(nodesOf(us, ids[9]!)).toHaveLength(9_999);
  });
});

describe('what an alert is refused for', () => {
  it.each([
    [{ name: '' }, 'alert.name', '/name'],
    [{ name: undefined }, 'alert.name', '/name'],
    [{ type: 'device_offline' }, 'alert.type', '/type'],
    [{ type: undefined }, 'alert.type', '/type'],
    [{ data: undefined }, 'alert.gateways', '/data'],
    [{ data: {} }, 'alert.gateways', '/data/node_ids'],
    [{ data: { node_ids: NORTH } }, 'alert.gateways', '/data/node_ids'],
    [{ data: { node_ids: null } }, 'alert.gateways', '/data/node_ids'],
    [{ data: { node_ids: ['AA'] } }, 'eui.malformed', '/data/node_ids/0'],
    [{ data: { node_ids: [NORTH, NEVER_NODE] } }, 'alert.unknown-gateway', '/data/node_ids/1'],
    [{ destination_ids: undefined }, 'alert.destinations', '/destination_ids'],
    [{ destination_ids: [] }, 'alert.destinations', '/destination_ids'],
    [{ destination_ids: NEVER }, 'alert.destinations', '/destination_ids'],
    [{ destination_ids: [NEVER] }, 'alert.unknown-destination', '/destination_ids/0'],
    [{ destination_ids: [''] }, 'alert.unknown-destination', '/destination_ids/0'],
  ])('badAlert, alert.create and replace: %j with %s', (wrong, code, path) => {
    const us = withGateways();
    const id = createNew(us, NORTH);
    const alert = alertOf([NORTH], [toward(us)], wrong);
    const before = savedOf(us);
    for (const command of [
      { kind: 'alert.create', alert } as const,
      { kind: 'alert.replace', alert_id: id, alert } as const,
    ]) {
      const failure = failureOf(us.try(command));
      expect([failure.code, failure.path]).toEqual([code, path]);
    }
    expect(savedOf(us)).toBe(before);
  });

  it('badAlert: a destination of another subscriber', () => {
    const [ann, bob] = annAndBob();
    const alert = alertOf([], [toward(ann), toward(bob)]);
    const { code, path } = failureOf(ann.try({ kind: 'alert.create', alert }));
    expect([code, path]).toEqual(['alert.unknown-destination', '/destination_ids/1']);
  });

  it('an id that there is', () => {
    const us = withGateways();
    const create = { kind: 'alert.create', alert: alertOf([], [toward(us)]), id: NEVER } as const;
    us.do(create);
    expect(us.refused(create)).toBe('alert.exists');
  });

  it('one more than ten thousand', () => {
    const us = withGateways();
    const alert = alertOf([], [toward(us)]);
    const create = { kind: 'alert.create', alert } as const;
    const first = us.do(create).id;
    for (let i = 1; i < 10_000; i++) us.do(create);
    expect(us.refused(create)).toBe('alert.too-many');
    us.do({ kind: 'alert.delete', alert_id: first });
    expect(us.try(create).ok).toBe(true);
  });
});

testIsolation(
  'alert',
  (ann) => {
    const alert_id = createNew(ann, NORTH);
    return { alert_id, other: createNew(ann), to: toward(ann) };
  },
  {
    'alert.list': () => ({}),
    'alert.create': ({ to }) => ({ alert: alertOf([NORTH], [to]) }),
    'alert.get': ({ alert_id }) => ({ alert_id }),
    'alert.replace': ({ alert_id, to }) => ({ alert_id, alert: alertOf([], [to]) }),
    'alert.delete': ({ alert_id }) => ({ alert_id }),
    'alert.addGateway': ({ other }) => ({ alert_id: other, node_id: NORTH }),
    'alert.removeGateway': ({ alert_id }) => ({ alert_id, node_id: NORTH }),
    'alert.addGateways': ({ other }) => ({ alert_id: other, node_ids: [NORTH] }),
    'alert.removeGateways': ({ alert_id }) => ({ alert_id, node_ids: [NORTH] }),
  },
);
