/** Presets: what a word stands for, what wins over it, and what a wrong one is answered with. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../../scenarios/filling/populate.ts';
import { BOARDS } from '../../../scenarios/presets/boards.ts';
import { FORWARDERS } from '../../../scenarios/presets/forwarders.ts';
import type { PresetRow, Presets } from '../../../scenarios/presets/preset.ts';
import { presetPages } from '../../../scenarios/presets/reference.ts';
import { SERVERS } from '../../../scenarios/presets/servers.ts';
import { STACKS } from '../../../scenarios/presets/stacks.ts';
import { scenarioText } from '../../../scenarios/scenario-text.ts';
import { faultsOf, scenarioOf, warningsOf } from '../scenario.ts';

type Knobs = Record<string, unknown>;

/** A file with a campaign, and more in its parts. */
function file(more: { device?: Knobs; gateway?: Knobs; server?: unknown; campaign?: Knobs }) {
  return scenarioText({
    scenario: 'presets',
    gateways: [{ name: 'roof', ...more.gateway }],
    devices: [{ name: 'meter', count: 2, ...more.device }],
    ...(more.server === undefined ? {} : { server: more.server }),
    images: [{ name: 'meter-1.1.0.bin', bytes: '2 kB' }],
    groups: [{ name: 'all', devices: 'all' }],
    campaigns: [{ name: 'update', image: 'meter-1.1.0.bin', group: 'all', ...more.campaign }],
  });
}

/** Rows as a file would have them, maps in maps. */
function written(rows: readonly PresetRow[]): Knobs {
  const knobs: Knobs = {};
  for (const { knob, value } of rows) {
    const path = knob.split('.');
    const last = path.pop()!;
    let at = knobs;
    for (const key of path) {
      at[key] = { ...(at[key] as Knobs | undefined) };
      at = at[key] as Knobs;
    }
    at[last] = value;
  }
  return knobs;
}

const planOf = (text: string) => populate(scenarioOf(text), 'seed');

const knobsOf = ({ rows }: Presets[string]) => rows.map(({ knob }) => knob);

const rowsOf = (presets: Presets, name: string) => presets[name]!.rows;

describe('a preset', () => {
  it.each(Object.keys(STACKS))('of a stack is the same world as its knobs: %s', (stack) => {
    const knobs = written(rowsOf(STACKS, stack));
    expect(planOf(file({ device: { stack } }))).toEqual(planOf(file({ device: knobs })));
  });

  it.each(Object.keys(BOARDS))('of a board is the same world as its knobs: %s', (board) => {
    const knobs = written(rowsOf(BOARDS, board));
    expect(planOf(file({ device: { board } }))).toEqual(planOf(file({ device: knobs })));
  });

  it.each(Object.keys(FORWARDERS))('of a gateway is the same world as its knobs: %s', (preset) => {
    const knobs = written(rowsOf(FORWARDERS, preset));
    expect(planOf(file({ gateway: { preset } }))).toEqual(planOf(file({ gateway: knobs })));
  });

  it.each(Object.keys(SERVERS))('of a server is the same world as its knobs: %s', (server) => {
    const preset: Presets[string] = SERVERS[server as keyof typeof SERVERS];
    const campaign = written(preset.campaign ?? []);
    const knobs = file({ server: written(preset.rows), campaign });
    expect(planOf(file({ server }))).toEqual(planOf(knobs));
    expect(planOf(file({ server: { preset: server } }))).toEqual(planOf(knobs));
  });

  it('changes the world, each of them', () => {
    const plain = planOf(file({}));
    const changed = (more: Parameters<typeof file>[0]) =>
      JSON.stringify(planOf(file(more))) !== JSON.stringify(plain);
    const same = [
      ...Object.keys(STACKS).filter((stack) => !changed({ device: { stack } })),
      ...Object.keys(BOARDS).filter((board) => !changed({ device: { board } })),
      ...Object.keys(SERVERS).filter((server) => !changed({ server })),
      ...Object.keys(FORWARDERS).filter((preset) => !changed({ gateway: { preset } })),
    ];
    expect(same).toEqual([]);
  });

  it('has a source in every row, and a page with each of them', () => {
    const page = presetPages();
    for (const presets of [STACKS, BOARDS, SERVERS, FORWARDERS] as readonly Presets[]) {
      for (const [name, { rows, campaign = [], missing }] of Object.entries(presets)) {
        expect(page).toContain(`### ${name}\n`);
        for (const { source, knob } of [...rows, ...campaign]) {
          expect(source.length, knob).toBeGreaterThan(10);
          expect(page).toContain(`\`${knob}\``);
        }
        for (const sentence of missing) expect(page).toContain(`- ${sentence}\n`);
      }
    }
  });
});

describe('a knob beside a preset', () => {
  it('wins, and a warning says what it wins over', () => {
    const text = file({
      device: { stack: 'LoRaMac-node', windows: { rxError: '30 ms' } },
      server: { preset: 'chirpstack', adrMargin: '5 dB' },
      campaign: { status_tries: 3 },
    });
    const { network, timeline } = planOf(text);
    expect(network.deviceTypes[0]!.windows).toMatchObject({ rxErrorMs: 30 });
    expect(network.server.adrMarginCentiDb).toBe(500);
    const created = timeline.find(({ command }) => command.kind === 'campaign.create');
    expect(created?.command).toMatchObject({ campaign: { status_tries: 3, set_up_in_turn: true } });
    expect(warningsOf(text).map((line) => line.replace(/^.*? {2}/, ''))).toEqual([
      '/devices/0/windows/rxError  wins over stack LoRaMac-node, which has windows.rxError: 10 ms',
      '/server/adrMargin  wins over server chirpstack, which has adrMargin: 10 dB',
      '/campaigns/0/status_tries  wins over server chirpstack, which has status_tries: 1',
    ]);
  });

  it('that says the same, or stands beside its other parts, is not warned of', () => {
    const text = file({
      device: { board: 'nucleo-wl55', energy: { rx: '7.96 mA', dies: true } },
    });
    expect(warningsOf(text)).toEqual([]);
    expect(planOf(text).network.deviceTypes[0]!.energy).toMatchObject({
      dies: true,
      rxMicroAmp: 7960,
      sleepNanoAmp: 3_070_000,
    });
  });

  it('of another form takes the place of all its parts', () => {
    const text = file({ device: { board: 'nucleo-wl55', energy: 'off' } });
    expect(planOf(text).network.deviceTypes[0]!.energy).toBeUndefined();
    expect(warningsOf(text)).toHaveLength(8);
  });

  it('leaves no place for a row that names it', () => {
    const text = file({ server: 'fuotaa', campaign: { frag_size: '40 B' } });
    const created = planOf(text).timeline.find(({ command }) => command.kind === 'campaign.create');
    expect(created?.command).toMatchObject({ campaign: { frag_size: 40 } });
    expect(JSON.stringify(created)).not.toContain('frag_sizes');
    expect(warningsOf(text)[0]).toMatch(/frag_size {2}wins over server fuotaa/);
  });
});

describe('two presets of a device', () => {
  const windowsOf = (stack: string) =>
    planOf(file({ device: { stack, board: 'nucleo-wl55' } })).network.deviceTypes[0]!.windows;

  it('give it what both say', () => {
    expect(windowsOf('LoRaMac-node')).toEqual({
      stack: 'LoRaMac-node',
      chip: 'STM32WL',
      rxErrorMs: 10,
      wakeUpMs: 0,
    });
  });

  it('leave out what is of another stack', () => {
    expect(windowsOf('LoRa Basics Modem')).toEqual({
      stack: 'LBM',
      crystalPpm: 10,
      boardDelayMs: 0,
    });
  });

  it('never contradict each other', () => {
    const ofStacks = new Set(Object.values(STACKS as Presets).flatMap(knobsOf));
    expect(
      Object.values(BOARDS)
        .flatMap(knobsOf)
        .filter((knob) => ofStacks.has(knob)),
    ).toEqual([]);
  });

  it.each(Object.keys(STACKS))('load together: %s with every board', (stack) => {
    for (const board of Object.keys(BOARDS)) {
      expect(warningsOf(file({ device: { stack, board } }))).toEqual([]);
    }
  });
});

describe('a word that is no preset', () => {
  it('is answered with those there are, and the nearest', () => {
    const faults = faultsOf(
      file({
        device: { stack: 'Zefyr', board: 'nucleo-wl5' },
        gateway: { preset: 'basic-station' },
        server: 'chirpstck',
      }),
    ).join('\n');
    for (const [word, meant] of [
      ['Zefyr', 'Zephyr'],
      ['nucleo-wl5', 'nucleo-wl55'],
      ['basic-station', 'basics-station'],
      ['chirpstck', 'chirpstack'],
    ]) {
      expect(faults).toMatch(new RegExp(`"${word}" is not known; .*did you mean "${meant}"`));
    }
    expect(faults).toContain(`allowed: ${Object.keys(STACKS).join(', ')}`);
    expect(faultsOf(file({ server: { preset: 'chirp' } }))[0]).toMatch(/\/server\/preset/);
  });

  it('does not hide what else is wrong, which is blamed where it stands', () => {
    const faults = faultsOf(file({ device: { stack: 'Zephyr', dataRate: 'DR99' } }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/\/devices\/0\/dataRate/);
  });
});

describe('a file without presets', () => {
  it('is read as it is', () => {
    expect(warningsOf(file({}))).toEqual([]);
  });
});

describe('a server’s habits (docs/decisions/0138)', () => {
  const campaignOf = (server: string, campaign: Knobs = {}) =>
    planOf(file({ server, campaign })).timeline.find(
      ({ command }) => command.kind === 'campaign.create',
    )?.command;

  it('of ThingPark: spacing, passes, coded fragments at most, status of a group', () => {
    expect(campaignOf('thingpark')).toMatchObject({
      campaign: {
        set_up_tries: 3,
        acceptable_time_drift: 2,
        frag_size_multiple: 4,
        frag_send_least: 2,
        frag_send_after_report: true,
        frag_send_passes: 2,
        redundancy_most: 340,
        status_by_group_above: 5,
        gateway_timing: 'simultaneous',
      },
    });
  });

  it('of chirpstack-fuota-server: nobody is waited for 510 s after the last fragment', () => {
    expect(campaignOf('fuotaa')).toMatchObject({ campaign: { status_time: 510 } });
  });

  it('of stacks: LMIC and RadioLib open windows by formulas of their own', () => {
    const windowsOf = (stack: string) =>
      planOf(file({ device: { stack } })).network.deviceTypes[0]!.windows;
    expect(windowsOf('LMIC')).toEqual({ stack: 'LMIC', clockPpm: 0, wakeUpMs: 0 });
    expect(windowsOf('RadioLib')).toEqual({ stack: 'RadioLib', guardMs: 10, wakeUpMs: 0 });
  });
});
