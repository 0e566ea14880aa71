/** Devices that are set over the air, in scenario files: the knob, its faults, and what it does. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { faultsOf, meterWith, scenarioOf } from './scenario.ts';

function settingsIn(text: string) {
  const scenario = scenarioOf(text);
  const { deviceTypes } = populate(scenario).network;
  return deviceTypes.slice(0, scenario.devices.length).map(({ settings }) => settings);
}

const SILENT = 'settings: { protocol: silent }';

describe('settings of a population', () => {
  it.each([
    ['settings: { protocol: silent }', { fPort: 85, protocol: 'silent' }],
    ['settings: { protocol: echo, fPort: 1 }', { fPort: 1, protocol: 'echo' }],
    ['settings: { fPort: 223, protocol: report }', { fPort: 223, protocol: 'report' }],
    ['class: A', undefined],
  ])('%s', (knobs, planned) => {
    expect(settingsIn(meterWith(knobs))).toEqual([planned]);
  });

  const PORT = 'allowed: a port of its own';
  const SAID = 'settings cannot say';

  // The knobs, where the fault is in them, its path below the population, and what is said.
  it.each([
    ['settings: «silent', '', '"silent" is not a map of keys and values'],
    ['settings: «{}', '/protocol', 'is missing; allowed: silent, echo, report'],
    ['settings: { protocol: «loud }', '/protocol', '"loud" is not known'],
    ['settings: { protocol: echo, fPort: «0 }', '/fPort', '0 is too small'],
    ['settings: { protocol: echo, fPort: «224 }', '/fPort', '224 is too large'],
    [
      'settings: { protocol: echo, fPort: «201 }',
      '/fPort',
      `FPort 201 is that of the package fragmentation; ${PORT}`,
    ],
    [
      'settings: { protocol: echo, fPort: «10 }',
      '/fPort',
      `FPort 10 is that of their own messages; ${PORT}`,
    ],
    [`«${SILENT}, traffic: { fPort: 85 }`, '', 'FPort 85 is that of their own messages'],
    [`«${SILENT}, ports: { clockSync: 85 }`, '', 'FPort 85 is that of the package clockSync'],
    [
      `${SILENT}, traffic: { fPort: «203 }`,
      '/traffic/fPort',
      'FPort 203 of their own messages is that of the package firmwareManagement',
    ],
    [
      `${SILENT}, traffic: { fPort: «225 }`,
      '/traffic/fPort',
      `${SAID} FPort 225; allowed: 1 to 223`,
    ],
    [
      `${SILENT}, traffic: { process: «none }`,
      '/traffic/process',
      'a silent device is not set over the air',
    ],
    [
      `${SILENT}, traffic: { every: «9 s }`,
      '/traffic/every',
      `${SAID} a period of 9 s; allowed: whole seconds from 10 s to 16777215 s`,
    ],
    [`${SILENT}, traffic: { every: «90.5 s }`, '/traffic/every', `${SAID} a period of 90.5 s`],
    [`${SILENT}, traffic: { every: «300 d }`, '/traffic/every', `${SAID} a period of 300 d`],
    [
      `${SILENT}, dataRate: DR5, traffic: { payload: «223 B }`,
      '/traffic/payload',
      `${SAID} a payload of 223 B; allowed: at most 222 B`,
    ],
    [
      `${SILENT}, traffic: { confirmed: «10 % }`,
      '/traffic/confirmed',
      `${SAID} that 10 % of the messages are confirmed; allowed: 0 % or 100 %`,
    ],
  ])('%s is refused where it stands', (marked, path, what) => {
    const text = meterWith(marked.replace('«', ''));
    const [, line] = meterWith(marked.replace('«settings: ', 'settings: «')).split('\n');
    const place = path.startsWith('/traffic') ? path : `/settings${path}`;
    const [fault, ...more] = faultsOf(text);
    expect(more).toEqual([]);
    expect(fault).toContain(`file.yaml:2:${line!.indexOf('«') + 1}  /devices/0${place}  ${what}`);
  });

  it('leave populations without them as they are', () => {
    expect(faultsOf(meterWith('traffic: { every: 9 s, confirmed: 10 % }'))).toEqual([]);
    expect(faultsOf(meterWith('traffic: { fPort: 85, process: none }'))).toEqual([]);
  });
});

describe('a device of a population that is set over the air', () => {
  it('does what plain downlinks of the timeline say', () => {
    const text = (payload: string) => `
scenario: set
duration: 5 h
area: { radius: 500 m }
devices:
  - name: valve
    count: 2
    activation: abp
    joinWithin: 0 s
    dataRate: DR5
    traffic: { every: 1 h, jitter: 0 % }
    ${SILENT}
timeline:
  - at: 61 min
    downlink: { to: valve-1, fPort: 85, payload: "${payload}" }
`;
    const sent = (payload: string) => {
      const { devices } = runScenario(text(payload)).result;
      return devices.messages;
    };
    // Every ten minutes after its first, in place of every hour.
    expect(sent('01000258')).toBeGreaterThan(sent('0218') + 15);
  });
});
