/**
 * A reference model of gateways, their groups and multicast groups, written from the documents
 * alone: what three subscribers have on record, and why a command of theirs is refused. Of the
 * radio it knows what the server reported of frames; of statuses, what their interval lets them be.
 */
import type { FailureClass } from '../../core/kit/failures.ts';
import type { Who } from './management-model.ts';
import { HOUR_US, SECOND_US } from './small-network.ts';

/** One that may be of three subscribers, or of nobody. */
interface Owned {
  readonly id: string;
  readonly owner: Who;
}

/** Texts, as a gateway reports where it stands. */
export interface Place {
  readonly X: string;
  readonly Y: string;
}

const UNKNOWN: Place = { X: '0', Y: '0' };

/** What a creation, a replacement or a change says; a creation says most of it. */
export interface SaidOfGateway {
  readonly GatewayProfile?: string;
  readonly Name?: string;
  readonly AntennaGain?: string;
  readonly LocationType?: string;
  readonly GPSEnabled?: boolean;
  readonly Coordinates?: Place & { readonly Z?: string };
  readonly CellularEnabled?: boolean;
  readonly IMEI?: string;
  readonly ICCID?: string;
  readonly RfRegion?: string;
}

/** What a gateway heard and sent, and when each of its states began. */
export class GatewayIncarnation {
  readonly bornAtUs: number;
  bootedAtUs: number;
  readonly ups: number[] = [];
  readonly downs: number[] = [];
  /** Latest hour in which each device was heard, by the life of the device. */
  readonly heard = new Map<object, number>();
  /** When the present fault began; undefined: there is none. */
  radioDownUs: number | undefined;
  backhaulDownUs: number | undefined;
  /** Times in which the backhaul was up, the present one without its end. */
  readonly upTimes: [fromUs: number, untilUs: number][];
  /** How it was reported at instants of the past, µs. */
  readonly seen = new Map<number, { readonly connection: string; readonly health: string }>();

  constructor(bornAtUs: number, bootedAtUs: number) {
    this.bornAtUs = bornAtUs;
    this.bootedAtUs = bootedAtUs;
    this.upTimes = [[bornAtUs, Number.POSITIVE_INFINITY]];
  }

  fails(fault: 'radio' | 'backhaul', on: boolean, nowUs: number): void {
    if (fault === 'radio') {
      this.radioDownUs = on ? (this.radioDownUs ?? nowUs) : undefined;
    } else if (on && this.backhaulDownUs === undefined) {
      this.backhaulDownUs = nowUs;
      this.upTimes.at(-1)![1] = nowUs;
    } else if (!on && this.backhaulDownUs !== undefined) {
      this.backhaulDownUs = undefined;
      this.upTimes.push([nowUs, Number.POSITIVE_INFINITY]);
    }
  }

  /**
   * Between which instants its latest status came, µs: they are sent every 30 s from some instant
   * on, and arrive a little later; null stands for none.
   */
  latestStatus(nowUs: number): { readonly soonestUs: number | null; readonly latestUs: number } {
    const interval = 30 * SECOND_US + SECOND_US;
    let soonestUs: number | null = null;
    let latestUs = this.bornAtUs;
    for (const [fromUs, untilUs] of this.upTimes) {
      const endUs = Math.min(untilUs, nowUs);
      if (endUs - fromUs >= interval) soonestUs = endUs - interval;
      latestUs = Math.min(nowUs, endUs + SECOND_US);
    }
    return { soonestUs, latestUs };
  }

  /** Connection and health by the latest status, µs, or by none. */
  stateWith(statusAtUs: number | null, nowUs: number) {
    if (statusAtUs === null) return { connection: 'NEVERCNX', health: 'INIT' };
    if (nowUs - statusAtUs <= 90 * SECOND_US) {
      return { connection: 'CNX', health: this.radioDownUs === undefined ? 'ACTIVE' : 'RF_ERROR' };
    }
    const isUp = this.backhaulDownUs === undefined;
    return { connection: 'DISC', health: isUp ? 'HEALTH_UNKNOWN' : 'BACKHAUL_CNX_ERROR' };
  }

  /** Packets an hour, whole: of the hour that is running and the 24 before it, or of its life. */
  rate(of: 'ups' | 'downs', nowUs: number, startMs: number): number {
    const hourOf = (atUs: number) => Math.floor((startMs * 1000 + atUs) / HOUR_US);
    const packets = this[of].filter((atUs) => hourOf(atUs) >= hourOf(nowUs) - 24).length;
    const running = ((startMs * 1000 + nowUs) % HOUR_US) / HOUR_US;
    const hours = Math.min(24 + running, (nowUs - this.bornAtUs) / HOUR_US);
    return packets === 0 ? 0 : Math.round(packets / hours);
  }
}

export interface ModelGateway extends Owned {
  /** What lists tell, but for place, statistics and what its profile reports. */
  reported: Readonly<Record<string, unknown>>;
  /** Where it stands. */
  place: Place;
  height: string;
  /** Nobody knows where it stands, unless its GPS reports. */
  isUnplaced: boolean;
  readonly life: GatewayIncarnation;
}

export interface ModelGatewayGroup extends Owned {
  name: string;
  /** NodeIds. */
  gateways: readonly string[];
}

export interface ModelMulticastGroup extends Owned {
  /** What lists tell. */
  reported: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly devices: Set<string>;
  readonly gateways: Set<string>;
}

export class StationModel {
  readonly gateways = new Map<string, ModelGateway>();
  readonly groups = new Map<string, ModelGatewayGroup>();
  readonly multicast = new Map<string, ModelMulticastGroup>();
  /** Devices with their lives. */
  readonly devices = new Map<string, { readonly id: string; readonly owner: Who }>();
  readonly profiles = new Map<Who, readonly string[]>();
  readonly regions = new Map<string, string>();

  of<Thing extends Owned>(things: ReadonlyMap<string, Thing>, who: Who): Thing[] {
    const own = [...things.values()].filter(({ owner }) => owner === who);
    return own.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  own<Thing extends Owned>(things: ReadonlyMap<string, Thing>, who: Who, id: string) {
    const thing = things.get(id);
    return thing?.owner === who ? thing : undefined;
  }

  /** A gateway of a subscriber, by its NodeId in any case or its Id in its own. */
  gateway(who: Who, id: string): ModelGateway | undefined {
    return this.of(this.gateways, who).find(
      (each) => each.id === id.toUpperCase() || each.reported.Id === id,
    );
  }

  removeGateway(nodeId: string): void {
    this.gateways.delete(nodeId);
    for (const group of this.groups.values()) {
      group.gateways = group.gateways.filter((each) => each !== nodeId);
    }
    for (const { gateways } of this.multicast.values()) gateways.delete(nodeId);
  }

  removeDevice(devEui: string): void {
    this.devices.delete(devEui);
    for (const { devices } of this.multicast.values()) devices.delete(devEui);
  }

  /** Where a gateway says that it stands. */
  coordinates({ isUnplaced, reported: response, place, height }: ModelGateway) {
    return { ...(isUnplaced && response.GPSEnabled !== true ? UNKNOWN : place), Z: height };
  }

  // ── why a command is refused ───────────────────────────────────────────────────────────────────

  whyNotSaid(who: Who, said: SaidOfGateway, before: ModelGateway | undefined): FailureClass[] {
    const { GatewayProfile, Name, RfRegion, IMEI, ICCID, AntennaGain } = said;
    const hasCellular = said.CellularEnabled ?? before?.reported.CellularEnabled === true;
    const isWrong =
      Name === '' ||
      (GatewayProfile !== undefined && !this.profiles.get(who)!.includes(GatewayProfile)) ||
      (RfRegion !== undefined && !this.regions.has(RfRegion)) ||
      (AntennaGain !== undefined && !/^-?\d/.test(AntennaGain)) ||
      (IMEI ?? '').length % 16 !== (IMEI ? 15 : 0) ||
      ![0, 20].includes((ICCID ?? '').length) ||
      (!hasCellular && (Boolean(IMEI) || Boolean(ICCID)));
    return isWrong ? ['malformed'] : [];
  }

  /** A whole gateway says where it stands, or that its GPS does. */
  whyNotWhole({ GPSEnabled, Coordinates }: SaidOfGateway): FailureClass[] {
    return GPSEnabled !== true && Coordinates === undefined ? ['malformed'] : [];
  }

  whyNotMembers(who: Who, gateways: readonly string[]): FailureClass[] {
    return gateways.every((each) => this.gateway(who, each)) ? [] : ['malformed'];
  }
}

/** What is said takes the place of what was. */
export function saysOf(gateway: ModelGateway, said: SaidOfGateway, nowUs: number): void {
  const { Coordinates, ...others } = said;
  const before = gateway.reported;
  const placeBefore = gateway.place;
  const wasReportedAt = gateway.isUnplaced && before.GPSEnabled !== true ? UNKNOWN : gateway.place;
  if (others.AntennaGain !== undefined) {
    Object.assign(others, { AntennaGain: String(Number.parseFloat(others.AntennaGain)) });
  }
  const isWithout = others.CellularEnabled === false;
  gateway.reported = { ...before, ...others, ...(isWithout && { IMEI: '', ICCID: '' }) };
  if (Coordinates !== undefined) {
    const { X, Y, Z = '0' } = Coordinates;
    gateway.height = Z;
    gateway.isUnplaced = X === '0' && Y === '0';
    const isSame = wasReportedAt.X === X && wasReportedAt.Y === Y;
    if (!gateway.isUnplaced && !isSame) gateway.place = { X, Y };
  }
  const rebuilt = ['GatewayProfile', 'AntennaGain', 'GPSEnabled', 'RfRegion'].some(
    (each) => gateway.reported[each] !== before[each],
  );
  if (rebuilt || gateway.place !== placeBefore) gateway.life.bootedAtUs = nowUs;
}
