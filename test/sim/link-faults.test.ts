/** What weakens, drowns or cuts the links of a thing: whether it changes, since when, and whose. */
import { describe, expect, it } from 'vitest';
import { LinkFaults } from '../../sim/radio/link-faults.ts';

const [CHANNEL, OTHER] = [868_100_000, 868_300_000];

describe('a fault of links', () => {
  it('changes something once, and not when it is so already', () => {
    const faults = new LinkFaults();
    expect([faults.mute(2, false, 1), faults.mute(2, true, 2), faults.mute(2, true, 3)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([faults.weaken(2, 0, 1), faults.weaken(2, 7, 2), faults.weaken(2, 7, 3)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([faults.drown(9, 0, 1), faults.drown(2, 0, 1), faults.drown(2, 8, 4)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(faults.drown(2, 8, 5)).toBe(false);
    expect(faults.drownChannel(2, CHANNEL, 0, 1)).toBe(false);
    expect(faults.drownChannel(2, CHANNEL, 9, 6)).toBe(true);
    expect(faults.drownChannel(2, CHANNEL, 9, 7)).toBe(false);
    expect(faults.of(2)).toEqual([
      { fault: 'radio', sinceUs: 2, centiDb: 0 },
      { fault: 'attenuation', sinceUs: 2, centiDb: 7 },
      { fault: 'noise', sinceUs: 4, centiDb: 8 },
      { fault: 'noise', sinceUs: 6, centiDb: 9, frequencyHz: CHANNEL },
    ]);
  });

  it('is of its own row, and ends with what ends it', () => {
    const faults = new LinkFaults();
    faults.weaken(3, 500, 1);
    faults.mute(3, true, 1);
    faults.drown(3, 100, 1);
    for (const row of [0, 2, 4]) {
      expect([faults.lossCentiDb(row), faults.isMute(row), faults.of(row)]).toEqual([0, false, []]);
      expect(faults.noiseCentiDb(row, CHANNEL)).toBe(0);
    }
    expect([faults.lossCentiDb(3), faults.isMute(3)]).toEqual([500, true]);
    expect(faults.noiseCentiDb(3, CHANNEL)).toBe(100);
    expect([faults.weaken(3, 0, 2), faults.mute(3, false, 2), faults.drown(3, 0, 2)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(faults.of(3)).toEqual([]);
  });

  it('of a radio lasts from its instant to that of its end, both included', () => {
    const faults = new LinkFaults();
    expect(faults.wasMuteAt(0, 5)).toBe(false);
    faults.mute(0, true, 10);
    // It begins after all else of its instant.
    expect([9, 10, 11, 999].map((atUs) => faults.wasMuteAt(0, atUs))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    faults.mute(0, false, 20);
    expect([10, 11, 20, 21].map((atUs) => faults.wasMuteAt(0, atUs))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(faults.wasMuteWithin(0, 0, 10)).toBe(false);
    expect(faults.wasMuteWithin(0, 0, 11)).toBe(true);
    expect(faults.wasMuteWithin(0, 20, 30)).toBe(true);
    expect(faults.wasMuteWithin(0, 21, 30)).toBe(false);
  });
});

describe('noise on a channel', () => {
  it('is there and nowhere else, and adds up with what is on all as powers do', () => {
    const faults = new LinkFaults();
    faults.drownChannel(0, CHANNEL, 1_000, 1);
    expect([faults.noiseCentiDb(0, CHANNEL), faults.noiseCentiDb(0, OTHER)]).toEqual([1_000, 0]);
    faults.drown(0, 1_000, 2);
    // 10 + 10 − 1 times the noise that there always is: 12.79 dB.
    expect([faults.noiseCentiDb(0, CHANNEL), faults.noiseCentiDb(0, OTHER)]).toEqual([
      1_279, 1_000,
    ]);
  });

  it('stands in the order of frequencies, and goes with what is put up elsewhere', () => {
    const faults = new LinkFaults();
    faults.drownChannel(0, OTHER, 3, 1);
    faults.drownChannel(0, CHANNEL, 4, 2);
    faults.weaken(0, 5, 3);
    faults.drown(0, 6, 4);
    faults.mute(0, true, 5);
    faults.inherit(4, 0);
    expect(faults.of(4)).toEqual([
      { fault: 'attenuation', sinceUs: 3, centiDb: 5 },
      { fault: 'noise', sinceUs: 4, centiDb: 6 },
      { fault: 'noise', sinceUs: 2, centiDb: 4, frequencyHz: CHANNEL },
      { fault: 'noise', sinceUs: 1, centiDb: 3, frequencyHz: OTHER },
    ]);
    faults.inherit(6, 5);
    expect(faults.of(6)).toEqual([]);
  });

  it('is the same in what is loaded from what was saved', () => {
    const [faults, other] = [new LinkFaults(), new LinkFaults()];
    faults.weaken(1, 5, 3);
    faults.mute(1, true, 4);
    faults.drownChannel(1, CHANNEL, 4, 2);
    other.drownChannel(0, CHANNEL, 4, 2);
    other.load(faults.save());
    expect([other.of(0), other.of(1)]).toEqual([[], faults.of(1)]);
  });
});
