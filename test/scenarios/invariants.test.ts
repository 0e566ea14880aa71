/** The laws themselves: a lawful trace passes, and every law notices bugs planted for it. */
import { describe, expect, it } from 'vitest';
import { airtimeUs } from '../../scenarios/testing/laws/airtime.ts';
import { judge, LAWS, type LawName } from '../../scenarios/testing/laws/laws.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { ANSWER_BUGS, ANSWER_PLAN, answerTrace } from '../support/answer-bugs.ts';
import { CLASS_B_BUGS, CLASS_B_PLAN, classBTrace } from '../support/class-b-bugs.ts';
import { ENERGY_BUGS } from '../support/energy-bugs.ts';
import { PACKAGE_BUGS, PACKAGE_PLAN, packageTrace } from '../support/package-bugs.ts';
import {
  again,
  type Bug,
  change,
  drop,
  failing,
  fateAt,
  find,
  heardAt,
  later,
  levelAt,
  muting,
  noisy,
  type RowOf,
  sendOften,
  shift,
} from '../support/planted-bugs.ts';
import { lawfulTrace, SCENE_PLAN } from '../support/scene.ts';
import { SETTINGS_BUGS, SETTINGS_PLAN, settingsTrace } from '../support/settings-bugs.ts';

/** What the plan says where a law needs another region than the scene's. */
const ELSEWHERE: Partial<Record<LawName, Partial<NetworkPlan>>> = {
  dwellTimesAreKept: { region: 'US915' },
  channelsAreQuietBefore: { region: 'KR920' },
  uplinksKeepToChannels: {
    uplinkChannelsHz: [868_100_000],
    deviceTypes: SCENE_PLAN.deviceTypes.map((type) => ({ ...type, adr: true })),
  },
};

/** At least one planted bug for every law. */
/** A data frame with RXParamSetupAns in its FOpts. */
const RX_PARAM_SETUP_ANS = '4000000000020000050700000000';

const BUGS: Readonly<
  Record<
    Exclude<
      LawName,
      | keyof typeof ANSWER_BUGS
      | keyof typeof CLASS_B_BUGS
      | keyof typeof ENERGY_BUGS
      | keyof typeof PACKAGE_BUGS
      | keyof typeof SETTINGS_BUGS
    >,
    Readonly<Record<string, Bug>>
  >
> = {
  timeNeverGoesBack: {
    'two rows change places': (rows) => [rows.at(-1)!, ...rows.slice(0, -1)],
  },
  oneFate: {
    'a frame never ends': drop('uplinkEnds', { device: 'otter' }),
    'a frame ends twice': again('uplinkEnds', { device: 'otter' }),
    'a frame ends late': change('uplinkEnds', { device: 'otter' }, later(1)),
    'a gateway has two fates': change('uplinkEnds', { device: 'vole' }, ({ gateways }) => ({
      gateways: [...gateways, gateways[0]],
    })),
    'a fate is unknown': fateAt('otter', 0, 'north', 'asleep'),
    'a number is skipped': change('uplinkBegins', { device: 'heron', frame: 3 }, () => ({
      frame: 4,
    })),
  },
  downlinksEnd: {
    'a downlink never ends': drop('downlinkEnds', { gateway: 'south' }),
    'a downlink ends early': change('downlinkEnds', { gateway: 'south' }, later(-1)),
    'a downlink begins twice': again('downlinkBegins', { gateway: 'south' }),
    'a device hears it twice': change('downlinkEnds', { gateway: 'south' }, ({ devices }) => ({
      devices: [...devices, ...devices],
    })),
  },
  sensitivity: {
    'a weak frame is received': levelAt('heron', 3, 'north', -13001),
    'a strong frame is too weak': fateAt('heron', 3, 'north', 'tooWeak'),
    'a device hears too weak a frame': heardAt('north', -12401),
  },
  noiseTakesTheWeak: {
    'noise takes a frame where there is no theory of it': fateAt('heron', 3, 'north', 'noise'),
    'noise takes a downlink': change('downlinkEnds', { gateway: 'north' }, (row) => ({
      devices: row.devices.map((one) => ({ ...one, fate: 'noise' as const })),
    })),
  },
  linksGiveNoPower: {
    'a gateway hears more than was radiated': levelAt('heron', 3, 'north', 3000),
    'a device hears more than was radiated': heardAt('north', 6000),
  },
  constantLinks: { 'a level differs from the others': levelAt('heron', 3, 'north', -9601) },
  gatewaysAreHalfDuplex: {
    'a gateway receives while it sends': fateAt('vole', 1, 'north', 'received'),
    'a gateway is deaf without sending': fateAt('vole', 1, 'south', 'halfDuplex'),
    'a gateway sends two frames at once': again(
      'downlinkBegins',
      { gateway: 'north', downlink: 1 },
      { downlink: 7 },
    ),
  },
  failedRadiosAreSilent: {
    'a radio that has failed sends': failing('north', 'radio', 5e6, 10e6),
    'a radio that fails receives on': failing('south', 'radio', 20.02e6, 30e6),
    'a frame is lost to a radio that works': fateAt('vole', 1, 'south', 'radioFault'),
  },
  noiseDrownsTheWeak: {
    'a frame is jammed without noise': fateAt('vole', 1, 'south', 'jammed'),
    'a frame is received in noise': noisy('north', 10_000),
  },
  muteDevicesAreAlone: {
    'a device whose radio has failed is heard': muting('vole', 0, 60e6),
    'a device whose radio has failed hears': muting('heron', 5e6, 10e6),
    'a device whose radio has failed hears a group': (rows) => {
      const { atUs } = rows.at(-1)!;
      const heard = { kind: 'multicastDecided', mcAddr: 7, fCnt: 1, fate: 'heard' } as const;
      const late = { ...heard, device: 'otter', atUs: atUs + 3e6, endedAtUs: atUs + 2e6 };
      return [...muting('otter', atUs + 1e6, atUs + 3e6)(rows), late];
    },
  },
  receptionPaths: {
    'a gateway holds one more than it can': fateAt('vole', 0, 'south', 'interfered'),
    'a path is free yet none is found': fateAt('heron', 3, 'south', 'noPath'),
    'a path takes what it cannot demodulate': change('uplinkBegins', { device: 'otter' }, () => ({
      spreadingFactor: 13,
    })),
  },
  interferenceOfUplinks: {
    'a disturbed frame is received': fateAt('otter', 0, 'south', 'received'),
    'a frame is interfered by none': fateAt('heron', 3, 'north', 'interfered'),
  },
  interferenceOfDownlinks: {
    'a frame is interfered by none': change('downlinkEnds', { gateway: 'north' }, (row) => ({
      devices: row.devices.map((one) => ({ ...one, fate: 'interfered' as const })),
    })),
    'a level is not that of the link': change('downlinkEnds', { gateway: 'north' }, (row) => ({
      devices: row.devices.map((one) => ({ ...one, rssiCentiDbm: one.rssiCentiDbm + 1 })),
    })),
    'a frame as strong at the same time does no harm': (rows) => {
      const at = find(rows, 'downlinkBegins', { gateway: 'north' });
      const { atUs } = rows[at];
      const other = { gateway: 'south', downlink: 9, eirpCentiDbm: 2400 };
      return rows.toSpliced(at, 0, { ...(rows[at] as RowOf<'downlinkBegins'>), ...other, atUs });
    },
  },
  subBandsAndPowers: {
    'a frequency is outside': change('uplinkBegins', { device: 'otter' }, () => ({
      frequencyHz: 868_650_000,
    })),
    'a channel reaches over its sub-band': change('uplinkBegins', { device: 'otter' }, () => ({
      frequencyHz: 868_550_000,
    })),
    'a power is too high': change('downlinkBegins', { gateway: 'north' }, () => ({
      eirpCentiDbm: 1616,
    })),
  },
  subBandBudgets: {
    'a device sends 36.03 s in an hour': sendOften('otter', 584, 6_000_000),
    'a gateway sends 36.1 s in an hour': (rows) => {
      const begins = rows[find(rows, 'downlinkBegins', { gateway: 'north' })];
      return Array.from({ length: 503 }, (_, downlink) => ({
        ...(begins as RowOf<'downlinkBegins'>),
        downlink,
        atUs: downlink * 7_000_000,
      }));
    },
  },
  timesOnAir: {
    'an uplink is short of a symbol': change('uplinkBegins', { device: 'otter' }, (row) => ({
      airtimeUs: row.airtimeUs - 1024,
    })),
    'a downlink has a payload CRC': change('downlinkBegins', { gateway: 'north' }, (row) => ({
      airtimeUs: airtimeUs(row, 1) + 5120,
    })),
  },
  uplinksKeepToChannels: {
    'an uplink is on no channel of the network': change(
      'uplinkBegins',
      { device: 'otter' },
      () => ({
        frequencyHz: 867_100_000,
      }),
    ),
    'a device goes to another default channel by itself': (rows) =>
      sendOften(
        'otter',
        128,
        60e6,
      )(rows).map((row) =>
        row.kind === 'uplinkBegins' && row.frame === 127
          ? { ...row, frequencyHz: 868_500_000 }
          : row,
      ),
    'a channel carries a data rate it does not have': change(
      'uplinkBegins',
      { device: 'otter' },
      () => ({ bandwidthHz: 250_000 }),
    ),
  },
  channelsAreQuietBefore: {
    'a device sends into a neighbour it hears': change(
      'uplinkBegins',
      { device: 'otter' },
      (row) => ({ eirpCentiDbm: 9000, airtimeUs: row.airtimeUs + 60_000_000 }),
    ),
  },
  dwellTimesAreKept: {
    'an uplink lasts too long': change('uplinkBegins', { device: 'otter' }, () => ({
      airtimeUs: 400_001,
    })),
  },
  payloadsFit: {
    'an uplink is too long for its data rate': change('uplinkBegins', { device: 'otter' }, () => ({
      phyBytes: 65,
      spreadingFactor: 12,
    })),
    'a downlink is too long for its data rate': change(
      'downlinkPlanned',
      { purpose: 'data' },
      () => ({ phyBytes: 65, spreadingFactor: 12 }),
    ),
  },
  devicesStartOnce: {
    'a device acts unborn': drop('deviceStarts', { device: 'otter' }),
    'a device starts again': again('deviceStarts', { device: 'otter' }),
    'a device acts before it is on': change('deviceStarts', { device: 'otter' }, () => ({
      powerOnAtUs: 25e6,
    })),
    'a device is on before it is there': change('deviceStarts', { device: 'otter' }, later(5e6)),
  },
  devicesAreHalfDuplex: {
    'a device sends two frames at once': shift('heron', 3, -14_990_000),
    'a device hears while it sends': shift('heron', 3, 46_010_000 - 60_000_000),
    'who follows under a name hears while it sends': (rows) => {
      const at = find(rows, 'uplinkBegins', { device: 'heron', frame: 2 });
      const { atUs } = rows[at];
      const removed = { kind: 'deviceRemoved', atUs: atUs - 1, device: 'heron' } as const;
      const request = rows[find(rows, 'uplinkBegins', { device: 'heron', frame: 0 })];
      const next = { ...(request as RowOf<'uplinkBegins'>), atUs: atUs + 1_050_000 };
      return [...rows.slice(0, at), removed, next, ...rows.slice(at + 1)];
    },
  },
  windowsOpenInTime: {
    'no windows open': drop('receiveWindows', { device: 'heron', frame: 3 }),
    'the windows open twice': again('receiveWindows', { device: 'heron', frame: 3 }),
    'RX1 opens one second late': change('receiveWindows', { device: 'otter' }, ({ rx1 }) => ({
      rx1: { ...rx1, opensAtUs: rx1.opensAtUs + 1e6, closesAtUs: rx1.closesAtUs + 1e6 },
    })),
    'RX2 opens one second early': change('receiveWindows', { device: 'heron' }, ({ rx2 }) => ({
      rx2: { ...rx2, opensAtUs: rx2.opensAtUs - 1e6, closesAtUs: rx2.closesAtUs - 1e6 },
    })),
    'RX1 is five symbols long': change('receiveWindows', { device: 'otter' }, ({ rx1 }) => ({
      rx1: { ...rx1, opensAtUs: rx1.opensAtUs + 9000, closesAtUs: rx1.opensAtUs + 14_120 },
    })),
    'RX1 has its old delay after a RXTimingSetupReq': change(
      'downlinkPlanned',
      { purpose: 'data', counter: 1 },
      () => ({ phyPayload: '60000000000201000803'.concat('00000000') }),
    ),
    'RX2 never closes': change('receiveWindows', { device: 'otter' }, ({ rx2 }) => ({
      rx2: { ...rx2, closesAtUs: rx2.closesAtUs + 10e6 },
    })),
  },
  radiosDoOneThing: {
    'RX2 opens before RX1 closes': change(
      'receiveWindows',
      { device: 'otter' },
      ({ rx1, rx2 }) => ({
        rx2: { ...rx2, opensAtUs: rx1.closesAtUs - 1 },
      }),
    ),
    'RX1 opens while it sends': change('receiveWindows', { device: 'otter' }, (row) => ({
      rx1: { ...row.rx1, opensAtUs: row.atUs - 1 },
    })),
  },
  emptyBatteriesAreSilent: {
    'a device sends after its death': (rows) => [
      { kind: 'deviceDies', atUs: 19e6, device: 'otter' },
      ...rows,
    ],
    'a device receives after its death': (rows) => [
      ...rows,
      { kind: 'deviceDies', atUs: 50e6, device: 'heron' },
    ],
  },
  windowsAreWhereTheRegionSays: {
    'RX1 is on another channel': change('receiveWindows', { device: 'otter' }, ({ rx1 }) => ({
      rx1: { ...rx1, frequencyHz: 868_300_000 },
    })),
    'RX1 is slower than its offset': change('receiveWindows', { device: 'heron' }, ({ rx1 }) => ({
      rx1: { ...rx1, spreadingFactor: 8 },
    })),
    'RX2 is on the channel of RX1': change('receiveWindows', { device: 'otter' }, ({ rx2 }) => ({
      rx2: { ...rx2, frequencyHz: 868_100_000 },
    })),
    'RX2 has another data rate': change('receiveWindows', { device: 'otter' }, ({ rx2 }) => ({
      rx2: { ...rx2, spreadingFactor: 9 },
    })),
  },
  devicesWaitForTheirWindows: {
    'a device does not wait for RX2': shift('heron', 2, 42_000_000 - 45_000_000),
  },
  repetitionsKeepTheirCounter: {
    'a repetition counts': change('uplinkBegins', { attempt: 2 }, () => ({ counter: 1 })),
    'a repetition is no longer confirmed': change('uplinkBegins', { attempt: 2 }, () => ({
      confirmed: false,
    })),
    'a repetition has other bytes': change('uplinkBegins', { attempt: 2 }, () => ({
      phyPayload: '40',
    })),
    'a repetition skips an attempt': change('uplinkBegins', { attempt: 2 }, () => ({ attempt: 3 })),
    'a repetition comes 0.9 s after RX2': shift('heron', 2, -1_810_000),
    'the ninth of eight tries': change('uplinkBegins', { attempt: 2 }, () => ({ attempt: 9 })),
  },
  answeredMessagesAreNotRepeated: {
    'an acknowledged message is repeated': change(
      'uplinkBegins',
      { device: 'heron', frame: 3 },
      () => ({ attempt: 3, counter: 0, confirmed: true, phyPayload: 'herondata0' }),
    ),
  },
  acknowledgementsAnswer: {
    'what was not confirmed is acknowledged': change('uplinkBegins', { attempt: 2 }, () => ({
      confirmed: false,
    })),
  },
  countersGrow: {
    'FCntUp stands still': change('uplinkBegins', { device: 'vole', frame: 1 }, () => ({
      counter: 0,
    })),
    'FCntUp jumps': change('uplinkBegins', { device: 'vole', frame: 1 }, () => ({ counter: 2 })),
    'FCntUp does not begin at 0': change('uplinkBegins', { device: 'otter' }, () => ({
      counter: 1,
    })),
    'a DevNonce is used again': again(
      'uplinkBegins',
      { device: 'heron', frame: 0 },
      { frame: 1, atUs: 1.5e6 },
    ),
    'a JoinNonce is used again': again('deviceReceives', { purpose: 'join' }),
    'an FCntDown is used again': again('deviceReceives', { purpose: 'data' }),
  },
  macCommandsAreKnown: {
    'an uplink carries a command of a vendor': change(
      'uplinkBegins',
      { device: 'vole', frame: 0 },
      () => ({ phyPayload: '400000000002000080aa00000000' }),
    ),
    'a command is cut short': change('uplinkBegins', { device: 'vole', frame: 0 }, () => ({
      phyPayload: '40000000000100000500000000',
    })),
    'a downlink carries a command that LoRaWAN does not have': change(
      'downlinkPlanned',
      { purpose: 'data', counter: 1 },
      () => ({ phyPayload: '60000000000100001400000000' }),
    ),
  },
  answersFollowRequests: {
    'a device answers what nobody asked': change(
      'uplinkBegins',
      { device: 'vole', frame: 0 },
      () => ({ phyPayload: RX_PARAM_SETUP_ANS }),
    ),
  },
  stickyAnswersRepeat: {
    'an answer is said once only': change('uplinkBegins', { device: 'vole', frame: 0 }, () => ({
      phyPayload: RX_PARAM_SETUP_ANS,
    })),
  },
  noReplayIsAccepted: {
    'an uplink is accepted twice': (rows) =>
      again('uplinkCollected', { device: 'otter' })(
        rows.map((row) => (row.kind === 'uplinkCollected' ? { ...row, verdict: 'accepted' } : row)),
      ),
  },
  rejoinCountersGrow: {
    'RJcount does not begin at 0': change('uplinkBegins', { device: 'vole', frame: 1 }, () => ({
      purpose: 'rejoin' as const,
      counter: 3,
      phyPayload: 'c000',
    })),
    'RJcount1 begins again': (rows) =>
      [0, 1].reduce(
        (rows, frame) =>
          change('uplinkBegins', { device: 'vole', frame }, () => ({
            purpose: 'rejoin' as const,
            counter: 0,
            phyPayload: 'c001',
          }))(rows),
        rows,
      ),
  },
  joinsComeBeforeData: {
    'data is sent before the join': drop('deviceReceives', { purpose: 'join' }),
    'a personalised device joins': change('uplinkBegins', { device: 'otter' }, () => ({
      purpose: 'join' as const,
    })),
    'a join is accepted without a request': (rows) =>
      rows.filter((row) => row.kind !== 'uplinkBegins' || row.purpose === 'data'),
    'a session has no keys': change('uplinkBegins', { device: 'otter' }, (row) => {
      const { keys, ...rest } = row;
      expect(keys).toBeDefined();
      return { ...rest, keys: undefined } as never;
    }),
  },
  joinBackOff: {
    'a device joins every 6 s for an hour': sendOften('heron', 599, 6_000_000),
    'a device that is switched on late joins for 37 s in its first hour': (rows) =>
      sendOften(
        'heron',
        599,
        6_000_000,
      )(change('deviceStarts', { device: 'heron' }, () => ({ powerOnAtUs: 1800e6 }))(rows)).map(
        (row) => (row.kind === 'uplinkBegins' ? { ...row, atUs: row.atUs + 1800e6 } : row),
      ),
    'a device joins for 9 s a day': (rows) =>
      sendOften(
        'heron',
        150,
        1_000_000,
      )(rows).map((row) =>
        row.kind === 'uplinkBegins' ? { ...row, atUs: row.atUs + 12 * 3600e6 } : row,
      ),
  },
  downlinksArePlannedForAWindow: {
    'a downlink starts 20 ms late': change('downlinkPlanned', { window: 2 }, (row) => ({
      startsAtUs: row.startsAtUs + 20_000,
    })),
    'RX2 is taken for RX1': change('downlinkPlanned', { window: 2 }, () => ({
      window: 1 as const,
    })),
    'it is sent as nobody listens': change('downlinkPlanned', { window: 2 }, () => ({
      spreadingFactor: 9,
    })),
    'it answers a device that sent nothing': change('downlinkPlanned', { window: 2 }, () => ({
      devEui: 'CC00000000000001',
    })),
    'data answers a join request': change('downlinkPlanned', { purpose: 'join' }, () => ({
      purpose: 'data' as const,
    })),
  },
  onlyClassCIsSentToAtOnce: {
    'a class A device is sent to at once': change(
      'downlinkPlanned',
      { purpose: 'data', window: 2 },
      () => ({ window: 0 as const }),
    ),
  },
  downlinksAreSentAsPlanned: {
    'a downlink was never planned': drop('downlinkPlanned', { window: 2 }),
    'a downlink is sent late': change('downlinkBegins', { gateway: 'south' }, later(1)),
    'a downlink changes its channel': change('downlinkBegins', { gateway: 'south' }, () => ({
      frequencyHz: 868_300_000,
    })),
  },
  refusedDownlinksAreNotSent: {
    'a refused downlink is sent': (rows) =>
      rows.toSpliced(find(rows, 'downlinkBegins', { gateway: 'south' }), 0, {
        kind: 'downlinkRefused',
        atUs: 41_000_000,
        gateway: 'south',
        downlink: 0,
        reason: 'tooLate',
      }),
    'a downlink is planned twice': again('downlinkPlanned', { window: 2 }),
  },
  plannedCountersGrow: {
    'an FCntDown is planned again': change(
      'downlinkPlanned',
      { purpose: 'data', counter: 1 },
      () => ({ counter: 0 }),
    ),
    'a JoinNonce is planned again': again('downlinkPlanned', { purpose: 'join' }),
  },
  countersGrowOnAir: {
    'a later one comes first': change('downlinkPlanned', { counter: 0 }, () => ({ counter: 7 })),
  },
  downlinksAreHeardInAWindow: {
    'a device hears after its window': change('downlinkBegins', { gateway: 'south' }, later(5e5)),
    'a device hears on another channel': change('downlinkBegins', { gateway: 'south' }, () => ({
      frequencyHz: 868_300_000,
    })),
    'a device hears that never listens': change('downlinkEnds', { gateway: 'south' }, (row) => ({
      devices: [...row.devices, { device: 'newt', rssiCentiDbm: -9000, fate: 'notForMe' as const }],
    })),
  },
  acceptedFramesWereHeard: {
    'a lost frame is accepted': change('downlinkEnds', { gateway: 'north' }, (row) => ({
      devices: row.devices.map((one) => ({ ...one, fate: 'frameLoss' as const })),
    })),
    'another counter is accepted': change('deviceReceives', { purpose: 'data' }, () => ({
      counter: 2,
    })),
    'a frame for another device is accepted': change('downlinkPlanned', { counter: 1 }, () => ({
      devEui: 'BB00000000000002',
    })),
  },
  downBackhaulsCarryNothing: {
    'a downlink comes over a backhaul that is down': failing('north', 'backhaul', 1.1e6, 2e6),
  },
  copiesWereReceived: {
    'a copy comes from nowhere': change('uplinkCollected', { device: 'otter' }, () => ({
      copies: 2,
    })),
    'a copy comes over a backhaul that is down': failing('north', 'backhaul', 20e6, 30e6),
    'an uplink is collected twice': again('uplinkCollected', { device: 'otter' }),
    'an uplink is collected before it ends': change('uplinkCollected', { device: 'otter' }, () => ({
      atUs: 20_000_001,
    })),
  },
};

describe('a lawful trace', () => {
  it('breaks no law', () => {
    expect(judge(lawfulTrace(), SCENE_PLAN)).toEqual({});
  });

  it('holds every kind of row and fate that the laws speak of', () => {
    const rows = lawfulTrace();
    const fates = rows.flatMap((row) =>
      row.kind === 'uplinkEnds' ? row.gateways.map(({ fate }) => fate) : [],
    );
    expect(new Set(fates)).toEqual(new Set(['received', 'interfered', 'noPath', 'halfDuplex']));
    expect(new Set(rows.map(({ kind }) => kind)).size).toBe(9);
  });

  it('stays as it is when judged', () => {
    const rows = Object.freeze(lawfulTrace().map((row) => Object.freeze(row)));
    judge(rows, SCENE_PLAN);
    expect(rows).toEqual(lawfulTrace());
  });

  it('breaks no law when a device is removed on the air and set up again', () => {
    const rows = lawfulTrace();
    const at = find(rows, 'uplinkBegins', { device: 'heron', frame: 3 });
    const { atUs } = rows[at];
    const removed = { kind: 'deviceRemoved', atUs: atUs + 1000, device: 'heron' } as const;
    const starts = rows[find(rows, 'deviceStarts', { device: 'heron' })];
    const request = rows[find(rows, 'uplinkBegins', { device: 'heron', frame: 0 })];
    const reborn = [
      { ...starts, atUs: atUs + 2000, powerOnAtUs: atUs + 2000 },
      { ...request, atUs: atUs + 3000 },
    ];
    expect(judge([...rows.slice(0, at + 1), removed, ...reborn], SCENE_PLAN)).toEqual({});
  });
});

describe.each(Object.entries(BUGS))('the law %s', (name, bugs) => {
  it.each(Object.entries(bugs))('notices: %s', (_, bug) => {
    const plan = { ...SCENE_PLAN, ...ELSEWHERE[name as LawName] };
    expect(judge(lawfulTrace(), plan)).not.toHaveProperty(name);
    expect(judge(bug(lawfulTrace()), plan)).toHaveProperty(name);
  });
});

describe.each(Object.entries(CLASS_B_BUGS))('the law %s', (name, bugs) => {
  it.each(Object.entries(bugs))('notices: %s', (_, bug) => {
    expect(judge(bug(classBTrace()), CLASS_B_PLAN)).toHaveProperty(name);
  });
});

describe.each(Object.entries(PACKAGE_BUGS))('the law %s', (name, bugs) => {
  it.each(Object.entries(bugs))('notices: %s', (_, bug) => {
    expect(judge(bug(packageTrace()), PACKAGE_PLAN)).toHaveProperty(name);
  });
});

describe.each(Object.entries(ANSWER_BUGS))('the law %s', (name, bugs) => {
  it.each(Object.entries(bugs))('notices: %s', (_, bug) => {
    expect(judge(bug(answerTrace()), ANSWER_PLAN)).toHaveProperty(name);
  });
});

describe.each(Object.entries(SETTINGS_BUGS))('the law %s', (name, bugs) => {
  it.each(Object.entries(bugs))('notices: %s', (_, bug) => {
    expect(judge(bug(settingsTrace()), SETTINGS_PLAN)).toHaveProperty(name);
  });
});

describe('the laws', () => {
  it('find nothing where devices are set over the air', () => {
    expect(judge(settingsTrace(), SETTINGS_PLAN)).toEqual({});
  });

  it('find nothing where devices answer', () => {
    expect(judge(answerTrace(), ANSWER_PLAN)).toEqual({});
  });

  it('find nothing where devices are in several groups', () => {
    expect(judge(packageTrace(), PACKAGE_PLAN)).toEqual({});
  });

  it('find nothing in a world of class B', () => {
    expect(judge(classBTrace(), CLASS_B_PLAN)).toEqual({});
  });

  it('all have a planted bug', () => {
    const ofScenes = { ...ANSWER_BUGS, ...CLASS_B_BUGS, ...ENERGY_BUGS };
    const all = { ...BUGS, ...ofScenes, ...PACKAGE_BUGS, ...SETTINGS_BUGS };
    expect(Object.keys(all).sort()).toEqual(Object.keys(LAWS).sort());
    for (const bugs of Object.values(BUGS)) expect(Object.keys(bugs)).not.toEqual([]);
  });

  it('judge by the model of interference that the plan names', () => {
    const under = (model: NetworkPlan['radio']['interference']['model']) => {
      const interference = { ...SCENE_PLAN.radio.interference, model };
      return judge(lawfulTrace(), { ...SCENE_PLAN, radio: { ...SCENE_PLAN.radio, interference } });
    };
    expect(under('off')).toHaveProperty('interferenceOfUplinks.length', 2);
    expect(under('aloha')).toHaveProperty('interferenceOfUplinks.length', 1);
  });

  it('allow all default channels after 128 uplinks without an answer', () => {
    const plan = { ...SCENE_PLAN, ...ELSEWHERE.uplinksKeepToChannels };
    const rows = sendOften(
      'otter',
      130,
      60e6,
    )(lawfulTrace()).map((row) =>
      row.kind === 'uplinkBegins' && row.frame >= 128 ? { ...row, frequencyHz: 868_500_000 } : row,
    );
    expect(judge(rows, plan)).not.toHaveProperty('uplinksKeepToChannels');
    const deviceTypes = plan.deviceTypes.map((type) => ({ ...type, adr: false }));
    const patient = judge(rows, { ...plan, deviceTypes });
    expect(patient).toHaveProperty('uplinksKeepToChannels.length', 2);
  });

  it('hold budgets only for those that keep them', () => {
    const rows = sendOften('otter', 584, 6_000_000)(lawfulTrace());
    const deviceTypes = SCENE_PLAN.deviceTypes.map((type) => ({ ...type, dutyCycle: false }));
    expect(judge(rows, { ...SCENE_PLAN, deviceTypes })).not.toHaveProperty('subBandBudgets');
  });

  it('allow 35.97 s in an hour', () => {
    const rows = sendOften('otter', 583, 6_000_000)(lawfulTrace());
    expect(judge(rows, SCENE_PLAN)).not.toHaveProperty('subBandBudgets');
  });
});
