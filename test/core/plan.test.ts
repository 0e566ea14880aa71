/** What a campaign decides by itself, and which inputs it refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDue, type DueEntry, type DueList, takeDue } from '../../core/base/due-list.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { FragmentSource } from '../../core/update-service/campaigns/fragments.ts';
import {
  chooseFragSize,
  nearestGoodFragSize,
  type Plan,
} from '../../core/update-service/campaigns/plan.ts';
import {
  isOver,
  nextStage,
  STAGES,
  type Trigger,
} from '../../core/update-service/campaigns/stages.ts';
import { AssertionFailed } from '../../sim/base/assert.ts';
import { encodeFragments } from '../../sim/lorawan/fragmentation-code.ts';
import { type Bench, GATEWAY, ready, S, someImage } from './bench.ts';
import type { Script } from './scripted-device.ts';

function planned(
  input: Partial<CampaignInput> = {},
  script: (i: number) => Partial<Script> = () => ({}),
  options: { imageBytes?: number; gateways?: string[]; count?: number; atS?: number } = {},
): Plan {
  const bench = ready(options.count ?? 2, script, options);
  bench.runUntil((options.atS ?? 0) * S);
  bench.campaign(input);
  bench.runUntil(bench.nowUs + 2 * S);
  return bench.platform.save().resources.campaign.campaigns[0]!.plan!;
}

describe('the data rate', () => {
  it.each([
    [-119, 5],
    [-120, 4],
    [-122, 4],
    [-124, 3],
    [-127, 2],
    [-129.6, 0],
    [-136, 0],
  ])(
    'is the fastest that the weakest member at %d dBm hears with 5 dB to spare: DR%i',
    (dbm, dr) => {
      const levels = (i: number) => ({ [GATEWAY]: i === 0 ? dbm : -80 });
      expect(planned({}, (i) => ({ levels: levels(i) })).dataRate).toBe(dr);
    },
  );

  it('is that of RX2 when nobody was heard', () => {
    expect(planned({}, () => ({ levels: {} })).dataRate).toBe(0);
  });

  it('is the one asked for', () => {
    expect(planned({ mcast_dr: 2 }).dataRate).toBe(2);
  });
});

describe('the frequency', () => {
  it('is that of RX2, or the one asked for to 100 Hz', () => {
    expect(planned().frequencyHz).toBe(869_525_000);
    expect(planned({ mcast_freq: 868.1 }).frequencyHz).toBe(868_100_000);
  });
});

describe('the fragments', () => {
  it.each([
    [5, 239],
    [4, 239],
    [3, 112],
    [2, 48],
  ])('have the size that DR%i carries: %i bytes', (mcast_dr, fragSize) => {
    const plan = planned({ mcast_dr }, () => ({}), { imageBytes: 5000 });
    expect(plan.fragSize).toBe(fragSize);
    expect(plan.nbFrag).toBe(Math.ceil(5000 / fragSize));
    expect(plan.padding).toBe(plan.nbFrag * fragSize - 5000);
    expect(plan.redundancy).toBe(Math.ceil(0.3 * plan.nbFrag));
  });

  it('are a byte smaller where the code would serve their number badly', () => {
    expect(chooseFragSize(48 * 384, 48)).toBe(47);
    expect(chooseFragSize(48 * 512, 48)).toBe(48);
    expect(chooseFragSize(48 * 128, 48)).toBe(48);
    expect(chooseFragSize(100 * 832 - 1, 100)).toBe(99);
  });

  it('are two or more, and never of a defective number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 500_000 }),
        fc.integer({ min: 8, max: 239 }),
        (bytes, most) => {
          const size = chooseFragSize(bytes, most);
          const count = Math.ceil(bytes / size);
          expect(size).toBeLessThanOrEqual(most);
          expect(count).toBeGreaterThanOrEqual(2);
          expect(count % 64 === 0 && count >= 192 && !Number.isInteger(Math.log2(count))).toBe(
            false,
          );
        },
      ),
    );
  });

  it('would be served well by the size that is nearest, the smaller of two', () => {
    const isGood = (bytes: number, size: number) => {
      const count = Math.ceil(bytes / size);
      return count < 192 || count % 64 !== 0 || Number.isInteger(Math.log2(count));
    };
    const sizes = Array.from({ length: 239 }, (_, i) => i + 1);
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 40 }),
        fc.oneof(fc.integer({ min: 8, max: 239 }), fc.integer({ min: 230, max: 239 })),
        (sixtyFours, fragSize) => {
          const bytes = 64 * sixtyFours * fragSize;
          const good = sizes
            .filter((size) => isGood(bytes, size))
            .sort((a, b) => Math.abs(a - fragSize) - Math.abs(b - fragSize) || a - b);
          expect(nearestGoodFragSize(bytes, fragSize)).toBe(good[0] ?? fragSize);
        },
      ),
    );
    // 640 fragments of 238 bytes: 239 bytes would be 638.
    expect(nearestGoodFragSize(640 * 239, 239)).toBe(238);
    expect(nearestGoodFragSize(640 * 238, 238)).toBe(237);
    expect(nearestGoodFragSize(637 * 239 + 1, 239)).toBe(239);
  });

  it('come from the encoder, also those beyond the plan', () => {
    const image = someImage(777);
    const source = new FragmentSource(image);
    const plan = { nbFrag: 16, fragSize: 50, redundancy: 4, version: 1 } as Plan;
    const all = encodeFragments(1, image, 50, 60);
    for (const number of [20, 1, 16, 21, 40, 17, 76]) {
      expect(source.fragment(plan, number)).toEqual(all[number - 1]);
    }
    const smaller = { ...plan, nbFrag: 78, fragSize: 10 };
    expect(source.fragment(smaller, 79)).toEqual(encodeFragments(1, image, 10, 1)[78]);
  });
});

describe('the pace and the session', () => {
  it('keep air time over duty cycle, in whole seconds', () => {
    expect(planned({ mcast_dr: 5 }, () => ({}), { imageBytes: 20_000 })).toMatchObject({
      airtimeUs: 394_496,
      fragSendDelayUs: 4 * S,
      startMarginUs: 6 * S,
    });
  });

  it('are in whole milliseconds below a second', () => {
    const { fragSendDelayUs, airtimeUs } = planned({ mcast_dr: 5, frag_size: 20 });
    expect(fragSendDelayUs).toBe(Math.ceil(airtimeUs / 0.1 / 1000) * 1000);
    expect(fragSendDelayUs).toBeLessThan(S);
  });

  it('give each staggered gateway its turn, and simultaneous ones the same', () => {
    const gateways = Array.from({ length: 20 }, (_, i) => `AA${i.toString().padStart(14, '0')}`);
    const script = (i: number) => ({ levels: { [gateways[i]!]: -100 } });
    const staggered = planned({}, script, { gateways, count: 20 });
    expect(staggered.gateways.length).toBe(20);
    expect(staggered.fragSendDelayUs).toBeGreaterThanOrEqual(20 * staggered.airtimeUs);
    const input = { gateway_timing: 'simultaneous' } as const;
    const simultaneous = planned(input, script, { gateways, count: 20 });
    expect(simultaneous.fragSendDelayUs).toBeLessThan(staggered.fragSendDelayUs);
  });

  it('last the smallest power of two that is one and a half times the fragments', () => {
    const plan = planned({ frag_size: 50, frag_send_delay: 10 }); // 6 + 27 · 10 = 276 s
    expect(plan.timeOut).toBe(9);
    expect(planned({ frag_size: 50, mcast_session_timeout: 1024 }).timeOut).toBe(10);
  });

  it('may take the longest time out without that margin', () => {
    const plan = planned({ frag_send_delay: 900, frag_size: 50, redundancy: 0.5 });
    expect((plan.nbFrag + plan.redundancy) * 900).toBeGreaterThan(32_768 / 1.5);
    expect(plan.timeOut).toBe(15);
  });
});

describe('the set-up time', () => {
  it('is the one asked for', () => {
    expect(planned({ multicast_setup_time: 1234 }).setupUs).toBe(1234 * S);
  });

  it('is an hour or more for class A, twenty minutes or more for class C', () => {
    const a = planned().setupUs / S;
    expect(a).toBeGreaterThanOrEqual(3600);
    expect(a).toBeLessThan(3 * 3600);
    const c = planned({}, () => ({ deviceClass: 'C' })).setupUs / S;
    expect(c).toBeGreaterThanOrEqual(1200);
    expect(c).toBeLessThan(3600);
  });

  it('is six times the longest silence of a member that speaks within a day', () => {
    const quiet = (i: number) => ({ firstUplinkS: 100, uplinkEveryS: i === 0 ? 80_000 : 600 });
    const { setupUs } = planned({}, quiet, { atS: 14_500 });
    expect(setupUs / S).toBeGreaterThan(6 * 14_400);
    expect(setupUs / S).toBeLessThan(6 * 14_400 + 1800);
    expect(planned({}, quiet, { atS: 80_000 + 200 }).setupUs / S).toBeLessThan(2 * 3600);
  });

  it('grows with the members and shrinks with the gateways', () => {
    const gateways = [GATEWAY, 'AA00000000000002'];
    const levels = (i: number) => ({ levels: { [gateways[i % 2]!]: -100 }, dataRate: 0 });
    const few = planned({}, levels, { gateways, count: 100 }).setupUs;
    const many = planned({}, levels, { gateways, count: 200 }).setupUs;
    const alone = planned({}, () => ({ dataRate: 0 }), { count: 200 }).setupUs;
    expect(many).toBeGreaterThan(few);
    expect(alone - 3600 * S).toBeGreaterThan(1.9 * (many - 3600 * S));
  });
});

describe('a campaign', () => {
  const refused = (bench: Bench, input: Partial<CampaignInput>) => {
    return bench.try({
      kind: 'campaign.create',
      by: 'default',
      campaign: bench.campaignInput(input),
    });
  };

  it.each([
    ['campaign.name', { name: '' }],
    ['image.unknown', { image_name: 'b.bin' }],
    ['deviceGroup.unknown', { device_group_id: 'none' }],
    ['campaign.version', { expected_version: '1.2' }],
    ['campaign.version', { image_name: 'plain.bin' }],
    ['campaign.descriptor', { descriptor: '123' }],
    ['campaign.data-rate', { mcast_dr: 13 }],
    ['campaign.frequency', { mcast_freq: 900 }],
    ['campaign.frequency', { mcast_freq: 0.000001 }],
    ['campaign.frequency', { mcast_freq: 999.999999 }],
    ['campaign.frequency', { mcast_freq: 868.1, mcast_dr: 6 }],
    ['campaign.frag-size', { mcast_dr: 3, frag_size: 113 }],
    ['campaign.image-too-large', { image_name: 'large-1.0.0.bin', mcast_dr: 2 }],
    ['campaign.session-too-long', { frag_send_delay: 3600, frag_size: 50 }],
    ['campaign.invalid', { redundancy: 1.01 }],
    ['campaign.invalid', { redundancy: -0.1 }],
    ['campaign.invalid', { redundancy: Number.NaN }],
    ['campaign.invalid', { mcast_dr: 0 }],
    ['campaign.invalid', { mcast_dr: 2.5 }],
    ['campaign.invalid', { mcast_freq: 1000 }],
    ['campaign.invalid', { mcast_freq: 0 }],
    ['campaign.invalid', { mcast_session_timeout: 100 }],
    ['campaign.invalid', { mcast_session_timeout: 65_536 }],
    ['campaign.invalid', { min_timeout_delay: 5 }],
    ['campaign.invalid', { min_downlink_delay: 60 }],
    ['campaign.invalid', { frag_size: 0 }],
    ['campaign.invalid', { automatic_retry_count: -1 }],
  ] as const)('is refused with %s: %o', (code, input) => {
    const bench = ready(2);
    bench.upload('plain.bin', someImage(10));
    bench.upload('large-1.0.0.bin', someImage(code === 'campaign.image-too-large' ? 700_000 : 1));
    expect(refused(bench, input)).toMatchObject({ ok: false, failure: { code } });
    expect(bench.platform.resources.campaign.results()).toEqual([]);
    expect(bench.outbox.isEmpty).toBe(true);
  });

  it('that nobody knows cannot be halted', () => {
    expect(ready(1).try({ kind: 'campaign.halt', by: 'default', campaign_id: 'x' })).toMatchObject({
      failure: { code: 'campaign.unknown' },
    });
  });

  it('has an address and a key of its own, the same in every run', () => {
    const groups = (): unknown[] => {
      const bench = ready(1);
      bench.campaign();
      bench.finish();
      bench.campaign({ name: 'autumn' });
      bench.runUntil(bench.nowUs + 5 * S);
      return bench.log.flatMap(({ request }) =>
        request.kind === 'multicast.open' ? [request.group] : [],
      );
    };
    const [first, second] = groups() as { mcAddr: number; mcKey: Uint8Array }[];
    expect(groups()).toEqual([first, second]);
    expect(first!.mcAddr >>> 25).toBe(0);
    expect(first!.mcAddr).not.toBe(second!.mcAddr);
    expect(first!.mcKey).not.toEqual(second!.mcKey);
  });

  it('names the image that goes to its group', () => {
    const bench = ready(1, () => ({}), { imageBytes: 1_030 });
    bench.campaign({ frag_size: 50 });
    expect(bench.platform.resources.campaign.addresses()).toEqual([undefined]);
    bench.runUntil(5 * S);
    const [mcAddr] = bench.platform.resources.campaign.addresses();
    expect(bench.platform.resources.campaign.imageOf(mcAddr!)).toEqual({
      bytes: someImage(1_030),
      nbFrag: 21,
      fragSize: 50,
      padding: 20,
      version: 1,
    });
    expect(bench.platform.resources.campaign.imageOf(1)).toBeUndefined();
  });

  it('leaves devices in no campaign without a fate', () => {
    expect(ready(1).platform.resources.campaign.fate('D000000000000001')).toBe(0);
  });

  it('reports its funnel: each step has at most as many devices as the one before', () => {
    const bench = ready(3, (i) => (i === 0 ? { mute: ['FragSessionSetupReq'] } : {}));
    bench.device('D000000000000002').script.losesFragment = () => true;
    bench.campaign();
    const { funnel, completionSeconds, t50, t90, ...result } = bench.finish();
    expect(funnel).toEqual([
      { step: 'clock sync', devices: 3 },
      { step: 'multicast set-up', devices: 3 },
      { step: 'fragmentation set-up', devices: 2 },
      { step: 'session', devices: 2 },
      { step: 'status', devices: 1 },
      { step: 'repair', devices: 1 },
      { step: 'final version', devices: 1 },
    ]);
    expect(result).toMatchObject({ success: 1, failed: 2, t99: null });
    expect([completionSeconds.length, t50, t90]).toEqual([1, null, null]);
  });

  it('reports when half and nearly all of its devices were updated', () => {
    const bench = ready(10);
    bench.campaign();
    const { completionSeconds, t50, t90, t99 } = bench.finish();
    expect(completionSeconds).toEqual([...completionSeconds].sort((a, b) => a - b));
    expect([t50, t90, t99]).toEqual([4, 8, 9].map((i) => completionSeconds[i]));
  });
});

describe('the stages', () => {
  it('have the numbers of the firmware update service', () => {
    expect(Object.fromEntries(STAGES.map((stage, number) => [stage, number]))).toEqual({
      INITIALIZING: 0,
      WAITING_FOR_START: 1,
      CHECKING_VERSIONS: 2,
      SETTING_UP_DEVICES: 3,
      SENDING_FRAGMENTS: 4,
      VERIFYING: 5,
      WAITING_FOR_RETRY: 6,
      FINISHED: 7,
      HALTED: 8,
      ERROR_SETTING_UP: 9,
    });
  });

  it('can be halted until they are over, and be restarted only then', () => {
    for (const stage of STAGES) {
      const [can, cannot] = isOver(stage)
        ? (['restart', 'halt'] as const)
        : (['halt', 'restart'] as const);
      expect(nextStage(stage, can)).toBe(can === 'halt' ? 'HALTED' : 'INITIALIZING');
      expect(() => nextStage(stage, cannot)).toThrow(AssertionFailed);
    }
    expect(STAGES.filter(isOver)).toEqual(['FINISHED', 'HALTED', 'ERROR_SETTING_UP']);
  });

  it('have no transition by a foreign trigger', () => {
    const foreign: [(typeof STAGES)[number], Trigger][] = [
      ['INITIALIZING', 'allSent'],
      ['SETTING_UP_DEVICES', 'allSent'],
      ['SENDING_FRAGMENTS', 'sessionStarts'],
      ['VERIFYING', 'setUpBegins'],
    ];
    for (const [stage, trigger] of foreign) {
      expect(() => nextStage(stage, trigger)).toThrow(AssertionFailed);
    }
  });
});

describe('the list of who is due', () => {
  it('gives entries by time, then by place', () => {
    const entries = fc.record({ atUs: fc.nat({ max: 20 }), member: fc.nat({ max: 20 }) });
    fc.assert(
      fc.property(fc.array(entries), fc.nat({ max: 30 }), (all, early) => {
        const list: DueList = [];
        const taken: DueEntry[] = [];
        const order = (a: DueEntry, b: DueEntry) => a.atUs - b.atUs || a.member - b.member;
        for (const entry of all) addDue(list, entry);
        for (let i = 0; i < Math.min(early, all.length); i++) taken.push(takeDue(list)!);
        for (const entry of taken) addDue(list, entry);
        const sorted = Array.from({ length: all.length }, () => takeDue(list)!);
        expect(sorted).toEqual([...all].sort(order));
        expect(taken).toEqual(sorted.slice(0, taken.length));
        expect(takeDue(list)).toBeUndefined();
      }),
    );
  });
});
