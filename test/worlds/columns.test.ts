/** Recorded columns of runs: they agree with the result, and recording changes nothing. */
import { describe, expect, it } from 'vitest';
import { countOf, FRAME_FATES, type RunColumns } from '../../core/result/columns.ts';
import type { RunResult } from '../../core/result/result.ts';
import { recorderFor } from '../../core/world/options.ts';
import { World } from '../../core/world/world.ts';
import { packed, unpacked } from '../../reports/packing/packed.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { sumOf } from '../../sim/base/counts.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

const TOWN = `
scenario: town
duration: 12 h
area: { radius: 1 km }
gateways: [{ name: roof, count: 2 }]
devices:
  - name: meter
    count: 20
    traffic: { every: 10 min, confirmed: 20 % }
    frameLoss: 15 %
    energy: {}
  - { name: lamp, count: 5, traffic: { every: 30 min } }
images: [{ name: fw-1.2.0.bin, bytes: 4 kB }]
groups: [{ name: all, devices: all }]
campaigns:
  - name: spring
    image: fw-1.2.0.bin
    group: all
    at: 1 h
    redundancy: 5 %
    multicast_setup_time: 3 h
timeline:
  - { at: 2 h, downlink: { to: meter-3, fPort: 2, payload: "0a" } }
  - { at: 9 h, removeDevice: meter-5 }
`;

interface Recorded {
  readonly result: RunResult;
  readonly columns: RunColumns;
}

function recorded(text = TOWN): Recorded {
  const plan = populate(scenarioOf(text), 'a');
  const world = World.create(plan, 'a', { recorder: recorderFor(plan) });
  world.runUntil(plan.durationUs);
  const result = world.result();
  return { result, columns: world.facts.columns(plan, result) };
}

const sum = (values: readonly (number | null)[] = []): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

describe('a recorder', () => {
  it('changes no event, no figure and no digest', () => {
    const plan = populate(scenarioOf(TOWN), 'a');
    const plain = World.create(plan, 'a');
    plain.runUntil(plan.durationUs);
    expect(recorded().result).toEqual(plain.result());
    expect(plain.facts.columns(plan, plain.result()).devices.devEuis).toEqual([]);
  });

  it('gives the same bytes for the same run, and they lead back to the same columns', () => {
    const { columns } = recorded();
    const bytes = packed(columns);
    expect(packed(recorded().columns)).toEqual(bytes);
    expect(unpacked(bytes)).toEqual(columns);
  });
});

describe('columns of devices', () => {
  const { result, columns } = recorded();
  const { devices } = columns;

  it('have a row for each device that is there at the end, with its name and place', () => {
    expect(columns.total).toBe(24);
    expect(devices.devEuis).toHaveLength(24);
    expect(devices.names).not.toContain('meter-5');
    expect(devices.xMeters.filter((x) => Math.abs(x) <= 1000)).toHaveLength(24);
    expect(devices.populations).toEqual(['meter', 'lamp']);
    expect(columns.digest).toBe(result.digest);
  });

  it('have places on Earth where the scenario says where it is', () => {
    const there = recorded(`${TOWN}origin: { latitude: 52.5, longitude: 13.4 }\n`).columns.devices;
    for (const [device, latitude] of there.latitude!.entries()) {
      expect((latitude - 52.5) * 111_195).toBeCloseTo(there.yMeters[device]!, -1);
      expect(there.longitude![device]!).toBeCloseTo(13.4, 1);
    }
    expect(devices).not.toHaveProperty('latitude');
  });

  it('sum up to what the result counts of populations whose devices all stayed', () => {
    const lamps = devices.population.flatMap((place, device) => (place === 1 ? [device] : []));
    const lamp = result.devices.populations.find(({ name }) => name === 'lamp')!;
    const of = (values: readonly number[]) => sum(lamps.map((device) => values[device]!));
    expect(of(devices.sent)).toBe(lamp.messages);
    expect(of(devices.delivered)).toBe(lamp.messagesDelivered);
    const lost = Object.entries(devices.uplinks).filter(([fate]) => fate !== 'received');
    expect(sum(lost.map(([, values]) => of(values!)))).toBe(sumOf(lamp.uplinksLost ?? {}));
  });

  it('have transmissions by slices whose sums are those by fate', () => {
    for (const [device, text] of devices.traffic.frames.entries()) {
      expect(text).toHaveLength(2 * devices.traffic.slices);
      const counts = [...text].map(countOf);
      const fates = Object.values(devices.uplinks).map((values) => values![device]!);
      expect(sum(counts.filter((_, at) => at % 2 === 0))).toBe(sum(fates));
      const lost = sum(fates) - devices.uplinks.received![device]!;
      expect(sum(counts.filter((_, at) => at % 2 === 1))).toBe(lost);
    }
  });

  it('have each change of data rate or power once, and nothing in between', () => {
    for (const steps of devices.steps) {
      expect(steps.length).toBeGreaterThan(0);
      for (const [at, step] of steps.entries()) {
        const [, dataRate, eirpDbm] = steps[at - 1] ?? [0, -1, -1];
        expect([step[1], step[2]]).not.toEqual([dataRate, eirpDbm]);
      }
    }
    expect(devices.steps.map((steps) => steps.at(-1)![1])).toEqual(devices.dataRate);
  });

  it('have no more downlinks received than sent in each window, and those of the result', () => {
    const windows = Object.values(devices.downlinks);
    for (const { sent, received } of windows) {
      for (const [device, all] of sent.entries())
        expect(received[device]!).toBeLessThanOrEqual(all);
    }
    const received = sum(windows.map((each) => sum(each.received)));
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThanOrEqual(result.downlinks.received);
  });

  it('have energy by cause of those devices alone that count it', () => {
    const { joules, batteryYears } = devices;
    expect(Object.keys(joules!)).toContain('multicast');
    for (const [device, place] of devices.population.entries()) {
      expect(joules!.sleep![device] === null).toBe(place === 1);
      expect(batteryYears![device] === null).toBe(place === 1);
    }
  });
});

describe('columns of campaigns', () => {
  const { result, columns } = recorded();
  const [spring] = columns.campaigns;

  it('have every member that is there, with its outcome', () => {
    expect(spring!.members).toHaveLength(24);
    const confirmed = spring!.fates.filter((fate) => fate === 'confirmed').length;
    expect(confirmed).toBeLessThanOrEqual(result.campaigns[0]!.success);
    for (const [member, fate] of spring!.fates.entries()) {
      expect(spring!.causes[member] === null).toBe(fate !== 'failed');
    }
  });

  it('have a fate for each multicast frame at each member; heard once is heard', () => {
    const { frames, fates } = spring!.fragments!;
    const letters = new Set(Object.keys(FRAME_FATES));
    for (const [member, text] of fates.entries()) {
      expect(text.length).toBeLessThanOrEqual(frames);
      expect([...text].every((letter) => letters.has(letter))).toBe(true);
      const heard = [...text].filter((letter) => letter === 'h').length;
      // Two gateways send each frame one after the other: what one of them brings is there.
      expect(heard).toBeGreaterThanOrEqual(spring!.fragmentsHeld[member] ?? 0);
    }
    expect(fates.join('')).toMatch(/f/);
  });
});

describe('marks', () => {
  it('are the commands of the timeline with their times and names', () => {
    const { marks } = recorded().columns;
    expect(marks.map(({ atSeconds, operation }) => [atSeconds, operation])).toEqual([
      [3_600, 'campaign.create'],
      [7_200, 'downlink.enqueue'],
      [32_400, 'device.remove'],
    ]);
  });
});
