/** What became of devices in campaigns: the truth beside what the update service believes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { summary } from '../../api/cli/summary.ts';
import { writeDevices } from '../../api/host/files/devices-file.ts';
import type { OutcomeCounts } from '../../core/result/outcome.ts';
import type { CampaignResult, RunResult } from '../../core/result/result.ts';
import { type Run, World } from '../../core/world/world.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { FAILURE_WORDS } from '../../reports/text/words.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { entriesOf, sumOf } from '../../sim/base/counts.ts';
import { HOUR_US } from '../../sim/base/units.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { rowsOf } from '../reports/page.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { someRuns } from '../support/long.ts';
import { throughBytes } from '../support/worlds.ts';

/** Two campaigns one after the other, in which anything may go wrong; a run may be short. */
const towns = fc.record({
  loss: fc.integer({ min: 0, max: 60 }),
  deviceClass: fc.constantFrom('A', 'C'),
  redundancy: fc.integer({ min: 0, max: 80 }),
  hours: fc.integer({ min: 1, max: 14 }),
  retries: fc.nat({ max: 1 }),
  versionTries: fc.nat({ max: 1 }),
  removedAt: fc.constantFrom(0.5, 1, 5),
  haltedAt: fc.option(fc.integer({ min: 1, max: 6 })),
  seed: fc.constantFrom('a', 'b', 'c', 'd'),
});
type Town = typeof towns extends fc.Arbitrary<infer T> ? T : never;

const textOf = (town: Town): string => `
scenario: outcomes
duration: 14 h
area: { radius: 1 km }
radio: { shadowing: 0 dB }
devices:
  - { name: meter, count: 5, class: ${town.deviceClass}, traffic: { every: 5 min }, energy: {} }
  - { name: lamp, count: 3, class: ${town.deviceClass}, traffic: { every: 9 min }, ${lossOf(town)} }
  - { name: other, count: 2, traffic: { every: 30 min } }
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }, { name: fw-1.3.0.bin, bytes: 1 kB }]
groups: [{ name: most, devices: [meter, lamp] }, { name: lamps, devices: [lamp] }]
campaigns:
  - { name: spring, image: fw-1.2.0.bin, group: most, at: 20 min, ${settings(town)} }
  - { name: summer, image: fw-1.3.0.bin, group: lamps, at: 4 h, ${settings(town)} }
timeline:
  - { at: ${town.removedAt} h, removeDevice: meter-2 }
${town.haltedAt === null ? '' : `  - { at: ${town.haltedAt} h, haltCampaign: spring }`}
`;

const lossOf = ({ loss }: Town): string => `frameLoss: ${loss} %`;

const settings = ({ redundancy, retries, versionTries }: Town): string =>
  `frag_size: 50 B, redundancy: ${redundancy} %, multicast_setup_time: 30 min, ` +
  `individual_fragment_retransmit: 4, max_final_version_check_retry: ${versionTries}, ` +
  `automatic_retry_count: ${retries}, automatic_retry_interval: 1 h`;

function run(town: Town): { readonly world: Run; readonly rows: readonly TraceRow[] } {
  const rows: TraceRow[] = [];
  const plan = populate(scenarioOf(textOf(town)), town.seed);
  const world = World.create(plan, town.seed, { observer: { trace: (row) => rows.push(row) } });
  world.runUntil(town.hours * HOUR_US);
  return { world, rows };
}

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rows of devices.csv by the names of its columns; no name of these worlds has a comma. */
function devicesOf(world: Run): Record<string, string>[] {
  const path = join(folder, 'devices.csv');
  writeDevices(path, world.facts.outcomes.all());
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    expect(cells).toHaveLength(columns.length);
    return Object.fromEntries(columns.map((column, i) => [column, cells[i]!]));
  });
}

const KEYS = ['devices', 'running', 'success', 'inProgress', 'failed'] as const;

function expectComplete(outcome: OutcomeCounts): void {
  const { devices, running, success, inProgress, failed, failures } = outcome;
  expect(success + inProgress + failed).toBe(devices);
  expect(sumOf(failures)).toBe(failed);
  expect(running).toBeGreaterThanOrEqual(success);
  expect(running).toBeLessThanOrEqual(devices);
}

const whole = (text: string): number => Number(text.replaceAll('\u202F', ''));

/** Numbers of a row of a table: what runs of all, then confirmed, in progress, failed. */
function countsIn([runs = '', ...cells]: readonly string[]) {
  const [running, devices] = runs.split(' of ').map(whole);
  const [success, inProgress, failed] = cells.slice(0, 3).map((cell) => whole(cell));
  return { devices, running, success, inProgress, failed };
}
const countsOf = (outcome: OutcomeCounts) =>
  Object.fromEntries(KEYS.map((key) => [key, outcome[key]]));

/** The cells of a campaign's row in the terminal's table, from what runs to the failed. */
function terminalRow(text: string, name: string): string[] {
  const lines = text.split('\n').map((line) => line.split('│').map((cell) => cell.trim()));
  const at = lines.findIndex(([, first]) => first === name);
  return lines[at]!.slice(2, 6);
}

const HOST = { wallSeconds: 1, cpuSeconds: 1, maxRssBytes: 1, node: 'v20' };

describe('in every world, the sums are complete', () => {
  it('in the result, the terminal, the report, the Markdown and the file of devices', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(towns, (town) => {
        const { world } = run(town);
        const result = world.result();
        const input = { result, expectations: [], version: '0' };
        const terminal = summary(result, [], HOST, []);
        const markdown = renderMarkdown(input).replaceAll('\\', '');
        const devices = devicesOf(world);
        for (const campaign of result.campaigns) {
          expectComplete(campaign);
          campaign.populations.forEach(expectComplete);
          for (const key of KEYS) {
            const sum = campaign.populations.reduce((all, each) => all + each[key], 0);
            expect(sum).toBe(campaign[key]);
          }
          for (const cause of Object.keys(campaign.failures)) seen.add(cause);
          expect(countsIn(terminalRow(terminal, campaign.name))).toEqual(countsOf(campaign));
          const page = renderHtml({ ...input, result: { ...result, campaigns: [campaign] } });
          const rows = rowsOf(page, /^Populations: what is true/);
          expect(rows.map(([, ...cells]) => countsIn(cells))).toEqual(
            campaign.populations.map(countsOf),
          );
          expectInMarkdown(markdown, campaign);
          expectInFile(devices, campaign);
        }
        expectEveryDeviceOnce(devices, result);
      }),
      { numRuns: someRuns(120, 8) },
    );
    // The worlds have what is reported of.
    for (const cause of ['answer lost', 'device removed', 'halted', 'missing fragments']) {
      expect(seen).toContain(cause);
    }
  });

  function expectInMarkdown(text: string, { name, populations, failures }: CampaignResult): void {
    const [section = ''] = text.split(`### Campaign ${name}\n`)[1]!.split('\n### ');
    for (const population of populations) {
      const head = `| ${population.name ?? 'Left the network'} | `;
      const line = section.split('\n').find((each) => each.startsWith(head))!;
      const cells = line.split('|').map((cell) => cell.trim());
      expect(countsIn(cells.slice(2))).toEqual(countsOf(population));
    }
    for (const [cause, times] of entriesOf(failures)) {
      expect(section).toContain(`| ${FAILURE_WORDS[cause].label} | ${times} |`);
    }
  }

  function expectInFile(devices: readonly Record<string, string>[], campaign: CampaignResult) {
    const own = devices.filter((device) => device.campaign === campaign.name);
    const having = (key: string, value: string) =>
      own.filter((device) => device[key] === value).length;
    expect({
      devices: own.length,
      running: having('runsIt', 'true'),
      success: having('fate', 'confirmed'),
      inProgress: having('fate', 'inProgress'),
      failed: having('fate', 'failed'),
    }).toEqual(countsOf(campaign));
    for (const [cause, times] of entriesOf(campaign.failures)) {
      expect(having('cause', cause)).toBe(times);
    }
  }

  /** Those of no campaign come last; a device that left is in the campaigns that had it. */
  function expectEveryDeviceOnce(
    devices: readonly Record<string, string>[],
    { devices: { total }, campaigns }: RunResult,
  ): void {
    const named = devices.filter(({ name }) => name !== '');
    expect(new Set(named.map(({ devEui }) => devEui)).size).toBe(total);
    const members = campaigns.reduce((sum, campaign) => sum + campaign.devices, 0);
    const outside = devices.slice(members);
    expect(outside.length).toBeGreaterThan(0);
    for (const { campaign, fate } of outside) expect([campaign, fate]).toEqual(['', 'none']);
  }
});

describe('in every world, who runs the image', () => {
  it('has activated it on the air, and who has not does not', () => {
    fc.assert(
      fc.property(towns, (town) => {
        const { world, rows } = run(town);
        const activated = rows.flatMap((row) => (row.kind === 'imageActivated' ? [row] : []));
        for (const { campaign, name, runsIt, versionBefore, version, cause } of devicesOf(world)) {
          if (campaign === '' || name === '') continue;
          const image = campaign === 'spring' ? 0x01020000 : 0x01030000;
          const has = activated.some((row) => row.device === name && row.fwVersion === image);
          expect(runsIt).toBe(String(has));
          expect(/^(answer lost|asked too early)$/.test(cause!) && !has).toBe(false);
          expect(cause === 'version mismatch' && has).toBe(false);
          const latest = activated.findLast((row) => row.device === name)?.fwVersion ?? 0x01000000;
          expect(Number.parseInt(version!.slice(0, 8), 16)).toBe(latest);
          if (campaign === 'spring') expect(versionBefore!.slice(0, 8)).toBe('01000000');
        }
      }),
      { numRuns: someRuns(40) },
    );
  });

  it('is known after a snapshot, and in a fork', () => {
    fc.assert(
      fc.property(towns, fc.integer({ min: 1, max: 14 }), (town, hour) => {
        const { world } = run(town);
        const plan = populate(scenarioOf(textOf(town)), town.seed);
        const early = World.create(plan, town.seed);
        early.runUntil(Math.min(hour, town.hours) * HOUR_US);
        const later = World.restore(plan, town.seed, throughBytes(early.snapshot())).fork();
        later.runUntil(town.hours * HOUR_US);
        expect(devicesOf(later)).toEqual(devicesOf(world));
        expect(later.result()).toEqual(world.result());
      }),
      { numRuns: someRuns(20) },
    );
  });
});
