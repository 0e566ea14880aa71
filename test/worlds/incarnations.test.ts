/** A name that returns is a new incarnation, with luck of its own (contract 3 and 9). */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { watchWorld } from '../../scenarios/trace.ts';
import { SCENE_PLAN } from '../support/scene.ts';

const HOUR_US = 3_600_000_000;

describe('a device that is removed and comes back under its name', () => {
  it('has not the luck of its first life', () => {
    const [device] = SCENE_PLAN.devices;
    const commands: TimedCommand[] = [
      { atUs: HOUR_US, command: { kind: 'device.remove', devEui: device!.devEui } },
      { atUs: HOUR_US, command: { kind: 'device.create', device: device! } },
    ];
    const network = { ...SCENE_PLAN, devices: [device!] };
    const plan = { name: '', description: '', durationUs: 2 * HOUR_US, network, timeline: [] };
    const { rows } = watchWorld(plan, 'twice', commands).trace;
    const starts = rows.filter((row) => row.kind === 'deviceStarts');
    expect(starts).toHaveLength(2);
    const uplinks = rows.filter((row) => row.kind === 'uplinkBegins');
    const lives = [0, HOUR_US].map((fromUs) =>
      uplinks
        .filter(({ atUs }) => atUs >= fromUs && atUs < fromUs + HOUR_US)
        .slice(0, 5)
        .map(({ atUs }) => atUs - fromUs),
    );
    expect(lives[0]!.length).toBe(5);
    expect(lives[1]).not.toEqual(lives[0]);
  });
});
