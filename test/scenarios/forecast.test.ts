/** What is said of a run before it: when sessions begin, what to turn, what it costs. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { forecast, inWords } from '../../scenarios/forecast/forecast.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from '../../sim/base/units.ts';
import { got } from '../core/resources/service.ts';
import { IS_LONG } from '../support/long.ts';
import { scenarioOf } from './scenario.ts';

const file = (more: {
  readonly count?: number;
  readonly kind?: string;
  readonly server?: string;
  readonly duration?: string;
  readonly campaign?: string;
}) => `
scenario: forecast
duration: ${more.duration ?? '20 h'}
${more.server ?? ''}
gateways: [{ name: roof }]
devices:
  - name: meter
    count: ${more.count ?? 100}
    placement: { disc: 1 km }
    ${more.kind ?? 'class: C'}
images: [{ name: fw-1.1.0.bin, bytes: 2 kB }]
groups: [{ name: all, devices: all }]
campaigns:
  - { name: spring, at: 2 h, image: fw-1.1.0.bin, group: all${more.campaign ?? ''} }
`;
const planOf = (more: Parameters<typeof file>[0]) => populate(scenarioOf(file(more)));
const report = (more: Parameters<typeof file>[0]) => forecast(planOf(more));

/** When the session really began, µs. */
function sessionOf(more: Parameters<typeof file>[0]): number {
  const plan = planOf(more);
  const world = World.create(plan, 'seed');
  world.runUntil(plan.durationUs);
  const [campaign] = world.result().campaigns;
  const stage = campaign?.stages.find((each) => each.stage === 'SENDING_FRAGMENTS');
  return (stage?.atSeconds ?? Number.NaN) * SECOND_US;
}

describe('when a session begins', () => {
  it('is said to the minute of devices of class C, whatever the duty cycle', () => {
    for (const count of IS_LONG ? [10, 100, 250] : [10, 60]) {
      const [session] = report({ count }).sessions;
      expect(Math.abs(session!.beginsAtUs - sessionOf({ count }))).toBeLessThan(2 * MINUTE_US);
    }
  });

  it('is said of devices of class A within a quarter of the wait', () => {
    const kind = 'traffic: { every: 30 min }';
    const [session] = report({ kind }).sessions;
    const began = sessionOf({ kind });
    expect(Math.abs(session!.beginsAtUs - began)).toBeLessThan((began - 2 * HOUR_US) / 4);
  });

  it('waits for no longer pauses than a day, as the service does', () => {
    const beginsFor = (every: string) =>
      report({ count: 3, kind: `traffic: { every: ${every} }` }).sessions[0]!.beginsAtUs;
    expect(beginsFor('3 d')).toBe(beginsFor('2 d'));
    expect(beginsFor('12 h')).toBeLessThan(beginsFor('2 d'));
  });

  it('is what the file says where it does, from the scheduled start on', () => {
    const campaign = ', multicast_setup_time: 3 h, scheduled_start_at: 5 h';
    const { sessions, sentences } = report({ campaign });
    expect(sessions[0]).toMatchObject({ beginsAtUs: 8 * HOUR_US, isGiven: true });
    expect(sentences).toEqual([
      'campaign spring: 100 devices, created at 2 h; its session begins at 8 h',
    ]);
  });
});

describe('a session that would begin after the end of the run', () => {
  it('is a warning with the cause and the knob that helps', () => {
    const [warning] = report({ count: 3000 }).warnings;
    expect(warning).toContain('campaign spring: its session would begin at ');
    expect(warning).toContain('after the end of the run at 20 h');
    expect(warning).toContain('of the gateways’ duty cycle');
    const [, rate] = /server\.rx2DataRate: (DR\d)/.exec(warning ?? '') ?? [];
    const server = `server: { rx2DataRate: ${rate} }`;
    const before = report({ count: 3000 }).sessions[0]!;
    const after = report({ count: 3000, server }).sessions[0]!;
    expect(after.beginsAtUs).toBe(before.faster?.beginsAtUs);
    expect(after.beginsAtUs).toBeLessThan(before.beginsAtUs);
  });

  it('names a duration in which it is over', () => {
    const [warning] = report({ count: 3000 }).warnings;
    const [, duration] = /duration: (.*)$/.exec(warning ?? '') ?? [];
    expect(report({ count: 3000, duration: duration! }).warnings).toEqual([]);
  });

  it('is of silence where devices seldom send', () => {
    const [warning] = report({ count: 3, kind: 'traffic: { every: 6 h }' }).warnings;
    expect(warning).toContain('waits for six uplinks of each device');
  });

  it('is of the start where that is after the end itself', () => {
    const [warning] = report({ count: 3, campaign: ', scheduled_start_at: 3 d' }).warnings;
    expect(warning).toMatch(/ after the end of the run at 20 h; an earlier start, or duration: /);
  });

  it('is one that begins as the run ends, and not a minute before', () => {
    const beginsAtMin = report({}).sessions[0]!.beginsAtUs / MINUTE_US;
    expect(report({ duration: `${beginsAtMin} min` }).warnings).toHaveLength(1);
    expect(report({ duration: `${beginsAtMin + 1} min` }).warnings).toEqual([]);
  });

  it('is no warning in time', () => {
    expect(report({}).warnings).toEqual([]);
  });
});

describe('campaigns to the same devices', () => {
  it('follow each other, with given times too, and meet nobody', () => {
    const text = (second: string) =>
      file({ campaign: ', multicast_setup_time: 1 h' }) +
      `  - { name: later, at: 2 h, image: fw-1.1.0.bin, group: all${second} }\n`;
    for (const second of [', multicast_setup_time: 1 h', '']) {
      const { sessions, warnings, sentences } = forecast(populate(scenarioOf(text(second))));
      expect(warnings).toEqual([]);
      expect(sentences[1]).toMatch(/, after that of campaign spring$/);
      expect(sessions[1]!.beginsAtUs).toBeGreaterThan(sessions[0]!.beginsAtUs + MINUTE_US);
    }
  });
});

describe('clocks that drift between two uplinks', () => {
  const rc = (every: string, drift: string) => ({
    kind: `drift: ${drift}, traffic: { every: ${every}, jitter: 0 % }`.replace(', ', '\n    '),
  });
  const bad = rc('15 min', '40000 ppm');

  it('are warned of where no rate of theirs is believed', () => {
    expect(report(bad).warnings).toEqual([
      'campaign spring: the clocks of about 50 of 100 devices drift by more than 2 % and 5 s ' +
        "between two uplinks, by up to 36 s: they can't be set right, and miss windows; " +
        'clock: { source: tcxo }',
    ]);
    expect(report({ ...bad, campaign: ', acceptable_time_drift: 36 s' }).warnings).toEqual([]);
  });

  it('are warned of with what would do where the service measures no rates', () => {
    const ignored = { ...rc('15 min', '10000 ppm'), campaign: ', ignore_clock_rates: true' };
    expect(report(ignored).warnings).toEqual([
      'campaign spring: the clocks of about 44 of 100 devices drift by more than 5 s between two ' +
        "uplinks, by up to 9 s: they can't be set right, and miss windows; " +
        'ignore_clock_rates: false',
    ]);
  });

  it('fail in the run as many or more, and hardly any where none is warned of', () => {
    const failed = (more: Parameters<typeof file>[0]) => {
      const plan = planOf(more);
      const world = World.create(plan, 'seed');
      world.runUntil(plan.durationUs);
      return world.result().campaigns[0]!.failed;
    };
    expect(failed(bad)).toBeGreaterThanOrEqual(50);
    const fine = rc('15 min', '10000 ppm');
    expect(report(fine).warnings).toEqual([]);
    expect(failed(fine)).toBeLessThanOrEqual(3);
    expect(failed({ ...fine, campaign: ', ignore_clock_rates: true' })).toBeGreaterThanOrEqual(44);
  });

  it('hold where the pause is short, exactly at the bound, and in class C', () => {
    // 124 s at 40 000 ppm are 4.96 s, 125 s are 5 s; a rate of 2 % is believed for any pause.
    for (const fine of [rc('124 s', '40000 ppm'), rc('125 s', '40000 ppm')]) {
      expect(report(fine).warnings).toEqual([]);
    }
    expect(report(rc('150 s', '40000 ppm')).warnings).toHaveLength(1);
    expect(report(rc('1200 s', '20000 ppm')).warnings).toEqual([]);
    expect(report(rc('1200 s', '21000 ppm')).warnings).toHaveLength(1);
    const listening = { kind: `${bad.kind}\n    class: C` };
    expect(report(listening).warnings).toEqual([]);
  });
});

describe('repair of class C devices', () => {
  const campaign = (more: string) => `, individual_fragment_retransmit: 20${more}`;

  it('is warned of where fragments do not fit RX2, as the service warns of them', () => {
    const server = 'server: { rx2DataRate: DR3 }';
    const [warning] = report({ server, campaign: campaign(', mcast_dr: 5') }).warnings;
    expect(warning).toMatch(
      /^campaign spring: Fragments of \d+ bytes do not fit RX2, where DR3 carries 112: /,
    );
    // The same without a data rate: the devices are near.
    expect(report({ server, campaign: campaign('') }).warnings).toEqual([warning]);
    const plan = planOf({ server, campaign: campaign(', mcast_dr: 5') });
    const world = World.create(plan, 'seed');
    world.runUntil(2 * HOUR_US + 5 * SECOND_US);
    const [{ campaign_id }] = got(world.ask({ kind: 'campaign.list', by: 'default' }));
    expect(world.ask({ kind: 'campaign.get', by: 'default', campaign_id })).toMatchObject({
      value: { warnings: [warning!.replace('campaign spring: ', '')] },
    });
  });

  it('is not warned of where they fit, or go after uplinks, or none is asked for', () => {
    const server = 'server: { rx2DataRate: DR3 }';
    for (const frag_size of [111, 112]) {
      const fits = campaign(`, mcast_dr: 5, frag_size: ${frag_size} B`);
      expect(report({ server, campaign: fits }).warnings).toEqual([]);
    }
    expect(report({ server, campaign: campaign(', mcast_dr: 3') }).warnings).toEqual([]);
    expect(report({ server, campaign: ', mcast_dr: 5' }).warnings).toEqual([]);
    const kind = 'traffic: { every: 30 min }';
    expect(report({ kind, server, campaign: campaign(', mcast_dr: 5') }).warnings).toEqual([]);
  });
});

describe('campaigns at one instant', () => {
  const summer = 'name: summer, at: 2 h, image: fw-1.1.0.bin, group: lamps';
  const lamps = '  - { name: lamp, count: 20, placement: { disc: 1 km }, class: C }\nimages:';
  const two = (more: string) => {
    const spring = file({ count: 20 })
      .replace('images:', lamps)
      .replace('devices: all }]', 'devices: [meter] }, { name: lamps, devices: [lamp] }]');
    return forecast(populate(scenarioOf(`${spring}  - { ${summer}${more} }\n`)));
  };

  it('have their sessions one after the other where they fill a duty cycle', () => {
    const { sessions, sentences, warnings } = two('');
    expect(sessions.map(({ behind }) => behind)).toEqual([undefined, 'spring']);
    expect(sessions[1]!.beginsAtUs).toBeGreaterThan(sessions[0]!.beginsAtUs);
    expect(sentences[1]).toMatch(/, after that of campaign spring$/);
    expect(warnings).toEqual([]);
  });

  it('are warned of where the time of one is given, and the time that is named will do', () => {
    const setUpMin = (two('').sessions[0]!.beginsAtUs - 2 * HOUR_US) / MINUTE_US;
    const [warning] = two(`, multicast_setup_time: ${setUpMin} min`).warnings;
    expect(warning).toMatch(/^campaign summer: its session meets that of campaign spring, /);
    const [, enough] = /(multicast_setup_time: \d+ s)$/.exec(warning!)!;
    expect(two(`, ${enough}`).warnings).toEqual([]);
  });
});

describe('the cost of a run', () => {
  it('counts uplinks within a tenth', () => {
    const more = { kind: 'traffic: { every: 10 min }' };
    const plan = planOf(more);
    const world = World.create(plan, 'seed');
    world.runUntil(plan.durationUs);
    const { uplinks } = world.result().radio;
    expect(Math.abs(forecast(plan).cost.uplinks / uplinks - 1)).toBeLessThan(0.1);
  });

  it('grows with devices, gateways and members', () => {
    const few = report({ count: 10 }).cost;
    const many = report({ count: 1000, duration: '2000 h' }).cost;
    expect(many.cpuSeconds).toBeGreaterThan(few.cpuSeconds);
    expect(many.bytes).toBeGreaterThan(few.bytes);
  });

  /** Seconds of a world of 100 devices with 200 gateways within 2 km. */
  const secondsOf = (more: { gateway?: string; device?: string; timeline?: string }) => {
    const text = `
scenario: cost
duration: 1 d
area: { radius: 2 km }
gateways: [{ name: roof, count: 200${more.gateway ?? ''} }]
devices: [{ name: meter, count: 100, activation: abp, traffic: { every: 1 h }${more.device ?? ''} }]
timeline: [${more.timeline ?? ''}]
`;
    return forecast(populate(scenarioOf(text))).cost.worldSeconds;
  };

  it('has the memory of the beacons that are stored, 64 of each gateway, and of class B', () => {
    const bytesOf = (duration: string, gps: boolean, device = '') => {
      const text = `
scenario: cost
duration: ${duration}
gateways: [{ name: roof, count: 100, gps: ${gps} }]
devices: [{ name: meter, count: 200, activation: abp, traffic: { every: 1 h }${device} }]
`;
      return forecast(populate(scenarioOf(text))).cost.bytes;
    };
    const beaconsIn = (duration: string) => bytesOf(duration, true) - bytesOf(duration, false);
    expect(beaconsIn('128 min') / beaconsIn('32 min')).toBeCloseTo(4, 1);
    expect(beaconsIn('10 h')).toBe(beaconsIn('20 h'));
    expect(beaconsIn('10 h')).toBe(100 * 64 * 300);
    const classB = bytesOf('10 h', true, ', class: B') - bytesOf('10 h', true);
    expect(classB).toBe(200 * 100);
  });

  it('has copies of uplinks, beacons, looks at them, and commands to many', () => {
    const plain = secondsOf({});
    const beacons = 200 * 675;
    const sent = secondsOf({ gateway: ', gps: true' }) - plain;
    expect(sent / (beacons * 6e-6)).toBeGreaterThan(1);
    expect(sent / (beacons * 6e-6)).toBeLessThan(3);
    const classB = secondsOf({ gateway: ', gps: true', device: ', class: B' }) - plain - sent;
    expect(classB).toBeGreaterThan(2);
    const fault = '{ at: 1 h, every: 10 min, reboot: { device: meter } }';
    expect((secondsOf({ timeline: fault }) - plain) / (139 * 100 * 9e-6)).toBeCloseTo(1, 1);
  });
});

describe('times', () => {
  it('are in the units of scenario files, which read them back', () => {
    expect(
      [0, 59, 61, 3600, 12_061, 100 * 3600, 200 * 3600].map((s) => inWords(s * SECOND_US)),
    ).toEqual(['0 s', '59 s', '1 min 1 s', '1 h', '3 h 22 min', '4 d 4 h', '8 d 8 h']);
  });
});
