/** What the laws know by themselves agrees with what is published, and misses nothing. */
import { describe, expect, it } from 'vitest';
import { airtimeUs } from '../../scenarios/testing/laws/airtime.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { COMMAND_BYTES } from '../../scenarios/testing/laws/mac-commands.ts';
import {
  DOWNLINK_COMMAND_BYTES,
  FIRST_PROPRIETARY_CID,
  UPLINK_COMMAND_BYTES,
} from '../../sim/lorawan/mac-commands.ts';
import { change } from '../support/planted-bugs.ts';
import { lawfulTrace, SCENE_PLAN } from '../support/scene.ts';

describe('the lengths of MAC commands', () => {
  it('are those of every command of the standard that frames may carry, and of no other', () => {
    const tables = [
      [COMMAND_BYTES.up, UPLINK_COMMAND_BYTES],
      [COMMAND_BYTES.down, DOWNLINK_COMMAND_BYTES],
    ] as const;
    for (const [own, all] of tables) {
      const sent = all.slice(0, FIRST_PROPRIETARY_CID);
      const known = Array.from(sent, (_, cid) => 1 + (own[cid] ?? -1));
      expect(known).toEqual([...sent]);
    }
  });
});

describe('the oracle of times on air', () => {
  it.each([
    ['SF7, 13 bytes up', 7, 13, 1, 46_336],
    ['SF12, 13 bytes up', 12, 13, 1, 1_155_072],
    ['SF12, a join request', 12, 23, 1, 1_482_752],
    ['SF12, a join accept', 12, 33, 0, 1_810_432],
    ['SF9, 128 bytes down', 9, 128, 0, 676_864],
    ['SF7, 255 bytes down', 7, 255, 0, 394_496],
  ] as const)('gives the published figure: %s', (_, spreadingFactor, phyBytes, crc, us) => {
    expect(airtimeUs({ spreadingFactor, bandwidthHz: 125_000, phyBytes }, crc)).toBe(us);
  });
});

describe('the bands of AS923', () => {
  it('are the ranges of its groups, in which a channel lies as a whole', () => {
    const sentAt = (region: 'AS923-2' | 'AS923-4', frequencyHz: number, bandwidthHz: number) => {
      const move = change('uplinkBegins', { device: 'otter' }, () => ({
        frequencyHz,
        bandwidthHz,
      }));
      const broken = judge(move(lawfulTrace()), { ...SCENE_PLAN, region }).subBandsAndPowers ?? [];
      return broken.filter((complaint) => complaint.startsWith('otter'));
    };
    expect(sentAt('AS923-4', 917_300_000, 250_000)).toEqual([]);
    expect(sentAt('AS923-4', 917_100_000, 250_000)).toHaveLength(1);
    expect(sentAt('AS923-2', 921_400_000, 250_000)).toEqual([]);
    expect(sentAt('AS923-2', 923_000_000, 125_000)).toHaveLength(1);
  });
});
