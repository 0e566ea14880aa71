/** The report as HTML: reports/pages/html.ts. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../core/result/result.ts';
import { deliveryBins } from '../../reports/charts/charts.ts';
import { deliveryClass } from '../../reports/charts/map.ts';
import { figureNamed } from '../../reports/figures/figures.ts';
import { htmlReport } from '../../reports/library.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import { count, percent } from '../../reports/text/format.ts';
import { FAILURE_WORDS } from '../../reports/text/words.ts';
import { inputs } from './arbitrary-result.ts';
import { readPage, rowsOf, wordsOf } from './page.ts';
import { sampleCampaignInput } from './sample-campaign.ts';
import { sampleInput, sampleResult } from './sample-result.ts';

const spaced = (text: string) => text.replaceAll('\u202F', ' ');
const render = (part: Partial<RunResult>, input: ReportInput = sampleInput()) =>
  renderHtml({ ...input, result: { ...input.result, ...part } });

/** The same data with every text of a user, a configuration or a cause replaced. */
function withTexts(input: ReportInput, text: (number: number) => string): ReportInput {
  let number = 0;
  const replaced = (value: unknown, keys: boolean): unknown => {
    if (typeof value === 'string') return text(number++);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((one) => replaced(one, keys));
    const entries = Object.entries(value).map(([key, one]) => [
      keys ? text(number++) : key,
      OWN_WORDS.has(key) ? one : replaced(one, TEXT_KEYS.has(key)),
    ]);
    return Object.fromEntries(entries);
  };
  return replaced(input, false) as ReportInput;
}

/** A reason to fail whose name has a word that a page may not show else. */
const UNDEFINED_GROUP = 'multicast group undefined';

/** Records whose keys are texts of a scenario or a region; causes are words of the program. */
const TEXT_KEYS = new Set(['dutyCycle', 'byDataRate']);

/** What is a word of the program, and no text. */
const OWN_WORDS = new Set(['cause', 'fate', 'matter']);

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title><b>',
  '<!-- -->]]><![CDATA[',
  '&lt;i&gt;<svg/onload=alert(1)>',
  '</text></svg><iframe>',
  '<a d="1.23456" x="',
];

describe('texts from outside', () => {
  it('open no tag and add no attribute, wherever they stand', () => {
    const plain = readPage(renderHtml(withTexts(sampleCampaignInput(), (n) => `text ${n}`)));
    for (const shift of HOSTILE.keys()) {
      const hostile = (n: number) => `${HOSTILE[(n + shift) % HOSTILE.length]} ${n}`;
      const page = readPage(renderHtml(withTexts(sampleCampaignInput(), hostile)));
      expect(page.skeleton).toEqual(plain.skeleton);
    }
  });

  it('never become a script, a handler or a link, whatever they are', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { skeleton, attributes } = readPage(renderHtml(input));
        expect(skeleton.filter((tag) => /^(script|iframe|img|a|link|object)\b/.test(tag))).toEqual(
          [],
        );
        expect(attributes.filter(([name]) => /^(on|href|src)/i.test(name))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('are shown letter for letter', () => {
    const input = withTexts(sampleCampaignInput(), (n) => `<i>"${n}" & '</i>`);
    const words = wordsOf(renderHtml(input));
    const { scenario, warnings, gateways, devices, seed, digest } = input.result;
    const shown = [scenario.name, scenario.description, seed, digest, ...warnings];
    shown.push(...gateways.flatMap(({ name, eui }) => [name, eui]));
    shown.push(...devices.populations.map(({ name }) => name));
    for (const campaign of input.result.campaigns) {
      const { name, image, stage, gateways: senders, stages, funnel, populations } = campaign;
      shown.push(name, image.name, image.sha256, stage, ...senders);
      shown.push(...populations.flatMap((each) => each.name ?? []));
      shown.push(...campaign.failedDevices.flatMap((each) => [each.name ?? each.devEui]));
      shown.push(...stages.map((one) => one.stage), ...funnel.map(({ step }) => step));
    }
    shown.push(...input.expectations.map(({ expectation }) => expectation));
    for (const text of shown) expect(words).toContain(text);
  });
});

describe('the file', () => {
  it('has the same bytes when rendered twice', () => {
    expect(renderHtml(sampleInput())).toBe(renderHtml(sampleInput()));
  });

  it('has the same bytes whatever was rendered before', () => {
    const alone = renderHtml(sampleInput());
    render({ complete: false, gateways: [] });
    expect(renderHtml(sampleInput())).toBe(alone);
  });

  it('fetches nothing and names nothing by an id', () => {
    const html = renderHtml(sampleInput());
    expect(html).not.toMatch(/https?:|url\(|@import|\bid="/);
  });

  it('gives every chart words to stand for it', () => {
    const { attributes } = readPage(renderHtml(sampleInput()));
    const drawn = attributes.filter(([name, value]) => name === 'role' && value === 'img').length;
    const words = attributes.filter(([name]) => name === 'aria-label').map(([, value]) => value);
    expect(drawn).toBe(6);
    for (const start of ['Lines over', 'Line over', 'Bars: of', 'Columns:', 'Bars: data', 'Map,']) {
      expect(words.filter((text) => text.startsWith(start))).toHaveLength(1);
    }
  });
});

describe('the state of a run', () => {
  it('is said in a banner when the run is partial', () => {
    const words = wordsOf(render({ complete: false, virtualSeconds: 5_400 }));
    expect(spaced(words)).toContain('Partial run. It was interrupted after 1 h 30 min of virtual');
  });

  it('needs no banner when the run is complete', () => {
    expect(wordsOf(render({ complete: true }))).not.toContain('Partial run');
  });

  it('lists every warning, and has no box without one', () => {
    const words = wordsOf(renderHtml(sampleInput()));
    expect(words).toContain('2 warnings');
    for (const warning of sampleResult().warnings) expect(words).toContain(warning);
    expect(wordsOf(render({ warnings: [] }))).not.toContain('warning');
  });

  it('says how to get it again', () => {
    const words = wordsOf(render({ seed: 'blue moon' }));
    expect(words).toContain(`fleetwave run scenario.yaml --seed='blue moon'`);
    expect(words).toContain(`Its digest is ${sampleResult().digest}`);
    expect(words).not.toContain('replay');
  });

  it('says so by the result alone where that has all of it, overrides included', () => {
    const manifest = {
      scenario: 'scenario: a\nduration: 1 h\n',
      files: [{ path: 'fw.bin', base64: 'AAECAw==' }],
      set: ['radio.shadowing=0 dB', 'frames=real'],
      seed: 'moon',
    };
    const words = wordsOf(render({ seed: 'moon' }, { ...sampleInput(), manifest }));
    expect(words).toContain('fleetwave replay result.json');
    expect(words).toContain(
      `fleetwave run scenario.yaml --seed=moon --set='radio.shadowing=0 dB' --set='frames=real'`,
    );
    expect(words).toContain('The scenario as it was read, 2 lines');
    expect(words).toContain('fw.bin, 4 bytes: its bytes are in result.json');
  });
});

describe('the verdict', () => {
  it('shows each expectation with its value', () => {
    const rows = rowsOf(renderHtml(sampleInput()), /expects of a run/);
    expect(rows).toEqual([
      ['joined >= 98 % Devices joined', '98.70 %', '✓ holds'],
      ['messagesDelivered >= 95 % Messages delivered', '95.24 %', '✓ holds'],
      ['lost.interfered <= 3 % Uplinks lost: interfered', '5.39 %', '✗ fails'],
      ['joinSeconds.p90 <= 120 Join time, 90th percentile', '1 min 34 s', '✓ holds'],
    ]);
  });

  it('says so where nothing was expected', () => {
    const html = renderHtml({ ...sampleInput(), expectations: [] });
    expect(wordsOf(html)).toContain('The scenario states no expectations');
  });
});

describe('the figures on the page', () => {
  it('are those of the result', () => {
    const { radio, devices, downlinks } = sampleResult();
    const words = spaced(wordsOf(renderHtml(sampleInput())));
    const shown: [string, number, number][] = [
      ['joined', devices.joined, devices.total],
      ['messagesDelivered', devices.messagesDelivered, devices.messages],
      ['received', radio.received, radio.uplinks],
      ['confirmedAcknowledged', devices.confirmed.acknowledged, devices.confirmed.sent],
      ['downlinksReceived', downlinks.received, downlinks.requested],
    ];
    for (const [name, part, whole] of shown) {
      const { label } = figureNamed(name);
      const tile = `${label} ${percent(part / whole)} ${count(part)} of ${count(whole)}`;
      expect(words).toContain(spaced(tile));
    }
  });

  it('name every cause of every loss with its count, even those that never happened', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { lost } = input.result.radio;
        const rows = rowsOf(renderHtml(input), /did not come to the server/);
        const shown = rows.map(([, frames]) => Number(frames.replaceAll(' ', '')));
        expect(shown).toEqual(Object.values(lost).sort((a, b) => b - a));
      }),
      { numRuns: 30 },
    );
  });

  it('follow the downlinks from the server to the device', () => {
    const rows = rowsOf(renderHtml(sampleInput()), /From the server to the device/);
    const counts = rows.map(([step, , frames]) => [step.split(' – ')[0], frames]);
    expect(counts).toEqual([
      ['Requested by the server', '5 214'],
      ['Planned again: Time taken', '61'],
      ['Not sent: No airtime left', '96'],
      ['Not sent: Time taken', '38'],
      ['Not sent: Too late', '3'],
      ['Sent by a gateway', '5 077'],
      ['Lost: Not heard', '141'],
      ['Lost: Interfered', '43'],
      ['Received by the device', '4 893'],
    ]);
  });

  it('give each gateway its load, the busiest first', () => {
    const rows = rowsOf(renderHtml(sampleInput()), /of each gateway/);
    expect(rows.map(([name]) => name.split(' ')[0])).toEqual([
      'town-hall',
      'water-tower',
      'harbour',
    ]);
    expect(rows[0].slice(1)).toEqual([
      '31 204',
      '2 011',
      '950',
      '310',
      '0',
      '3 140',
      '1 h 18 min',
      '868.0-868.6 0.58 % 869.4-869.65 4.85 %',
    ]);
  });

  it('give each population its part', () => {
    const rows = rowsOf(renderHtml(sampleInput()), /^Populations$/);
    expect(rows[1]).toEqual(['meter-street', '500', '99.6 % 498', '11 900', '97.8 % 11 639']);
  });

  it('stay readable where nothing happened at all', () => {
    const counts = { lost: {}, receptions: {} };
    const { devices } = sampleResult();
    const nothing = { p: 0, q: null } as const;
    const html = render({
      radio: { uplinks: 0, received: 0, ...counts },
      downlinks: {
        multicastSent: 0,
        requested: 0,
        sent: 0,
        received: 0,
        refused: {},
        retried: {},
        lost: {},
      },
      gateways: [],
      series: {
        sliceSeconds: 1,
        uplinks: [],
        received: [],
        interfered: [],
        downlinks: [],
        joined: [],
      },
      devices: {
        ...devices,
        total: nothing.p,
        joined: nothing.p,
        messages: nothing.p,
        messagesDelivered: nothing.p,
        joinSeconds: nothing.q,
        deliveryRatio: nothing.q,
        byDataRate: {},
        populations: [],
        map: { xMeters: [], yMeters: [], deliveredPermille: [], dataRate: [], updated: [] },
      },
    });
    expect(html).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(wordsOf(html)).toContain('No device joined over the air.');
  });

  it('never show what is not a number', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const harmless = withTexts(input, (n) => `text ${n}`);
        const html = renderHtml(harmless).replaceAll(FAILURE_WORDS[UNDEFINED_GROUP].label, '');
        expect(html).not.toMatch(/NaN|Infinity|undefined|\bnull\b/);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the map', () => {
  it('has a dot for each device of the sample', () => {
    const map = renderHtml(sampleInput()).split('<svg class="map')[1];
    expect(map.match(/h0/g)).toHaveLength(2_000);
    expect(map).toMatch(/of messages delivered\./);
  });

  it('says when it shows a part of the devices only', () => {
    const { devices } = sampleResult();
    const html = render({ devices: { ...devices, total: 60_000 } });
    expect(spaced(wordsOf(html))).toContain('A sample of 2 000 of 60 000 devices.');
  });

  it.each([
    [-1, 'never sent'],
    [0, 'under 50 %'],
    [499, 'under 50 %'],
    [500, '50 to 80 %'],
    [800, '80 to 95 %'],
    [950, '95 % or more'],
    [999, '95 % or more'],
    [1_000, 'all delivered'],
  ])('counts a device with %d ‰ as %s', (permille, label) => {
    expect(deliveryClass(permille).label).toBe(label);
  });

  it('draws a metre equally long both ways', () => {
    const { devices } = sampleResult();
    const xMeters = [0, 1_000, 0];
    const map = { xMeters, yMeters: [0, 0, 1_000], deliveredPermille: [1_000, 1_000, 1_000] };
    const html = render({
      gateways: [],
      devices: { ...devices, total: 3, map: { ...map, dataRate: [5, 5, 5], updated: [0, 0, 0] } },
    });
    const drawing = html.split('<svg class="map')[1];
    const dots = [...drawing.matchAll(/M([\d.]+),([\d.]+)h0/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    const [[x, y], [east, sameY], [sameX, north]] = dots;
    expect([sameX, sameY]).toEqual([x, y]);
    expect(east - x).toBeCloseTo(y - north, 6);
    expect(east).toBeGreaterThan(x);
  });
});

describe('the distribution of delivery', () => {
  it('puts every device that sent into one bin', () => {
    const bins = deliveryBins([-1, 0, 99, 100, 999, 1_000, 1_000]);
    expect(bins.map(({ devices }) => devices)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    expect(bins.at(-1)?.label).toBe('all');
  });
});

describe('bars of duty cycles', () => {
  const [first] = sampleResult().gateways;
  const barsOf = (share: number, limits: Record<string, number>): string[] => {
    const gateway = { ...first!, dutyCycle: { '869.4-869.65': share }, dutyCycleLimits: limits };
    const page = render({ gateways: [gateway] });
    const bands = page.slice(page.indexOf('<div class="bands">'));
    return /class="bar (\w+)"[^>]*><i style="width:([\d.]+)%/.exec(bands)!.slice(1);
  };

  it('are full at the limit of the sub-band, not at the busiest gateway', () => {
    expect(barsOf(0.05, { '869.4-869.65': 0.1 })).toEqual(['accent', '50.0']);
    expect(barsOf(0.001, { '869.4-869.65': 0.01 })).toEqual(['accent', '10.0']);
    expect(barsOf(0.2, {})).toEqual(['accent', '20.0']);
  });

  it('show in another colour what is above the limit', () => {
    expect(barsOf(0.11, { '869.4-869.65': 0.1 })).toEqual(['bad', '100.0']);
  });
});

describe('the report of the library', () => {
  const { result } = sampleInput();
  const script = 'document.title += "!";';

  it('is static without a script, and can be asked with one, which its policy allows', () => {
    expect(htmlReport(result)).not.toContain('<script');
    const page = htmlReport(result, { script });
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(page).toContain(`<script>${script}</script>`);
    expect(page.match(/<script type="application\/gzip" class="run">/g)).toHaveLength(1);
    expect(htmlReport(result, { script })).toBe(page);
  });

  it('refuses a script whose bytes depend on an encoding', () => {
    expect(() => htmlReport(result, { script: 'alert("ä")' })).toThrow(
      'htmlReport: script is not "alert(\\"ä\\")"; allowed: the text of fleetwave/report-page.js',
    );
  });
});
