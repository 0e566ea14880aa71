/** Every kind of fault in a scenario's firmware updates, with the exact words that a user reads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { isDefective, nearestGoodFragSize } from '../../sim/lorawan/fragmentation-code.ts';
import { bundleOf, faultsOf, loadText } from './scenario.ts';

const IMAGE = '{ name: m-1.2.0.bin, bytes: 20 kB }';
const GROUP = '{ name: all, devices: all }';

interface Parts {
  readonly image?: string;
  readonly group?: string;
  /** Keys of the campaign after its name, image and group. */
  readonly campaign?: string;
  /** The campaign as a whole. */
  readonly whole?: string;
  readonly more?: string;
}

/** A scenario with one image, one group and one campaign, in lines 4, 5 and 6. */
function update({ image = IMAGE, group = GROUP, campaign = '', whole, more = '' }: Parts): string {
  const named = `{ name: c, image: m-1.2.0.bin, group: all${campaign && `, ${campaign}`} }`;
  return (
    'scenario: a\n' +
    'gateways: [{ name: roof, count: 12 }, { name: mast }]\n' +
    'devices: [{ name: meter, count: 3 }, { name: valve, class: C }, { name: none, count: 0 }]\n' +
    `images: [${image}]\ngroups: [${group}]\ncampaigns: [${whole ?? named}]\n${more}`
  );
}

const good = { group: '{ name: all, devices: [meter] }' };
const VERSION = 'three or four numbers from 0 to 255 with dots between, such as 1.2.0';
const MEMBERS = 'all, or a list of names of populations and devices, such as [meter, alarm-3]';

describe('a fault of a device', () => {
  it.each([
    ['1.2', '1.2'],
    ['1.2.256', '"1.2.256"'],
    ['1.2.3.4.5', '"1.2.3.4.5"'],
    ['v1.2.3', '"v1.2.3"'],
  ])('is a firmware of %s', (version, quoted) => {
    const text = `scenario: a\ndevices: [{ name: m, firmware: ${version} }]`;
    expect(faultsOf(text)).toEqual([
      `file.yaml:2:32  /devices/0/firmware  ${quoted} is not a version; allowed: ${VERSION}`,
    ]);
  });
});

describe('a fault of an image', () => {
  it.each([
    [
      'a name of another kind of file',
      '{ name: m-1.2.0.exe, bytes: 20 kB }',
      [
        'file.yaml:4:18  /images/0/name  "m-1.2.0.exe" is not right here; ' +
          'allowed: at most 100 letters, digits and . _ - and spaces, the first no dot, ' +
          'that end in .bin, .hex or .sfb',
        'file.yaml:6:31  /campaigns/0/image  "m-1.2.0.bin" is not an image of this scenario; ' +
          'allowed: m-1.2.0.exe; did you mean "m-1.2.0.exe"?',
      ],
    ],
    [
      'no content',
      '{ name: m-1.2.0.bin }',
      [
        'file.yaml:4:10  /images/0  says nothing of its content; ' +
          'allowed: exactly one of bytes, file',
      ],
    ],
    [
      'content twice',
      '{ name: m-1.2.0.bin, bytes: 1 kB, file: a.bin }',
      ['file.yaml:4:10  /images/0  has bytes and file; allowed: exactly one of bytes, file'],
    ],
    [
      'no bytes',
      '{ name: m-1.2.0.bin, bytes: 0 B }',
      ['file.yaml:4:38  /images/0/bytes  "0 B" is too small; allowed: 1 B to 4 MiB'],
    ],
    [
      'a file elsewhere',
      '{ name: m-1.2.0.bin, file: ../m.bin }',
      [
        'file.yaml:4:37  /images/0/file  "../m.bin" is not right here; allowed: a path below ' +
          'the scenario file’s folder that ends in .bin, .hex or .sfb',
      ],
    ],
    [
      'a tag of two words',
      '{ name: m-1.2.0.bin, bytes: 1 kB, tags: [a b] }',
      [
        'file.yaml:4:51  /images/0/tags/0  "a b" is not right here; ' +
          'allowed: 1 to 15 letters, digits and _ . / -',
      ],
    ],
    [
      'a name twice',
      `${IMAGE}, ${IMAGE}`,
      [
        'file.yaml:4:55  /images/1/name  the name "m-1.2.0.bin" is taken by /images/0; ' +
          'allowed: a name of its own for every image',
      ],
    ],
    [
      'too much in all',
      ['a', 'b', 'c', 'd', 'm']
        .map((name) => `{ name: ${name}-1.2.0.bin, bytes: 4 MiB }`)
        .join(', '),
      [
        'file.yaml:4:9  /images  20971520 bytes of images are too many; ' +
          'allowed: at most 16777216 bytes (16 MiB) in all',
        'file.yaml:6:31  /campaigns/0/image  4194304 B are 17550 fragments of 239 B, and 5265 ' +
          'for redundancy; allowed: at most 16383 in all',
      ],
    ],
  ])('%s', (_, image, faults) => {
    expect(faultsOf(update({ ...good, image }))).toEqual(faults);
  });

  it.each([
    [0, 'a.bin has 0 bytes; allowed: 1 to 4194304 bytes (4 MiB)'],
    [4_194_305, 'a.bin has 4194305 bytes; allowed: 1 to 4194304 bytes (4 MiB)'],
  ])('is a file of %d bytes', (bytes, fault) => {
    const text = update({ ...good, image: '{ name: m-1.2.0.bin, file: a.bin }', whole: '' });
    const bundle = new Map(bundleOf({ 'file.yaml': text }));
    bundle.set('a.bin', new Uint8Array(bytes));
    const loaded = load('file.yaml', bundle);
    expect(loaded.outcome === 'problems' && loaded.problems.map(format)).toEqual([
      `file.yaml:4:37  /images/0/file  ${fault}`,
    ]);
  });

  it('that is in a file is found when the file is there', () => {
    const image = '{ name: m-1.2.0.bin, file: a.bin }';
    const text = update({ ...good, image, campaign: 'mcast_dr: DR1, redundancy: 100 %' });
    const bundle = new Map(bundleOf({ 'file.yaml': text }));
    expect(load('file.yaml', bundle)).toEqual({ outcome: 'needs', paths: ['a.bin'] });
    bundle.set('a.bin', new Uint8Array(8191 * 48 + 1));
    const loaded = load('file.yaml', bundle);
    expect(loaded.outcome === 'problems' && loaded.problems.map(format)).toEqual([
      'file.yaml:6:31  /campaigns/0/image  393169 B are 8192 fragments of 48 B, and 8192 for ' +
        'redundancy; allowed: at most 16383 in all',
    ]);
    bundle.set('a.bin', new Uint8Array(8191 * 48));
    expect(load('file.yaml', bundle).outcome).toBe('scenario');
  });
});

describe('a fault of a device group', () => {
  it.each([
    [
      'no devices',
      '{ name: all }',
      `file.yaml:5:10  /groups/0/devices  is missing; allowed: ${MEMBERS}`,
    ],
    [
      'a population without its list',
      '{ name: all, devices: meter }',
      `file.yaml:5:32  /groups/0/devices  "meter" is not a list; allowed: ${MEMBERS}; ` +
        'did you mean "[meter]"?',
    ],
    [
      'an empty list',
      '{ name: all, devices: [] }',
      `file.yaml:5:32  /groups/0/devices  is empty; allowed: ${MEMBERS}`,
    ],
    [
      'a member that is no name',
      '{ name: all, devices: [{}] }',
      `file.yaml:5:32  /groups/0/devices  a map is not a name or DevEUI; allowed: ${MEMBERS}`,
    ],
    [
      'an unknown population',
      '{ name: all, devices: [metre] }',
      'file.yaml:5:33  /groups/0/devices/0  "metre" is neither a population nor a device of the ' +
        'start; allowed: meter, valve, none; did you mean "meter"?',
    ],
    [
      'a device beyond the last',
      '{ name: all, devices: [meter-1, meter-4] }',
      'file.yaml:5:42  /groups/0/devices/1  "meter-4" is neither a population nor a device of ' +
        'the start; allowed: meter, valve, none; did you mean "meter-3"?',
    ],
    [
      'a population without devices',
      '{ name: all, devices: [none] }',
      'file.yaml:5:32  /groups/0/devices  the group "all" has no device; ' +
        'allowed: at least one device at the start',
    ],
    [
      'mixed classes',
      '{ name: all, devices: [meter-1, valve] }',
      'file.yaml:5:32  /groups/0/devices  the group "all" mixes classes A and C; ' +
        'allowed: A and B, or C alone, or class: A or C',
    ],
    [
      'mixed classes of all',
      '{ name: all, devices: all }',
      'file.yaml:5:32  /groups/0/devices  the group "all" mixes classes A and C; ' +
        'allowed: A and B, or C alone, or class: A or C',
    ],
    [
      'another class',
      '{ name: all, devices: all, class: B }',
      'file.yaml:5:44  /groups/0/class  "B" is not known; allowed: A, C',
    ],
    [
      'an unknown gateway',
      '{ name: all, devices: [meter], gateways: [rof] }',
      'file.yaml:5:52  /groups/0/gateways/0  "rof" is not a gateway of the start; ' +
        'allowed: roof, mast; did you mean "roof-1"?',
    ],
    [
      'too many gateways',
      '{ name: all, devices: [meter], gateways: [roof] }',
      'file.yaml:5:51  /groups/0/gateways  12 gateways are too many for a group; ' +
        'allowed: at most 10, or none for an automatic choice',
    ],
    [
      'a name twice',
      '{ name: all, devices: [meter] }, { name: all, devices: [meter] }',
      'file.yaml:5:51  /groups/1/name  the name "all" is taken by /groups/0; ' +
        'allowed: a name of its own for every device group',
    ],
  ])('%s', (_, group, fault) => {
    expect(faultsOf(update({ group }))).toEqual([fault]);
  });

  it('is not that a class is given for mixed ones', () => {
    expect(faultsOf(update({ group: '{ name: all, devices: all, class: A }' }))).toEqual([]);
  });

  it.each([
    ['A, B', undefined],
    ['B, C', 'B and C'],
    ['A, B, C', 'A, B and C'],
  ])('is of a group of classes %s: %s', (classes, mixed) => {
    const kinds = classes.split(', ').map((kind, i) => `{ name: d${i}, class: ${kind} }`);
    const text = update({}).replace(/devices: .*\n/, `devices: [${kinds.join(', ')}]\n`);
    const fault =
      `file.yaml:5:32  /groups/0/devices  the group "all" mixes classes ${mixed}; ` +
      'allowed: A and B, or C alone, or class: A or C';
    expect(faultsOf(text)).toEqual(mixed === undefined ? [] : [fault]);
  });

  it('is more members in all groups than devices may be', () => {
    const text = update({ group: '{ name: all, devices: all }, { name: b, devices: [big] }' });
    const devices = 'devices: [{ name: big, count: 600000 }]\n';
    expect(faultsOf(text.replace(/devices: .*\n/, devices))).toEqual([
      'file.yaml:5:9  /groups  1200000 members of groups are too many; ' +
        'allowed: at most 1000000 in all groups',
    ]);
  });
});

describe('a fault of a campaign', () => {
  it.each([
    [
      'an unknown image',
      { whole: '{ name: c, image: m-1.2.1.bin, group: all }' },
      'file.yaml:6:31  /campaigns/0/image  "m-1.2.1.bin" is not an image of this scenario; ' +
        'allowed: m-1.2.0.bin; did you mean "m-1.2.0.bin"?',
    ],
    [
      'an unknown group',
      { whole: '{ name: c, image: m-1.2.0.bin, group: al }' },
      'file.yaml:6:51  /campaigns/0/group  "al" is not a device group of this scenario; ' +
        'allowed: all; did you mean "all"?',
    ],
    [
      'no group at all',
      { whole: '{ name: c, image: m-1.2.0.bin, group: all }', group: '' },
      'file.yaml:6:51  /campaigns/0/group  "all" is not a device group of this scenario; ' +
        'allowed: no device group, for there is none',
    ],
    [
      'a name twice',
      { whole: ['c', 'c'].map((n) => `{ name: ${n}, image: m-1.2.0.bin, group: all }`).join() },
      'file.yaml:6:65  /campaigns/1/name  the name "c" is taken by /campaigns/0; ' +
        'allowed: a name of its own for every campaign',
    ],
    [
      'a time after the end',
      { campaign: 'at: 25 h' },
      'file.yaml:6:60  /campaigns/0/at  25 h is after the end of the run; allowed: at most 1 d',
    ],
    [
      'a version that the image’s name does not contain',
      {
        image: '{ name: m.bin, bytes: 1 kB }',
        whole: '{ name: c, image: m.bin, group: all }',
      },
      'file.yaml:6:31  /campaigns/0/image  no version can be inferred from "m.bin"; ' +
        'allowed: expected_version beside it, or a name such as meter-1.2.0.bin',
    ],
    [
      'a malformed version',
      { campaign: 'expected_version: 1.2.300' },
      `file.yaml:6:74  /campaigns/0/expected_version  "1.2.300" is not a version; allowed: ` +
        `${VERSION}, or 16 hexadecimal digits, . for any digit`,
    ],
    [
      'a descriptor of three bytes',
      { campaign: 'descriptor: "010203"' },
      'file.yaml:6:68  /campaigns/0/descriptor  "010203" is not right here; ' +
        'allowed: 8 hexadecimal digits, in quotes',
    ],
    [
      'half seconds of set-up',
      { campaign: 'multicast_setup_time: 1500 ms' },
      'file.yaml:6:78  /campaigns/0/multicast_setup_time  "1500 ms" is not a whole number of ' +
        'seconds; allowed: 0 s to 30 d',
    ],
    [
      'a data rate that multicast does not have',
      { campaign: 'mcast_dr: DR0' },
      'file.yaml:6:66  /campaigns/0/mcast_dr  "DR0" is not a data rate of multicast; ' +
        'allowed: DR1 to DR14',
    ],
    [
      'a data rate that the region does not have',
      { campaign: 'mcast_dr: 9' },
      'file.yaml:6:66  /campaigns/0/mcast_dr  DR9 of EU868 is LR-FHSS, which worlds do not ' +
        'simulate; allowed: DR1, DR2, DR3, DR4, DR5, DR6, DR7',
    ],
    [
      'a frequency outside the sub-bands',
      { campaign: 'mcast_freq: 869.3 MHz' },
      'file.yaml:6:68  /campaigns/0/mcast_freq  869.3 MHz is in no sub-band of EU868; ' +
        'allowed: 863–865, 865–868, 868–868.6, 868.7–869.2, 869.4–869.65, 869.7–870 MHz',
    ],
    [
      'a channel that reaches out of its sub-band',
      { campaign: 'mcast_freq: 868.1 MHz, mcast_dr: DR6' },
      'file.yaml:6:68  /campaigns/0/mcast_freq  a channel of 250 kHz around 868.1 MHz is in no ' +
        'sub-band of EU868; allowed: 863–865, 865–868, 868–868.6, 868.7–869.2, 869.4–869.65, ' +
        '869.7–870 MHz',
    ],
    [
      'a frequency between steps',
      { campaign: 'mcast_freq: 869525050 Hz' },
      'file.yaml:6:68  /campaigns/0/mcast_freq  869525050 Hz cannot be sent to devices; ' +
        'allowed: multiples of 100 Hz',
    ],
    [
      'the slowest data rate under the service’s name',
      { campaign: 'mcast_dr: DR0' },
      'file.yaml:6:66  /campaigns/0/mcast_dr  "DR0" is not a data rate of multicast; ' +
        'allowed: DR1 to DR14',
    ],
    [
      'two data rates',
      { campaign: 'mcast_dr: DR1, multicastDataRate: DR0' },
      'file.yaml:6:90  /campaigns/0/multicastDataRate  stands beside mcast_dr; ' +
        'allowed: one of multicastDataRate and mcast_dr',
    ],
    [
      'fragments that DR0 does not carry',
      { campaign: 'multicastDataRate: DR0, frag_size: 49 B' },
      'file.yaml:6:91  /campaigns/0/frag_size  49 B do not fit into a frame at DR0; ' +
        'allowed: at most 48 B',
    ],
    [
      'a time-out that is no power of two',
      { campaign: 'mcast_session_timeout: 1 h' },
      'file.yaml:6:79  /campaigns/0/mcast_session_timeout  "1 h" is not a power of two in ' +
        'seconds; allowed: 1 s, 2 s, 4 s … 32768 s; did you mean "4096 s"?',
    ],
    [
      'a time-out that is too long',
      { campaign: 'mcast_session_timeout: 65536 s' },
      'file.yaml:6:79  /campaigns/0/mcast_session_timeout  "65536 s" is too large; ' +
        'allowed: 1 s to 32768 s',
    ],
    [
      'more redundancy than image',
      { campaign: 'redundancy: 150 %' },
      'file.yaml:6:68  /campaigns/0/redundancy  "150 %" is too large; allowed: 0 % to 100 %',
    ],
    [
      'fragments that no data rate carries',
      { campaign: 'frag_size: 240 B' },
      'file.yaml:6:67  /campaigns/0/frag_size  "240 B" is too large; allowed: 1 B to 239 B',
    ],
    [
      'fragments that its data rate does not carry',
      { campaign: 'mcast_dr: DR3, frag_size: 113 B' },
      'file.yaml:6:82  /campaigns/0/frag_size  113 B do not fit into a frame at DR3; ' +
        'allowed: at most 112 B',
    ],
    [
      'too many fragments',
      { campaign: 'frag_size: 1 B' },
      'file.yaml:6:31  /campaigns/0/image  20000 B are 20000 fragments of 1 B, and 6000 for ' +
        'redundancy; allowed: at most 16383 in all',
    ],
    [
      'a retry before the next downlink',
      { campaign: 'min_timeout_delay: 5 s' },
      'file.yaml:6:75  /campaigns/0/min_timeout_delay  5 s makes min_timeout_delay no longer ' +
        'than min_downlink_delay; allowed: min_timeout_delay above min_downlink_delay',
    ],
    [
      'a pause longer than the time-out',
      { campaign: 'min_downlink_delay: 2 min' },
      'file.yaml:6:76  /campaigns/0/min_downlink_delay  2 min makes min_timeout_delay no longer ' +
        'than min_downlink_delay; allowed: min_timeout_delay above min_downlink_delay',
    ],
    [
      'a misspelt key',
      { campaign: 'redundency: 5 %' },
      'file.yaml:6:56  /campaigns/0/redundency  "redundency" is not a known key here; allowed: ' +
        'name, image, group, at, after, when, scheduled_start_at, expected_version, ' +
        'multicast_setup_time, mcast_deveui, mcast_devaddr, mcast_mc_key, ' +
        'mcast_dr, multicastDataRate, mcast_freq, mcast_session_timeout, ' +
        'redundancy, redundancy_most, frag_send_delay, frag_size, acceptable_time_drift, ' +
        'sleep_after_frag_sent, descriptor, min_downlink_delay, min_timeout_delay, ' +
        'force_initial_version_check, max_final_version_check_retry, automatic_retry_count, ' +
        'automatic_retry_interval, downlink_delay_rand_s, individual_fragment_retransmit, ' +
        'is_debug, is_troubleshooting, completed_email_alert, ignore_clock_rates, ' +
        'skip_clock_sync, set_up_in_turn, set_up_interval, set_up_waits, set_up_tries, ' +
        'set_up_threshold, session_delay, session_closes_after, session_fragment_time, ' +
        'frag_sizes, frag_size_multiple, frag_send_airtimes, frag_airtime_rough, ' +
        'frag_send_per_gateway, frag_send_least, frag_send_after_report, frag_send_passes, ' +
        'frag_send_grid, frag_index, status_tries, status_by_group_above, status_time, ' +
        'verify_by_status, gateway_timing, multicastSession, pingSlotPeriodicity, subscriber; ' +
        'did you mean "redundancy"?',
    ],
    [
      'a halt of an unknown campaign',
      { more: 'timeline: [{ at: 2 h, haltCampaign: d }]' },
      'file.yaml:7:37  /timeline/0/haltCampaign  "d" is not a campaign of this scenario; ' +
        'allowed: c',
    ],
    [
      'a halt before the beginning',
      { campaign: 'at: 3 h', more: 'timeline: [{ at: 2 h, haltCampaign: c }]' },
      'file.yaml:7:37  /timeline/0/haltCampaign  the campaign "c" has not begun at 2 h; ' +
        'allowed: from 3 h on',
    ],
  ])('%s', (_, parts, fault) => {
    expect(faultsOf(update({ ...good, ...parts }))).toEqual([fault]);
  });

  it('is not a version with open digits beside a descriptor', () => {
    const campaign = 'expected_version: "0102............", descriptor: "01020304"';
    expect(faultsOf(update({ ...good, campaign }))).toEqual([]);
  });
});

describe('a warning', () => {
  const warningsOf = (campaign: string, image = IMAGE) => {
    const loaded = loadText(update({ ...good, campaign, image }));
    return loaded.outcome === 'scenario' ? loaded.warnings.map(format) : undefined;
  };

  it('is of a number of fragments that the redundancy serves badly', () => {
    expect(warningsOf('frag_size: 40 B', '{ name: m-1.2.0.bin, bytes: 12.8 kB }')).toEqual([
      'file.yaml:6:67  /campaigns/0/frag_size  12800 B are 320 fragments of 40 B: of multiples ' +
        'of 64 from 192 on, but powers of two, some pairs can hardly be rebuilt when both are ' +
        'lost; did you mean "41 B"?',
    ]);
  });

  it('is not of a size that is left open, nor of a good one', () => {
    expect(warningsOf('')).toEqual([]);
    expect(warningsOf('frag_size: 100 B')).toEqual([]);
    expect(warningsOf('frag_size: 200 B', '{ name: m-1.2.0.bin, bytes: 51200 B }')).toEqual([]);
  });

  it('is of multiples of 64 from 192 on that are no power of two', () => {
    const bad = Array.from({ length: 1000 }, (_, nbFrag) => nbFrag).filter(isDefective);
    expect(bad).toEqual([192, 320, 384, 448, 576, 640, 704, 768, 832, 896, 960]);
  });

  it('names the nearest good size that fits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 100_000 }),
        fc.integer({ min: 2, max: 239 }),
        (bytes, size) => {
          const good = nearestGoodFragSize(bytes, size, 239)!;
          const isGood = (one: number) => !isDefective(Math.ceil(bytes / one));
          expect(isGood(good)).toBe(true);
          expect(good).toBeGreaterThanOrEqual(1);
          expect(good).toBeLessThanOrEqual(239);
          for (let other = size + 1; other < size + Math.abs(good - size); other++) {
            expect(other > 239 || !isGood(other)).toBe(true);
          }
          for (let other = size - 1; other > size - Math.abs(good - size); other--) {
            expect(isGood(other)).toBe(false);
          }
        },
      ),
    );
  });
});
