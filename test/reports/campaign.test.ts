/** What reports show of campaigns: `reports/stories/campaigns/`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignResult } from '../../core/result/result.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { lengthOf } from '../../reports/stories/campaigns/campaign-charts.ts';
import { campaignSentence } from '../../reports/stories/campaigns/campaign-facts.ts';
import { spelled } from '../../reports/text/words.ts';
import { results } from './arbitrary-result.ts';
import { readPage, rowsOf, wordsOf } from './page.ts';
import { sampleCampaign, sampleCampaignInput, sampleCampaignResult } from './sample-campaign.ts';
import { sampleInput } from './sample-result.ts';

const spaced = (text: string) => text.replaceAll('\u202F', ' ');
const page = () => renderHtml(sampleCampaignInput());
const words = (...campaigns: CampaignResult[]) => spaced(wordsOf(pageOf(...campaigns)));

function pageOf(...campaigns: CampaignResult[]): string {
  const input = sampleCampaignInput();
  return renderHtml({ ...input, result: { ...input.result, campaigns } });
}

function withPart(part: Partial<CampaignResult>): CampaignResult {
  return { ...sampleCampaign(), ...part };
}

describe('a report of a run without campaigns', () => {
  it('says nothing of campaigns', () => {
    expect(wordsOf(renderHtml(sampleInput()))).not.toMatch(/campaign|updated|Fragments/i);
    expect(renderMarkdown(sampleInput())).not.toMatch(/campaign|updated|fragment/i);
  });
});

describe('a campaign on the page', () => {
  it('opens with what it came to and what it sent', () => {
    expect(words(sampleCampaign())).toContain(
      'Campaign spring-update 970 of 1 000 devices run the new image, ' +
        '968 have confirmed it, 32 failed. Stage Finished Rounds 2 Image meter-2.4.0.bin ' +
        'Size 23 980 bytes Fragments 218 × 110 bytes Repairs 1 273 to single devices ' +
        'Redundancy 44 (20.2 %) Data rate DR3 Frequency 869.525 MHz ' +
        'Gateways town-hall, water-tower, harbour SHA-256 of the image 4f0c1b7e5a92d3',
    );
  });

  it('says whose it is where it is not the default subscriber’s', () => {
    const owned = withPart({ name: 'autumn', subscriber: 'south' });
    expect(words(owned)).toContain('Subscriber south Stage Finished Rounds 2');
    expect(words(sampleCampaign(), owned)).toContain('autumn south, Finished');
    const input = sampleCampaignInput();
    const result = { ...input.result, campaigns: [owned] };
    expect(renderMarkdown({ ...input, result })).toContain('subscriber south · stage Finished');
    expect(words(sampleCampaign())).not.toMatch(/subscriber/i);
  });

  it('has six figures, and says never of what was not reached', () => {
    const { t50, t90 } = sampleCampaign();
    expect([t50, t90]).toEqual([4_522, 8_568]);
    expect(words(sampleCampaign())).toContain(
      'Devices that run it 97.0 % 970 of 1 000 Updates confirmed 96.8 % 968 of 1 000 ' +
        '50 % confirmed after 1 h 15 min that is 500 devices ' +
        '90 % confirmed after 2 h 22 min that is 900 devices ' +
        '99 % confirmed after never that is 990 devices ' +
        'Fragments sent 786 by 3 gateways',
    );
  });

  it('says how many devices are still in progress', () => {
    expect(words(withPart({ success: 967, inProgress: 1 }))).toContain(
      '970 of 1 000 devices run the new image, 967 have confirmed it, 32 failed, ' +
        '1 is in progress.',
    );
  });

  it.each([
    [{ running: 968 }, '968 of 1 000 devices run the new image and have confirmed it, 32 failed.'],
    [
      { running: 1, success: 1, failed: 999 },
      '1 of 1 000 devices run the new image and has confirmed it, 999 failed.',
    ],
    [
      { running: 0, success: 0, failed: 1_000 },
      '0 of 1 000 devices run the new image, 1 000 failed.',
    ],
    [
      { running: 3, success: 1, failed: 999 },
      '3 of 1 000 devices run the new image, 1 has confirmed it, 999 failed.',
    ],
  ])('sums up what is true and what is believed: %j', (part, sentence) => {
    expect(spaced(campaignSentence(withPart(part)))).toBe(sentence);
  });

  it('gives each stage its time since the start', () => {
    const rows = rowsOf(page(), /^Stages, from 6 h after the run’s start$/);
    expect(rows.map(([stage, , began, took]) => [stage, began, took])).toEqual([
      ['Initializing', '0 s', '40 s'],
      ['Checking versions', '40 s', '24 min 20 s'],
      ['Setting up devices', '25 min', '20 min'],
      ['Sending fragments', '45 min', '32 min'],
      ['Verifying', '1 h 17 min', '5 h 13 min'],
      ['Finished', '6 h 30 min', '–'],
    ]);
  });

  it('shows how many devices passed each step and how many it lost', () => {
    const rows = rowsOf(page(), /^Of 1 000 devices, those that passed each step$/);
    expect(rows.slice(0, 3)).toEqual([
      ['Version check', '', '995', '99.5 %', '5'],
      ['Clock sync', '', '993', '99.3 %', '2'],
      ['Multicast set-up', '', '991', '99.1 %', '2'],
    ]);
    expect(rows.at(-1)).toEqual(['Final version', '', '968', '96.8 %', '6']);
  });

  it('explains each reason to fail, the most frequent first', () => {
    const rows = rowsOf(page(), /^32 devices failed$/);
    expect(rows.map(([, , devices]) => devices)).toEqual(['11', '9', '6', '3', '2', '1']);
    expect(rows[0]![0]).toBe(
      'Missing fragments ' +
        'Too few fragments arrived to rebuild the image, those of repairs included.',
    );
    expect(rows[0]!.slice(3)).toEqual(['34.4 %', '1.1 %']);
    expect(rows[4]![0]).toMatch(
      /^Runs it, answer lost The device runs the new image, and no answer/,
    );
    const all = { success: 1_000, running: 1_000, failed: 0, failures: {} };
    expect(words(withPart(all))).toContain('No device failed.');
  });

  it('reports of populations what is true, and what is believed', () => {
    expect(rowsOf(page(), /^Populations: what is true, and what is believed$/)).toEqual([
      [
        'meter',
        '970 of 999',
        '968',
        '0',
        '31',
        'Missing fragments: 11 Set-up unanswered: 9 MIC error: 6 Not enough memory: 3 ' +
          'Runs it, answer lost: 2',
      ],
      ['Left the network', '0 of 1', '0', '0', '1', 'Device removed: 1'],
    ]);
  });

  it('names the first devices that failed, and says where all of them are', () => {
    const rows = rowsOf(page(), /^The first 3 of 32 devices that failed$/);
    expect(rows).toEqual([
      [
        'meter-1 0200000000000001, meter',
        'Missing fragments after fragmentation set-up',
        'no',
        'DR3',
        '2',
        '214 of 218 6 missing',
        '2.3.0 before: 2.3.0',
        '12.5 J',
      ],
      [
        'meter-2 0200000000000002, meter',
        'Runs it, answer lost after fragmentation set-up',
        'yes',
        'DR3',
        '2',
        '214 of 218',
        '2.4.0 before: 2.3.0',
        '12.5 J',
      ],
      [
        '0200000000000003 left the network',
        'Device removed no step passed',
        ...Array.from({ length: 4 }, () => '–'),
        '– before: –',
        '–',
      ],
    ]);
    expect(words(sampleCampaign())).toContain('All devices are in devices.csv');
    const input = sampleCampaignInput();
    expect(wordsOf(renderHtml({ ...input, goesOn: true }))).not.toContain('devices.csv');
  });

  it('folds the devices that failed where they are many', () => {
    const [one] = sampleCampaign().failedDevices;
    const many = (failed: number) =>
      withPart({ failedDevices: Array.from({ length: failed }, () => one!) });
    expect(pageOf(many(10))).not.toContain('devices that failed</summary>');
    expect(pageOf(many(11))).toContain('The first 11 of 32 devices that failed</summary>');
    expect(words(withPart({ failedDevices: [] }))).not.toContain('Devices that failed');
  });

  it('shows why fragments were missed', () => {
    const rows = rowsOf(page(), /^31 426 copies of fragments missed by the devices/);
    expect(rows[0]).toEqual(["Too weak Below the device's sensitivity.", '19 842', '63.1 %']);
    expect(words(sampleCampaign())).toContain(
      'On average a device missed 31.4 copies of fragments, counted for each gateway that it ' +
        'hears; the plan had 44 redundancy fragments. Devices that were done in a round did not ' +
        'listen in the next.',
    );
    expect(words(withPart({ rounds: 1 }))).not.toContain('did not listen in the next');
    expect(words(withPart({ fragmentLosses: { tooWeak: 0 } }))).toContain('No device missed a');
  });

  it.each([
    [{ rebuilt: 16, right: 16 }, '✓ 16 images were rebuilt byte by byte from the fragments'],
    [{ rebuilt: 16, right: 14 }, 'from the fragments and hashed; 2 differ.'],
    [{ rebuilt: 1, right: 0 }, '✗ 1 image was rebuilt byte by byte'],
    [{ rebuilt: 0, right: 0 }, 'No image was rebuilt byte by byte.'],
  ])('says whether rebuilt images are right: %j', (verified, sentence) => {
    expect(words(withPart({ verified }))).toContain(sentence);
  });

  it('has an overview beside others, and six are shown in full', () => {
    const many = Array.from({ length: 8 }, (_, n) => withPart({ name: `night-${n}` }));
    const html = pageOf(...many);
    const rows = rowsOf(html, /^Devices that run the new image, and how long it took/);
    expect(rows.map(([name]) => name)).toEqual(many.map(({ name }) => `${name} Finished`));
    expect(rows[0]!.slice(1)).toEqual([
      '97.0 % 970 of 1 000',
      '968',
      '0',
      '32',
      '1 h 15 min',
      '2 h 22 min',
      'never',
    ]);
    expect(wordsOf(html).match(/Campaign night-\d/g)).toHaveLength(6);
    expect(words(sampleCampaign())).not.toContain('1 campaign');
  });

  it('of no device and no stage is readable', () => {
    const empty = {
      devices: 0,
      running: 0,
      success: 0,
      failed: 0,
      populations: [],
      failedDevices: [],
      t50: null,
      t90: null,
      completionSeconds: [],
    };
    const none = {
      stages: [],
      funnel: [],
      failures: {},
      fragmentLosses: {},
      gateways: [],
      nbFrag: 0,
    };
    const html = pageOf(withPart({ ...empty, ...none }));
    expect(html).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(wordsOf(html)).toContain('0 of 0 devices run the new image.');
  });
});

describe('the curve of updates', () => {
  /** Corners of the wide drawing's line, CSS pixels: the first is the start. */
  function corners(campaign: CampaignResult): number[][] {
    const [chart] = pageOf(campaign).split('Line over virtual time since')[1]!.split('</svg>');
    const [, path = ''] = /class="line accent" d="M([^"]+)"/.exec(chart!) ?? [];
    return path.split('L').map((corner) => corner.split(',').map(Number));
  }

  it('rises from nothing to the share of updated devices, and never falls', () => {
    const line = corners(sampleCampaign());
    expect(line[0]).toEqual([0, 230]);
    const [right, top] = line.at(-1)!;
    expect(right).toBe(1030 - 52 - 14);
    expect(top).toBeCloseTo(230 * (1 - 0.968), 1);
    for (let n = 1; n < line.length; n++) {
      expect(line[n]![0]).toBeGreaterThanOrEqual(line[n - 1]![0]!);
      expect(line[n]![1]).toBeLessThanOrEqual(line[n - 1]![1]!);
    }
  });

  it('has no more corners than the drawing has half pixels, whatever the number of devices', () => {
    const completionSeconds = Array.from({ length: 90_000 }, (_, n) => n / 5);
    const [devices, success] = [100_000, 90_000];
    const of = { devices, success, running: success, inProgress: devices - success - 32 };
    const campaign = withPart({ ...of, completionSeconds });
    expect(corners(campaign).length).toBeLessThan(4 * 1_030);
  });

  it('marks the reached milestones only', () => {
    const [chart] = page().split('Line over virtual time since')[1]!.split('</svg>');
    expect(chart!.match(/<circle/g)).toHaveLength(2);
    expect(spaced(chart!)).toMatch(/>50 %<\/tspan> after 1 h 15 min</);
    expect(chart).not.toMatch(/>99 %<\/tspan>/);
  });

  it('lasts until the last stage or success, or the end of the run while devices wait', () => {
    const run = sampleCampaignResult();
    expect(lengthOf(sampleCampaign(), run)).toBe(23_400);
    expect(lengthOf(withPart({ inProgress: 68 }), run)).toBe(86_400 - 21_600);
    fc.assert(
      fc.property(results, (result) => {
        for (const campaign of result.campaigns) {
          const last = campaign.completionSeconds.at(-1) ?? 0;
          expect(lengthOf(campaign, result)).toBeGreaterThanOrEqual(Math.max(last, 1));
        }
      }),
    );
  });
});

describe('the map of the update', () => {
  it('stands before the map of delivery and counts the devices by fate', () => {
    const text = words(sampleCampaign());
    expect(text).toContain(
      'runs it, confirmed 968 runs it, not confirmed 2 in progress 0 failed 30 in no campaign 1',
    );
    expect(text.indexOf('Map of the update')).toBeLessThan(text.indexOf('Map of delivery'));
  });

  it('draws each device once, failed ones as crosses', () => {
    const map = page().split('<svg class="map')[1]!;
    expect(map.match(/h0/g)).toHaveLength(1_970);
    expect(map.match(/m-4,-4l8,8m0,-8l-8,8/g)).toHaveLength(30);
    expect(map).toContain('coloured by their fate in the campaigns.');
  });
});

describe('a campaign in the summary', () => {
  const lines = () => spaced(renderMarkdown(sampleCampaignInput())).split('\n');

  it('has its figures, failures and losses', () => {
    expect(lines()).toEqual(
      expect.arrayContaining([
        '### Campaign spring\\-update',
        '**970 of 1 000 devices run the new image, 968 have confirmed it, 32 failed.**',
        '| Devices that run it | 97.0 % | 970 of 1 000 |',
        '| Updates confirmed | 96.8 % | 968 of 1 000 |',
        '| 90 % confirmed after | 2 h 22 min |',
        '| 99 % confirmed after | never |',
        '| Missing fragments | 11 | 34.4 % |',
        '| Runs it, answer lost | 2 | 6.3 % |',
        '| Left the network | 0 of 1 | 0 | 0 | 1 | Device removed\\: 1 |',
        '| Other frame | 402 | 1.3 % |',
        '| Images rebuilt and right | 16 of 16 |',
      ]),
    );
  });

  it('is shown in full for six, and the others are counted', () => {
    const input = sampleCampaignInput();
    const campaigns = Array.from({ length: 8 }, () => sampleCampaign());
    const text = renderMarkdown({ ...input, result: { ...input.result, campaigns } });
    expect(text.match(/^### Campaign/gm)).toHaveLength(6);
    expect(text).toContain('2 more campaigns are not shown.');
  });
});

describe('the words of a campaign', () => {
  it.each([
    ['multicastSetup', 'Multicast setup'],
    ['multicast set-up', 'Multicast set-up'],
    ['DR unsupported', 'DR unsupported'],
    ['GATHERING_DEVICES', 'Gathering devices'],
    ['finished', 'Finished'],
    ['FINISHED', 'Finished'],
    ['rx2Window', 'Rx2 window'],
    ['', ''],
    ['Two words!', 'Two words!'],
    ['__proto__', '__proto__'],
    ['<b>', '<b>'],
  ])('%j is spelled %j', (name, text) => expect(spelled(name)).toBe(text));
});

describe('pages of several campaigns', () => {
  it('are strict HTML, and give every drawing words', () => {
    const { attributes } = readPage(pageOf(sampleCampaign(), withPart({ name: 'autumn' })));
    const drawn = attributes.filter(([name, value]) => name === 'role' && value === 'img');
    expect(drawn).toHaveLength(6 + 1 + 2 * 2);
    const labels = attributes.filter(([name]) => name === 'aria-label').map(([, value]) => value);
    expect(
      labels.filter((label) => /of autumn|since the start of autumn/.test(label)),
    ).toHaveLength(3);
  });
});
