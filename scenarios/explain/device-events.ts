/**
 * The story of a device: what was retained of it becomes events in the order of time. Uplinks
 * between two other events are one event, tries of one command are one, and so are the fragments
 * of a session.
 */
import type { CommandTry, StoryEvent, Traffic } from '../../core/result/explanation.ts';
import type { UplinkFate, UplinkLoss } from '../../sim/base/counts.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { PackagesPlan } from '../../sim/plan/packages-plan.ts';
import { fateOfAll } from '../../sim/radio/uplink-air.ts';
import { answerOf } from './answers.ts';
import { commandNames } from './command-names.ts';
import {
  type DeviceRows,
  gatewayNamed,
  type StoryBegins,
  type StoryDownlink,
  type StoryEnds,
  type StoryRow,
  type StorySource,
  type WatchedDevice,
} from './device-rows.ts';
import { downlinkTry, isOfApplication } from './downlink-tries.ts';
import { fragmentEvents } from './fragment-events.ts';
import { gatewayHappening, happeningOf } from './happenings.ts';

/** Part of a run, µs; `detailed`: each uplink is an event of its own. */
export interface Span {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly detailed: boolean;
}

/** An event with its exact instant, for the order. */
export interface Timed {
  readonly atUs: number;
  readonly event: StoryEvent;
}

export const seconds = (us: number): number => us / SECOND_US;

/** Events of a device within a span, by all that was retained of it. */
export function deviceEvents(
  source: StorySource,
  device: WatchedDevice,
  packages: PackagesPlan,
  span: Span,
): readonly StoryEvent[] {
  const own = source.of(device);
  const uplinks = uplinksOf(own, packages, span.untilUs);
  const others = [
    ...own.rows.flatMap(eventOf),
    ...joinEvents(own),
    ...commandEvents(own, packages, uplinks, (eui) => gatewayNamed(source, eui)),
    ...uplinks.flatMap(answerEvent),
    ...fragmentEvents(own, source.groupFrames, span.untilUs),
    ...stepEvents(source, device),
    ...gatewayEvents(source, own),
  ];
  const within = ({ atUs }: { readonly atUs: number }) =>
    atUs >= span.fromUs && atUs <= span.untilUs;
  const breaks = others.filter(within).sort((a, b) => a.atUs - b.atUs);
  const traffic = trafficEvents(uplinks.filter(within), breaks, span.detailed);
  return [...breaks, ...traffic].sort((a, b) => a.atUs - b.atUs).map(({ event }) => event);
}

function eventOf(row: StoryRow): Timed[] {
  const { atUs } = row;
  const at = { atSeconds: seconds(atUs) };
  switch (row.kind) {
    case 'deviceStarts': {
      const { powerOnAtUs, driftPpb, activation } = row;
      const event = { kind: 'powerOn', driftPpm: driftPpb / 1_000, activation } as const;
      return [{ atUs: powerOnAtUs, event: { atSeconds: seconds(powerOnAtUs), ...event } }];
    }
    case 'multicastSessionOpens': {
      const { opensAtUs, closesAtUs, slots, spreadingFactor } = row;
      const sessionClass = slots === undefined ? 'C' : 'B';
      const untilSeconds = seconds(slots?.untilUs ?? closesAtUs);
      const event = { kind: 'sessionOpens', untilSeconds, sessionClass, spreadingFactor } as const;
      return [{ atUs: opensAtUs, event: { atSeconds: seconds(opensAtUs), ...event } }];
    }
    case 'updateFailure': {
      const { failure, failedAtUs } = row;
      const event = { kind: 'failure', failure } as const;
      return [{ atUs: failedAtUs, event: { atSeconds: seconds(failedAtUs), ...event } }];
    }
    case 'imageActivated':
      return [{ atUs, event: { ...at, kind: 'activated', fwVersion: row.fwVersion } }];
    default: {
      const what = happeningOf(row);
      return what === undefined ? [] : [{ atUs, event: { ...at, kind: 'happening', what } }];
    }
  }
}

// ── uplinks ──────────────────────────────────────────────────────────────────────────────────────

export interface Uplink {
  readonly atUs: number;
  readonly begins: StoryBegins;
  readonly ends: StoryEnds | undefined;
  readonly fate: 'received' | UplinkLoss;
  /** Command that it answers, by its standard name. */
  readonly answers: string | undefined;
}

/** Copies travel for a moment: of later frames nobody knows yet. */
const ON_ITS_WAY_US = 5 * SECOND_US;

function uplinksOf(own: DeviceRows, packages: PackagesPlan, untilUs: number): Uplink[] {
  const ends = new Map<number, StoryEnds>();
  const collected = new Set<number>();
  for (const row of own.rows) {
    if (row.kind === 'uplinkEnds') ends.set(row.frame, row);
    if (row.kind === 'uplinkCollected') collected.add(row.frame);
  }
  return own.rows.flatMap((begins) => {
    if (begins.kind !== 'uplinkBegins') return [];
    const end = ends.get(begins.frame);
    const atAir = fateOfAll(end?.gateways.map(({ fate }) => fate) ?? []);
    const isLate = begins.atUs > untilUs - ON_ITS_WAY_US;
    const isStuck = atAir === 'received' && !collected.has(begins.frame) && !isLate;
    const fate = isStuck ? 'backhaulLoss' : atAir;
    const answers = answerOf(begins, own, packages);
    return [{ atUs: begins.atUs, begins, ends: end, fate, answers }];
  });
}

function answerEvent({ atUs, fate, answers }: Uplink): Timed[] {
  if (answers === undefined) return [];
  return [{ atUs, event: { kind: 'answer', atSeconds: seconds(atUs), command: answers, fate } }];
}

/** Uplinks that answer nothing, together between other events. */
function trafficEvents(
  uplinks: readonly Uplink[],
  breaks: readonly Timed[],
  detailed: boolean,
): Timed[] {
  const runs: Uplink[][] = [];
  let at = 0;
  let isNew = true;
  for (const uplink of uplinks) {
    if (uplink.answers !== undefined) continue;
    while (at < breaks.length && breaks[at]!.atUs <= uplink.atUs) {
      at++;
      isNew = true;
    }
    const last = runs.at(-1)?.at(-1);
    if (isNew || detailed || last === undefined || !isAlike(last, uplink)) runs.push([]);
    runs.at(-1)!.push(uplink);
    isNew = false;
  }
  return runs.map((run) => ({ atUs: run[0]!.atUs, event: trafficOf(run) }));
}

/** Joins try many data rates; messages of a new one are a new chapter. */
const isAlike = ({ begins: one }: Uplink, { begins: other }: Uplink): boolean => {
  const isJoin = ({ purpose }: StoryBegins) => purpose !== 'data';
  if (isJoin(one) || isJoin(other)) return isJoin(one) === isJoin(other);
  const isSameRate = one.spreadingFactor === other.spreadingFactor;
  return isSameRate && one.eirpCentiDbm === other.eirpCentiDbm;
};

function trafficOf(run: readonly Uplink[]): Traffic {
  const lost: Partial<Record<UplinkLoss, number>> = {};
  const gateways: Record<string, Partial<Record<UplinkFate, number>>> = {};
  for (const { fate, ends } of run) {
    if (fate !== 'received') lost[fate] = (lost[fate] ?? 0) + 1;
    for (const { gateway, fate: there } of ends?.gateways ?? []) {
      const counts = (gateways[gateway] ??= {});
      counts[there] = (counts[there] ?? 0) + 1;
    }
  }
  const distinct = (of: (begins: StoryBegins) => number) =>
    [...new Set(run.map(({ begins }) => of(begins)))].sort((a, b) => a - b);
  return {
    kind: 'traffic',
    atSeconds: seconds(run[0]!.atUs),
    untilSeconds: seconds(run.at(-1)!.atUs),
    purpose: run[0]!.begins.purpose === 'data' ? 'data' : 'join',
    frames: run.length,
    received: run.filter(({ fate }) => fate === 'received').length,
    lost,
    spreadingFactors: distinct(({ spreadingFactor }) => spreadingFactor),
    eirpDbm: distinct(({ eirpCentiDbm }) => eirpCentiDbm / 100),
    gateways,
  };
}

function joinEvents({ rows }: DeviceRows): Timed[] {
  let requests = 0;
  return rows.flatMap((row): Timed[] => {
    if (row.kind === 'uplinkBegins' && row.purpose === 'join') requests++;
    if (row.kind !== 'deviceReceives' || row.purpose !== 'join') return [];
    const event = { kind: 'joined', atSeconds: seconds(row.atUs), requests } as const;
    requests = 0;
    return [{ atUs: row.atUs, event }];
  });
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────

/** Tries of one command until an answer to it comes in are one event. */
function commandEvents(
  own: DeviceRows,
  packages: PackagesPlan,
  uplinks: readonly Uplink[],
  nameOf: (eui: string) => string,
): Timed[] {
  const answeredUs = uplinks
    .filter(({ answers, fate }) => answers !== undefined && fate === 'received')
    .map(({ atUs }) => atUs);
  const open = new Map<string, { atUs: number; lastUs: number; tries: CommandTry[] }>();
  const events: Timed[] = [];
  for (const { frame, atUs } of own.downlinks) {
    for (const command of namesOf(frame, packages)) {
      const known = open.get(command);
      const isAnswered =
        known !== undefined && answeredUs.some((us) => us > known.lastUs && us < atUs);
      const tried = downlinkTry(frame, atUs, own, nameOf);
      if (known !== undefined && !isAnswered) {
        known.tries.push(tried);
        known.lastUs = atUs;
        continue;
      }
      const tries = [tried];
      open.set(command, { atUs, lastUs: atUs, tries });
      events.push({ atUs, event: { kind: 'command', atSeconds: seconds(atUs), command, tries } });
    }
  }
  return events;
}

function namesOf(frame: StoryDownlink, packages: PackagesPlan): readonly string[] {
  const { data, type } = frame;
  if (type === 'joinAccept') return [];
  if (data === null || !isOfApplication(frame)) return [];
  const names = data.inClear ? commandNames(packages, 'downlink', data) : undefined;
  return names ?? ['application downlink'];
}

// ── campaigns and gateways ───────────────────────────────────────────────────────────────────────

function stepEvents({ steps }: StorySource, { devEui }: WatchedDevice): Timed[] {
  const own = new Set(
    steps.flatMap((row) => ('devEui' in row && row.devEui === devEui ? row.id : [])),
  );
  return steps.flatMap((row): Timed[] => {
    const { atUs, campaign, id } = row;
    const at = { atSeconds: seconds(atUs), campaign };
    if (row.kind === 'campaignStage') {
      if (!own.has(id)) return [];
      return [{ atUs, event: { ...at, kind: 'stage', stage: row.stage } }];
    }
    if (row.devEui !== devEui) return [];
    if (row.kind === 'campaignStep')
      return [{ atUs, event: { ...at, kind: 'step', step: row.step } }];
    const { fate, reason, diagnosis } = row;
    const why = { ...(reason && { reason }), ...(diagnosis && { diagnosis }) };
    return [{ atUs, event: { ...at, kind: 'end', fate, ...why } }];
  });
}

/** What happens to gateways that have ever been in reach of the device. */
function gatewayEvents({ gatewayRows }: StorySource, { rows }: DeviceRows): Timed[] {
  const inReach = new Set(
    rows
      .flatMap((row) => (row.kind === 'uplinkEnds' ? row.gateways : []))
      .map((one) => one.gateway),
  );
  return gatewayRows.flatMap((row): Timed[] => {
    const what = gatewayHappening(row);
    if (what === undefined || !('gateway' in row) || !inReach.has(row.gateway)) return [];
    const { atUs } = row;
    return [{ atUs, event: { kind: 'happening', atSeconds: seconds(atUs), what } }];
  });
}
