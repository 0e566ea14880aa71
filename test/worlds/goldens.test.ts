/**
 * What the scenarios of the library come to, to the last bit. A change of a figure here is a commit
 * of its own that says why the worlds are others now; `test/support/renew-goldens.mjs` writes it.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { LIBRARY_FILES, libraryWorld } from '../support/library.ts';
import { IS_LONG, IS_RELEASE, quickly, sampled } from '../support/long.ts';
import { carryOut, knownOutcome, outcomeOf, stopping, throughBytes } from '../support/worlds.ts';

interface Golden {
  /** Overrides that keep the run short. */
  readonly settings: readonly string[];
  readonly events: number;
  readonly outcome: string;
  readonly full: string;
}

const GOLDENS: Readonly<Record<string, Golden>> = {
  'campaigns/class-b.yaml': {
    settings: [],
    events: 20_001,
    outcome: '883f93ff247a021a',
    full: 'b119b4eeccf7de42',
  },
  'campaigns/delegated-fleets.yaml': {
    settings: [],
    events: 36_580,
    outcome: '2f75e79d7f1b9393',
    full: 'fa5e56b93d592def',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 64_865,
    outcome: '6adb2d72628dfedd',
    full: 'ffce1d0881053bb6',
  },
  'campaigns/failing-devices.yaml': {
    settings: [],
    events: 47_012,
    outcome: '64a95a22c96ac806',
    full: 'f7e12f81c2237f53',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 56_577,
    outcome: 'e00b25febdb8dbfd',
    full: '5d7af68059e47633',
  },
  'campaigns/managed-month.yaml': {
    settings: ['devices.meter.count=60', 'devices.lamp.count=10'],
    events: 145_135,
    outcome: '65d6e5aacededa6f',
    full: 'da25ef5b589ab174',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 122_902,
    outcome: 'ec0c3a9dfb43c8c8',
    full: 'b7da2ad49ce6b0e9',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 25_404,
    outcome: '5f782d77d3b45485',
    full: 'a165a5aedb85997e',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 46_876,
    outcome: 'e92d6d94a06def45',
    full: 'af57692a14c52de1',
  },
  'flapping-gateway.yaml': {
    settings: ['devices.silent.count=40', 'devices.echo.count=30', 'devices.report.count=30'],
    events: 27_947,
    outcome: '8958d807558e152f',
    full: '7ab818b2e06cbcce',
  },
  'fleet.yaml': {
    settings: [],
    events: 40_279,
    outcome: '89451bb9770bc9b9',
    full: 'afd24e45e40be3f6',
  },
  'questions/canary-then-fleet.yaml': {
    settings: ['devices.meter.count=60'],
    events: 23_252,
    outcome: '70b74db0ab05623a',
    full: '8c7a751e2692f570',
  },
  'questions/confirmed-storm.yaml': {
    settings: ['devices.alarm.count=200'],
    events: 37_664,
    outcome: '76e2940834512f76',
    full: '4063ba0a606b3557',
  },
  'questions/deep-indoor.yaml': {
    settings: ['duration=6 h'],
    events: 45_163,
    outcome: '270faa133242d476',
    full: '587a0797917e0960',
  },
  'questions/duty-cycle-starved.yaml': {
    settings: ['duration=2 h'],
    events: 63_779,
    outcome: 'ece9e7dec4c49aac',
    full: '69b643541cb37056',
  },
  'questions/gateway-outage.yaml': {
    settings: ['devices.meter.count=60'],
    events: 22_729,
    outcome: 'b4f846f9bfc104d8',
    full: 'b1aacfc7a92284de',
  },
  'questions/irrigation-valves.yaml': {
    settings: ['devices.valve.count=3', 'duration=62 d'],
    events: 87_196,
    outcome: 'b08628ba695af079',
    full: '2d39acaa1c8779dd',
  },
  'questions/million-devices.yaml': {
    settings: ['devices.meter.count=1000'],
    events: 482,
    outcome: '680529f769393f16',
    full: 'a7f820fbdc743f4a',
  },
  'questions/noise-for-a-while.yaml': {
    settings: ['duration=13 h'],
    events: 48_742,
    outcome: 'bb54ea251d6dfb4f',
    full: 'ec4ac99658e42b1d',
  },
  'questions/rc-clocks.yaml': {
    settings: [],
    events: 69_716,
    outcome: '81555fd92b522e84',
    full: '56002e12df0a6f69',
  },
  'questions/redundancy.yaml': {
    settings: ['devices.meter.count=60', 'duration=5 h'],
    events: 9_828,
    outcome: '8c2fd231e417bea2',
    full: 'a9ae7c96ddb25524',
  },
  'questions/rejoin-storm.yaml': {
    settings: ['devices.device.count=400', 'duration=14 h'],
    events: 35_141,
    outcome: '1a7afedcca87f454',
    full: '39203ed94c47deae',
  },
  'questions/smart-meters.yaml': {
    settings: ['devices.meter.count=150', 'gateways.roof.count=2'],
    events: 28_868,
    outcome: 'ad05fad1747c6f4d',
    full: '0d367fab17f18d16',
  },
  'questions/street-lights.yaml': {
    settings: ['devices.lamp.count=60'],
    events: 41_950,
    outcome: 'd6ff3199e67c11ad',
    full: '908b110e064cd6c4',
  },
  'questions/us915-campus.yaml': {
    settings: ['devices.sensor.count=100'],
    events: 20_245,
    outcome: '5948044f1374bb5b',
    full: 'b31a66feb513760a',
  },
  'quickstart.yaml': {
    settings: [],
    events: 179_322,
    outcome: 'dcf4dda32a890e14',
    full: 'eaf03f072b4347cc',
  },
  'places/devices-from-geojson.yaml': {
    settings: [],
    events: 3_421,
    outcome: '7ddb6f4ec0982fce',
    full: '8219b1c60d3b5608',
  },
  'places/measured-uplinks.yaml': {
    settings: [],
    events: 827,
    outcome: 'ec2acc63047e7cec',
    full: '4d1e1fbfe667bb87',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 21_940,
    outcome: 'c2ffaa954c1b51fa',
    full: '8ce06684c227395a',
  },
  'regions/kr920.yaml': {
    settings: [],
    events: 37_224,
    outcome: '0e35068273f742c2',
    full: 'eabd981a0cb78cb5',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: 'd9764a39bfb95ad1',
    full: '0d0ec3d5f257595f',
  },
  'reliable-downlinks.yaml': {
    settings: [],
    events: 136_764,
    outcome: '3f188705340de00e',
    full: '639f94ee206828a4',
  },
  'set-over-the-air.yaml': {
    settings: [],
    events: 6_982,
    outcome: 'c728d74ea2fed306',
    full: '6aa1e69cada8978f',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '3ca111fea76c8146',
    full: '999e1e313c076ff9',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '76eaa88b2d0438f1',
    full: 'e194c33136b1c927',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '0bf996dc56918c11',
    full: 'a7ce426d621cec6e',
  },
  'validation/broadcast.yaml': {
    settings: [],
    events: 5_659,
    outcome: 'e482366b10074b22',
    full: '3705c9ae7a88b9bb',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '5dcb04a310dd2961',
    full: '0c54ec8f5071155d',
  },
  'validation/python-campaign.yaml': {
    settings: [],
    events: 2_634,
    outcome: '6c485391cee85185',
    full: 'e23b3fc98b21312e',
  },
  'validation/stm32wl55-best.yaml': {
    settings: [],
    events: 870,
    outcome: '77081e6a402cea6f',
    full: '5bbc33f38ff1d00c',
  },
  'validation/stm32wl55-four.yaml': {
    settings: [],
    events: 425,
    outcome: '2c0b8814c4791bf0',
    full: '29a26bafac5504a0',
  },
  'validation/stm32wl55-threshold-3.yaml': {
    settings: [],
    events: 729,
    outcome: '6c95ccfde07d62b0',
    full: '46e1737c74bfe06e',
  },
  'validation/stm32wl55-threshold.yaml': {
    settings: [],
    events: 604,
    outcome: 'b3dc62a91cec8876',
    full: '1e47967a1e891b71',
  },
  'validation/stm32wl55.yaml': {
    settings: [],
    events: 288,
    outcome: 'a281a5cf74b013db',
    full: '416e25ca4229175f',
  },
  'validation/unicast.yaml': {
    settings: [],
    events: 31_744,
    outcome: '49c516df7edc2500',
    full: '824b113684e326ac',
  },
  'validation/w1-confirmed.yaml': {
    settings: ['devices.device.count=40'],
    events: 3_428,
    outcome: 'fb1458baf1264d69',
    full: '128ce155526c1ac7',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: 'e6bbaa5a01773584',
    full: 'ef6d442212b141eb',
  },
};

/** Less of the largest worlds: `npm test` has these in their place, the long run beside them. */
const SHORTER: Readonly<Record<string, Golden>> = {
  'campaigns/managed-month.yaml': {
    settings: ['devices.meter.count=20', 'devices.lamp.count=10', 'duration=22 d'],
    events: 85_509,
    outcome: 'f562d29ca25c766f',
    full: '6c8cfbcb0c55814a',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=100',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 63_663,
    outcome: 'ba3d9338b1200fd6',
    full: 'cd8aa7dbcc4f346d',
  },
  'quickstart.yaml': {
    settings: ['devices.meter.count=120', 'devices.soil.count=50', 'devices.tracker.count=24'],
    events: 39_270,
    outcome: '489b3ea49cbe5408',
    full: 'd582560b89f32901',
  },
  'reliable-downlinks.yaml': {
    settings: ['devices.sensor.count=200', 'devices.meter.count=40'],
    events: 27_421,
    outcome: '00971379d3968901',
    full: 'ba3a30567f43e226',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=3 h'],
    events: 22_564,
    outcome: '6625da025c5fe749',
    full: '218e7b9dc20527af',
  },
  'validation/w1.yaml': {
    settings: ['devices.device.count=400'],
    events: 7_109,
    outcome: '55729f85c04c9396',
    full: '43eff18d8c5cd59d',
  },
};

const RUN = IS_LONG
  ? [...Object.entries(GOLDENS), ...Object.entries(SHORTER)]
  : Object.entries(IS_RELEASE ? GOLDENS : { ...GOLDENS, ...SHORTER });

/** A class each, three regions, a campaign of either version, noise, and the quickstart. */
const IN_EVERY_RUN =
  /class-b|version-2|fleet\.yaml|canary|noise|quickstart|us915-campus|as923-dwell|kr920|w1/;

const goldenWorld = (file: string, settings: readonly string[]) => ({
  ...libraryWorld(file, settings),
  commands: [],
});

/** Generated worlds are saved always. */
const SAVED = quickly(
  sampled(Object.entries(GOLDENS), ([file]) => /delegated|set-over/.test(file)),
  ([file]) => file.includes('set-over'),
);

describe('the library', () => {
  it('has a golden for each scenario', () => {
    expect(Object.keys(GOLDENS).sort()).toEqual(LIBRARY_FILES);
  });

  it.each(quickly(RUN, ([file]) => IN_EVERY_RUN.test(file)))(
    '%s matches its golden',
    (file, golden) => {
      const { settings, ...known } = golden;
      const { outcome, full, result } = knownOutcome(goldenWorld(file, settings));
      expect({ events: result.events, outcome, full }).toEqual(known);
    },
  );

  it.each(SAVED)('%s produces the same through snapshots', (file, golden) => {
    const world = goldenWorld(file, golden.settings);
    const { plan, seed } = world;
    const some = Math.ceil(golden.events / (IS_LONG ? 7 : 2));
    const way = stopping([some], (one) => World.restore(plan, seed, throughBytes(one.snapshot())));
    expect(outcomeOf(carryOut(world, way))).toEqual(knownOutcome(world));
  });
});
