/** Output profiles and receivers in a scenario file: what becomes of them, and their faults. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { got } from '../core/resources/service.ts';
import { faultsOf, scenarioOf, warningsOf } from './scenario.ts';

const HOOK = '{ url: https://desk.example/in, outputFormat: simple }';
const fileOf = (sections: string) => `scenario: a
subscribers: [north, south]
devices: [{ name: meter }]
${sections}
`;

describe('receivers of a scenario', () => {
  const RECEIVERS = `receivers:
  - { name: desk, at: 'https://desk.example/*', failure: 30 %, latency: 250 ms }
  - name: his
    at: https://his.example/in
    subscriber: south
    answer: 429
    retryAfter: 2 min
    phases:
      - { from: 1 h, until: 90 min, hang: 1 }
      - { from: 90 min, until: 1 d, refusal: 50 %, latency: 1 s }`;

  const listed = (by: string) => {
    const { timeline, ...plan } = populate(scenarioOf(fileOf(RECEIVERS)), 'x');
    const world = World.create({ ...plan, timeline }, 'x');
    world.runUntil(1);
    return got(world.ask({ kind: 'receiver.list', by })).receivers;
  };

  it('are there from the start, of their subscriber, with quantities in their units', () => {
    expect(listed('north')).toMatchObject([
      { name: 'desk', at: 'https://desk.example/*', answer: 200, failure: 0.3, latency: 0.25 },
    ]);
    expect(listed('south')).toMatchObject([
      {
        name: 'his',
        answer: 429,
        retryAfter: 120,
        phases: [
          { from: 3_600, until: 5_400, hang: 1, refusal: 0, answer: 200 },
          { from: 5_400, until: 86_400, hang: 0, refusal: 0.5, latency: 1 },
        ],
      },
    ]);
  });

  it('warn of nothing', () => {
    expect(warningsOf(fileOf(RECEIVERS))).toEqual([]);
  });

  it.each([
    ['{ from: 1 h, until: 1 h }', '/receivers/0/phases/0/until', '1 h is not after 1 h'],
    ['{ from: 2 h, until: 90 min }', '/receivers/0/phases/0/until', '90 min is not after 2 h'],
    ['{ from: 1 h, until: 2 h }, { from: 60 s, until: 0 }', '/receivers/0/phases/1/until', '0 is'],
  ])('have phases that end after they begin: %s', (phases, place, what) => {
    const text = fileOf(`receivers: [{ name: desk, at: '*', phases: [${phases}] }]`);
    const [fault, ...others] = faultsOf(text);
    expect(others).toEqual([]);
    expect(fault).toMatch(/^file\.yaml:4:\d+ /);
    expect(fault).toContain(`${place}  ${what}`);
    expect(fault).toContain('allowed: later than its `from`');
  });

  it('are shown once what is wrong with a phase that cannot be read', () => {
    for (const [phases, place] of [
      ['{ from: soon, until: 1 h }', '/phases/0/from'],
      ['{ from: 1 h }', '/phases/0'],
      ['7', '/phases/0'],
    ]) {
      const text = fileOf(`receivers: [{ name: desk, at: '*', phases: [${phases}] }]`);
      const faults = faultsOf(text);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(place);
    }
  });

  it.each([
    ['answer: 199', '/answer', '200 to 599'],
    ['answer: 600', '/answer', '200 to 599'],
    ['failure: 101 %', '/failure', '0 % to 100 %'],
    ['latency: 25 h', '/latency', '0 s to 1 d'],
    ['latency: -1 s', '/latency', '0 s to 1 d'],
    ['hangs: 1', '/hangs', 'hang'],
  ])('refuse %s with its place and what is allowed', (knob, place, allowed) => {
    const faults = faultsOf(fileOf(`receivers: [{ name: desk, at: '*', ${knob} }]`));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join('\n')).toContain(place);
    expect(faults.join('\n')).toContain(allowed);
  });

  it('differ by their names', () => {
    const both = "{ name: desk, at: 'https://a.*' }, { name: desk, at: 'https://b.*' }";
    expect(faultsOf(fileOf(`receivers: [${both}]`)).join('\n')).toMatch(
      /\/receivers\/1\/name.*desk/,
    );
  });
});

describe('an output profile of a scenario', () => {
  it.each(['', 'rest: [], mqtt: []', 'rest: [], mqtt: [], cloudA: [], cloudB: []'])(
    'has a target in at least one of its lists: %s',
    (lists) => {
      const [fault, ...others] = faultsOf(fileOf(`outputProfiles: [{ name: out, ${lists} }]`));
      expect(others).toEqual([]);
      expect(fault).toMatch(/^file\.yaml:4:\d+ {2}\/outputProfiles\/0 {2}/);
      expect(fault).toContain('the output profile "out" has no target');
      expect(fault).toContain('allowed: at least one in rest, mqtt, cloudA, cloudB');
    },
  );

  it('may have it in any of them', () => {
    const mqtt = '{ host: "b.example:1883", username: u, password: p, topic: up }';
    const key = 'sharedAccessPolicyName: p, sharedAccessKey: k, apiVersion: 2016-11-14';
    for (const list of [
      `rest: [${HOOK}]`,
      `mqtt: [${mqtt}]`,
      `cloudB: [{ host: hub.cloud.example, ${key} }]`,
    ]) {
      expect(faultsOf(fileOf(`outputProfiles: [{ name: out, ${list} }]`))).toEqual([]);
    }
  });

  it('is shown once what is wrong with a list that cannot be read', () => {
    for (const [list, place] of [
      ['rest: 7', '/outputProfiles/0/rest'],
      ['rest: [7]', '/outputProfiles/0/rest/0'],
      ['rest: [{ url: ftp://x, outputFormat: simple }]', '/outputProfiles/0/rest/0/url'],
    ]) {
      const faults = faultsOf(fileOf(`outputProfiles: [{ name: out, ${list} }]`));
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(place);
    }
  });

  it('is that of its subscriber, whose devices alone may have it', () => {
    const profiles = `outputProfiles: [{ name: his, subscriber: south, rest: [${HOOK}] }]`;
    const text = fileOf(profiles).replace('name: meter', 'name: meter, outputProfile: his');
    expect(faultsOf(text).join('\n')).toMatch(/\/devices\/0\/outputProfile.*his.*south/);
    const own = text.replace('outputProfile: his', 'outputProfile: his, subscriber: south');
    expect(faultsOf(own)).toEqual([]);
  });
});
