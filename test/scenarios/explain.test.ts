/** `explainRun`: stories of devices, gateways and campaigns, and what branches say would help. */
import { describe, expect, it } from 'vitest';
import type {
  CampaignExplanation,
  DeviceExplanation,
  Explanation,
  GatewayExplanation,
} from '../../core/result/explanation.ts';
import { explanationLines } from '../../reports/library.ts';
import { explain } from '../../scenarios/explain/explain.ts';
import { explainRun } from '../../scenarios/explain/explain-text.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { readScenario } from '../../scenarios/texts.ts';
import { sumOf } from '../../sim/base/counts.ts';
import { fail } from '../../sim/base/result.ts';

/** Twelve meters that lose a fifth of all frames, and 5 % of redundancy. */
const LOSSY = `
  scenario: lossy
  duration: 8 h
  area: { radius: 500 m }
  radio: { pathLoss: { model: constant, loss: 100 dB }, shadowing: 0 dB }
  gateways: [{ name: roof }]
  devices:
    - name: meter
      count: 12
      activation: abp
      joinWithin: 5 min
      traffic: { every: 10 min }
      dataRate: DR5
      frameLoss: 20 %
      energy: { chip: SX1262, battery: 2400 mAh }
  images: [{ name: meter-1.1.0.bin, bytes: 8 kB }]
  groups: [{ name: meters, devices: [meter] }]
  campaigns:
    - name: spring
      image: meter-1.1.0.bin
      group: meters
      at: 1 h
      min_downlink_delay: 1 s
      multicast_setup_time: 3 h
      redundancy: 5 %
`;

const story = (options: object) =>
  explainRun(LOSSY, options as never) as readonly DeviceExplanation[];
const failed = story({ device: 'failed' });
const [first] = failed;
const kinds = ({ events }: DeviceExplanation) => events.map(({ kind }) => kind);

describe('the story of a device that failed', () => {
  it('has the steps of its campaign with their times, tries and lost answers', () => {
    expect(kinds(first!)).toEqual(
      expect.arrayContaining([
        'powerOn',
        'traffic',
        'command',
        'step',
        'sessionOpens',
        'fragments',
        'end',
      ]),
    );
    const atSeconds = first!.events.map((event) => event.atSeconds);
    expect(atSeconds).toEqual([...atSeconds].sort((a, b) => a - b));
    const tries = first!.events.flatMap((event) => (event.kind === 'command' ? event.tries : []));
    expect(tries.some(({ outcome }) => outcome === 'received')).toBe(true);
    const answers = first!.events.flatMap((event) =>
      event.kind === 'answer' ? [event.command] : [],
    );
    const asked = ['AppTimeReq', 'McGroupSetupAns', 'FragSessionSetupAns', 'McClassCSessionAns'];
    expect(answers).toEqual(expect.arrayContaining(asked));
  });

  it('counts the fragments that it heard as the device itself stores them', () => {
    const heard = first!.events.find((event) => event.kind === 'fragments')!;
    const [row] = runScenario(LOSSY).result.campaigns;
    const named = row!.failedDevices.find(({ name }) => name === first!.device.name)!;
    expect(heard.heard).toBe(named.fragmentsHeld);
    expect(heard.heard + sumOf(heard.missed)).toBe(row!.nbFrag + row!.redundancy);
    expect(Object.keys(heard.missed)).toEqual(['frameLoss']);
  });

  it('says what the service believed and what was true, and what the energy went into', () => {
    expect(first!.campaigns).toMatchObject([
      { campaign: 'spring', fate: 'failed', cause: 'missing fragments', runs: false },
    ]);
    expect(first!.state?.fragments?.held).toBeLessThan(first!.state!.fragments!.needed);
    expect(sumOf(first!.state!.joules!)).toBeGreaterThan(0);
  });

  it('ends with a setting that saves it in a run of the same seed', () => {
    const { verdict, branches } = first!.saving;
    expect(verdict).toBe('saved');
    const { set, helps, atSeconds } = branches.at(-1)!;
    expect([helps, atSeconds]).toEqual([true, 3600]);
    const saved = runScenario(LOSSY, { set: [...set] }).result.campaigns[0]!;
    expect(saved.failedDevices.map(({ name }) => name)).not.toContain(first!.device.name);
    for (const other of branches.slice(0, -1)) {
      const same = runScenario(LOSSY, { set: [...other.set] }).result.campaigns[0]!;
      const names = same.failedDevices.map(({ name }) => name);
      expect(names).toContain(first!.device.name);
    }
  });

  it('is of a device that is known to have failed, without another run', () => {
    const trunk = populate(readScenario(LOSSY).scenario);
    const { devEui } = trunk.network.devices[6]!;
    const planWith = () => fail('set.invalid', 'nothing is tried');
    const failed = [{ devEui, cause: 'missing fragments' }];
    const question = { of: 'device', name: 'failed', whatIf: false } as const;
    const answer = explain({ trunk, seed: 'known', branches: [], failed, planWith }, question);
    expect(answer.ok && answer.value).toMatchObject([{ device: { name: 'meter-7', devEui } }]);
  });

  it('reads as lines; the last one says what would have saved it', () => {
    const lines = explanationLines(first!);
    expect(lines[0]).toContain(`${first!.device.name} (`);
    expect(lines.join('\n')).toMatch(/Fragments: \d+ of \d+ heard; missed: stated loss \d+\./);
    expect(lines.at(-1)).toMatch(
      /^What would have saved it: campaigns\.spring\.redundancy=\d+ %, given at 01:00:00\./,
    );
  });
});

describe('the clock of a device in words', () => {
  it.each([
    [null, 'its clock was never set.'],
    [0.049, 'its clock is right.'],
    [-0.049, 'its clock is right.'],
    [0.05, 'its clock is 0.05 s ahead.'],
    [-90, 'its clock is 1 min 30 s behind.'],
  ])('of an error of %d s', (clockErrorSeconds, words) => {
    const lines = explanationLines({ ...first!, state: { ...first!.state!, clockErrorSeconds } });
    const line = lines.find((each) => each.startsWith('Class A, '));
    expect(line?.replace(/\s/g, ' ')).toContain(words);
  });
});

describe('a part of a story', () => {
  it('ends at the asked instant with the state of then', () => {
    const [then] = story({ device: first!.device.name, at: '90 min', whatIf: false });
    expect(then!.untilSeconds).toBe(5400);
    expect(then!.state!.fragments?.held ?? 0).toBe(0);
    expect(then!.campaigns[0]!.fate).toBe('inProgress');
    expect(then!.events.every((event) => event.atSeconds <= 5400)).toBe(true);
  });

  it('shows each frame by itself from … to …', () => {
    const given = { device: 'meter-1', from: '10 min', to: '1 h', whatIf: false };
    const [part] = story(given);
    const times = part!.events.map(({ atSeconds }) => atSeconds);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(600);
    expect(Math.max(...times)).toBeLessThanOrEqual(3600);
    const uplinks = part!.events.filter((event) => event.kind === 'traffic');
    expect(uplinks.length).toBeGreaterThanOrEqual(4);
    expect(uplinks.every(({ frames }) => frames === 1)).toBe(true);
  });

  it('says that nothing was computed where no branch is wanted', () => {
    const [alone] = story({ device: first!.device.name, whatIf: false });
    expect(alone!.saving).toEqual({ verdict: 'not computed', branches: [] });
  });
});

describe('a device that has not failed', () => {
  it('needed nothing, and the slowest is the one that confirmed last', () => {
    const set = ['campaigns.spring.redundancy=100 %'];
    const [slowest] = story({ device: 'slowest', set });
    const last = slowest!.events.findLast((event) => event.kind === 'end')!;
    const { completionSeconds, stages } = runScenario(LOSSY, { set }).result.campaigns[0]!;
    expect(last.atSeconds - stages[0]!.atSeconds).toBeCloseTo(completionSeconds.at(-1)!, 0);
    expect(slowest!.saving.verdict).toBe('needless');
  });
});

describe('what cannot be explained', () => {
  it.each([
    [{ device: 'metr-1' }, /"metr-1" is no device of this run; .*did you mean "meter-1"\?/],
    [{ device: 'faild' }, /"faild" is no device of this run; .*did you mean "failed"\?/],
    [{ device: 'sprng' }, /"sprng" is no device of this run; .*did you mean "spring"\?/],
    [{ gateway: 'rof' }, /"rof" is no gateway of this run; allowed: roof; did you mean "roof"\?/],
    [{ campaign: 'sprng' }, /"sprng" is no campaign of this run; .*did you mean "spring"\?/],
    [{ device: 'meter-1', at: '9 h' }, /9 h is outside of the run; allowed: 0 s to 8 h/],
    [{ device: 'meter-1', from: '2 h', to: '1 h' }, /the story ends before it begins/],
    [{ device: 'failed', set: ['campaigns=null'] }, /no device failed in a campaign/],
    [{ device: 'meter-1', gateway: 'roof' }, /exactly one of device, gateway and campaign/],
    [{ device: 'meter-1', at: 'noon' }, /at: "noon" is not a duration/],
  ])('is refused by name: %o', (options, words) => {
    expect(() => story(options)).toThrow(words);
  });
});

describe('a campaign whose set-up takes most of its time', () => {
  const SLOW = `
  scenario: slow
  duration: 12 h
  area: { radius: 500 m }
  radio: { pathLoss: { model: constant, loss: 100 dB }, shadowing: 0 dB }
  gateways: [{ name: roof }]
  devices:
    - name: meter
      count: 40
      class: C
      joinWithin: 20 min
      dataRate: DR5
      traffic: { every: 30 min }
  images: [{ name: meter-1.1.0.bin, bytes: 4 kB }]
  groups: [{ name: all, devices: all, class: C }]
  campaigns:
    - { name: spring, image: meter-1.1.0.bin, group: all, at: 1 h }
`;
  const explained = (set: readonly string[] = []) => {
    const [campaign] = explainRun(SLOW, { campaign: 'spring', set }) as [CampaignExplanation];
    const lines = explanationLines(campaign);
    return { tried: campaign.tried.flatMap((one) => one.set), last: lines.at(-1) };
  };

  it('is tried with its commands at the data rate of the session, from the start', () => {
    const { tried, last } = explained();
    expect(tried).toContain('server.rx2DataRate=DR5');
    expect(last).toMatch(
      /^With server\.rx2DataRate=DR5 it takes .* in place of .* of 40 run it\.$/,
    );
  });

  it('is not where they are sent so already', () => {
    const { tried, last } = explained(['server.rx2DataRate=DR5']);
    expect(tried).not.toContain('server.rx2DataRate=DR5');
    expect(last).not.toContain('in place of');
  });
});

describe('a word alone', () => {
  const three = LOSSY.replace('{ name: roof }', '{ name: roof }, { name: mast, count: 12 }');
  const thingsOf = (word: string, text = three) =>
    explainRun(text, { device: word, whatIf: false }) as readonly Explanation[];

  it('is a campaign or a gateway, too', () => {
    const [campaign] = thingsOf('spring');
    expect(campaign).toMatchObject({ campaign: 'spring' });
    const [gateway] = thingsOf('mast-3');
    expect(gateway).toMatchObject({ gateway: { name: 'mast-3' } });
  });

  it('is an entry of gateways: the first ten are explained', () => {
    const names = thingsOf('mast').map((one) => (one as GatewayExplanation).gateway.name);
    expect(names).toEqual(Array.from({ length: 10 }, (_, at) => `mast-${at + 1}`));
    expect(explainRun(three, { gateway: 'mast' })).toHaveLength(10);
    expect(() => thingsOf('mas')).toThrow('no device');
  });
});

describe('a device that nobody hears', () => {
  it('is said to have no gateway in reach, and that no setting helps', () => {
    const far = LOSSY.replace('loss: 100 dB', 'loss: 200 dB').replace('activation: abp', '');
    const [alone] = explainRun(far, { device: 'meter-1' }) as readonly DeviceExplanation[];
    expect(alone!.state!.activation).toBe('joining');
    expect(explanationLines(alone!).at(-1)).toMatch(/^No setting would have saved it\./);
  });
});

describe('the explanation of a gateway', () => {
  const outage = `${LOSSY}
  timeline:
    - { at: 5 h, gatewayFault: { gateway: roof, fault: backhaul, for: 1 h } }
`;
  const [gateway] = explainRun(outage, { gateway: 'roof' }) as readonly GatewayExplanation[];

  it('counts what it received and could not forward in an outage', () => {
    expect(gateway!.outages).toMatchObject([{ part: 'backhaul', fromSeconds: 18000 }]);
    const [stuck] = gateway!.notForwarded;
    expect(stuck!.frames).toBe(gateway!.gateway.fates.backhaulLoss);
    expect(stuck!.frames).toBeGreaterThan(10);
  });

  it('has the figures of the run without it', () => {
    expect(gateway!.without!.delivered[1]).toBe(0);
    expect(explanationLines(gateway!).at(-1)).toMatch(/^Without roof, by one more run/);
  });
});

describe('the explanation of a campaign', () => {
  const [campaign] = explainRun(LOSSY, { campaign: 'spring' }) as readonly CampaignExplanation[];

  it('has what each 10 % of redundancy gives, as runs of the same seed have it', () => {
    const sets = campaign!.tried.map(({ set }) => set[0]);
    expect(sets.slice(0, 3)).toEqual([15, 25, 35].map((n) => `campaigns.spring.redundancy=${n} %`));
    for (const { set, running } of campaign!.tried.slice(0, 2)) {
      expect(running).toBe(runScenario(LOSSY, { set: [...set] }).result.campaigns[0]!.running);
    }
  });

  it('has what one update costs, against a branch without the campaign', () => {
    const withIt = runScenario(LOSSY).result.energy!.meanJoules;
    const without = runScenario(LOSSY, { set: ['campaigns=null'] }).result.energy!.meanJoules;
    expect(campaign!.energy!.joules).toBeCloseTo(withIt - without, 9);
    expect(campaign!.energy!.joules).toBeGreaterThan(0);
    expect(explanationLines(campaign!).join('\n')).toMatch(/Energy of one update: .* a device/);
  });

  it('of a campaign that is not over says what holds it back', () => {
    const [late] = explainRun(LOSSY, {
      campaign: 'spring',
      set: ['duration=3 h'],
    }) as readonly CampaignExplanation[];
    expect([late!.stage, late!.tried]).toEqual(['SETTING_UP_DEVICES', []]);
    expect(explanationLines(late!).at(-1)).toMatch(/^It is not over at 03:00:00, .* its set-up: /);
  });

  it('names the devices that hold the data rate down, and what leaving them out saves', () => {
    const far = `${LOSSY.replace('constant, loss: 100 dB', 'constant, loss: 151 dB').replace(
      'frameLoss: 20 %',
      'frameLoss: 0 %',
    )}`.replace('dataRate: DR5', 'dataRate: DR0');
    const [slow] = explainRun(far, { campaign: 'spring' }) as readonly CampaignExplanation[];
    expect(slow!.dataRate).toBeLessThan(5);
    expect(slow!.slowestCount).toBe(12);
    expect(slow!.withoutSlowest!.dataRate).toBe(slow!.dataRate + 1);
  });
});
