/**
 * Several senders at one instant, and gateways that fail before or meanwhile: what the devices
 * really run, or acknowledge. Each of these was as good alone as it is here with others.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { Trace } from '../support/small-network.ts';

const NEAR = `
scenario: at-once
duration: 8 h
area: { radius: 1 km }
radio: { pathLoss: oulu, shadowing: 0 dB }
server: { adr: false, rx2DataRate: DR3 }
`;

const lamps = (name: string, count: number, more = '') =>
  `  - { name: ${name}, count: ${count}, class: C, dataRate: DR5, adr: false, ` +
  `joinWithin: 5 min, traffic: { every: 10 min }${more} }\n`;

function run(text: string) {
  const trace = new Trace();
  const plan = populate(scenarioOf(text));
  const world = World.create(plan, '1', { observer: trace });
  world.runUntil(plan.durationUs);
  const { campaigns, reliableDownlinks: jobs = [] } = world.result();
  return { trace, campaigns, jobs };
}

const updated = (text: string) =>
  run(text).campaigns.map(({ name, running, success, failures }) => [
    name,
    running,
    success,
    failures,
  ]);

describe('campaigns begun at one instant', () => {
  it.each(['EU868', 'US915'])('update all class C devices of one gateway: %s', (region) => {
    const rate = region === 'US915' ? 'DR10' : 'DR3';
    const text = `${NEAR.replace('DR3', rate)}region: ${region}
gateways: [{ name: roof }]
devices:
${lamps('lamp', 8)}${lamps('bulb', 8)}
images: [{ name: fw-2.0.0.bin, bytes: 6 kB }]
groups: [{ name: g, devices: [lamp] }, { name: h, devices: [bulb] }]
campaigns:
  - { name: a, image: fw-2.0.0.bin, group: g, at: 1 h }
  - { name: b, image: fw-2.0.0.bin, group: h, at: 1 h }
`.replaceAll('dataRate: DR5', region === 'US915' ? 'dataRate: DR3' : 'dataRate: DR5');
    expect(updated(text)).toEqual([
      ['a', 8, 8, {}],
      ['b', 8, 8, {}],
    ]);
  });

  it('update devices on RX2 at its slowest, between two gateways that share it', () => {
    const text = `
scenario: at-once
duration: 8 h
area: { radius: 2 km }
gateways: [{ name: roof, count: 2 }]
devices:
  - { name: a, count: 12, class: C, traffic: { every: 15 min } }
  - { name: b, count: 12, class: C, traffic: { every: 15 min } }
images: [{ name: a-1.1.0.bin, bytes: 4 kB }, { name: b-1.1.0.bin, bytes: 4 kB }]
groups: [{ name: ga, devices: [a] }, { name: gb, devices: [b] }]
campaigns:
  - { name: ca, image: a-1.1.0.bin, group: ga, at: 1 h }
  - { name: cb, image: b-1.1.0.bin, group: gb, at: 1 h }
`;
    expect(updated(text)).toEqual([
      ['ca', 12, 12, {}],
      ['cb', 12, 12, {}],
    ]);
  });

  it.each([
    ['one subscriber', '', ''],
    ['two subscribers', 'subscribers: [north, south]\n', ', subscriber: south'],
  ])('from gateways near each other, of %s, do not meet on the air', (_, subscribers, south) => {
    const text = `${NEAR}${subscribers}gateways: [{ name: roof }, { name: tower${south} }]
devices:
${lamps('lamp', 6)}${lamps('slamp', 6, south)}
images: [{ name: fw-2.0.0.bin, bytes: 3 kB }, { name: s-2.0.0.bin, bytes: 3 kB${south} }]
groups:
  - { name: lamps, devices: [lamp], gateways: [roof] }
  - { name: slamps, devices: [slamp], gateways: [tower]${south} }
campaigns:
  - { name: a, image: fw-2.0.0.bin, group: lamps, at: 1 h }
  - { name: b, image: s-2.0.0.bin, group: slamps, at: 1 h${south} }
`;
    const { campaigns, trace } = run(text);
    expect(campaigns.map(({ name, running, success }) => [name, running, success])).toEqual([
      ['a', 6, 6],
      ['b', 6, 6],
    ]);
    expect(fragmentsThatMeet(trace)).toEqual([]);
    expect(campaigns.flatMap(({ fragmentLosses }) => Object.keys(fragmentLosses))).not.toContain(
      'interfered',
    );
  });

  it('that fill a duty cycle each follow one another, and update all', () => {
    const kinds = ['w', 'x', 'y', 'z'];
    const text = `
scenario: at-once
duration: 24 h
area: { radius: 3 km }
gateways: [{ name: roof, count: 2 }]
devices:
${kinds.map((kind) => `  - { name: ${kind}, count: 12, traffic: { every: 15 min } }`).join('\n')}
images: [${kinds.map((kind) => `{ name: ${kind}-2.0.0.bin, bytes: 12 kB }`).join(', ')}]
groups: [${kinds.map((kind) => `{ name: g${kind}, devices: [${kind}] }`).join(', ')}]
campaigns:
${kinds
  .map((kind) => `  - { name: c${kind}, image: ${kind}-2.0.0.bin, group: g${kind}, at: 2 h }`)
  .join('\n')}
`;
    expect(updated(text)).toEqual(kinds.map((kind) => [`c${kind}`, 12, 12, {}]));
  });
});

/** Fragments of different groups at one instant on one channel. */
function fragmentsThatMeet(trace: Trace) {
  const groups = new Map<string, string>();
  for (const { gateway, downlink, purpose } of trace.of('downlinkPlanned')) {
    if (purpose === 'multicast') groups.set(`${gateway} ${downlink}`, gateway);
  }
  const sent = trace
    .of('downlinkBegins')
    .filter(({ gateway, downlink }) => groups.has(`${gateway} ${downlink}`))
    .map(({ gateway, frequencyHz, atUs, airtimeUs }) => ({
      gateway,
      frequencyHz,
      fromUs: atUs,
      untilUs: atUs + airtimeUs,
    }))
    .sort((a, b) => a.fromUs - b.fromUs);
  expect(new Set(sent.map(({ gateway }) => gateway)).size).toBe(2);
  return sent.filter(
    ({ fromUs, frequencyHz }, i) =>
      i > 0 && sent[i - 1]!.untilUs > fromUs && sent[i - 1]!.frequencyHz === frequencyHz,
  );
}

describe('jobs begun at one instant', () => {
  it('are answered by devices that answer at once', () => {
    const answers = ', answers: [{ onFPort: 5, sendFPort: 5, sendHex: "0a", delay: 0 s }]';
    const job = (name: string, devices: string) =>
      `  - { name: ${name}, devices: [${devices}], at: 1 h, downlink_hex: "0a", ` +
      'downlink_fport: 5, expected_uplink_hex: "0a", expected_uplink_fport: 5, max_retries: 5 }\n';
    const { jobs } = run(`${NEAR}gateways: [{ name: roof }]
devices:
${lamps('lamp', 10, answers)}${lamps('bulb', 10, answers)}
reliableDownlinks:
${job('j', 'lamp')}${job('k', 'bulb')}`);
    expect(jobs.map(({ success }) => success)).toEqual([10, 10]);
    expect(jobs.reduce((sum, { tries }) => sum + tries, 0)).toBeLessThanOrEqual(22);
  });
});

describe('a gateway that is gone', () => {
  const FLEET = `${NEAR}gateways: [{ name: roof }, { name: tower }]
devices:
${lamps('lamp', 10)}`;
  const JOB = `reliableDownlinks:
  - { name: j, devices: [lamp], at: 2 h, downlink_hex: "0a", downlink_fport: 5,
      expected_uplink_hex: "0a", expected_uplink_fport: 5, max_retries: 10,
      retry_interval: 1800 s }
`;

  it.each(['backhaul', 'radio'])('by its %s is not chosen for a job', (fault) => {
    const { jobs, trace } = run(`${FLEET}${JOB}timeline:
  - { at: 1 h, gatewayFault: { gateway: roof, fault: ${fault} } }
`);
    expect(jobs[0]).toMatchObject({ success: 10 });
    const of = trace.of('downlinkPlanned').filter(({ window }) => window === 0);
    expect(new Set(of.map(({ gateway }) => gateway))).toEqual(new Set(['tower']));
  });

  it('as the job begins: what it loses is sent by the next best', () => {
    // The server does not know for 90 s.
    const { jobs, trace } =
      run(`${FLEET}${JOB.replace('max_retries: 10', 'max_retries: 0')}timeline:
  - { at: 7190 s, gatewayFault: { gateway: roof, fault: backhaul } }
`);
    expect(jobs[0]).toMatchObject({ failures: {}, success: 10 });
    // Each device's frame is lost once at the most.
    const planned = trace.of('downlinkPlanned').filter(({ window }) => window === 0);
    const roofs = planned.filter(({ gateway }) => gateway === 'roof');
    expect(roofs.length).toBeGreaterThan(0);
    expect(planned.length).toBe(10 + roofs.length);
    expect(new Set(roofs.map(({ devEui }) => devEui)).size).toBe(roofs.length);
  });

  it.each(['backhaul', 'radio'])('by its %s sends for no campaign, and is none of its', (fault) => {
    const { campaigns } = run(`${FLEET}
images: [{ name: fw-2.0.0.bin, bytes: 3 kB }]
groups: [{ name: lamps, devices: [lamp] }]
campaigns: [{ name: b, image: fw-2.0.0.bin, group: lamps, at: 1 h }]
timeline: [{ at: 30 min, gatewayFault: { gateway: tower, fault: ${fault} } }]
`);
    expect(campaigns[0]).toMatchObject({
      running: 10,
      success: 10,
      gateways: [expect.any(String)],
    });
  });

  it('while a campaign sets up is replaced as its session begins', () => {
    const fails = (gateway: string) =>
      run(`${FLEET}
images: [{ name: fw-2.0.0.bin, bytes: 3 kB }]
groups: [{ name: lamps, devices: [lamp] }]
campaigns: [{ name: b, image: fw-2.0.0.bin, group: lamps, at: 1 h }]
timeline: [{ at: 75 min, gatewayFault: { gateway: ${gateway}, fault: backhaul } }]
`).campaigns[0];
    // One of them was chosen for all.
    for (const gateway of ['roof', 'tower']) {
      expect(fails(gateway)).toMatchObject({ running: 10, success: 10 });
    }
  });

  it('and comes back is chosen again as soon as that is known', () => {
    const { jobs } = run(`${NEAR}gateways: [{ name: roof }]
devices:
${lamps('lamp', 10)}${JOB.replace('max_retries: 10', 'max_retries: 0')}timeline:
  - { at: 1 h, gatewayFault: { gateway: roof, fault: backhaul } }
  - { at: 3 h, gatewayFault: { gateway: roof, fault: backhaul, on: false } }
`);
    expect(jobs[0]).toMatchObject({ success: 10, tries: 10 });
    expect(jobs[0]!.successSeconds!.max).toBeLessThan(3_600 + 15 * 60);
  });

  it.each(['100 ms', '700 ms'])('behind a backhaul that is slower by %s is none', (delay) => {
    const slow = (atMin: number) =>
      run(`${NEAR}gateways: [{ name: roof }]
devices:
${lamps('lamp', 10)}${JOB.replace('max_retries: 10', 'max_retries: 0')}timeline:
  - { at: ${atMin} min, gatewayFault: { gateway: roof, fault: delay, delay: ${delay} } }
`);
    const known = slow(60);
    expect(known.jobs[0]).toMatchObject({ success: 10, tries: 10 });
    expect(known.trace.of('downlinkRefused')).toEqual([]);
    // Who does not know it yet learns it from a refusal.
    const unknown = slow(120);
    expect(unknown.jobs[0]).toMatchObject({ success: 10, tries: 10 });
    expect(unknown.trace.of('downlinkRefused')).not.toEqual([]);
  });
});

describe('a fleet that has just come', () => {
  it('has a set-up that its period takes, though nobody has watched it so long', () => {
    const [[name, running, success]] = updated(`${NEAR.replace('8 h', '60 h')}
gateways: [{ name: roof }]
devices:
  - { name: x, count: 10, dataRate: DR5, adr: false, joinWithin: 5 min, traffic: { every: 4 h } }
images: [{ name: fw-2.0.0.bin, bytes: 6 kB }]
groups: [{ name: g, devices: [x] }]
campaigns: [{ name: a, image: fw-2.0.0.bin, group: g, at: 1 h }]
`) as [[string, number, number, object]];
    expect([name, running, success]).toEqual(['a', 10, 10]);
  });
});
