/** Every kind of fault in a scenario file, with the exact words that a user reads. */
import { describe, expect, it } from 'vitest';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { VERB_NAMES } from '../../scenarios/schema/timeline-schema.ts';
import { faultsOf, meterWith, SHORTEST, shortestWith } from './scenario.ts';

/** All of them, in the order of the schema. */
const TOP_KEYS = Object.keys(scenarioJsonSchema().properties as object).join(', ');
const WAYS = 'at, ring, disc, grid, file, latitude, longitude, centre';
const COMMANDS = VERB_NAMES.join(', ');
const RATES = 'DR0, DR1, DR2, DR3, DR4, DR5';
const REGIONS =
  'EU868, US915, AU915, AS923-1, AS923-2, AS923-3, AS923-4, IN865, KR920, EU433, RU864, CN470';

describe('a fault of form', () => {
  it.each([
    ['nothing at all', '', 'file.yaml  is empty; allowed: a scenario'],
    ['only a comment', '# hello\n', 'file.yaml  is empty; allowed: a scenario'],
    [
      'an open list',
      'scenario: [a',
      'file.yaml:1:13  a list in brackets is not closed before here; ' +
        'allowed: "]" at its end, its lines indented',
    ],
    [
      'a key twice',
      `${SHORTEST}scenario: b`,
      'file.yaml:3:1  "scenario" stands here twice; allowed: each key once in a map',
    ],
    [
      'a tab',
      '\tscenario: a',
      'file.yaml:1:1  Tabs are not allowed as indentation; allowed: spaces',
    ],
    ['a tag', 'scenario: !name a', 'file.yaml:1:11  Unresolved tag: !name'],
    [
      'a second document',
      `${SHORTEST}---\nscenario: b`,
      'file.yaml:3:1  begins a second document; allowed: one scenario a file',
    ],
    [
      'an alias without its anchor',
      shortestWith('area: *a'),
      'file.yaml:3:7  *a stands before or without its anchor &a',
    ],
    [
      'aliases of aliases',
      `a: &a [1]\nb: &b [${'*a,'.repeat(11)}]\nc: [${'*b,'.repeat(11)}]`,
      'file.yaml  repeats values by aliases too often; allowed: at most 100 repetitions',
    ],
    [
      'a value that contains itself',
      'scenario: &a [*a]',
      'file.yaml  is nested too deeply; allowed: at most 32 levels',
    ],
    [
      'deep nesting',
      '['.repeat(40),
      'file.yaml:1:33  is nested too deeply; allowed: at most 32 levels',
    ],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'is a word that every object knows, where a word is looked up: %s',
    (word) => {
      expect(faultsOf(meterWith(`packages: ${word}`))).toEqual([
        `file.yaml:2:46  /devices/0/packages  "${word}" is not known; allowed: v1, v2`,
      ]);
    },
  );

  it('is reported at all places at once', () => {
    expect(faultsOf('a: {b\nc: [d\n')).toHaveLength(2);
  });
});

describe('a fault of content', () => {
  it.each([
    [
      'a document that is a list',
      '- a',
      `file.yaml:1:1  a list is not a map of keys and values; allowed: a map with ${TOP_KEYS}`,
    ],
    [
      'an unknown key',
      shortestWith('duratoin: 1 h'),
      `file.yaml:3:1  /duratoin  "duratoin" is not a known key here; allowed: ${TOP_KEYS}; ` +
        'did you mean "duration"?',
    ],
    [
      'a study',
      'study: s\nscenario: town.yaml\nparameters: { a: { set: seed, values: [1] } }',
      'file.yaml:3:1  /parameters  is of a study: fleetwave study run FILE',
    ],
    [
      'a missing name',
      'devices: [{ name: meter }]',
      'file.yaml:1:1  /scenario  is missing; ' +
        'allowed: up to 64 letters, digits, - and _, the first a letter',
    ],
    [
      'a bad name',
      'scenario: a b\ndevices: [{ name: meter }]',
      'file.yaml:1:11  /scenario  "a b" is not right here; ' +
        'allowed: up to 64 letters, digits, - and _, the first a letter',
    ],
    [
      'no devices',
      'scenario: a',
      'file.yaml:1:1  /devices  is missing; allowed: a list of populations',
    ],
    [
      'an empty list',
      'scenario: a\ndevices: []',
      'file.yaml:2:10  /devices  is empty; allowed: a list of populations, at least 1',
    ],
    [
      'a map for a list',
      'scenario: a\ndevices: { name: b }',
      'file.yaml:2:10  /devices  a map is not a list; allowed: a list of populations',
    ],
    [
      'a wrong dimension',
      shortestWith('duration: 10 km'),
      'file.yaml:3:11  /duration  "10 km" is a length, but a duration is expected; ' +
        'allowed: a duration, such as "6 h"',
    ],
    [
      'a duration of nothing',
      shortestWith('duration: 0 s'),
      'file.yaml:3:11  /duration  "0 s" is too small; allowed: 1 us to 3650 d',
    ],
    [
      'a number without a unit',
      shortestWith('radio: { shadowing: 5 }'),
      'file.yaml:3:21  /radio/shadowing  5 has no unit, but a number of decibels needs one; ' +
        'allowed: a number of decibels, such as "6 dB"; did you mean "5 dB"?',
    ],
    [
      'a misspelt word',
      shortestWith('region: EU686'),
      `file.yaml:3:9  /region  "EU686" is not known; allowed: ${REGIONS}; did you mean "EU868"?`,
    ],
    [
      'a word for a flag',
      meterWith('adr: yes'),
      'file.yaml:2:41  /devices/0/adr  "yes" is neither true nor false; ' +
        'allowed: true, false; did you mean "true"?',
    ],
    [
      'a negative count',
      'scenario: a\ndevices: [{ name: m, count: -2 }]',
      'file.yaml:2:29  /devices/0/count  -2 is too small; allowed: a whole ' +
        'number from 0 to 1000000',
    ],
    [
      'a count that is no number',
      'scenario: a\ndevices: [{ name: m, count: .nan }]',
      'file.yaml:2:29  /devices/0/count  NaN is not a whole number; ' +
        'allowed: a whole number from 0 to 1000000',
    ],
    [
      'half a thing',
      'scenario: a\ndevices: [{ name: m, count: 2.5 }]',
      'file.yaml:2:29  /devices/0/count  2.5 is not a whole number; ' +
        'allowed: a whole number from 0 to 1000000',
    ],
    [
      'a probability above one',
      meterWith('frameLoss: 110 %'),
      'file.yaml:2:47  /devices/0/frameLoss  "110 %" is too large; allowed: 0 % to 100 %',
    ],
    [
      'a probability as a plain number above one',
      meterWith('frameLoss: 10'),
      'file.yaml:2:47  /devices/0/frameLoss  10 is too large; allowed: 0 % to 100 %',
    ],
    [
      'an instant that does not exist',
      shortestWith('start: 2026-02-30T00:00:00Z'),
      'file.yaml:3:8  /start  "2026-02-30T00:00:00Z" names a day that does not exist; ' +
        'allowed: a UTC instant such as 2026-01-01T00:00:00Z',
    ],
    [
      'an instant of a time zone',
      shortestWith('start: 2026-02-03T00:00:00+01:00'),
      'file.yaml:3:8  /start  "2026-02-03T00:00:00+01:00" is not an instant; ' +
        'allowed: a UTC instant such as 2026-01-01T00:00:00Z',
    ],
    [
      'an area that is neither',
      shortestWith('area: { radius: 1 km, width: 2 km }'),
      'file.yaml:3:7  /area  does not describe a disc; ' +
        'allowed: radius for a disc, width and height for a rectangle',
    ],
    [
      'an unknown path loss',
      shortestWith('radio: { pathLoss: okumura }'),
      'file.yaml:3:20  /radio/pathLoss  "okumura" is not known; ' +
        'allowed: ns3LogDistance, loRaSim, oulu, floraHata, freeSpace, hataUrbanSmall, ' +
        'hataUrbanLarge, hataSuburban, hataOpen, ns-3, lorasim, flora, flora-hata',
    ],
    [
      'half a path loss model',
      shortestWith('radio: { pathLoss: { model: logDistance, exponent: 3 } }'),
      'file.yaml:3:20  /radio/pathLoss  does not describe logDistance path loss; ' +
        'allowed: model, exponent, referenceLoss, referenceDistance (may be absent)',
    ],
    [
      'a sensitivity of five levels',
      shortestWith('radio: { sensitivity: { device: [-124 dBm] } }'),
      'file.yaml:3:33  /radio/sensitivity/device  a list is not a table of sensitivities; ' +
        'allowed: formula, ns3Gateway, ns3EndDevice, sx1272, loRaSim, ns-3, lorasim, ' +
        'or 6 levels (SF7…12) or 8 (SF5…12)',
    ],
    [
      'an SIR matrix of the wrong size',
      shortestWith('radio: { interference: { sir: [[6]] } }'),
      'file.yaml:3:31  /radio/interference/sir  a list is not an SIR matrix; ' +
        'allowed: goursaud, croce, or 6 rows of 6 numbers from -100 to 100 dB',
    ],
    [
      'a misspelt placement',
      meterWith('placement: { rign: 5 km }'),
      `file.yaml:2:49  /devices/0/placement/rign  "rign" is not a known key ` +
        `here; allowed: ${WAYS}; ` +
        'did you mean "ring"?',
    ],
    [
      'two placements',
      meterWith('placement: { ring: 5 km, disc: 2 km }'),
      'file.yaml:2:47  /devices/0/placement  says where in more than one way; ' +
        'allowed: exactly one of at, ring, disc, grid, file, or latitude and longitude',
    ],
    [
      'a point of one coordinate',
      meterWith('placement: [[1 km], [0 m, 0 m], [0 m, 0 m]]'),
      'file.yaml:2:48  /devices/0/placement/0  a list is not a point; ' +
        'allowed: two lengths such as [1 km, -500 m]',
    ],
    [
      'a file outside the folder',
      meterWith('placement: { file: ../secret.csv }'),
      'file.yaml:2:55  /devices/0/placement/file  "../secret.csv" is not right here; ' +
        'allowed: a path below the scenario file’s folder',
    ],
    [
      'an unknown data rate',
      meterWith('dataRate: DR7'),
      'file.yaml:2:46  /devices/0/dataRate  no uplink channel of this scenario carries DR7 of ' +
        `EU868; allowed: ${RATES}`,
    ],
    [
      'a data rate of another key',
      meterWith('dataRate: { lnk: 5 dB }'),
      'file.yaml:2:46  /devices/0/dataRate  a map is not a data rate; ' +
        'allowed: join, DR0, DR1 … DR13, or {link: margin} such as {link: 5 dB}',
    ],
    [
      'an EUI of too few digits',
      'scenario: a\ndevices: [{ name: m, devEui: 70B3D5 }]',
      'file.yaml:2:30  /devices/0/devEui  "70B3D5" is not right here; ' +
        'allowed: 16 hexadecimal digits, in quotes',
    ],
    [
      'half a second of RX1 delay',
      shortestWith('server: { rx1Delay: 1500 ms }'),
      'file.yaml:3:21  /server/rx1Delay  "1500 ms" is not a whole number of seconds; ' +
        'allowed: 1 s, 2 s … 15 s',
    ],
    [
      'a channel between sub-bands',
      shortestWith('channels: [868.65 MHz]'),
      'file.yaml:3:12  /channels/0  868.65 MHz is in no sub-band of EU868; ' +
        'allowed: 863–865, 865–868, 868–868.6, 868.7–869.2, 869.4–869.65, 869.7–870 MHz',
    ],
    [
      'a channel that a fixed plan does not have',
      shortestWith('region: US915\nchannels: [868.1 MHz]'),
      'file.yaml:4:12  /channels/0  868.1 MHz is no uplink channel of US915; allowed: ' +
        '902.3 MHz + n·200 kHz (n from 0 to 63), 903 MHz + n·1600 kHz (n from 0 to 7)',
    ],
    [
      'a sub-band of a plan without',
      shortestWith('channels: [{ subBand: 2 }]'),
      'file.yaml:3:12  /channels/0  sub-band 2 is none of EU868; allowed: frequencies',
    ],
    [
      'LR-FHSS',
      meterWith('dataRate: DR9'),
      'file.yaml:2:46  /devices/0/dataRate  DR9 of EU868 is LR-FHSS, which worlds do not ' +
        'simulate; allowed: DR0, DR1, DR2, DR3, DR4, DR5, DR6, DR7',
    ],
    [
      'an offset of RX1 that the region does not have',
      shortestWith('region: US915\nserver: { rx1DrOffset: 4 }'),
      'file.yaml:4:24  /server/rx1DrOffset  4 is no offset of RX1 in US915; allowed: 0 to 3',
    ],
    [
      'a data rate of uplinks for RX2',
      shortestWith('region: US915\nserver: { rx2DataRate: DR2 }'),
      'file.yaml:4:24  /server/rx2DataRate  DR2 of US915 is for uplinks; allowed: DR8, DR9, ' +
        'DR10, DR11, DR12, DR13',
    ],
    [
      'a dwell time where TxParamSetupReq does not exist',
      shortestWith('server: { uplinkDwell: true }'),
      'file.yaml:3:24  /server/uplinkDwell  devices of EU868 know no TxParamSetupReq; ' +
        'allowed: AU915, AS923-1, AS923-2, AS923-3, AS923-4',
    ],
    [
      'more power than the region allows',
      meterWith('maxEirp: 20 dBm'),
      'file.yaml:2:45  /devices/0/maxEirp  20 dBm is more than devices of EU868 may radiate; ' +
        'allowed: at most 16 dBm',
    ],
    [
      'a default channel with other data rates',
      shortestWith('channels: [{ frequency: 868.3 MHz, minDataRate: DR0, maxDataRate: DR6 }]'),
      'file.yaml:3:12  /channels/0  868.3 MHz is a channel that every device of EU868 has; ' +
        'allowed: DR0 to DR5 there',
    ],
    [
      'a channel twice',
      shortestWith('channels: [868.1 MHz, 868100 kHz]'),
      'file.yaml:3:23  /channels/1  868100 kHz is /channels/0 already; allowed: ' +
        'each frequency once',
    ],
    [
      'a payload that its data rate cannot carry',
      meterWith('dataRate: DR0, traffic: { payload: 60 B }'),
      'file.yaml:2:71  /devices/0/traffic/payload  60 B do not fit into a frame at DR0; ' +
        'allowed: at most 51 B',
    ],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});

describe('a knob of a physical fault', () => {
  const entryOf = (verb: string, knobs: string) =>
    verb === 'gatewayFault' ? `{ gateway: gateway, ${knobs} }` : `{ device: meter, ${knobs} }`;
  const wrongIn = (verb: string, knobs: string) =>
    faultsOf(shortestWith(`timeline:\n  - { at: 1 h, ${verb}: ${entryOf(verb, knobs)} }`));
  /** Where the value of a knob stands, which is wrong. */
  const placed = (verb: string, knobs: string, knob: string) => {
    const before = `  - { at: 1 h, ${verb}: ${entryOf(verb, knobs)}`.split(`${knob}: `)[0]!;
    const column = before.length + `${knob}: `.length + 1;
    return `file.yaml:4:${column}  /timeline/0/${verb}/${knob}  `;
  };

  it.each([
    ['gatewayFault', 'fault: radio, channel: 868.3 MHz', 'channel', 'fault: radio', 'beside noise'],
    ['gatewayFault', 'fault: delay, channel: 868.3 MHz', 'channel', 'fault: delay', 'beside noise'],
    [
      'gatewayFault',
      'fault: delay, by: 3 dB',
      'by',
      'fault: delay',
      'beside attenuation and noise',
    ],
    // Also where it is what it would be without.
    [
      'gatewayFault',
      'fault: radio, by: 20 dB',
      'by',
      'fault: radio',
      'beside attenuation and noise',
    ],
    ['gatewayFault', 'fault: noise, delay: 2 s', 'delay', 'fault: noise', 'beside delay'],
    ['gatewayFault', 'fault: radio, on: false, for: 1 h', 'for', 'on: false', 'of what begins'],
    ['gatewayFault', 'fault: noise, on: false, by: 3 dB', 'by', 'on: false', 'of what begins'],
    ['gatewayFault', 'fault: delay, on: false, delay: 2 s', 'delay', 'on: false', 'of what begins'],
    ['deviceFault', 'fault: loss, on: false, share: 3 %', 'share', 'on: false', 'of what begins'],
    ['deviceFault', 'fault: loss, by: 3 dB', 'by', 'fault: loss', 'beside attenuation'],
    ['deviceFault', 'fault: radio, share: 3 %', 'share', 'fault: radio', 'beside loss'],
    ['deviceFault', 'fault: power, on: false, for: 1 h', 'for', 'on: false', 'of what begins'],
  ])('is refused where it says nothing: %s with %s', (verb, knobs, knob, beside, allowed) => {
    expect(wrongIn(verb, knobs)).toEqual([
      `${placed(verb, knobs, knob)}${knob} means nothing beside ${beside}; allowed: ${allowed}`,
    ]);
  });

  it('is taken beside each fault that it belongs to, and all that are wrong are reported', () => {
    const right = [
      'noise, by: 3 dB, channel: 868.3 MHz',
      'attenuation, by: 3 dB',
      'delay, delay: 2 s',
    ];
    for (const knobs of right)
      expect(wrongIn('gatewayFault', `fault: ${knobs}, for: 1 h`)).toEqual([]);
    // The one noise ends, and the others go on.
    expect(wrongIn('gatewayFault', 'fault: noise, on: false, channel: 868.3 MHz')).toEqual([]);
    for (const knobs of ['attenuation, by: 3 dB', 'loss, share: 3 %', 'power, on: false']) {
      expect(wrongIn('deviceFault', `fault: ${knobs}`)).toEqual([]);
    }
    const all = wrongIn('gatewayFault', 'fault: radio, by: 3 dB, channel: 868.3 MHz, delay: 1 s');
    expect(all.map((fault) => /gatewayFault\/(\w+)/.exec(fault)?.[1])).toEqual([
      'by',
      'channel',
      'delay',
    ]);
  });

  it.each([
    ['between channels', '', '868.2 MHz', '868.1, 868.3, 868.5 MHz', '868.1 MHz'],
    ['beside one', '', '868.35 MHz', '868.1, 868.3, 868.5 MHz', '868.3 MHz'],
    ['that the network leaves', 'channels: [867.1 MHz]', '868.1 MHz', '867.1 MHz', '867.1 MHz'],
  ])('names a channel of the network, not one %s', (_, channels, channel, list, meant) => {
    const text = (word: string) =>
      `scenario: a\ndevices: [{ name: m }]\n${channels}\ntimeline:\n` +
      `  - { at: 1 h, gatewayFault: { gateway: gateway, fault: noise, channel: ${word} } }`;
    expect(faultsOf(text(channel))).toEqual([
      `file.yaml:5:73  /timeline/0/gatewayFault/channel  ${channel} is no channel of this ` +
        `network; allowed: ${list}; did you mean "${meant}"?`,
    ]);
    expect(faultsOf(text(meant))).toEqual([]);
  });

  it('names the nearest channels where there are many', () => {
    const [fault] = faultsOf(
      'scenario: a\nregion: US915\ndevices: [{ name: m }]\ntimeline:\n' +
        '  - { at: 1 h, gatewayFault: { gateway: gateway, fault: noise, channel: 902 MHz } }',
    );
    expect(fault).toMatch(
      /allowed: the nearest of 72 are 902.3, 902.5, 902.7, 902.9, 903, 903.1, /,
    );
    expect(fault).toMatch(/904.9 MHz; did you mean "902.3 MHz"\?$/);
  });
});

describe('a fault of a battery', () => {
  it.each([
    ['3', '3 has no unit, but a charge needs one'],
    ['3000 Ah', '"3000 Ah" is too large'],
    ['0 mAh', '"0 mAh" is too small'],
  ])('names the range and the word: %s', (battery, what) => {
    const [fault] = faultsOf(meterWith(`energy: { battery: ${battery} }`));
    expect(fault).toMatch(/^file\.yaml:\d+:\d+ {2}\/devices\/0\/energy\/battery {2}/);
    expect(fault?.endsWith(`  ${what}; allowed: 1 mAh to 1000 Ah, or external`)).toBe(true);
  });
});

describe('a fault between entries', () => {
  const two = (first: string, second: string) =>
    `scenario: a\ndevices:\n  - { ${first} }\n  - { ${second} }\n`;

  it.each([
    [
      'two populations of one name',
      two('name: meter, count: 2', 'name: meter, count: 5'),
      'file.yaml:4:13  /devices/1/name  the name "meter" is taken by /devices/0; ' +
        'allowed: a name of its own for every device entry',
    ],
    [
      'a single device with the name of a numbered one',
      two('name: meter, count: 20', 'name: meter-17'),
      'file.yaml:4:13  /devices/1/name  the name "meter-17" is that of a device of /devices/0; ' +
        'allowed: a name of its own for every device',
    ],
    [
      'two devices of one EUI',
      two('name: a, devEui: 70B3D57ED0000001', 'name: b, devEui: 70b3d57ed0000001'),
      'file.yaml:4:24  /devices/1/devEui  the EUI 70B3D57ED0000001 is taken by /devices/0; ' +
        'allowed: an EUI of its own for every one',
    ],
    [
      'an EUI that another population makes',
      two('name: meter, count: 9', 'name: b, devEui: 02E4E2517D000007'),
      'file.yaml:4:24  /devices/1/devEui  the EUI 02E4E2517D000007 is taken by /devices/0; ' +
        'allowed: an EUI of its own for every one',
    ],
    [
      'one EUI for many',
      two('name: a', 'name: b, count: 2, devEui: 70B3D57ED0000001'),
      'file.yaml:4:34  /devices/1/devEui  one devEui cannot serve 2; ' +
        'allowed: devEui only without a count or with count 1',
    ],
    [
      'one point for many',
      two('name: a', 'name: b, count: 2, placement: { at: [0 m, 0 m] }'),
      'file.yaml:4:37  /devices/1/placement  one point cannot be the place of 2; ' +
        'allowed: a list of 2 points, or ring, disc, grid',
    ],
    [
      'too few points',
      two('name: a', 'name: b, count: 3, placement: [[0 m, 0 m], [1 m, 1 m]]'),
      'file.yaml:4:37  /devices/1/placement  has 2 points for 3; allowed: at least 3 points',
    ],
    [
      'too many devices',
      two('name: a, count: 600000', 'name: b, count: 600000'),
      'file.yaml:3:3  /devices  1200000 devices are too many; allowed: at most 1000000',
    ],
    [
      'a command after the end',
      shortestWith('timeline: [{ at: 2 d, removeDevice: meter-1 }]'),
      'file.yaml:3:18  /timeline/0/at  2 d is after the end of the run; allowed: at most 1 d',
    ],
    [
      'a command that commands nothing',
      shortestWith('timeline: [{ at: 2 h }]'),
      `file.yaml:3:12  /timeline/0  says nothing to do; allowed: exactly one of ${COMMANDS}`,
    ],
    [
      'two commands in one',
      shortestWith('timeline: [{ at: 2 h, removeDevice: meter-1, removeGateway: gateway }]'),
      'file.yaml:3:12  /timeline/0  has removeDevice and removeGateway; ' +
        `allowed: exactly one of ${COMMANDS}`,
    ],
    [
      'a device that is not there',
      shortestWith('timeline: [{ at: 2 h, downlink: { to: metre-2 } }]'),
      'file.yaml:3:39  /timeline/0/downlink/to  ' +
        '"metre-2" is not a device of this scenario at that time; ' +
        'allowed: meter-1 … meter-3; did you mean "meter-2"?',
    ],
    [
      'a device beyond the last',
      shortestWith('timeline: [{ at: 2 h, removeDevice: meter-4 }]'),
      'file.yaml:3:37  /timeline/0/removeDevice  ' +
        '"meter-4" is not a device of this scenario at that time; ' +
        'allowed: meter-1 … meter-3; did you mean "meter-3"?',
    ],
    [
      'a device that was taken away',
      shortestWith(
        'timeline: [{ at: 2 h, removeDevice: meter-1 }, { at: 3 h, downlink: { to: meter-1 } }]',
      ),
      'file.yaml:3:75  /timeline/1/downlink/to  ' +
        '"meter-1" is no longer a device of this scenario at that time; allowed: meter-2 … meter-3',
    ],
    [
      'a device before it is added',
      shortestWith(
        'timeline: [{ at: 2 h, addDevices: { population: meter } }, ' +
          '{ at: 1 h, removeDevice: meter-4 }]',
      ),
      'file.yaml:3:85  /timeline/1/removeDevice  ' +
        '"meter-4" is not a device of this scenario at that time; ' +
        'allowed: meter-1 … meter-3; did you mean "meter-3"?',
    ],
    [
      'more of an unknown population',
      shortestWith('timeline: [{ at: 2 h, addDevices: { population: water } }]'),
      'file.yaml:3:49  /timeline/0/addDevices/population  ' +
        '"water" is not a population with a count; allowed: meter; did you mean "meter"?',
    ],
    [
      'more at points that are taken',
      'scenario: a\ndevices: [{ name: m, count: 1, placement: [[0 m, 0 m]] }]\n' +
        'timeline: [{ at: 2 h, addDevices: { population: m } }]',
      'file.yaml:3:35  /timeline/0/addDevices  ' +
        'the points of "m" are taken by its first devices; allowed: a placement for the new ones',
    ],
    [
      'more than there are points',
      shortestWith(
        'timeline: [{ at: 2 h, addDevices: ' +
          '{ population: meter, count: 3, placement: [[0, 0], [1 m, 0]] } }]',
      ),
      'file.yaml:3:77  /timeline/0/addDevices/placement  ' +
        'has 2 points for 3; allowed: at least 3 points',
    ],
    [
      'more than one at one point',
      shortestWith(
        'timeline: [{ at: 2 h, addDevices: ' +
          '{ population: meter, count: 2, placement: { at: [0, 0] } } }]',
      ),
      'file.yaml:3:77  /timeline/0/addDevices/placement  ' +
        'one point cannot be the place of 2; allowed: a list of 2 points, or ring, disc, grid',
    ],
    [
      'more of a device with an EUI of its own',
      'scenario: a\ndevices: [{ name: m, count: 1, devEui: "0011223344556677" }]\n' +
        'timeline: [{ at: 2 h, addDevices: { population: m } }]',
      'file.yaml:3:49  /timeline/0/addDevices/population  ' +
        '"m" has a devEui, which cannot serve another device; allowed: a population without devEui',
    ],
    [
      'a gateway that is not there',
      shortestWith('timeline: [{ at: 2 h, removeGateway: gatway }]'),
      'file.yaml:3:38  /timeline/0/removeGateway  ' +
        '"gatway" is not a gateway of this scenario at that time; ' +
        'allowed: gateway; did you mean "gateway"?',
    ],
    [
      'a gateway of a name that is taken',
      shortestWith('timeline: [{ at: 2 h, addGateway: { name: gateway } }]'),
      'file.yaml:3:43  /timeline/0/addGateway/name  the name "gateway" is taken; ' +
        'allowed: a name of its own for every gateway',
    ],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('is found beside the faults of form in the same pass, in the order of the file', () => {
    const faults = faultsOf(
      'scenario: a\nduration: 1 hh\ndevices: [{ name: m }, { name: m }]\nexpectations: [joind > 3]',
    );
    expect(faults.map((fault) => fault.split('  ').slice(0, 2).join(' '))).toEqual([
      'file.yaml:2:11 /duration',
      'file.yaml:3:32 /devices/1/name',
      'file.yaml:4:16 /expectations/0',
    ]);
    const early = faultsOf(
      'scenario: a\ndevices: [{ name: m }, { name: m }]\nduration: 1 hh\n',
    ).map((fault) => fault.split('  ').slice(0, 2).join(' '));
    expect(early).toEqual(['file.yaml:2:32 /devices/1/name', 'file.yaml:3:11 /duration']);
  });
});
