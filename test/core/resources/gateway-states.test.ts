/** How gateways are, and what has changed of them (rows 99, 100 and 105 to 107). */
import { describe, expect, it } from 'vitest';
import { finish } from '../../../core/base/in-steps.ts';
import { changesOf } from '../../../core/management/gateway-states/changes.ts';
import {
  bandOf,
  type Model,
  type OnRecord,
  statisticsOf,
} from '../../../core/management/gateway-states/figures.ts';
import {
  Histories,
  MOST_TURNS,
  type Turn,
} from '../../../core/management/gateway-states/history.ts';
import { GatewayTimeline } from '../../../core/management/gateway-states/timeline.ts';
import { REGION_NAMES } from '../../../sim/lorawan/region.ts';
import { Bench } from '../bench.ts';

const S = 1_000_000;
const HOUR_US = 3_600 * S;

const MODEL: Model = {
  Model: 'box',
  SoftwareVersion: '1.2.3',
  CPUPercent: 7,
  FreeMemKB: 1_024,
  CellProvider: 'tel',
  CellRSSI: -70,
  WiFiSSID: 'net',
  Interfaces: [
    { Name: 'eth0', Type: 'ethernet' },
    { Name: 'wwan0', Type: 'cellular' },
  ],
  VSWR: 1.3,
  SecureBackhaul: true,
};
const PLACED: OnRecord = {
  rfRegion: 'abcdefgh',
  gpsEnabled: false,
  latitude: 48.01,
  longitude: 11,
  heightMeters: 500,
  createdAtUs: 0,
};
const gateway = new Bench().view.gateways()[0]!;

/** At half past an hour. */
const report = (
  of: Partial<typeof gateway> = {},
  onRecord: Partial<OnRecord> = {},
  counted: { readonly up?: number; readonly lastUpUs?: number } = {},
) => {
  const packets = { up: 0, down: 0, lastUpUs: -1, lastDownUs: -1, ...counted };
  const facts = { nowUs: 1_000 * HOUR_US, unixMs: (us: number) => us / 1_000 + 1_800_000 };
  const one = { ...gateway, ...of };
  return statisticsOf(one, { ...PLACED, ...onRecord }, MODEL, 'EU868', packets, facts);
};

describe('statistics of a gateway', () => {
  it('are none before its first status', () => {
    expect(report({ lastStatusAtUs: () => null })).toBeNull();
  });

  it('say how its position is known, and what it is', () => {
    expect(report()).toMatchObject({
      LocationType: 'LOCATION_ADMINISTRATIVELY',
      LastGeoLatitude: 48.01,
      LastGeoValid: true,
    });
    expect(report({}, { gpsEnabled: true })).toMatchObject({ LocationType: 'LOCATION_GPS' });
    expect(report({}, { latitude: 0, longitude: 0 })).toMatchObject({
      LocationType: 'LOCATION_UNKNOWN',
      LastGeoValid: false,
    });
  });

  it('say what sets its clock', () => {
    const { hardware } = gateway;
    expect(report({ hardware: { ...hardware, gps: true } })).toMatchObject({
      GpsSyncStatus: 'LOCKED',
      TimeSyncStatus: 'GPS',
    });
    expect(report({ hardware: { ...hardware, gps: false } })).toMatchObject({
      GpsSyncStatus: 'LOCKING_OR_NO_SIGNAL',
      TimeSyncStatus: 'NTP',
    });
  });

  it('show faults in its interfaces and its radio', () => {
    const statesOf = (backhaulUp: boolean) =>
      report({ backhaulUp })!.InterfaceStatistics.map(({ Name, State }) => [Name, State]);
    expect(statesOf(true)).toEqual([
      ['eth0', 'UP_RUNNING_USED'],
      ['wwan0', 'UP_RUNNING'],
    ]);
    expect(statesOf(false)).toEqual([
      ['eth0', 'UP_NETWORKDOWN'],
      ['wwan0', 'UP_RUNNING'],
    ]);
    expect(report({ backhaulUp: false })).toMatchObject({
      SecureBackhaulEnabled: true,
      SecureBackhaulActive: false,
    });
    expect([report()!.RadioError, report({ radioUp: false })!.RadioError]).toEqual([
      '',
      'RF_ERROR',
    ]);
  });

  it('have whole packets an hour over the window: 24 hours, and what has run of this one', () => {
    const anHour = (up: number) => report({}, {}, { up })!.UplinkPacketPerHour;
    expect([49, 36, 37, 12, 13].map(anHour)).toEqual([2, 1, 2, 0, 1]);
  });

  it('have packets an hour since it came, where that is less than the window', () => {
    const anHour = (hours: number) =>
      report({}, { createdAtUs: (1_000 - hours) * HOUR_US }, { up: 49 })!.UplinkPacketPerHour;
    expect([0.5, 2, 7, 24.5, 25].map(anHour)).toEqual([98, 25, 7, 2, 2]);
    const silent = report({}, { createdAtUs: 1_000 * HOUR_US }, { up: 0 })!;
    expect(silent.UplinkPacketPerHour).toBe(0);
  });

  it('have the instants of its packets', () => {
    expect(report({}, {}, { lastUpUs: 0 })!.LastUplinkTime).toBe('1970-01-01T00:30:00Z');
    expect(report()!.LastUplinkTime).toBeNull();
  });

  it('name the band of every regional plan', () => {
    expect(REGION_NAMES.map(bandOf)).toEqual(REGION_NAMES.map((name) => name.split('-')[0]));
  });
});

const TURN: Turn = {
  atUs: 0,
  backhaulUp: true,
  radioUp: true,
  bootedAtUs: 0,
  rfRegion: 'here',
  statusAtUs: -1,
};

/** Changes of a gateway whose statuses are lost by nobody, every 30 s from 10 s on. */
function changes(turns: readonly Turn[], fromUs: number, untilUs: number) {
  const at = (number: number) => 10 * S + number * 30 * S;
  const handle = {
    hardware: gateway.hardware,
    firstSentUs(afterUs: number, until: number) {
      const first = at(Math.max(0, Math.floor((afterUs - 10 * S) / (30 * S)) + 1));
      return first <= until ? first : null;
    },
    latestSentUs(afterUs: number, until: number) {
      const latest = at(Math.floor((until - 10 * S) / (30 * S)));
      return latest > afterUs && latest >= 10 * S ? latest : null;
    },
  };
  const timeline = new GatewayTimeline(handle, turns);
  finish(timeline.between(fromUs, untilUs));
  return changesOf(timeline.moments, timeline.regionBefore).map(({ atUs, field, from, to }) => [
    atUs / S,
    field,
    from,
    to,
  ]);
}

describe('changes of a gateway', () => {
  it('begin with its first status, and what comes with it', () => {
    expect(changes([TURN], -1, HOUR_US)).toEqual([
      [10, 'REBOOT_TIME', '', 0],
      [10, 'BACKHAUL_CONNECTED', 'IF_UNKNOWN', 'UP_RUNNING_USED'],
      [10, 'PACKET_FORWARDER_CONNECTED', 'NEVERCNX', 'CNX'],
      [10, 'NS_CONNECT', 'false', 'true'],
      [10, 'ONLINE_STATUS', 'INIT', 'ACTIVE'],
      [10, 'PUSH_RF_CONFIG', '', 'here'],
    ]);
    expect(changes([TURN], 11 * S, HOUR_US)).toEqual([]);
  });

  it('tell another RF region when it is given to the gateway, which has to be connected', () => {
    const down = { ...TURN, atUs: 60 * S, backhaulUp: false, statusAtUs: 40 * S };
    const set = { ...down, atUs: 300 * S, rfRegion: 'there' };
    const up = { ...set, atUs: 600 * S, backhaulUp: true };
    const pushes = (turns: readonly Turn[], fromUs = 50 * S) =>
      changes(turns, fromUs, HOUR_US).filter(([, field]) => field === 'PUSH_RF_CONFIG');
    expect(pushes([TURN, down, set, up])).toEqual([[610, 'PUSH_RF_CONFIG', 'here', 'there']]);
    expect(pushes([TURN, down, set, up], 400 * S)).toEqual([
      [610, 'PUSH_RF_CONFIG', 'here', 'there'],
    ]);
    expect(pushes([TURN, down, set, up], 700 * S)).toEqual([]);
    const at60 = { ...TURN, atUs: 60 * S, rfRegion: 'there', statusAtUs: 40 * S };
    expect(pushes([TURN, at60])).toEqual([[60, 'PUSH_RF_CONFIG', 'here', 'there']]);
    // Set to another one and back while nobody could tell it.
    expect(pushes([TURN, down, set, { ...up, rfRegion: 'here' }])).toEqual([]);
  });

  it('tell of a backhaul that fails for less than 90 s, which is connected all the time', () => {
    const down = { ...TURN, atUs: 65 * S, backhaulUp: false, statusAtUs: 40 * S };
    const up = { ...down, atUs: 120 * S, backhaulUp: true };
    expect(changes([TURN, down, up], 50 * S, HOUR_US)).toEqual([
      [65, 'BACKHAUL_DISCONNECTED', 'UP_RUNNING_USED', 'UP_NETWORKDOWN'],
      [120, 'BACKHAUL_CONNECTED', 'UP_NETWORKDOWN', 'UP_RUNNING_USED'],
    ]);
  });

  it('tell of a silence 90 s and a microsecond after the last status', () => {
    const down = { ...TURN, atUs: 65 * S, backhaulUp: false, statusAtUs: 40 * S };
    const reports = changes([TURN, down], 66 * S, HOUR_US);
    expect(reports).toEqual([
      [130.000001, 'PACKET_FORWARDER_DISCONNECTED', 'CNX', 'DISC'],
      [130.000001, 'NS_CONNECT', 'true', 'false'],
      [130.000001, 'ONLINE_STATUS', 'ACTIVE', 'BACKHAUL_CNX_ERROR'],
    ]);
  });
});

describe('what has happened to a gateway', () => {
  it('is stored however old it is, and is so much at the most: the latest', () => {
    const histories = new Histories();
    for (let turn = 0; turn < MOST_TURNS + 100; turn++) histories.add('A', { ...TURN, atUs: turn });
    expect(histories.of('A')).toHaveLength(MOST_TURNS);
    expect(histories.of('A')[0]!.atUs).toBe(100);
    expect(histories.of('A').at(-1)!.atUs).toBe(MOST_TURNS + 99);
    expect(histories.of('B')).toEqual([]);
  });
});
