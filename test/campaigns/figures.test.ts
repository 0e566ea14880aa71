/**
 * How many fragments whole sessions need beyond those that devices lost, against what the code
 * achieves by itself (docs/standard.md, Redundancy code).
 */

import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { campaignStart } from '../support/campaign-start.ts';
import { groupId } from '../support/ids.ts';
import { sampled } from '../support/long.ts';
import { HOUR_US, MINUTE_US, networkOf, SECOND_US } from '../support/small-network.ts';
import { imageHex, START_UNIX_MS } from './notation.ts';

const DEVICES = 400;
const FRAG_SIZE = 10;
const SET_UP_S = 9000;

interface Session {
  /** Coded fragments received beyond the uncoded ones that were lost, of devices that finished. */
  readonly extra: readonly number[];
  readonly finished: number;
  readonly verified: { readonly rebuilt: number; readonly right: number };
}

/** Devices in one session through one gateway, each losing this share of all frames. */
function session(nbFrag: number, lossRate: number): Session {
  const taken = new Map<string, number[]>();
  const complete = new Set<string>();
  const trace = (row: TraceRow): void => {
    if (row.kind !== 'fragmentTaken') return;
    const numbers = taken.get(row.device);
    if (numbers === undefined) taken.set(row.device, [row.fragmentNumber]);
    else numbers.push(row.fragmentNumber);
    if (row.completes) complete.add(row.device);
  };
  const world = World.create(planOf(nbFrag, lossRate), 'figures', { observer: { trace } });
  world.runUntil(world.endUs);
  const extra = [...complete].map((device) => {
    const numbers = taken.get(device)!;
    return numbers.length - nbFrag;
  });
  const { verified } = world.result().campaigns[0];
  return { extra, finished: complete.size, verified };
}

function planOf(nbFrag: number, lossRate: number) {
  const network = networkOf({
    devices: DEVICES,
    type: { frameLossPpm: lossRate * 1e6, startSpreadUs: 4 * MINUTE_US },
    traffic: { meanUs: 300 * SECOND_US },
    gateway: { receptionPaths: 64, dutyCycle: false },
    radio: { interference: { ...networkOf({}).radio.interference, model: 'off' } },
  });
  const devices = network.devices.map(({ devEui }) => devEui);
  const campaign = {
    name: 'figures',
    image_name: 'meter-1.2.0.bin',
    device_group_id: groupId('all'),
    multicast_setup_time: SET_UP_S,
    mcast_dr: 5,
    frag_size: FRAG_SIZE,
    frag_send_delay: 0.2,
    redundancy: lossRate < 0.2 ? 0.5 : 0.9,
  };
  const bytesHex = imageHex(nbFrag * FRAG_SIZE);
  const commands = campaignStart(campaign, bytesHex, { devices });
  return {
    name: 'figures',
    description: '',
    durationUs: 3 * HOUR_US,
    network: { ...network, startUnixMs: START_UNIX_MS },
    timeline: commands.map((command) => ({ atUs: 4 * MINUTE_US, command })),
  };
}

/** Mean extra of TS004 version 1: NbFrag, loss, figure (docs/standard.md, Redundancy code). */
const PUBLISHED: readonly (readonly [number, number, number])[] = [
  [100, 0.1, 2.151],
  [100, 0.3, 1.6], // as a random linear code
  [200, 0.1, 1.68],
  [200, 0.3, 1.651],
  [400, 0.1, 1.615],
  [400, 0.3, 1.637],
];

const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / values.length;

describe('whole sessions', () => {
  it('need as many extra fragments as the code does, within 0.3', () => {
    const table = sampled(PUBLISHED, ([nbFrag, loss]) => nbFrag < 200 && loss < 0.2).map(
      ([nbFrag, lossRate, published]) => {
        const { extra, finished, verified } = session(nbFrag, lossRate);
        expect(finished).toBeGreaterThan(DEVICES / 2);
        expect(verified.rebuilt).toBeGreaterThan(8);
        expect(verified.right).toBe(verified.rebuilt);
        return { nbFrag, lossRate, mean: mean(extra), published, finished };
      },
    );
    const off = table.filter((row) => Math.abs(row.mean - row.published) > 0.3);
    expect({ off, table: off.length === 0 ? [] : table }).toEqual({ off: [], table: [] });
  });
});
