/**
 * Rollouts of configurations and their fragments, from the sentences of data delivery and device
 * configuration: Rollout status, Fragment status, Confirmation strategies.
 */
import { describe, expect, it } from 'vitest';
import {
  FRAGMENT_MOVES,
  FRAGMENT_STATUSES,
  ROLLOUT_MOVES,
} from '../../../core/delivery/device-configuration/machine.ts';
import { ROLLOUT_STATUSES } from '../../../core/result/configuration.ts';
import { parameter, SET_FPORT } from '../../support/configuration-codecs.ts';
import { GATEWAY, S } from '../bench.ts';
import { ACKNOWLEDGED, Configuring, SENT, twoConfiguring } from './configuration-notation.ts';

const LOST = { kind: 'dropped', reason: 'noBudget' } as const;
const GONE = { kind: 'dropped', reason: 'backhaulLoss' } as const;
const TRY_EVERY_S = 300;

/** A device with a rollout of one parameter whose fragment has been sent once. */
function sentOnce(codec: string) {
  const fleet = new Configuring();
  const devEui = fleet.device(codec);
  fleet.set(devEui, { level: 1 });
  fleet.wait(2);
  fleet.writeReport(devEui);
  fleet.wait(10);
  return { fleet, devEui };
}

const echo = (fleet: Configuring, devEui: string, level = 1) =>
  fleet.who.hear(devEui, SET_FPORT, parameter('level', level));

describe('the tables of states', () => {
  it('have a row for each state, lead to states, and end in what is over', () => {
    for (const [moves, statuses] of [
      [ROLLOUT_MOVES, ROLLOUT_STATUSES],
      [FRAGMENT_MOVES, FRAGMENT_STATUSES],
    ] as const) {
      expect(Object.keys(moves).sort()).toEqual([...statuses].sort());
      const reached = new Set(Object.values(moves).flatMap((row) => Object.values(row)));
      expect([...reached, 'pending'].sort()).toEqual([...statuses].sort());
    }
    for (const over of ['applied', 'failed', 'cancelled'] as const) {
      expect(ROLLOUT_MOVES[over]).toEqual({});
    }
  });
});

describe('a rollout', () => {
  it('is pending until its first fragment is scheduled, within seconds', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.set(devEui, { level: 1, period: 2 });
    expect(fleet.states(devEui)).toBe('pending pending pending');
    expect(fleet.sent(devEui)).toHaveLength(0);
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('in_progress queued pending');
    expect(fleet.rollout(devEui).started_at).not.toBeNull();
  });

  it('sends its fragments one at a time: the next when the one before is confirmed', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('polite');
    fleet.set(devEui, { level: 1, period: 2 });
    fleet.wait(2);
    fleet.writeReport(devEui);
    expect(fleet.states(devEui)).toBe('in_progress sent pending');
    fleet.wait(100);
    expect(fleet.sent(devEui)).toHaveLength(1);
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.states(devEui)).toBe('in_progress confirmed queued');
    fleet.writeReport(devEui);
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.states(devEui)).toBe('applied confirmed confirmed');
    const { progress, completed_at, failure_reason } = fleet.rollout(devEui);
    expect(progress.fragments_confirmed).toBe(2);
    expect([completed_at === null, failure_reason]).toEqual([false, null]);
    expect(fleet.sent(devEui).map(({ payload }) => [...payload])).toEqual([
      [...parameter('level', 1)],
      [...parameter('period', 2)],
    ]);
  });

  it('deviceConfiguration.cancel: is cancelled with the fragment that is on its way; delivered ones stay', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.set(devEui, { level: 1, period: 2 });
    fleet.wait(2);
    fleet.writeReport(devEui);
    expect(fleet.states(devEui)).toBe('in_progress confirmed queued');
    fleet.cancel(devEui);
    expect(fleet.states(devEui)).toBe('cancelled confirmed cancelled');
    expect(fleet.waiting(devEui)).toBe(0);
    fleet.wait(10_000);
    expect(fleet.sent(devEui)).toHaveLength(2);
    expect(fleet.bench.isWatched(devEui)).toBe(false);
  });

  it('deviceConfiguration.cancel, nothingUnderway: that is pending is cancelled unsent; what is over stays as it is', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.cancel(devEui);
    expect(fleet.get(devEui).desired).toBeNull();
    fleet.set(devEui, { level: 1 });
    fleet.cancel(devEui);
    const over = fleet.rollout(devEui);
    expect(over.status).toBe('cancelled');
    fleet.wait(100);
    fleet.cancel(devEui);
    expect(fleet.rollout(devEui)).toEqual(over);
    expect(fleet.sent(devEui)).toHaveLength(0);
  });

  it('gives place to another that is desired', () => {
    const { fleet, devEui } = sentOnce('polite');
    fleet.set(devEui, { level: 2 });
    expect(fleet.states(devEui)).toBe('pending pending');
    fleet.wait(2);
    const before = fleet.sent(devEui)[0]!;
    // What the device acknowledges of the one before is none of this one’s.
    const { platform, nowUs } = fleet.bench;
    const { id, sender } = before;
    platform.hear({ kind: 'downlink', id, sender, devEui, what: ACKNOWLEDGED }, nowUs);
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.writeReport(devEui);
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.rollout(devEui)).toMatchObject({ status: 'applied', config: { level: 2 } });
  });

  it('goes with its device, and nothing of it is left', () => {
    const { fleet, devEui } = sentOnce('polite');
    fleet.wait(TRY_EVERY_S);
    fleet.who.do({ kind: 'endDevice.delete', DevEUI: devEui });
    fleet.wait(10_000);
    expect(fleet.sent(devEui)).toHaveLength(2);
    expect(fleet.bench.platform.resources.deviceConfiguration.isIdle).toBe(true);
  });

  it.each(['', 'echoing'])('fails when the device’s codec is another one by then (%s)', (codec) => {
    const { fleet, devEui } = sentOnce('polite');
    fleet.give(devEui, codec);
    fleet.speak(devEui);
    const failed = { status: 'failed', failure_reason: 'codec changed' };
    expect(fleet.rollout(devEui)).toMatchObject(failed);
    expect(fleet.states(devEui)).toBe('failed failed');
  });

  it('leaves downlinks of others alone', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.who.do({ kind: 'downlink.enqueue', devEui, fPort: 7, payloadHex: 'AA' });
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    expect(fleet.waiting(devEui)).toBe(2);
    fleet.writeReport(devEui); // the application’s
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.who.do({ kind: 'downlink.enqueue', devEui, fPort: 7, payloadHex: 'BB' });
    fleet.cancel(devEui);
    expect(fleet.waiting(devEui)).toBe(1);
  });
});

describe('a fragment', () => {
  it('is confirmed, by downlink-sent, when a gateway has transmitted it', () => {
    const { fleet, devEui } = sentOnce('silent');
    expect(fleet.states(devEui)).toBe('applied confirmed');
    const [fragment] = fleet.rollout(devEui).progress.fragments;
    expect(fragment).toMatchObject({ sequence: 1, attempt_count: 1 });
    expect(fragment!.sent_at).toBe(fragment!.confirmed_at);
    expect(fleet.sent(devEui)[0]!.confirmed ?? false).toBe(false);
  });

  it('is confirmed, by uplink-ack, when the device acknowledges it', () => {
    const { fleet, devEui } = sentOnce('polite');
    expect(fleet.sent(devEui)[0]).toMatchObject({ confirmed: true });
    fleet.speak(devEui);
    echo(fleet, devEui);
    expect(fleet.states(devEui)).toBe('in_progress sent');
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.states(devEui)).toBe('applied confirmed');
  });

  it.each([
    ['acknowledgement, then echo', true],
    ['echo, then acknowledgement', false],
  ])('is confirmed where the device echoes by both, in any order: %s', (_, ackFirst) => {
    const { fleet, devEui } = sentOnce('echoing');
    const steps = [() => fleet.reportLatest(devEui, ACKNOWLEDGED), () => echo(fleet, devEui)];
    const [first, second] = ackFirst ? steps : steps.toReversed();
    first!();
    echo(fleet, devEui, 2);
    expect(fleet.states(devEui)).toBe('in_progress sent');
    second!();
    expect(fleet.states(devEui)).toBe('applied confirmed');
  });

  it('is not confirmed by an echo that began before it was sent', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('echoing');
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    echo(fleet, devEui);
    fleet.writeReport(devEui);
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.states(devEui)).toBe('in_progress sent');
  });

  it('is not confirmed by an echo that began before it was sent and came in after', () => {
    const { fleet, devEui } = sentOnce('echoing');
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    const { platform, nowUs } = fleet.bench;
    const when = { atUs: nowUs, endedAtUs: nowUs - 11 * S };
    const said = { fCnt: 0, fPort: SET_FPORT, payload: parameter('level', 1), dataRate: 5 };
    platform.hear({ kind: 'uplink', uplink: { devEui, ...when, ...said } }, nowUs);
    expect(fleet.states(devEui)).toBe('in_progress sent');
  });

  it('is not confirmed by answers to the one before, and no copy of that waits', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('polite');
    fleet.set(devEui, { level: 1, period: 2 });
    fleet.wait(2);
    fleet.writeReport(devEui);
    fleet.wait(TRY_EVERY_S);
    const [first, copy] = fleet.sent(devEui);
    const { platform, nowUs } = fleet.bench;
    const report = ({ id, sender }: NonNullable<typeof first>) => {
      platform.hear({ kind: 'downlink', id, sender, devEui, what: ACKNOWLEDGED }, nowUs);
      fleet.bench.drain();
    };
    report(first!);
    expect(fleet.states(devEui)).toBe('in_progress confirmed queued');
    expect(fleet.waiting(devEui)).toBe(1);
    report(copy!);
    expect(fleet.states(devEui)).toBe('in_progress confirmed queued');
  });

  it('is confirmed, by reported-config, when all that is desired is reported, or more', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('reporting');
    fleet.set(devEui, { level: 1, period: 2 });
    fleet.wait(2);
    fleet.writeReport(devEui);
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    fleet.report(devEui, { level: 1 });
    expect(fleet.states(devEui)).toBe('in_progress sent');
    fleet.report(devEui, { level: 1, period: 3 });
    expect(fleet.states(devEui)).toBe('in_progress sent');
    fleet.report(devEui, { period: 2 });
    expect(fleet.states(devEui)).toBe('applied confirmed');
    expect(fleet.sent(devEui)).toHaveLength(1);
  });

  it('is confirmed, by reported-config, before it goes out where a device is set so', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('reporting');
    fleet.set(devEui, { level: 1 });
    fleet.report(devEui, { level: 1 });
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('applied confirmed');
    expect(fleet.sent(devEui)).toHaveLength(0);
  });

  it('is tried four times, 300 s from one sending to the next', () => {
    const { fleet, devEui } = sentOnce('polite');
    for (let tries = 1; tries <= 4; tries++) {
      expect(fleet.rollout(devEui).progress.fragments[0]!.attempt_count).toBe(tries);
      fleet.wait(TRY_EVERY_S - 11);
      expect(fleet.states(devEui)).toBe('in_progress sent');
      expect(fleet.sent(devEui)).toHaveLength(tries);
      fleet.speak(devEui);
      expect(fleet.states(devEui)).toBe('in_progress sent');
      fleet.wait(2);
      if (tries === 4) break;
      expect(fleet.states(devEui)).toBe('in_progress queued');
      fleet.writeReport(devEui);
      fleet.wait(10);
    }
    expect(fleet.states(devEui)).toBe('failed failed');
    expect(fleet.rollout(devEui).failure_reason).toBe('not acknowledged');
    expect(fleet.sent(devEui)).toHaveLength(4);
  });

  it('that waits for a device is never doubled, and any try of it may be acknowledged', () => {
    const { fleet, devEui } = sentOnce('polite');
    fleet.wait(10 * 3_600);
    expect(fleet.waiting(devEui)).toBe(1);
    expect(fleet.sent(devEui)).toHaveLength(2);
    const { id, sender } = fleet.sent(devEui)[0]!;
    const { platform, nowUs } = fleet.bench;
    platform.hear({ kind: 'downlink', id, sender, devEui, what: ACKNOWLEDGED }, nowUs);
    fleet.bench.drain();
    expect(fleet.states(devEui)).toBe('applied confirmed');
    expect(fleet.waiting(devEui)).toBe(0);
  });

  it.each([true, false])(
    'has the instants of the try that was sent; the next waits: %s',
    (waits) => {
      const { fleet, devEui } = sentOnce('polite');
      const [before] = fleet.rollout(devEui).progress.fragments;
      fleet.wait(TRY_EVERY_S);
      const later = fleet.rollout(devEui).progress.fragments[0]!;
      expect(later.queued_at! > later.sent_at!).toBe(true);
      if (!waits) {
        fleet.writeReport(devEui, GONE);
        fleet.speak(devEui);
      }
      const { id, sender } = fleet.sent(devEui)[0]!;
      const { platform, nowUs } = fleet.bench;
      platform.hear({ kind: 'downlink', id, sender, devEui, what: ACKNOWLEDGED }, nowUs);
      fleet.bench.drain();
      const [after] = fleet.rollout(devEui).progress.fragments;
      const { ready_at, queued_at, sent_at } = before!;
      expect(after).toMatchObject({ status: 'confirmed', ready_at, queued_at, sent_at });
      expect([queued_at! <= sent_at!, sent_at! <= after!.confirmed_at!]).toEqual([true, true]);
    },
  );

  it.each([
    ['echoing', 'not echoed'],
    ['reporting', 'not reported'],
    ['polite', 'not acknowledged'],
  ])('fails after its last try once the device has spoken: %s', (codec, reason) => {
    const { fleet, devEui } = sentOnce(codec);
    for (let tries = 2; tries <= 4; tries++) {
      fleet.wait(TRY_EVERY_S);
      fleet.writeReport(devEui);
    }
    if (codec === 'echoing') fleet.reportLatest(devEui, ACKNOWLEDGED);
    fleet.wait(3_600);
    expect(fleet.states(devEui)).toBe('in_progress sent');
    fleet.speak(devEui);
    expect(fleet.rollout(devEui)).toMatchObject({ status: 'failed', failure_reason: reason });
  });

  it('fails a day after its last try where the device says nothing', () => {
    const { fleet, devEui } = sentOnce('polite');
    for (let tries = 2; tries <= 4; tries++) {
      fleet.wait(TRY_EVERY_S);
      fleet.writeReport(devEui);
    }
    fleet.wait(86_390);
    expect(fleet.rollout(devEui).status).toBe('in_progress');
    fleet.wait(20);
    expect(fleet.rollout(devEui).status).toBe('failed');
  });

  it('fails 300 s after its last try where the device would have answered at once', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('polite', { deviceClass: 'C' });
    fleet.set(devEui, { level: 1 });
    // Each is on the air half a second after it was submitted.
    fleet.wait(1_202);
    expect(fleet.states(devEui)).toBe('in_progress sent');
    expect(fleet.rollout(devEui).progress.fragments[0]).toMatchObject({ attempt_count: 4 });
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('failed failed');
    expect(fleet.bench.isWatched(devEui)).toBe(false);
  });

  it('fails when no try could leave for a day, since the turn or since the latest try', () => {
    const fleet = new Configuring();
    const [one, two] = fleet.devices(2, 'polite') as [string, string];
    for (const devEui of [one, two]) fleet.set(devEui, { level: 1, period: 2 });
    fleet.wait(2);
    fleet.wait(36_000);
    fleet.writeReport(two);
    fleet.wait(86_400 - 36_000 - 2);
    expect(fleet.states(one)).toBe('in_progress queued pending');
    fleet.wait(2);
    expect(fleet.states(one)).toBe('failed failed cancelled');
    expect(fleet.rollout(one).failure_reason).toBe('not sent');
    expect(fleet.waiting(one)).toBe(0);
    fleet.wait(36_000 + TRY_EVERY_S - 2);
    expect(fleet.states(two)).toBe('in_progress queued pending');
    fleet.wait(4);
    expect(fleet.rollout(two)).toMatchObject({ failure_reason: 'not acknowledged' });
  });

  it('may be acknowledged after its last try', () => {
    const { fleet, devEui } = sentOnce('polite');
    for (let tries = 2; tries <= 4; tries++) {
      fleet.wait(TRY_EVERY_S);
      fleet.writeReport(devEui);
    }
    fleet.wait(3_600);
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.states(devEui)).toBe('applied confirmed');
  });

  it('that is lost on the way four times fails, and was never sent', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    for (let tries = 1; tries <= 4; tries++) {
      fleet.writeReport(devEui, LOST);
      expect(fleet.states(devEui)).toBe('in_progress ready');
      fleet.wait(TRY_EVERY_S + 1);
    }
    expect(fleet.rollout(devEui)).toMatchObject({ status: 'failed', failure_reason: 'not sent' });
    expect(fleet.rollout(devEui).progress.fragments[0]!.attempt_count).toBe(4);
  });

  it('that is not over when a rollout fails is not sent any more', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.set(devEui, { level: 1, period: 2 });
    fleet.wait(2);
    for (let tries = 1; tries <= 4; tries++) {
      fleet.writeReport(devEui, LOST);
      fleet.wait(TRY_EVERY_S + 1);
    }
    expect(fleet.states(devEui)).toBe('failed failed cancelled');
  });
});

describe('a fragment for which no connected gateway reaches the device', () => {
  /** The gateway has sent no status for a while. */
  const silence = (fleet: Configuring, seconds = 91) =>
    fleet.bench.silentSinceUs.set(GATEWAY, fleet.bench.nowUs - seconds * S);
  const fault = (fleet: Configuring) =>
    fleet.bench.platform.hear(
      { kind: 'gatewayState', eui: GATEWAY, fault: 'backhaul', on: true },
      fleet.bench.nowUs,
    );

  it('is suspended, which costs no try, and goes on when the device is heard', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    silence(fleet);
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    expect(fleet.waiting(devEui)).toBe(0);
    fleet.wait(100_000);
    const [suspended] = fleet.rollout(devEui).progress.fragments;
    expect(suspended).toMatchObject({ attempt_count: 0, queued_at: null });
    expect(suspended!.gateway_unavailable_at).not.toBeNull();
    fleet.bench.silentSinceUs.clear();
    fleet.wait(10);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    fleet.speak(devEui);
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.writeReport(devEui);
    expect(fleet.states(devEui)).toBe('applied confirmed');
    expect(fleet.rollout(devEui).progress.fragments[0]!.attempt_count).toBe(1);
  });

  it('is suspended before the device was ever heard', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent', { levels: {} });
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    fleet.speak(devEui);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    fleet.wait(86_390);
    expect(fleet.rollout(devEui).status).toBe('in_progress');
    fleet.wait(20);
    expect(fleet.rollout(devEui)).toMatchObject({ status: 'failed', failure_reason: 'not sent' });
  });

  it.each([false, true])('has the clock of its day stand still; saved between: %s', (saved) => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    fleet.wait(36_000);
    silence(fleet);
    fault(fleet);
    fleet.bench.drain();
    fleet.wait(91);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    if (saved) fleet.reload();
    fleet.wait(200_000);
    fleet.bench.silentSinceUs.clear();
    fleet.speak(devEui);
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.wait(86_400 - 36_000 - 92);
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.wait(3);
    expect(fleet.rollout(devEui)).toMatchObject({ status: 'failed', failure_reason: 'not sent' });
  });

  it('is not reached by another subscriber’s gateway', () => {
    const [ann] = twoConfiguring();
    const devEui = ann.device('silent', { levels: { AA00000000000002: -90 } });
    ann.set(devEui, { level: 1 });
    ann.wait(2);
    expect(ann.states(devEui)).toBe('in_progress gateway_unavailable');
  });

  it('is suspended while it waits, 90 s after the backhaul has failed', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    silence(fleet, 0);
    fault(fleet);
    fleet.bench.drain();
    fleet.wait(89);
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    expect(fleet.waiting(devEui)).toBe(0);
  });

  it('is suspended by an outage that began before the rollout, and was not known yet', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    silence(fleet, 0);
    fault(fleet);
    fleet.bench.drain();
    fleet.wait(60);
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    expect(fleet.states(devEui)).toBe('in_progress queued');
    fleet.wait(30);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
  });

  it('is suspended when the downlink is lost for want of a gateway', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('polite');
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    fleet.writeReport(devEui, GONE);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    expect(fleet.rollout(devEui).progress.fragments[0]!.attempt_count).toBe(0);
  });

  it('is cancelled as any other', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent', { levels: {} });
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    fleet.cancel(devEui);
    expect(fleet.states(devEui)).toBe('cancelled cancelled');
    fleet.speak(devEui);
    expect(fleet.sent(devEui)).toHaveLength(0);
  });

  it('that goes out after all, since it was on its way, counts as a try', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('polite');
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    silence(fleet);
    fault(fleet);
    fleet.bench.drain();
    fleet.wait(91);
    expect(fleet.states(devEui)).toBe('in_progress gateway_unavailable');
    fleet.reportLatest(devEui, SENT);
    expect(fleet.states(devEui)).toBe('in_progress sent');
    fleet.reportLatest(devEui, ACKNOWLEDGED);
    expect(fleet.states(devEui)).toBe('applied confirmed');
  });
});

describe('configurations of a platform that is saved and loaded', () => {
  it('go on as if nothing had been, whatever state they are in', () => {
    const script = (fleet: Configuring, between: () => void): unknown[] => {
      const [one, two, three] = fleet.devices(3, 'polite') as [string, string, string];
      const policy = { name: 'night', config: { level: 7 }, devices: [three] };
      const steps = [
        () => fleet.who.do({ kind: 'deviceConfiguration.addPolicy', policy }),
        () => fleet.set(one, { level: 1, period: 2 }),
        () => fleet.wait(2),
        () => fleet.writeReport(one),
        () => fleet.report(two, { level: 1 }),
        () => fleet.report(two, { level: 2 }),
        () => fleet.set(two, { level: 3 }),
        () => fleet.reportLatest(one, ACKNOWLEDGED),
        () => fleet.wait(TRY_EVERY_S + 5),
        () => fleet.writeReport(one, LOST),
        () => fleet.writeReport(two, GONE),
        () => fleet.writeReport(three),
        () => fleet.wait(TRY_EVERY_S + 5),
        () => fleet.speak(two),
        () => fleet.cancel(one),
        () => fleet.wait(1_000),
      ];
      for (const step of steps) {
        step();
        between();
      }
      const history = fleet.who.ask({ kind: 'deviceConfiguration.history', dev_eui: two });
      const { nowUs, log, platform } = fleet.bench;
      const sent = log.map(({ atUs, request }) => [atUs, request]);
      const { deviceConfiguration } = platform.resources;
      const saved = deviceConfiguration.save();
      return [nowUs, sent, [one, two, three].map((each) => fleet.get(each)), history, saved];
    };
    const through = new Configuring();
    const again = new Configuring();
    expect(script(again, () => again.reload())).toEqual(script(through, () => undefined));
  });
});
