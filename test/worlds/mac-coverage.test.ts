/**
 * Every MAC command of the standard goes over the air in small worlds, and the other side carries
 * it out. Every status bit of every answer is seen set and clear (LoRaWAN 1.0.4 and 1.1 §5).
 */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import {
  ANSWERED_REQUESTS,
  downlinkCommands,
  FIRST_PROPRIETARY_CID,
  uplinkCommands,
} from '../../sim/lorawan/mac-commands.ts';
import type { Fields, Message } from '../../sim/lorawan/message.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { type MacWorld, macWorldOf, request } from '../support/mac.ts';
import { HOUR_US, MINUTE_US, networkOf } from '../support/small-network.ts';

const PLAIN = networkOf({
  type: { lorawan: '1.0.4', adr: true, linkCheckEvery: 7, timeSyncEveryUs: 20 * MINUTE_US },
});
const FOUR_CHANNELS: NetworkPlan = {
  ...PLAIN,
  uplinkChannelsHz: [868_100_000, 868_300_000, 868_500_000, 867_100_000],
};
const RX2_AT_DR3 = networkOf({ server: { rx2DataRate: 3 } });
const AS923: NetworkPlan = { ...networkOf({ type: { channels: 'region' } }), region: 'AS923-1' };
const MODERN = networkOf({ type: { lorawan: '1.1', activation: 'otaa', deviceClass: 'C' } });
const PERSONALISED = networkOf({ type: { lorawan: '1.1' } });
const CLASS_B = classBNetwork();
const CLASS_B_102 = classBNetwork({ type: { lorawan: '1.0.2' } });

/** What is asked once, each in a world of its own: well, and wrong in one thing. */
const ASKED: readonly (readonly [NetworkPlan, string])[] = [
  [PLAIN, '0350070001'], // LinkADRReq: DR5, full power, channels 0 to 2
  [PLAIN, '0350000001'], // no channel
  [PLAIN, '03d0070001'], // DR13
  [PLAIN, '035e070001'], // power 14
  [PLAIN, '0401'], // DutyCycleReq
  [RX2_AT_DR3, '0503d2ad84'], // RXParamSetupReq: DR3 at 869.525 MHz
  [PLAIN, '0560d2ad84'], // offset 6
  [PLAIN, '050fd2ad84'], // DR15
  [PLAIN, '0503010000'], // 100 Hz
  [PLAIN, '06'], // DevStatusReq
  [FOUR_CHANNELS, '0703184f8450'], // NewChannelReq: 867.1 MHz, DR0 to DR5
  [PLAIN, '070301000050'], // 100 Hz
  [PLAIN, '0703184f8405'], // DR5 to DR0
  [PLAIN, '0801'], // RXTimingSetupReq
  [PLAIN, '0a00287684'], // DlChannelReq: channel 0 at its own 868.1 MHz
  [PLAIN, '0a09184f84'], // channel 9, which is none
  [PLAIN, '0a00010000'], // 100 Hz
  [AS923, '0925'], // TxParamSetupReq
  [MODERN, '0c32'], // ADRParamSetupReq
  [MODERN, '0e0300'], // ForceRejoinReq of type 0
  [MODERN, '0e2300'], // of type 2
  [MODERN, '0ff0'], // RejoinParamSetupReq
  [PERSONALISED, '06'], // its ResetInd comes by itself
  [CLASS_B, '11deab8405'], // PingSlotChannelReq: 869.475 MHz, DR5
  [CLASS_B, '1140420f05'], // 100 MHz
  [CLASS_B, '11deab840f'], // DR15
  [CLASS_B, '13387d84'], // BeaconFreqReq: 868.3 MHz
  [CLASS_B, '1340420f'], // 100 MHz
  [CLASS_B_102, '06'], // its BeaconTimingReq comes by itself
];

/** Status bits that no simulated device leaves clear, and why. */
const ALWAYS_SET: Readonly<Record<string, string>> = {
  'RejoinParamSetupAns.timeOk': 'every simulated device keeps time',
};

/** Every status bit of every answer. */
const BITS = Object.entries<Message<Fields>>(uplinkCommands).flatMap(([name, { fields }]) => {
  const { status } = fields;
  return status === undefined || !('ranges' in status)
    ? []
    : Object.keys(status.ranges).map((bit) => [name, bit] as const);
});

const worlds: {
  readonly network: NetworkPlan;
  readonly asked: string;
  readonly world: MacWorld;
}[] = [];
beforeAll(() => {
  for (const [network, asked] of ASKED) {
    const isClassB = network === CLASS_B || network === CLASS_B_102;
    const lengthUs = isClassB ? 2 * HOUR_US : 40 * MINUTE_US;
    const world = macWorldOf(network, lengthUs, [request(15 * MINUTE_US, asked)]);
    worlds.push({ network, asked, world });
  }
});

describe('every MAC command', () => {
  const table = [
    ...Object.entries(downlinkCommands).map(([name, { cid }]) => ({ name, cid, side: 'device' })),
    ...Object.entries(uplinkCommands).map(([name, { cid }]) => ({ name, cid, side: 'server' })),
  ];

  it('of the standard is one of 39', () => {
    expect(table.filter(({ cid }) => cid < FIRST_PROPRIETARY_CID)).toHaveLength(39);
  });

  it.each(table)('$name goes over the air to the $side', ({ name, side }) => {
    const said = worlds.flatMap(({ world }) => (side === 'device' ? world.down : world.up));
    expect(said.some((one) => one.name === name)).toBe(true);
  });

  it('that is asked is answered, and not asked again', () => {
    for (const { asked, world } of worlds) {
      const cid = Number.parseInt(asked.slice(0, 2), 16);
      if (!ANSWERED_REQUESTS.has(cid)) continue;
      const is = (set: typeof downlinkCommands | typeof uplinkCommands) => (name: string) =>
        Object.entries(set).some(([one, command]) => one === name && command.cid === cid);
      const since = <One extends { atUs: number }>(rows: readonly One[]) =>
        rows.filter(({ atUs }) => atUs > 15 * MINUTE_US);
      const requests = since(world.down).filter(({ name }) => is(downlinkCommands)(name));
      const answers = since(world.up).filter(({ name }) => is(uplinkCommands)(name));
      expect([asked, answers.length > 0]).toEqual([asked, true]);
      // Others of its kind are the server's, who wants its own settings back.
      const same = requests.filter((one) => isDeepStrictEqual(one.payload, requests[0]!.payload));
      expect([asked, same.length]).toEqual([asked, 1]);
    }
  });

  it('leaves every law stored', () => {
    const broken = worlds.flatMap(({ network, asked, world }) => {
      const complaints = judge(world.rows, network);
      return Object.keys(complaints).length > 0 ? [{ asked, complaints }] : [];
    });
    expect(broken).toEqual([]);
  });
});

describe('the status bits of answers', () => {
  it('of the standard are 14', () => {
    const ofStandard = BITS.filter(([name]) => {
      return uplinkCommands[name as keyof typeof uplinkCommands].cid < FIRST_PROPRIETARY_CID;
    });
    expect(ofStandard).toHaveLength(14);
  });

  it.each(BITS)('%s.%s is seen set and clear, or the table says why not', (name, bit) => {
    const seen = worlds
      .flatMap(({ world }) => world.up)
      .filter((one) => one.name === name)
      .map(({ payload }) => Reflect.get(payload, bit));
    const expected = ALWAYS_SET[`${name}.${bit}`] === undefined ? [false, true] : [true];
    expect([...new Set(seen)].sort()).toEqual(expected);
  });
});
