/**
 * Devices whose links change while a group's frames are sent: each hears what was sent while it
 * was in reach, and nothing of what was sent before (docs/decisions/0094).
 */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { runCampaign, type WantedCampaign } from '../campaigns/notation.ts';
import { eui, networkOf, SECOND_US } from '../support/small-network.ts';

type Given = TimedCommand['command'];

const at = (atUs: number, command: object): TimedCommand => ({
  atUs,
  command: { by: 'default', ...command } as Given,
});
const radio = (atUs: number, on: boolean, number = 2) =>
  at(atUs, { kind: 'device.fault', devEui: eui('02', number), fault: 'radio', on });

const CLASS_C: WantedCampaign = {
  devices: 2,
  type: { deviceClass: 'C' },
  traffic: { meanUs: 400 * SECOND_US },
  minutes: 40,
};

/** Frames of the group that went out, and which of them a device heard, by their counters. */
function heardBy(number: number, commands: readonly TimedCommand[], wanted = CLASS_C) {
  let plan: NetworkPlan | undefined;
  const change = (network: NetworkPlan) => {
    plan = (wanted.change ?? ((same) => same))(network);
    return plan;
  };
  const trace = runCampaign({ ...wanted, change, commands });
  expect(judge(trace.rows, plan!)).toEqual({});
  const ofGroup = trace.of('downlinkPlanned').filter(({ purpose }) => purpose === 'multicast');
  const names = new Set(ofGroup.map(({ gateway, downlink }) => `${gateway} ${downlink}`));
  const sent = trace
    .of('downlinkBegins')
    .filter(({ gateway, downlink }) => names.has(`${gateway} ${downlink}`))
    .map(({ atUs, airtimeUs }) => ({ fromUs: atUs, untilUs: atUs + airtimeUs }));
  const ended = trace
    .of('multicastDecided')
    .filter(({ device, fate }) => device === `meter-${number}` && fate === 'heard')
    .map(({ endedAtUs }) => endedAtUs);
  return { sent, heard: sent.map(({ untilUs }) => ended.includes(untilUs)) };
}

const undisturbed = heardBy(2, []);
const span = (from: number) => undisturbed.sent[from]!;

describe('a device whose radio fails for some frames of a group', () => {
  const failsUs = span(4).untilUs + SECOND_US / 4;
  const worksUs = span(9).untilUs + SECOND_US / 4;
  const isLost = (i: number) => i > 4 && i <= 9;

  it('has heard all of them before', () => {
    expect(undisturbed.sent.length).toBeGreaterThan(15);
    expect(undisturbed.heard.every((isHeard) => isHeard)).toBe(true);
  });

  it('hears none of those that were sent meanwhile, and all others', () => {
    const { heard } = heardBy(2, [radio(failsUs, true), radio(worksUs, false)]);
    expect(heard).toEqual(undisturbed.heard.map((_, i) => !isLost(i)));
  });

  it('changes nothing for another', () => {
    const { heard } = heardBy(1, [radio(failsUs, true), radio(worksUs, false)]);
    expect(heard).toEqual(undisturbed.heard);
  });

  it('hears neither the frame in which it fails nor the one in which it comes back', () => {
    const middle = (i: number) => (span(i).fromUs + span(i).untilUs) / 2;
    const inside = [radio(Math.floor(middle(5)), true), radio(Math.floor(middle(9)), false)];
    expect(heardBy(2, inside).heard).toEqual(undisturbed.heard.map((_, i) => !isLost(i)));
  });

  it('does not hear the frame in which it fails and comes back', () => {
    const { fromUs, untilUs } = span(5);
    const middleUs = Math.floor((fromUs + untilUs) / 2);
    const { heard } = heardBy(2, [radio(middleUs, true), radio(middleUs + 100, false)]);
    expect(heard).toEqual(undisturbed.heard.map((_, i) => i !== 5));
  });

  it('has missed the frame in which it came back, though it fails again before it acts', () => {
    const backUs = Math.floor((span(9).fromUs + span(9).untilUs) / 2);
    const again = [radio(span(9).untilUs + 1000, true), radio(span(11).untilUs + 1000, false)];
    const { heard } = heardBy(2, [radio(failsUs, true), radio(backUs, false), ...again]);
    expect(heard).toEqual(undisturbed.heard.map((_, i) => i <= 4 || i > 11));
  });

  it('hears the frame that begins as it works again, and the one that ended as it failed', () => {
    // A fault begins and ends after all else of its instant.
    const exact = [radio(span(4).untilUs, true), radio(span(10).fromUs - 1, false)];
    expect(heardBy(2, exact).heard).toEqual(undisturbed.heard.map((_, i) => !isLost(i)));
  });
});

describe('what is out of reach for some frames of a group', () => {
  const leavesUs = span(4).untilUs + SECOND_US / 4;
  const returnsUs = span(9).untilUs + SECOND_US / 4;
  const { xMeters, yMeters } = networkOf({ devices: 2 }).devices[1]!;
  const home = { xMeters, yMeters };
  const far = { xMeters: 9_000_000, yMeters: 0 };
  const devEui = eui('02', 2);
  const fault = { fault: 'attenuation', decibels: 200 };
  const ways: Readonly<Record<string, readonly TimedCommand[]>> = {
    'a device behind a wall': [
      at(leavesUs, { kind: 'device.fault', devEui, ...fault }),
      at(returnsUs, { kind: 'device.fault', devEui, fault: 'attenuation', on: false }),
    ],
    'a device that is carried away': [
      at(leavesUs, { kind: 'device.change', devEui, device: far }),
      at(returnsUs, { kind: 'device.change', devEui, device: home }),
    ],
    'a gateway whose antenna is broken': [
      at(leavesUs, { kind: 'gateway.fault', eui: eui('06', 1), ...fault }),
      at(returnsUs, {
        kind: 'gateway.fault',
        eui: eui('06', 1),
        fault: 'attenuation',
        on: false,
      }),
    ],
  };

  it.each(Object.entries(ways))('%s is not heard, or hears nothing, until it is back', (_, way) => {
    const { heard } = heardBy(2, way);
    expect(heard).toEqual(undisturbed.heard.map((_, i) => i <= 4 || i > 9));
  });
});
