/** What campaigns tell step by step (`WorldOptions.steps`). */
import { describe, expect, it } from 'vitest';
import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

const FILE = `
scenario: steps
duration: 5 h
gateways: [{ name: roof }]
devices:
  - { name: near, class: C, count: 6, placement: { disc: 500 m } }
  - { name: deaf, class: C, count: 2, placement: { disc: 500 m }, frameLoss: 90 % }
images: [{ name: fw-1.1.0.bin, bytes: 400 B }]
groups: [{ name: some, devices: [near] }, { name: rest, devices: [deaf] }]
campaigns:
  - { name: first, at: 10 min, image: fw-1.1.0.bin, group: some }
  - { name: other, at: 20 min, image: fw-1.1.0.bin, group: rest, is_troubleshooting: true }
`;

function report() {
  const rows: CampaignRow[] = [];
  const plan = populate(scenarioOf(FILE));
  const heard = World.create(plan, 'seed', { steps: (row) => rows.push(row) });
  heard.runUntil(plan.durationUs);
  const alone = World.create(plan, 'seed');
  alone.runUntil(plan.durationUs);
  return { rows, heard, alone };
}
const { rows, heard, alone } = report();

describe('steps of campaigns', () => {
  it('are reported in the order of time, and telling them changes nothing', () => {
    const times = rows.map(({ atUs }) => atUs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(heard.digest()).toEqual(alone.digest());
  });

  it('are the stages that the result reports', () => {
    for (const { name, stages } of heard.result().campaigns) {
      const mine = rows.flatMap((row) =>
        row.kind === 'campaignStage' && row.campaign === name ? [[row.stage, row.atUs / 1e6]] : [],
      );
      // The first one is that of its creation, which nothing leads to.
      expect(mine).toEqual(stages.slice(1).map(({ stage, atSeconds }) => [stage, atSeconds]));
    }
  });

  it('are those of the funnel, a row for each device and step', () => {
    for (const { name, funnel } of heard.result().campaigns) {
      const ends = rows.filter((row) => row.kind === 'campaignDeviceEnds' && row.campaign === name);
      const done = new Set(
        ends.flatMap((row) => ('fate' in row && row.fate === 'success' ? [row.devEui] : [])),
      );
      for (const { step, devices } of funnel) {
        const passed = rows.flatMap((row) =>
          row.kind === 'campaignStep' && row.campaign === name && row.step === step
            ? [row.devEui]
            : [],
        );
        expect(new Set(passed).size).toBe(passed.length);
        // Who runs the image has what all steps are for, whatever it passed.
        expect(new Set([...passed, ...done]).size).toBe(devices);
      }
    }
  });

  it('end once for each device, with the reason and what was found', () => {
    const { campaigns } = heard.result();
    const ends = rows.flatMap((row) => (row.kind === 'campaignDeviceEnds' ? [row] : []));
    expect(ends).toHaveLength(campaigns.reduce((sum, { devices }) => sum + devices, 0));
    const failed = ends.filter(({ fate }) => fate === 'failed');
    expect(failed.length).toBe(campaigns.reduce((sum, one) => sum + one.failed, 0));
    const found = failed.flatMap(({ campaign, diagnosis = '' }) =>
      campaign === 'other' ? [diagnosis] : [],
    );
    const [, { diagnoses = [] } = {}] = campaigns;
    expect(diagnoses.length).toBeGreaterThan(0);
    for (const { example } of diagnoses) expect(found).toContain(example);
  });
});
