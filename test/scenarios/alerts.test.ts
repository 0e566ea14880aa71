/**
 * Credentials, destinations and alerts in a scenario file: what becomes of them, and their faults.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { got } from '../core/resources/service.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const URL = 'https://desk.example/in';
const SECTIONS = `
credentials:
  - { name: door, type: basic_auth, data: { username: ann, password: opensesame } }
destinations:
  - name: desk
    type: webhook
    credentials: door
    data: { url: '${URL}', headers: [{ header: X-Site, value: north }], secret: opensesame }
  - { name: bus, type: mqtt, enabled: false, data: { host: 'broker:1883', topic: up } }
  - { name: his, type: webhook, subscriber: south, data: { url: '${URL}' } }
alerts:
  - { name: all, gateways: all, destinations: [desk, bus] }
  - { name: some, gateways: [roof, mast-2], gatewayGroup: high, destinations: [bus] }
  - { name: none, destinations: [desk] }
  - { name: theirs, gateways: all, destinations: [his], subscriber: south }
`;
const fileOf = (sections = SECTIONS) => `scenario: a
subscribers: [north, south]
gateways: [{ name: mast, count: 3 }, { name: roof }, { name: tower, subscriber: south }]
devices: [{ name: meter }]
gatewayGroups: [{ name: high, gateways: [mast-1, roof] }, { name: far, subscriber: south }]
${sections}`;

const commandsOf = (text: string, seed = 'x') =>
  populate(scenarioOf(text), seed).timeline.flatMap(({ atUs, command }) =>
    /^(credentials|destination|alert)\.create$/.test(command.kind) ? [{ atUs, command }] : [],
  );

const idOf = (text: string, at: number, seed?: string) =>
  (commandsOf(text, seed)[at]!.command as unknown as { id: string }).id;

describe('the sections of credentials, destinations and alerts', () => {
  it('become commands of the start, of their subscribers, by ids and NodeIds for names', () => {
    const text = fileOf();
    const { network } = populate(scenarioOf(text), 'x');
    const euis = (...names: string[]) =>
      names.map((name) => network.gateways.find((each) => each.name === name)!.eui);
    const [entry, desk, bus, his] = [0, 1, 2, 3].map((at) => idOf(text, at)) as [
      string,
      string,
      string,
      string,
    ];
    const alert = (name: string, node_ids: string[], destination_ids: string[]) => ({
      name,
      type: 'gateway_connectivity',
      data: { node_ids },
      destination_ids,
    });
    expect(commandsOf(text).map(({ atUs }) => atUs)).toEqual(new Array(8).fill(0));
    expect(commandsOf(text).map(({ command }) => command)).toMatchObject([
      {
        by: 'north',
        credentials: {
          name: 'door',
          type: 'basic_auth',
          data: { username: 'ann', password: 'opensesame' },
        },
      },
      {
        by: 'north',
        destination: {
          name: 'desk',
          type: 'webhook',
          enabled: true,
          credentials_id: entry,
          data: { url: URL, headers: [{ header: 'X-Site', value: 'north' }], secret: 'opensesame' },
        },
      },
      { destination: { name: 'bus', enabled: false, data: { host: 'broker:1883', topic: 'up' } } },
      { by: 'south', destination: { name: 'his' } },
      { alert: alert('all', euis('mast-1', 'mast-2', 'mast-3', 'roof'), [desk, bus]) },
      { alert: alert('some', euis('roof', 'mast-2', 'mast-1'), [bus]) },
      { alert: alert('none', [], [desk]) },
      { by: 'south', alert: alert('theirs', euis('tower'), [his]) },
    ]);
  });

  it('are taken by the platform, and reported without secrets', () => {
    const { timeline, ...plan } = populate(scenarioOf(fileOf()), 'x');
    const world = World.create({ ...plan, timeline }, 'x');
    world.runUntil(1);
    const list = (kind: 'alert.list' | 'destination.list' | 'credentials.list', by: string) =>
      got(world.ask({ kind, by }) as unknown as { ok: true; value: { data: { name: string }[] } });
    const namesOf = (...asked: Parameters<typeof list>) =>
      list(...asked)
        .data.map(({ name }) => name)
        .sort();
    expect(namesOf('alert.list', 'north')).toEqual(['all', 'none', 'some']);
    expect(namesOf('alert.list', 'south')).toEqual(['theirs']);
    expect(namesOf('destination.list', 'north')).toEqual(['bus', 'desk']);
    expect(namesOf('credentials.list', 'north')).toEqual(['door']);
    const reports = ['destination.list', 'credentials.list'].map((kind) =>
      list(kind as 'alert.list', 'north'),
    );
    expect(JSON.stringify(reports)).not.toContain('opensesame');
  });

  it('have ids that derive from seed and name, whatever else the file has', () => {
    const short = fileOf(`
destinations: [{ name: bus, type: mqtt, data: { host: broker, topic: up } }]`);
    expect(idOf(short, 0)).toBe(idOf(fileOf(), 2));
    expect(idOf(short, 0, 'another')).not.toBe(idOf(short, 0));
  });
});

describe('faults of these sections', () => {
  const faults = (from: string, to: string) => {
    const text = fileOf().replace(from, to);
    expect(text).not.toBe(fileOf());
    return faultsOf(text).join('\n');
  };

  it.each([
    ['type: basic_auth', 'type: basic', /credentials.*"basic".*basic_auth/s],
    ['password: opensesame', 'pasword: x', /pasword/],
    [', password: opensesame', '', /password is missing.*text of 1 to 4096/s],
    ['username: ann', "username: 'a:b'", /without a colon/],
    ['password: opensesame', "password: '********'", /keeps a secret, and none is stored/],
    ['type: webhook\n', 'type: hook\n', /"hook".*webhook/s],
    ['credentials: door', 'credentials: dor', /"dor".*door/s],
    [`url: '${URL}'`, "url: 'ftp://x'", /url is "ftp:\/\/x".*http or https/s],
    [`url: '${URL}'`, "url: 'https://ann:opensesame@x.example'", /a text of .* characters/],
    ['header: X-Site', 'header: Host', /header is "Host".*not Host/s],
    ['topic: up', 'topic: up/#', /topic.*without \+ and #/s],
    [', topic: up', '', /topic is missing/],
    ['destinations: [desk, bus]', 'destinations: [desk, boss]', /"boss".*bus/s],
    ['destinations: [desk, bus]', 'destinations: [desk, his]', /his.*south/s],
    ['destinations: [desk, bus]', 'destinations: []', /destinations.*at least 1/s],
    ['gateways: [roof, mast-2]', 'gateways: [rof]', /"rof".*roof/s],
    ['gateways: [roof, mast-2]', 'gateways: [tower]', /tower.*south/s],
    ['gatewayGroup: high', 'gatewayGroup: hihg', /"hihg".*high/s],
    ['gatewayGroup: high', 'gatewayGroup: far', /far.*south/s],
    ['name: some', 'name: all', /all/],
  ])('%j as %j is reported with its place', (from, to, response) => {
    const text = faults(from, to);
    expect(text).toMatch(response);
    expect(text).not.toContain('opensesame');
  });

  it('reports credentials that do not fit, where they are named', () => {
    const hub = 'type: cloud_b_shared_access_policy, data: { policy_name: x, key: opensesame }';
    const basic = 'type: basic_auth, data: { username: ann, password: opensesame }';
    expect(faults(basic, hub)).toMatch(/door is cloud_b_shared.*basic_auth or client_credentials/s);
  });

  it('reports a password that is a number without it', () => {
    expect(faults('password: opensesame', 'password: 12345')).toMatch(/password.*is not text/s);
    expect(faults('password: opensesame', 'password: 12345')).not.toContain('12345');
  });
});
