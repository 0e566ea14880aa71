/** Reliable downlink jobs in a scenario file: what becomes of the section, and its faults. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const FIELDS =
  'downlink_hex: "0a", downlink_fport: 5, expected_uplink_hex: "0B", expected_uplink_fport: 6';

const fileOf = (jobs: string, more = '') => `scenario: a
subscribers: [north, south]
devices: [{ name: meter, count: 3 }, { name: alarm }, { name: valve, subscriber: south }]
groups:
  - { name: two, devices: [meter-2, alarm] }
  - { name: his, devices: [valve], subscriber: south }
reliableDownlinks: [${jobs}]
${more}`;

const commandsOf = (text: string) =>
  populate(scenarioOf(text)).timeline.filter(({ command }) => /^reliable/.test(command.kind));

describe('the section of reliable downlinks', () => {
  it('becomes a job at its time, of its subscriber, with ids in the place of names', () => {
    const more = `max_retries: 7, retry_interval: 2 min, devices: [meter], group: two, at: 3 h`;
    const text = fileOf(`{ name: j, ${FIELDS}, ${more} }`);
    const plan = populate(scenarioOf(text));
    const group = plan.timeline.find(({ command }) => command.kind === 'deviceGroup.create');
    const devEui = new Map(plan.network.devices.map((device) => [device.name, device.devEui]));
    expect(commandsOf(text)).toEqual([
      {
        atUs: 3 * 3_600e6,
        command: {
          kind: 'reliableDownlink.create',
          by: 'north',
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          job: {
            name: 'j',
            downlink_hex: '0A',
            downlink_fport: 5,
            expected_uplink_hex: '0B',
            expected_uplink_fport: 6,
            max_retries: 7,
            retry_interval: 120,
            devices: ['meter-1', 'meter-2', 'meter-3'].map((name) => devEui.get(name)),
            device_group_id: (group!.command as { id?: string }).id,
          },
        },
      },
    ]);
  });

  it('means every device of its subscriber by `all`, and asks for what the timeline says', () => {
    const timeline = `timeline:
  - { at: 1 h, stopJob: j }
  - { at: 2 h, restartJob: j }
  - { at: 3 h, deleteJob: j }`;
    const text = fileOf(`{ name: j, ${FIELDS}, devices: all, subscriber: south }`, timeline);
    const [created, ...others] = commandsOf(text).map(({ command }) => command);
    const { id, job } = created as { id?: string; job?: { devices?: readonly string[] } };
    expect(job!.devices).toHaveLength(1);
    expect(others).toEqual(
      ['stop', 'restart', 'delete'].map((verb) => ({
        kind: `reliableDownlink.${verb}`,
        job_id: id,
        by: 'south',
      })),
    );
  });

  it.each([
    [
      'nobody to send to',
      `{ name: j, ${FIELDS} }`,
      '/reliableDownlinks/0  names nobody to send to; allowed: devices, group or both',
    ],
    [
      'an unknown device',
      `{ name: j, ${FIELDS}, devices: [metre] }`,
      '/reliableDownlinks/0/devices/0  "metre" is neither a population nor a device of the start',
    ],
    [
      'an unknown group',
      `{ name: j, ${FIELDS}, group: tow }`,
      '/reliableDownlinks/0/group  "tow" is not a device group of this scenario',
    ],
    [
      'a device of another subscriber',
      `{ name: j, ${FIELDS}, devices: [valve] }`,
      '/reliableDownlinks/0/devices/0  "valve" is of the subscriber south, not of north',
    ],
    [
      'a group of another subscriber',
      `{ name: j, ${FIELDS}, group: his }`,
      '/reliableDownlinks/0/group  "his" is of the subscriber south, not of north',
    ],
    [
      'a name twice',
      `{ name: j, ${FIELDS}, group: two }, { name: j, ${FIELDS}, group: two }`,
      '/reliableDownlinks/1/name  the name "j" is taken by /reliableDownlinks/0',
    ],
    [
      'a time after the end',
      `{ name: j, ${FIELDS}, group: two, at: 25 h }`,
      '/reliableDownlinks/0/at  25 h is after the end of the run',
    ],
    [
      'half a byte',
      `{ name: j, ${FIELDS.replace('0a', '0a0')}, group: two }`,
      '/reliableDownlinks/0/downlink_hex  "0a0" is not right here; allowed: hexadecimal bytes',
    ],
    [
      'a port of tests',
      `{ name: j, ${FIELDS.replace('5', '224')}, group: two }`,
      '/reliableDownlinks/0/downlink_fport  224 is no FPort of an application',
    ],
    [
      'no port',
      `{ name: j, ${FIELDS.replace('downlink_fport: 5, ', '')}, group: two }`,
      '/reliableDownlinks/0/downlink_fport  is missing; allowed: a whole number from 1 to 223',
    ],
    [
      'an interval of part of a second',
      `{ name: j, ${FIELDS}, group: two, retry_interval: 1.5 s }`,
      '/reliableDownlinks/0/retry_interval  "1.5 s" is not a whole number of seconds',
    ],
  ])('is at fault with %s', (_, jobs, fault) => {
    const [first, ...others] = faultsOf(fileOf(jobs));
    expect(first).toContain(fault);
    expect(others).toEqual([]);
  });

  it('is at fault where the timeline stops a job that is not there, or not yet', () => {
    const jobs = `{ name: j, ${FIELDS}, group: two, at: 2 h }`;
    const faults = faultsOf(
      fileOf(jobs, 'timeline: [{ at: 1 h, stopJob: j }, { at: 3 h, stopJob: k }]'),
    );
    expect(faults).toHaveLength(2);
    expect(faults[0]).toContain('the job "j" has not begun at 1 h; allowed: from 2 h on');
    expect(faults[1]).toContain('"k" is not a job of this scenario');
  });
});

describe('a run with reliable downlinks', () => {
  const TEXT = `scenario: run
duration: 1 d
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { rx2DataRate: DR3, adr: false }
devices:
  - name: sensor
    count: 20
    traffic: { every: 1 h }
    <<: &radio { activation: abp, adr: false, dataRate: DR5, frameLoss: 30 % }
  - { name: meter, count: 10, class: C, traffic: { every: 30 min }, <<: *radio }
reliableDownlinks:
  - name: echo
    at: 2 h
    devices: all
    downlink_hex: "0a0b"
    downlink_fport: 9
    expected_uplink_hex: "0A0B"
    expected_uplink_fport: 9
    max_retries: 20
    retry_interval: 10 min
  - name: vain
    at: 2 h
    devices: [sensor-1, meter-1]
    downlink_hex: "01"
    downlink_fport: 9
    expected_uplink_hex: "02"
    expected_uplink_fport: 9
    max_retries: 1
timeline: [{ at: 20 h, removeDevice: sensor-2 }]
expectations:
  - jobs.tries > 0
  - jobs.success >= 90 %
  - jobs.received >= 90 %
  - reliableDownlinks.echo.success = 30
  - reliableDownlinks.echo.triesToSuccess.max >= 2
  - reliableDownlinks.vain.failures.no-answer = 2
`;

  it('shows of each job what the radio and what the service knows, with whole sums', () => {
    const scenario = scenarioOf(TEXT);
    const world = World.create(populate(scenario), 'run');
    // Saved and restored in the middle of it, and asked, which changes nothing.
    world.runUntil(5 * 3_600e6);
    world.result();
    const other = World.restore(world.plan, 'run', world.snapshot());
    for (const each of [world, other]) each.runUntil(each.endUs);
    const result = world.result();
    expect(other.result()).toEqual(result);
    const jobs = result.reliableDownlinks!;
    expect(jobs.map(({ name, status }) => [name, status])).toEqual([
      ['echo', 'finished'],
      ['vain', 'finished'],
    ]);
    for (const { devices, pending, success, failures, received, tries } of jobs) {
      const failed = Object.values(failures).reduce((all, each) => all + each, 0);
      expect(pending + success + failed).toBe(devices);
      expect(received).toBeGreaterThanOrEqual(success);
      expect(tries).toBeGreaterThanOrEqual(received);
    }
    expect(judge(scenario.expectations, result).filter(({ holds }) => !holds)).toEqual([]);
  });

  it('has no jobs in its result where the file has none', () => {
    const world = World.create(populate(scenarioOf('scenario: x\ndevices: [{ name: a }]')), 'x');
    expect(world.result()).not.toHaveProperty('reliableDownlinks');
  });
});
