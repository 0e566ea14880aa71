/**
 * A class C device in a multicast session does not listen on RX2 (TS005-1.0.0 §4.5): what a
 * campaign has to say to it waits until the session has ended by every clock.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { Result } from '../../sim/base/result.ts';
import { campaignId } from '../support/ids.ts';
import { MINUTE_US, SECOND_US } from '../support/small-network.ts';
import { runCampaign, SET_UP_S, STARTS_AT_US, type WantedCampaign } from './notation.ts';

type Run = ReturnType<typeof runCampaign>;

/**
 * 12 000 B for class C devices that lose every tenth fragment, with slow and fast clocks; what is
 * lost may be sent again.
 */
const meters = (wanted: WantedCampaign): Run =>
  runCampaign({
    devices: 4,
    traffic: { meanUs: 2 * MINUTE_US },
    server: { rx2DataRate: 3 },
    imageBytes: 12_000,
    minutes: 240,
    ...wanted,
    type: { deviceClass: 'C', frameLossPpm: 100_000, driftPpb: 40_000, ...wanted.type },
    campaign: {
      multicast_setup_time: 1_800,
      frag_size: 48,
      individual_fragment_retransmit: 100,
      ...wanted.campaign,
    },
  });

const outcomeOf = ({ world }: Run) => world.result().campaigns[0]!;

/** Downlinks on RX2 of class C that begin while their device is in a multicast session. */
function unheard(run: Run): readonly string[] {
  const opens = run.of('multicastSessionOpens');
  const closes = run.of('multicastSessionCloses');
  const sessions = opens.map(({ device, atUs }) => {
    const close = closes.find((row) => row.device === device && row.atUs >= atUs);
    return { device, fromUs: atUs, untilUs: close?.atUs ?? Number.POSITIVE_INFINITY };
  });
  return run
    .of('downlinkPlanned')
    .filter(({ window, devEui, startsAtUs }) => {
      const name = `meter-${Number.parseInt(devEui.slice(2), 16)}`;
      const isIn = (one: (typeof sessions)[number]) =>
        one.device === name && one.fromUs <= startsAtUs && startsAtUs < one.untilUs;
      return window === 0 && devEui !== '' && sessions.some(isIn);
    })
    .map(({ devEui, startsAtUs }) => `${devEui} at ${startsAtUs / SECOND_US} s`);
}

const statusOf = ({ world }: Run) => {
  const query = { kind: 'campaign.get', by: 'default', campaign_id: campaignId('campaign') };
  const answer = world.ask(query as never) as Result<unknown, string>;
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.value as {
    readonly status: string;
    readonly warnings: readonly string[];
    readonly devices: Readonly<Record<string, { readonly steps: Record<string, unknown> }>>;
  };
};

describe('class C devices that lack fragments when all are sent', () => {
  it.each([
    { imageBytes: 2_400, mcast_dr: 5 },
    { imageBytes: 12_000, mcast_dr: 5 },
    { imageBytes: 24_000, mcast_dr: 5 },
    { imageBytes: 12_000, mcast_dr: 3 },
  ])('are asked once they hear it, and repaired: $imageBytes B at DR$mcast_dr', (one) => {
    const { imageBytes, mcast_dr } = one;
    const run = meters({ imageBytes, campaign: { mcast_dr } });
    expect(unheard(run)).toEqual([]);
    const { success, failed, repairs } = outcomeOf(run);
    expect({ success, failed }).toEqual({ success: 4, failed: 0 });
    expect(repairs).toBeGreaterThan(imageBytes / 48 / 10);
  });

  it('fail for the fragments they lack, where nothing is sent again', () => {
    const run = meters({ campaign: { individual_fragment_retransmit: 0 } });
    const { failures, failedDevices } = outcomeOf(run);
    expect(failures).toEqual({ 'missing fragments': 4 });
    for (const { fragmentsHeld } of failedDevices) expect(fragmentsHeld).toBeGreaterThan(200);
    expect(unheard(run)).toEqual([]);
  });

  it('are spoken to after the session in a group of class A, too', () => {
    const run = meters({ group: { lora_class: 'A' }, minutes: 600 });
    expect(unheard(run)).toEqual([]);
    expect(outcomeOf(run)).toMatchObject({ success: 4, failed: 0 });
  });
});

describe('a round that follows another within the session', () => {
  const command = (atUs: number, kind: 'campaign.halt' | 'campaign.restart') => ({
    atUs,
    command: {
      kind,
      by: 'default',
      campaign_id: campaignId('campaign'),
      ...(kind === 'campaign.restart' && { changes: { multicast_setup_time: SET_UP_S } }),
    } as Command,
  });

  it('begins when its devices have left: a restart after a halt', () => {
    const sendingUs = STARTS_AT_US + 1_860 * SECOND_US;
    const wanted: WantedCampaign = {
      type: { frameLossPpm: 0 },
      commands: [
        command(sendingUs, 'campaign.halt'),
        command(sendingUs + MINUTE_US, 'campaign.restart'),
      ],
    };
    const waiting = meters({ ...wanted, minutes: 37 });
    expect(statusOf(waiting).status).toBe('waits until its devices have left their session');
    const run = meters(wanted);
    expect(unheard(run)).toEqual([]);
    expect(outcomeOf(run)).toMatchObject({ success: 4, failed: 0 });
  });
});
