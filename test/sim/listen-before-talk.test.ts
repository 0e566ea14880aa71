/**
 * Listen before talk (KR920: RP002-1.0.4 §2.11): 6 ms, −65 dBm, by anyone who is on the channel.
 */
import { describe, expect, it } from 'vitest';
import { region } from '../../sim/lorawan/region.ts';
import { ListenBeforeTalk } from '../../sim/spectrum/listen-before-talk.ts';

const CHANNEL = 922_100_000;
const EIRP = 1_400;
const NOW = 100_000;

interface Signal {
  readonly sender: number;
  readonly startUs?: number;
  readonly endUs?: number;
  readonly frequencyHz?: number;
}

/** A log of signals of 14 dBm that are on the air now, unless another time is given. */
function airOf(signals: readonly Signal[]) {
  const on = (frequencyHz: number) => {
    const own = signals.filter((each) => (each.frequencyHz ?? CHANNEL) === frequencyHz);
    const column = {
      sender: own.map(({ sender }) => sender),
      startUs: own.map(({ startUs = NOW - 20_000 }) => startUs),
      endUs: own.map(({ endUs = NOW + 20_000 }) => endUs),
      eirpCentiDbm: own.map(() => EIRP),
    };
    return { column, end: own.length, firstAfter: () => 0 };
  };
  return { on };
}

interface World {
  readonly name?: 'KR920' | 'EU868';
  /** Between two devices and between two gateways, dB. */
  readonly lossDb?: number;
  /** From a device to a gateway with the gain of its antenna, 1/100 dB. */
  readonly linkCentiDb?: number;
  /** Of each gateway, 1/100 dB. */
  readonly gains?: readonly number[];
  readonly up?: readonly Signal[];
  readonly down?: readonly Signal[];
}

function listening({ name = 'KR920', lossDb = 79, linkCentiDb = -7_900, ...world }: World) {
  const place = { xMeters: 0, yMeters: 0 };
  const { gains = [0, 0], up = [], down = [] } = world;
  const links = { gainCentiDb: () => linkCentiDb };
  return new ListenBeforeTalk(
    { region: region(name) } as never,
    { pathLoss: { model: 'constant', lossDb } } as never,
    {
      devices: { of: () => place },
      gateways: gains.map((antennaGainCentiDb) => ({ ...place, antennaGainCentiDb })),
    },
    { links, uplinkAir: airOf(up), downlinkAir: airOf(down) } as never,
  );
}

const forDevice = (world: World) => listening(world).isFreeForDevice(0, CHANNEL, NOW);
const forGateway = (world: World) => listening(world).isFreeForGateway(0, CHANNEL, NOW);

it('listening is asked for in Korea alone', () => {
  expect(listening({}).active).toBe(true);
  expect(listening({ name: 'EU868' }).active).toBe(false);
});

describe.each([
  ['device', forDevice],
  ['gateway', forGateway],
] as const)('a channel for a %s', (_, isFree) => {
  const other = [{ sender: 1 }];

  it('is free where nobody sends, and where somebody sends on another one', () => {
    expect(isFree({})).toBe(true);
    expect(isFree({ up: [{ sender: 1, frequencyHz: CHANNEL + 200_000 }], lossDb: 10 })).toBe(true);
    expect(isFree({ down: [{ sender: 1, frequencyHz: CHANNEL + 200_000 }], lossDb: 10 })).toBe(
      true,
    );
  });

  it.each([
    ['ended as it began to listen', { startUs: 0, endUs: NOW - 6_000 }, true],
    ['ended just after that', { startUs: 0, endUs: NOW - 5_999 }, false],
    ['begins now', { startUs: NOW }, true],
    ['began just before', { startUs: NOW - 1 }, false],
    ['was there in between', { startUs: NOW - 4_000, endUs: NOW - 3_000 }, false],
  ])('is judged by what was on it within 6 ms: something that %s', (__, times, free) => {
    expect(isFree({ up: [{ sender: 1, ...times }], lossDb: 10, linkCentiDb: -1_000 })).toBe(free);
    expect(isFree({ down: [{ sender: 1, ...times }], lossDb: 10, linkCentiDb: -1_000 })).toBe(free);
  });

  it('is judged by each of several signals', () => {
    const past = { sender: 1, startUs: 0, endUs: 10 };
    expect(isFree({ up: [past, ...other] })).toBe(false);
    expect(isFree({ down: [past, ...other, past] })).toBe(false);
  });
});

describe('the level', () => {
  it('of another device at a device is its power less the loss: −65 dBm is too loud', () => {
    expect(forDevice({ up: [{ sender: 1 }], lossDb: 79 })).toBe(false);
    expect(forDevice({ up: [{ sender: 1 }], lossDb: 79.01 })).toBe(true);
    expect(forDevice({ up: [{ sender: 0 }], lossDb: 0 })).toBe(true);
  });

  it('of a gateway at a device is without the antenna’s gain, which its power has', () => {
    const down = [{ sender: 1 }];
    expect(forDevice({ down, linkCentiDb: -7_600, gains: [0, 300] })).toBe(false);
    expect(forDevice({ down, linkCentiDb: -7_601, gains: [0, 300] })).toBe(true);
    expect(forDevice({ down, linkCentiDb: -7_600, gains: [0, 301] })).toBe(true);
  });

  it('of a device at a gateway is its power and the gain of their link', () => {
    expect(forGateway({ up: [{ sender: 1 }], linkCentiDb: -7_900 })).toBe(false);
    expect(forGateway({ up: [{ sender: 1 }], linkCentiDb: -7_901 })).toBe(true);
  });

  it('of a gateway at another one is its power less the loss, with the listener’s antenna', () => {
    const down = [{ sender: 1 }];
    expect(forGateway({ down, lossDb: 82, gains: [300, 0] })).toBe(false);
    expect(forGateway({ down, lossDb: 82.01, gains: [300, 0] })).toBe(true);
    expect(forGateway({ down, lossDb: 79, gains: [-1, 500] })).toBe(true);
  });
});
