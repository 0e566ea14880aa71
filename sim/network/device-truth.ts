/**
 * What devices really are, hold and hear, whatever their server believes: no operator of hardware
 * could ask for it. Keys are never reported.
 *
 * A device is settled before it is looked at. Where that takes frames of a group, a copy of the
 * network is settled in its place. In which order devices are settled decides no bit of a digest.
 * It decides where what they have received is stored, and so the bytes of a snapshot.
 */

import { SECOND_US } from '../base/units.ts';
import type { DeviceBrief, DeviceGroundTruth } from '../contract/truth.ts';
import { channelsOf, maxEirp } from '../device/channels.ts';
import { isClassB } from '../device/class-b/ping-slots.ts';
import { Activation, DeviceClass, NEVER, NO_COUNTER } from '../device/device-table.ts';
import { batteryLevel, energyPlan, joulesByCause, radioTimes } from '../device/energy.ts';
import { failuresOf } from '../device/failures.ts';
import { gpsErrorUs } from '../device/gps-clock.ts';
import { hasUnseen, settle } from '../device/multicast-settling.ts';
import { isStanding, McSessionState, NO_PING_SLOTS } from '../device/multicast-state.ts';
import { packagesFor } from '../device/packages/answers.ts';
import { Agenda } from '../kernel/agenda.ts';
import { NONE } from '../kernel/columns.ts';
import { gainOf, gatewayOf } from '../radio/links.ts';
import { hasChannel, readMask } from '../spectrum/channel-set.ts';
import { Network } from './network.ts';
import type { Sides } from './sides.ts';

/** By `Activation`. */
const ACTIVATIONS = ['none', 'joining', 'active'] as const;
/** By `UpImageStatus`. */
const IMAGES = ['none', 'corrupt', 'wrongHardware', 'valid'] as const;
/** By `McSessionState`. */
const SESSIONS = ['none', 'waiting', 'open'] as const;

/** All that was over by now, of those of the named ones that there are. */
export const groundTruthsOfDevices = (
  network: Network,
  devEuis: readonly string[],
): DeviceGroundTruth[] =>
  groundTruthsOf(network, devEuis, (sides, row) => ({ links: linksOf(sides, row) }));

/** The same with a count of the gateways in reach, for who looks at very many. */
export const deviceBriefs = (network: Network, devEuis: readonly string[]): DeviceBrief[] =>
  groundTruthsOf(network, devEuis, (sides, row) => ({ gateways: gatewayCount(sides, row) }));

function groundTruthsOf<Reach extends object>(
  network: Network,
  devEuis: readonly string[],
  reachOf: (sides: Sides, row: number) => Reach,
) {
  const side = network.sides.device;
  let copy: Network | undefined;
  return devEuis.flatMap((devEui) => {
    const row = side.devices.byEui(devEui);
    if (row === NONE) return [];
    if (!hasUnseen(side, row, side.agenda.nowUs - 1))
      return groundTruthOf(network.sides, row, reachOf);
    copy ??= copyOf(network);
    return groundTruthOf(copy.sides, row, reachOf);
  });
}

/** The same network by itself, which nobody observes or hears. */
function copyOf(network: Network): Network {
  const agenda = new Agenda();
  agenda.load(network.sides.device.agenda.save());
  const copy = new Network(network.plan, network.seed, agenda, {});
  copy.load(network.save());
  return copy;
}

/** The shape is that of `DeviceTruth` in `sim/contract/truth.ts`, which documents it. */
function groundTruthOf<Reach extends object>(
  sides: Sides,
  row: number,
  reachOf: (sides: Sides, row: number) => Reach,
) {
  const { nowUs } = sides.device.agenda;
  // What ends in the present microsecond is left to the events that follow in it.
  settle(sides.device, row, nowUs - 1);
  const c = sides.device.column;
  return {
    devEui: sides.device.devices.identities.of(row).devEui,
    deviceClass: classNow(sides, row, nowUs),
    activation: ACTIVATIONS[c.activation[row]]!,
    session: c.activation[row] === Activation.active ? sessionOf(sides, row) : null,
    clock: clockOf(sides, row, nowUs),
    firmware: firmwareOf(sides, row),
    blocks: blocksOf(sides, row),
    groups: groupsOf(sides, row),
    energy: energyOf(sides, row, nowUs),
    ...reachOf(sides, row),
    lastUplink: lastUplinkOf(sides, row),
    heardAtUs: timeOf(c.heardAtUs[row]),
    ...failuresOf(sides.device, row),
  };
}

/** Null: it has not happened. */
const timeOf = (us: number): number | null => (us === NEVER ? null : us);
const counterOf = (counter: number): number | null => (counter === NO_COUNTER ? null : counter);

function classNow({ device: side }: Sides, row: number, nowUs: number): 'A' | 'B' | 'C' {
  if (side.column.deviceClass[row] === DeviceClass.c) return 'C';
  return isClassB(side, row, nowUs) ? 'B' : 'A';
}

function sessionOf({ device: side }: Sides, row: number) {
  const c = side.column;
  const mask = readMask(c.channelMask, row);
  return {
    devAddr: c.devAddr[row],
    lorawan: c.minor[row] === 1 ? ('1.1' as const) : ('1.0' as const),
    fCntUp: c.fCntUp[row],
    fCntDown: counterOf(c.fCntDown[row]),
    aFCntDown: c.minor[row] === 1 ? counterOf(c.aFCntDown[row]) : null,
    dataRate: c.dataRate[row],
    txPowerIndex: c.txPowerIndex[row],
    nbTrans: c.nbTrans[row],
    channels: channelsOf(side, row).filter((one, i) => one && hasChannel(mask, i)).length,
    rx1DelayUs: c.rx1DelayS[row] * SECOND_US,
    rx2: { frequencyHz: c.rx2FrequencyHz[row], dataRate: c.rx2DataRate[row] },
  };
}

/** An error above 0 is ahead of true time. */
function clockOf({ device: side }: Sides, row: number, nowUs: number) {
  const { driftPpb, clockSetAtUs, startsAtUs } = side.column;
  return {
    errorUs: gpsErrorUs(side, row, nowUs),
    driftPpb: driftPpb[row],
    setAtUs: clockSetAtUs[row] <= startsAtUs[row] ? null : clockSetAtUs[row],
  };
}

function firmwareOf({ device: side }: Sides, row: number) {
  const c = side.column;
  const image = IMAGES[c.imageStatus[row]]!;
  return {
    version: c.fwVersion[row],
    hardwareVersion: c.hwVersion[row],
    image,
    nextVersion: image === 'valid' ? c.nextFwVersion[row] : null,
    rebootAtUs: timeOf(c.rebootAtUs[row]),
  };
}

// ── what it was sent by multicast ────────────────────────────────────────────────────────────────

/** Its fragmentation sessions, in the order of FragIndex. */
function blocksOf({ device: side }: Sides, row: number) {
  const s = side.multicast.fragSessions.column;
  return rowsOf(side.column.fragSessions[row], s.next)
    .map((at) => ({
      fragIndex: s.fragIndex[at],
      mcGroupIds: groupIdsOf(s.mcGroupBitMask[at]),
      nbFrag: s.nbFrag[at],
      fragSize: s.fragSize[at],
      received: s.received[at],
      distinct: s.distinct[at],
      missing: s.complete[at] === 1 ? 0 : missingOf(side, row, at),
      complete: s.complete[at] === 1,
      completedAtUs: s.complete[at] === 1 ? s.completedAtUs[at] : null,
      micError: s.micError[at] === 1,
      memoryError: s.memoryError[at] === 1,
    }))
    .sort((a, b) => a.fragIndex - b.fragIndex);
}

/** McGroupIDs whose bits are set. */
const groupIdsOf = (mask: number): number[] => [0, 1, 2, 3].filter((id) => (mask >> id) & 1);

/** Missing rank: number of further independent fragments that complete the block. */
function missingOf(side: Sides['device'], row: number, at: number): number {
  const s = side.multicast.fragSessions.column;
  const { version } = packagesFor(side, row).fragmentation;
  const model = side.multicast.rankModel(version, s.nbFrag[at]);
  return model.missingAfter(side.multicast.fragmentBits.words, s.bitsAt[at], s.highest[at]);
}

/** Groups whose keys it has, in the order of McGroupID: those it was given with its own last. */
function groupsOf({ device: side }: Sides, row: number) {
  const g = side.multicast.mcGroups.column;
  return rowsOf(side.column.mcGroups[row], g.next)
    .map((at) => ({
      mcGroupId: isStanding(g.mcGroupId[at]) ? null : g.mcGroupId[at],
      mcAddr: g.mcAddr[at],
      fCnt: counterOf(g.fCnt[at]),
      session: isStanding(g.mcGroupId[at]) ? ('standing' as const) : SESSIONS[g.sessionState[at]]!,
      window: g.sessionState[at] === McSessionState.none ? null : windowOf(g, at),
    }))
    .sort(byGroupId);
}

const byGroupId = (a: GroupId, b: GroupId): number =>
  (a.mcGroupId ?? STANDING_LAST) - (b.mcGroupId ?? STANDING_LAST) || a.mcAddr - b.mcAddr;

interface GroupId {
  readonly mcGroupId: number | null;
  readonly mcAddr: number;
}

const STANDING_LAST = 0x100;

/** When its session is open by the device's own clock, in true time, and on which channel. */
const windowOf = (g: Sides['device']['multicast']['mcGroups']['column'], at: number) => ({
  deviceClass: g.periodicity[at] === NO_PING_SLOTS ? ('C' as const) : ('B' as const),
  opensAtUs: g.opensAtUs[at],
  closesAtUs: g.closesAtUs[at],
  frequencyHz: g.frequencyHz[at],
  dataRate: g.dataRate[at],
});

/** Rows of a chain. */
function rowsOf(head: number, next: Int32Array): number[] {
  const rows: number[] = [];
  for (let at = head; at !== NONE; at = next[at]) rows.push(at);
  return rows;
}

// ── energy and reach ───────────────────────────────────────────────────────────────────────────

/** Null: nobody counts what devices of its type draw. */
function energyOf({ device: side }: Sides, row: number, nowUs: number) {
  if (energyPlan(side, row) === undefined) return null;
  return {
    aliveUs: radioTimes(side, row, nowUs).aliveUs,
    diedAtUs: timeOf(side.energy.column.diedAtUs[row]),
    battery: batteryLevel(side, row, nowUs),
    joules: joulesByCause(side, row, nowUs),
  };
}

/**
 * Median levels, without fading, to and from the gateways in reach, strongest first: up at its
 * present data rate and power, down in RX2 with all the power that is allowed there.
 */
function linksOf({ device: side, server, noiseCentiDbm }: Sides, row: number) {
  const { links, plan } = side;
  const { dataRate, rx2DataRate, rx2FrequencyHz } = side.column;
  const eirp = uplinkEirp(side, row);
  const rx2 = plan.bands[plan.bandOf(rx2FrequencyHz[row])]!;
  const first = links.starts[row];
  const frequencyHz = side.uplinkAir.flights.column.frequencyHz[row];
  const reached = [];
  for (let link = first; link < first + links.counts[row]; link++) {
    const gateway = gatewayOf(links.all[link]);
    if (!server.gateways.isInService(gateway)) continue;
    const { eui, antennaGainCentiDb, plan: hardware } = server.gateways.stations[gateway]!;
    const up = eirp + gainOf(links.all[link]);
    const noise = links.gatewayFaults.noiseCentiDb(gateway, frequencyHz);
    const sent = Math.min(hardware.maxEirpCentiDbm, rx2.maxEirpCentiDbm) - antennaGainCentiDb;
    const down = sent + gainOf(links.all[link]) + links.antennaGains[row];
    reached.push({
      gatewayEui: eui,
      upCentiDbm: up,
      upSnrCentiDb: up - noise - noiseCentiDbm[dataRate[row]]!,
      upMarginCentiDb: up - noise - plan.gatewaySensitivityCentiDbm[dataRate[row]]!,
      downCentiDbm: down,
      downMarginCentiDb: down - plan.deviceSensitivityCentiDbm[rx2DataRate[row]]!,
    });
  }
  return reached;
}

/** How many of these links have a margin up of 0 or more. */
function gatewayCount({ device: side, server }: Sides, row: number): number {
  const { links, plan } = side;
  const eirp = uplinkEirp(side, row);
  const sensitivity = plan.gatewaySensitivityCentiDbm[side.column.dataRate[row]]!;
  const frequencyHz = side.uplinkAir.flights.column.frequencyHz[row];
  const first = links.starts[row];
  let count = 0;
  for (let link = first; link < first + links.counts[row]; link++) {
    const gateway = gatewayOf(links.all[link]);
    if (!server.gateways.isInService(gateway)) continue;
    const noise = links.gatewayFaults.noiseCentiDb(gateway, frequencyHz);
    if (eirp + gainOf(links.all[link]) - noise - sensitivity >= 0) count++;
  }
  return count;
}

/** Radiated power of its uplinks, 1/100 dBm. */
export const uplinkEirp = (side: Sides['device'], row: number): number => {
  const powerIndex = side.column.txPowerIndex[row];
  return side.plan.uplinkEirp(maxEirp(side, row), powerIndex, bandOfUplinks(side, row));
};

/** Of the channel that carried its latest uplink. */
const bandOfUplinks = (side: Sides['device'], row: number): number =>
  channelsOf(side, row)[side.column.channel[row]]?.band ?? side.plan.channels[0]!.band;

/** Its latest transmission, joins and repetitions among them; null before the first. */
function lastUplinkOf({ device: side }: Sides, row: number) {
  const { frames, uplinkDataRate } = side.column;
  if (frames[row] === 0) return null;
  const { startsAtUs, endsAtUs, frequencyHz, onAir } = side.uplinkAir.flights.column;
  return {
    beganAtUs: startsAtUs[row],
    endsAtUs: endsAtUs[row],
    onAir: onAir[row] === 1,
    frequencyHz: frequencyHz[row],
    dataRate: uplinkDataRate[row],
  };
}
