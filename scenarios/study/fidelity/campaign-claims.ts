/** Campaigns that other simulators have. */
import type { RunResult } from '../../../core/result/result.ts';
import { type Claims, parameter, percent } from './claim.ts';

const UNICAST_HOURS = 49.1;

/** From the first session's start to the last node's last fragment, h. */
const unicastHours = (result: RunResult): number => {
  const first = stageAt(result, 'SENDING_FRAGMENTS', 0);
  return (stageAt(result, 'VERIFYING', result.campaigns.length - 1) - first) / 3600;
};

function stageAt({ campaigns }: RunResult, stage: string, campaign = 0): number {
  const found = campaigns[campaign]?.stages.find((one) => one.stage === stage);
  return found?.atSeconds ?? Number.NaN;
}

/** Why the phases of a simulator in Python take longer. */
const PERIODS =
  'each step there takes one to five periods of the devices’ uplinks, by rules that are not ' +
  'published, and ours takes what the answers need';

/** A phase from one stage to another, s; five per cent, since the source says nothing. */
const phase = (figure: string, published: number, from: string, to: string) =>
  ({
    figure,
    unit: 'seconds',
    published,
    tolerance: percent(5, published),
    reason: PERIODS,
    of: (result: RunResult) => stageAt(result, to) - stageAt(result, from),
  }) as const;

const BROADCAST_HOURS = 4.87;

/** Hours from the start of the session to the last fragment. */
const broadcastHours = (result: RunResult): number =>
  (stageAt(result, 'VERIFYING') - stageAt(result, 'SENDING_FRAGMENTS')) / 3600;

export const CAMPAIGN_CLAIMS: readonly Claims[] = [
  {
    name: 'broadcast',
    title: 'A campaign of another simulator: 100 kB to ten nodes by broadcast',
    source: 'Malumbres et al., Sensors 2024: SF7, 1 % duty cycle, chunks of 192 bytes',
    settings: [
      {
        at: 'ten nodes',
        file: 'validation/broadcast.yaml',
        set: [],
        seeds: 1,
        claims: [
          {
            figure: 'until the last node has it',
            unit: 'hours',
            published: BROADCAST_HOURS,
            tolerance: percent(3, BROADCAST_HOURS),
            of: broadcastHours,
          },
        ],
      },
    ],
    code: [],
    variation: {
      setting: 0,
      parameters: [
        parameter('bytes of the object', 'images.0.bytes', '90 kB', '110 kB'),
        parameter('bytes of a chunk', 'campaigns.update.frag_size', '173 B', '211 B'),
        parameter('pause in air times', 'campaigns.update.frag_send_airtimes', 90, 110),
      ],
    },
  },
  {
    name: 'unicast',
    title: 'The same 100 kB to ten nodes, one after the other',
    source: 'Malumbres et al., Sensors 2024: SF7, 1 % duty cycle, chunks of 192 bytes, 400 m',
    settings: [
      {
        at: 'ten nodes',
        file: 'validation/unicast.yaml',
        set: [],
        seeds: 1,
        claims: [
          {
            figure: 'until the last node has it',
            unit: 'hours',
            published: UNICAST_HOURS,
            tolerance: percent(3, UNICAST_HOURS),
            of: unicastHours,
          },
        ],
      },
    ],
    code: [],
  },
  {
    name: 'python-campaign',
    title: 'A campaign of another simulator: 8 192 B to ten devices, step by step',
    source: 'a simulator in Python with real frames: 38 + 8 fragments of 219 bytes every 3.789 s',
    settings: [
      {
        at: 'ten devices',
        file: 'validation/python-campaign.yaml',
        set: [],
        seeds: 1,
        claims: [
          {
            figure: 'fragments sent',
            unit: 'count',
            published: 46,
            tolerance: 0,
            of: ({ campaigns }: RunResult) => campaigns[0]?.sent ?? 0,
          },
          phase('set-up', 100, 'SETTING_UP_DEVICES', 'SENDING_FRAGMENTS'),
          phase('broadcast', 198, 'SENDING_FRAGMENTS', 'VERIFYING'),
          phase('status', 131, 'VERIFYING', 'FINISHED'),
          phase('whole campaign', 504, 'SETTING_UP_DEVICES', 'FINISHED'),
        ],
      },
    ],
    code: [],
  },
];
