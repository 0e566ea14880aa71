/** Faults of antennas and of devices’ radios: what gets through, to the µs; reboots. */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { sumOf } from '../../sim/base/counts.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type HeardRun, hearNetwork } from '../support/news-listener.ts';
import { settable, settingsSaid } from '../support/settings-world.ts';
import { eui, MINUTE_US, networkOf } from '../support/small-network.ts';

type Given = TimedCommand['command'];

const at = (atUs: number, command: object): TimedCommand => ({
  atUs,
  command: { by: 'default', ...command } as Given,
});
const device = (atUs: number, fault: string, more: object = {}, number = 1): TimedCommand =>
  at(atUs, { kind: 'device.fault', devEui: eui('02', number), fault, ...more });
const gateway = (atUs: number, more: object = {}, number = 1): TimedCommand =>
  at(atUs, { kind: 'gateway.fault', eui: eui('06', number), fault: 'attenuation', ...more });
const END = { on: false };

/** Two devices that send every minute, one after the other, and two gateways. */
const NETWORK = networkOf({ devices: 2, gatewaysAt: [100, 200] });
const LONG_US = 12 * MINUTE_US;
const run = (timeline: readonly TimedCommand[] = [], network: NetworkPlan = NETWORK): HeardRun => {
  const heard = hearNetwork(network, LONG_US, timeline);
  expect(judge(heard.trace.rows, network)).toEqual({});
  const { radio, uplinks } = { ...heard.world.result(), uplinks: heard.trace.of('uplinkEnds') };
  expect(sumOf(radio.lost) + radio.received).toBe(uplinks.length);
  return heard;
};

const undisturbed = run();

/** Levels of a device’s frames at a gateway, in their order; undefined: it had no signal. */
const levels = ({ trace }: HeardRun, ofDevice: number, at: number) =>
  trace
    .of('uplinkEnds')
    .filter((row) => row.device === `meter-${ofDevice}`)
    .map((row) => row.gateways.find((one) => one.gateway === `gateway-${at}`)?.rssiCentiDbm);

const begins = undisturbed.trace
  .of('uplinkBegins')
  .filter((row) => row.device === 'meter-1')
  .map(({ atUs }) => atUs);
const [third, sixth] = [begins[2]!, begins[5]!];

describe('a device whose radio has failed', () => {
  it('is heard by nobody meanwhile, to the microsecond, and the other as ever', () => {
    const heard = run([device(third - 1, 'radio'), device(sixth, 'radio', END)]);
    // A fault ends after all else of its instant: the sixth frame is lost, too.
    const expected = levels(undisturbed, 1, 1).map((level, i) =>
      i >= 2 && i <= 5 ? undefined : level,
    );
    expect(levels(heard, 1, 1)).toEqual(expected);
    expect(levels(heard, 2, 1)).toEqual(levels(undisturbed, 2, 1));
    expect(heard.world.result().radio.lost).toEqual({ deviceFault: 4 });
  });

  it('goes on sending, and is received as it was before once the fault ends', () => {
    const heard = run([device(third, 'radio'), device(sixth - 1, 'radio', END)]);
    expect(heard.trace.of('uplinkBegins')).toEqual(undisturbed.trace.of('uplinkBegins'));
    const [lost, received] = [
      [3, 4],
      [2, 5],
    ];
    for (const i of lost) expect(levels(heard, 1, 1)[i]).toBeUndefined();
    for (const i of received) expect(levels(heard, 1, 1)[i]).toBe(levels(undisturbed, 1, 1)[i]);
  });

  it('hears no downlink meanwhile', () => {
    const confirmed = networkOf({ traffic: { confirmedPpm: 1_000_000 } });
    const mute = [device(third - 1, 'radio')];
    const received = (timeline: readonly TimedCommand[]) =>
      run(timeline, confirmed)
        .trace.of('deviceReceives')
        .map(({ atUs }) => atUs);
    expect(received([]).filter((atUs) => atUs > third)).not.toEqual([]);
    expect(received(mute).filter((atUs) => atUs > third)).toEqual([]);
  });

  it('does not hear the downlink in which it fails, or comes back, and hears the next', () => {
    const confirmed = networkOf({ traffic: { confirmedPpm: 1_000_000 } });
    const { trace } = run([], confirmed);
    const answers = trace.of('deviceReceives').filter(({ purpose }) => purpose === 'data');
    const [endsUs, nextUs] = [answers[2]!.atUs, answers[3]!.atUs];
    const begins = trace.of('downlinkBegins').find((row) => row.atUs + row.airtimeUs === endsUs)!;
    const middleUs = Math.floor((begins.atUs + endsUs) / 2);
    const soon = 1_000;
    for (const timeline of [
      [device(middleUs, 'radio'), device(endsUs + soon, 'radio', END)],
      [device(begins.atUs - soon, 'radio'), device(middleUs, 'radio', END)],
      [device(middleUs, 'radio'), device(middleUs + soon, 'radio', END)],
    ]) {
      const heard = run(timeline, confirmed).trace.of('deviceReceives');
      const times = heard.map(({ atUs }) => atUs);
      expect(times.filter((atUs) => atUs <= endsUs)).toEqual(
        answers.slice(0, 2).map(({ atUs }) => atUs),
      );
      expect(times.some((atUs) => atUs > endsUs && atUs <= nextUs)).toBe(true);
    }
  });
});

describe('what weakens links', () => {
  const weaker = (ofDevice: number, at: number, lossDb: number, lost: readonly number[]) =>
    levels(undisturbed, ofDevice, at).map((level, i) =>
      lost.includes(i) ? level! - 100 * lossDb : level,
    );

  it('weakens all links of a device by as much, and the other’s by nothing', () => {
    const heard = run([
      device(third - 1, 'attenuation', { decibels: 12.5 }),
      device(sixth - 1, 'attenuation', END),
    ]);
    for (const at of [1, 2]) {
      expect(levels(heard, 1, at)).toEqual(weaker(1, at, 12.5, [2, 3, 4]));
      expect(levels(heard, 2, at)).toEqual(levels(undisturbed, 2, at));
    }
  });

  it('weakens the links of a gateway, and not those to another', () => {
    const heard = run([gateway(third - 1, { decibels: 6 }), gateway(sixth - 1, END)]);
    expect(levels(heard, 1, 1)).toEqual(weaker(1, 1, 6, [2, 3, 4]));
    for (const one of [1, 2]) expect(levels(heard, one, 2)).toEqual(levels(undisturbed, one, 2));
  });

  it('adds up at both ends, and a frame that is too weak then is counted so', () => {
    const both = [device(1, 'attenuation', { decibels: 6 }), gateway(1, { decibels: 7 })];
    const sum = run(both);
    expect(levels(sum, 1, 1)).toEqual(levels(undisturbed, 1, 1).map((level) => level! - 1_300));
    const cut = run([gateway(1, { decibels: 200 }), gateway(1, { decibels: 200 }, 2)]);
    const { radio } = cut.world.result();
    expect(radio.lost).toEqual({ tooWeak: undisturbed.trace.of('uplinkEnds').length });
  });

  it('stays with a gateway that moves, and one that moved is restored exactly', () => {
    const move = (atUs: number) =>
      at(atUs, {
        kind: 'gateway.change',
        eui: eui('06', 1),
        gateway: { xMeters: 300, yMeters: 0 },
      });
    const moved = run([move(third - 1)]);
    const weak = run([gateway(1, { decibels: 6 }), move(third - 1), gateway(sixth - 1, END)]);
    const expected = levels(moved, 1, 1).map((level, i) => (i < 5 ? level! - 600 : level));
    expect(levels(weak, 1, 1)).toEqual(expected);
  });

  it('leaves to each device what it would have, anyone who comes or goes meanwhile', () => {
    const gone = at(third, { kind: 'gateway.remove', eui: eui('06', 2) });
    const heard = run([gateway(1, { decibels: 9 }), gone, gateway(sixth - 1, END)]);
    const plain = run([gone]);
    const last = ({ trace }: HeardRun) => trace.of('uplinkEnds').at(-1);
    expect(last(heard)).toEqual(last(plain));
  });
});

describe('noise beside a gateway', () => {
  const noise = (atUs: number, more: object): TimedCommand =>
    at(atUs, { kind: 'gateway.fault', eui: eui('06', 1), fault: 'noise', ...more });
  const fates = ({ trace }: HeardRun, atGateway: number) =>
    trace
      .of('uplinkEnds')
      .filter((row) => row.device === 'meter-1')
      .map((row) => row.gateways.find((one) => one.gateway === `gateway-${atGateway}`)!.fate);
  // −130 dBm is the weakest that ns-3’s gateways demodulate at SF7.
  const margin = (levels(undisturbed, 1, 1)[0]! + 13_000) / 100;

  it('takes what it makes too weak, to 1/100 dB, and leaves levels and the other gateway', () => {
    const timeline = (decibels: number) => [noise(third - 1, { decibels }), noise(sixth - 1, END)];
    const [loud, silent] = [run(timeline(margin + 0.01)), run(timeline(margin))];
    const jammed = (i: number) => i >= 2 && i <= 4;
    expect(fates(loud, 1)).toEqual(fates(undisturbed, 1).map((f, i) => (jammed(i) ? 'jammed' : f)));
    for (const one of [1, 2]) expect(fates(silent, one)).toEqual(fates(undisturbed, one));
    expect(fates(loud, 2)).toEqual(fates(undisturbed, 2));
    expect(levels(loud, 1, 1)).toEqual(levels(undisturbed, 1, 1));
  });

  /** Frames of the first device that were jammed at the first gateway, and all, by channel. */
  const jammedOn = ({ trace }: HeardRun) => {
    const counts = new Map<number, [jammed: number, all: number]>();
    const hz = trace.of('uplinkBegins').filter(({ device }) => device === 'meter-1');
    trace
      .of('uplinkEnds')
      .filter((row) => row.device === 'meter-1')
      .forEach((row, i) => {
        const { frequencyHz } = hz[i]!;
        const count = counts.get(frequencyHz) ?? [0, 0];
        counts.set(frequencyHz, count);
        count[1]++;
        if (row.gateways[0]!.fate === 'jammed') count[0]++;
      });
    return counts;
  };
  const [first = 0, second = 0] = [...jammedOn(undisturbed).keys()];
  const on = (hz: number, more: object) => noise(1, { channel: hz / 1e6, ...more });
  const loud = { decibels: margin + 1 };

  it('on one channel takes frames there and nowhere else', () => {
    for (const [hz, [jammed, all]] of jammedOn(run([on(first, loud)]))) {
      expect(jammed).toBe(hz === first ? all : 0);
    }
    for (const [hz, [jammed, all]] of jammedOn(run([on(first, loud), on(second, loud)]))) {
      expect(jammed).toBe(hz === first || hz === second ? all : 0);
    }
  });

  it('on one channel adds up with what is on all: twice the power is 3 dB more', () => {
    // 10·log10(2·10^(r/10) − 1) is above the margin for r = margin − 3, by less than 0.02 dB not.
    const both = (decibels: number) => run([noise(1, { decibels }), on(first, { decibels })]);
    const jammed = (decibels: number) => jammedOn(both(decibels)).get(first)![0];
    expect(jammed(Math.ceil(100 * (margin - 3)) / 100)).toBeGreaterThan(0);
    expect(jammed(Math.floor(100 * (margin - 3.02)) / 100)).toBe(0);
  });

  it('ends where it began, on all channels or on one; a repair ends all of it', () => {
    const begun = [on(first, loud), on(second, loud)];
    const one = jammedOn(run([...begun, noise(2, { channel: first / 1e6, ...END })]));
    expect(one.get(first)![0]).toBe(0);
    expect(one.get(second)![0]).toBeGreaterThan(0);
    const everywhere = jammedOn(run([...begun, noise(1, loud), noise(2, END)]));
    for (const [hz, [jammed]] of everywhere) {
      expect(jammed > 0).toBe(hz === first || hz === second);
    }
    const repair = at(2, { kind: 'gateway.repair', eui: eui('06', 1), fault: 'noise' });
    const repaired = jammedOn(run([...begun, noise(1, loud), repair]));
    for (const [jammed] of repaired.values()) expect(jammed).toBe(0);
  });

  it('is in the signal-to-noise ratio that the server is reported', () => {
    const snrs = (heard: HeardRun) =>
      heard.listener.ups.map(({ receptions }) => receptions.map(({ snrCentiDb }) => snrCentiDb));
    const alone = networkOf({ radio: { pathLoss: { model: 'constant', lossDb: 130 } } });
    const [plain, heard] = [run([], alone), run([noise(1, { decibels: 3 })], alone)];
    expect(snrs(plain)[0]).toHaveLength(1);
    expect(snrs(heard)).toEqual(snrs(plain).map((all) => all.map((snr) => snr - 300)));
  });

  it('counts what no gateway receives for it as jammed', () => {
    const both = [1, 2].map((number) =>
      at(1, { kind: 'gateway.fault', eui: eui('06', number), fault: 'noise', decibels: 150 }),
    );
    const { radio } = run(both).world.result();
    expect(radio.lost).toEqual({ jammed: undisturbed.trace.of('uplinkEnds').length });
  });
});

describe('a backhaul that is slow', () => {
  const slow = (atUs: number, more: object): TimedCommand =>
    at(atUs, { kind: 'gateway.fault', eui: eui('06', 1), fault: 'delay', ...more });
  const alone = networkOf({});
  const takenAt = (timeline: readonly TimedCommand[]) =>
    run(timeline, alone)
      .trace.of('uplinkCollected')
      .map(({ atUs }) => atUs);

  it('adds its delay to the copies that are sent meanwhile, to the µs, and no more later', () => {
    const plain = takenAt([]);
    const ends = run([], alone)
      .trace.of('uplinkEnds')
      .map(({ atUs }) => atUs);
    const late = takenAt([slow(ends[2]! - 1, { delay: 0.7 }), slow(ends[5]!, END)]);
    expect(late).toEqual(plain.map((atUs, i) => (i >= 2 && i <= 5 ? atUs + 700_000 : atUs)));
  });

  it('makes answers miss their windows, and those of another gateway do not', () => {
    const confirmed = (gatewaysAt: readonly number[]) =>
      networkOf({ traffic: { confirmedPpm: 1_000_000 }, gatewaysAt });
    const answered = (network: NetworkPlan) =>
      run([slow(1, { delay: 5 })], network).world.result().downlinks;
    expect(answered(confirmed([100])).sent).toBe(0);
    expect(answered(confirmed([100, 200])).sent).toBeGreaterThan(5);
  });
});

describe('a device that reboots by command', () => {
  /** Devices that report what they are set to once they have started. */
  const reporting = settable('report', { devices: 2 });
  const rebootAt = (atUs: number) => at(atUs, { kind: 'device.reboot', devEui: eui('02', 1) });
  const reports = (timeline: readonly TimedCommand[]) => {
    const heard = run(timeline, reporting);
    return [1, 2].map((number) => settingsSaid(heard, number).length);
  };

  it('starts anew in its session, and the other goes on', () => {
    expect(reports([])).toEqual([1, 1]);
    expect(reports([rebootAt(3 * MINUTE_US)])).toEqual([2, 1]);
    expect(reports([rebootAt(3 * MINUTE_US), rebootAt(6 * MINUTE_US)])).toEqual([3, 1]);
  });

  it('does nothing without a session', () => {
    const joining = networkOf({ devices: 1, type: { activation: 'otaa', startSpreadUs: 0 } });
    const mute = device(0, 'radio');
    const { trace, world } = run([mute, rebootAt(MINUTE_US)], joining);
    expect(trace.of('deviceReboots')).toEqual([]);
    expect(world.events).toBe(run([mute], joining).world.events);
  });
});
