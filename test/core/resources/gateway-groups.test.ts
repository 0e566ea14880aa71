/** Gateway groups of device and gateway management. */
import { describe, expect, it } from 'vitest';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, NORTH, SOUTH, type Subscriber, service } from './service.ts';

const EAST = 'AA00000000000003';
const NEVER = 'AA000000000000FF';

interface GroupInput {
  readonly Name: string;
  readonly GatewayList?: readonly string[] | null;
}

const create = (group: GroupInput) => ({ kind: 'gatewayGroup.create', group }) as const;
const LIST = { kind: 'gatewayGroup.list' } as const;
const get = (Id: string) => ({ kind: 'gatewayGroup.get', Id }) as const;

/** Somebody with the gateways NORTH, SOUTH and EAST. */
const withGateways = (): Subscriber => service({ gateways: [NORTH, SOUTH, EAST] });
const createNew = (us: Subscriber, group: GroupInput) => us.do(create(group)).Id;
const idsOf = ({ bench }: Subscriber, ...euis: string[]) =>
  euis.map((eui) => bench.platform.resources.baseStation.idOf(eui));

describe('a gateway group', () => {
  it('gatewayGroup.create: takes Ids and NodeIds in any case, each once, and gatewayGroup.get: reports Ids', () => {
    const us = withGateways();
    const [north, south] = idsOf(us, NORTH, SOUTH) as [string, string];
    const GatewayList = [SOUTH.toLowerCase(), north, SOUTH, NORTH, south];
    const Id = createNew(us, { Name: 'roof', GatewayList });
    expect(Id).toMatch(/^[0-9A-Za-z]{8}$/);
    const group = us.ask(get(Id));
    expect(group).toMatchObject({ Id, Name: 'roof', GatewayList: [south, north] });
    expect(Object.keys(group).sort()).toEqual(['GatewayList', 'Gateways', 'Id', 'Name']);
  });

  it('gatewayGroup.get: reports its gateways as they are reported one by one', () => {
    const us = withGateways();
    const group = us.ask(get(createNew(us, { Name: 'x', GatewayList: [EAST, NORTH] })));
    const one = (Id: string) => us.ask({ kind: 'baseStation.get', Id });
    expect(group.Gateways).toEqual([one(EAST), one(NORTH)]);
  });

  it.each([undefined, null, []])(
    'gatewayGroup.create: has no gateway where the list is %j',
    (GatewayList) => {
      const us = withGateways();
      const given = GatewayList === undefined ? { Name: 'x' } : { Name: 'x', GatewayList };
      expect(us.ask(get(createNew(us, given)))).toMatchObject({ GatewayList: [], Gateways: [] });
    },
  );

  it('gatewayGroup.list: is listed in the order of ids', () => {
    const us = withGateways();
    expect(us.ask(LIST)).toEqual({ GatewayGroups: [] });
    const ids = ['x', 'y', 'x'].map((Name) => createNew(us, { Name, GatewayList: [NORTH] }));
    expect(us.ask(LIST)).toEqual({ GatewayGroups: ids.sort().map((Id) => us.ask(get(Id))) });
  });

  it('gatewayGroup.replace: has another name and other gateways in the place of its own', () => {
    const us = withGateways();
    const Id = createNew(us, { Name: 'x', GatewayList: [NORTH, SOUTH] });
    const replace = (group: GroupInput) => us.do({ kind: 'gatewayGroup.replace', Id, group });
    expect(replace({ Name: 'y', GatewayList: [EAST] })).toEqual({ Response: true });
    expect(us.ask(get(Id))).toMatchObject({ Name: 'y', GatewayList: idsOf(us, EAST) });
    replace({ Name: 'z' });
    expect(us.ask(get(Id))).toEqual({ Id, Name: 'z', GatewayList: [], Gateways: [] });
  });

  it('gatewayGroup.update: changes only in what is given', () => {
    const us = withGateways();
    const Id = createNew(us, { Name: 'x', GatewayList: [NORTH, SOUTH] });
    const update = (group: Partial<GroupInput>) => {
      expect(us.do({ kind: 'gatewayGroup.update', Id, group })).toEqual({ Response: true });
      const { Name, GatewayList } = us.ask(get(Id));
      return [Name, GatewayList];
    };
    const both = idsOf(us, NORTH, SOUTH);
    expect(update({})).toEqual(['x', both]);
    expect(update({ Name: 'y' })).toEqual(['y', both]);
    expect(update({ GatewayList: null })).toEqual(['y', both]);
    expect(update({ GatewayList: [...idsOf(us, EAST), EAST] })).toEqual(['y', idsOf(us, EAST)]);
    expect(update({ GatewayList: [] })).toEqual(['y', []]);
  });

  it('gatewayGroup.delete: is gone once it is deleted, and its gateways stay', () => {
    const us = withGateways();
    const Id = createNew(us, { Name: 'x', GatewayList: [NORTH] });
    const other = createNew(us, { Name: 'y', GatewayList: [NORTH] });
    expect(us.do({ kind: 'gatewayGroup.delete', Id })).toEqual({ Response: true });
    expect(us.refusedQuery(get(Id))).toBe('gatewayGroup.unknown');
    expect(us.ask(get(other)).GatewayList).toEqual(idsOf(us, NORTH));
    expect(us.ask({ kind: 'gateway.get', eui: NORTH }).eui).toBe(NORTH);
  });

  it.each(['gateway.remove', 'baseStation.delete'] as const)(
    'gatewayGroup.get: has lost a gateway after %s, whichever groups it stood in',
    (kind) => {
      const us = withGateways();
      const lists = [[NORTH, SOUTH], [NORTH], [SOUTH]];
      const groups = lists.map((GatewayList) => createNew(us, { Name: 'x', GatewayList }));
      us.do(kind === 'gateway.remove' ? { kind, eui: NORTH } : { kind, Id: NORTH });
      const report = () => groups.map((Id) => us.ask(get(Id)).GatewayList);
      const south = idsOf(us, SOUTH);
      expect(report()).toEqual([south, [], south]);
      us.do({ kind: 'gateway.create', gateway: { eui: NORTH } });
      expect(report()).toEqual([south, [], south]);
    },
  );

  const WRONG = [
    ['gatewayGroup.name', '/Name', { Name: '' }],
    ['gatewayGroup.name', '/Name', { Name: 7 }],
    ['gatewayGroup.gateways', '/GatewayList', { Name: 'x', GatewayList: NORTH }],
    ['gatewayGroup.gateways', '/GatewayList/0', { Name: 'x', GatewayList: [7] }],
    ['gatewayGroup.unknown-gateway', '/GatewayList/1', { Name: 'x', GatewayList: [NORTH, NEVER] }],
    ['gatewayGroup.unknown-gateway', '/GatewayList/0', { Name: 'x', GatewayList: ['never000'] }],
  ] as const;

  it.each(WRONG)(
    'gatewayGroup.create, replace and update, namelessGroup: is refused with %s at %s',
    (code, path, given) => {
      const us = withGateways();
      const Id = createNew(us, { Name: 'old', GatewayList: [EAST] });
      const group = given as unknown as GroupInput;
      for (const command of [
        create(group),
        { kind: 'gatewayGroup.replace', Id, group } as const,
        { kind: 'gatewayGroup.update', Id, group } as const,
      ]) {
        expect(failureOf(us.try(command))).toMatchObject({ code, path });
      }
      expect(us.ask(LIST).GatewayGroups).toEqual([us.ask(get(Id))]);
      expect(us.ask(get(Id))).toMatchObject({ Name: 'old', GatewayList: idsOf(us, EAST) });
    },
  );

  it.each(['create', 'replace'] as const)('namelessGroup: needs a name in %s', (verb) => {
    const us = withGateways();
    const Id = createNew(us, { Name: 'x' });
    const asked = verb === 'create' ? {} : { Id };
    const group = { GatewayList: [NORTH] };
    const failure = failureOf(us.try({ kind: `gatewayGroup.${verb}`, ...asked, group } as never));
    expect(failure).toMatchObject({ code: 'gatewayGroup.name', path: '/Name' });
  });

  it('foreignThing: has no gateway of another, by Id or NodeId, in the words for one that never was', () => {
    const [ann] = annAndBob();
    const words = (id: string) => {
      const { message, ...failure } = failureOf(ann.try(create({ Name: 'x', GatewayList: [id] })));
      return { ...failure, message: message.replace(id, 'X') };
    };
    expect(words(SOUTH)).toEqual(words(NEVER));
    expect(words(idsOf(ann, SOUTH)[0]!)).toEqual(words(NEVER));
  });
});

testIsolation('gatewayGroup', (ann) => createNew(ann, { Name: 'secret', GatewayList: [NORTH] }), {
  'gatewayGroup.create': () => ({ group: { Name: 'x', GatewayList: [NORTH] } }),
  'gatewayGroup.list': () => ({}),
  'gatewayGroup.get': (Id) => ({ Id }),
  'gatewayGroup.replace': (Id) => ({ Id, group: { Name: 'y' } }),
  'gatewayGroup.update': (Id) => ({ Id, group: { Name: 'y' } }),
  'gatewayGroup.delete': (Id) => ({ Id }),
});
