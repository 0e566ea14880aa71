/** A world of three subscribers with the reference model of their gateways, groups and logs. */
import { formatInstant } from '../../core/base/instant.ts';
import type { FailureClass } from '../../core/kit/failures.ts';
import type { NewsAbout } from '../../core/kit/resource.ts';
import type { Answers, PlatformCommand } from '../../core/operations.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type { News } from '../../sim/contract/news.ts';
import { Driving } from './driving.ts';
import { WHO, type Who } from './management-model.ts';
import type { Response } from './news-listener.ts';
import { eui, HOUR_US, networkOf } from './small-network.ts';
import { GatewayIncarnation, type ModelGateway, StationModel } from './station-model.ts';

/** In the middle of an hour. */
export const START_MS = 1_767_227_100_000;

/** Rows of device types. */
const TYPES = [
  { name: 'meter', deviceClass: 'A', activation: 'abp' },
  { name: 'valve', deviceClass: 'C', activation: 'otaa' },
  { name: 'lamp', deviceClass: 'C', activation: 'abp' },
] as const;

const DEVICES = ['ann', 'ann', 'ann', 'bob', 'bob', 'eve'] as const;
/** Eve has none: she hears through those of others alone. */
export const GATEWAYS = ['ann', 'ann', 'bob'] as const;

export const devEuiOf = (i: number) => eui('02', i + 1);
/** The first three are planned. */
export const nodeIdOf = (i: number) => eui('06', i + 1);
export const groupEuiOf = (i: number) => eui('0C', i + 1);

function plan(): WorldPlan {
  const traffic = { meanUs: HOUR_US / 2, jitterPpm: 100_000, confirmedPpm: 300_000 };
  const type = { frameLossPpm: 100_000 };
  const network = networkOf({ devices: 6, gatewaysAt: [100, 200, 300], traffic, type });
  const [usual] = network.deviceTypes;
  return {
    name: 'stations',
    description: '',
    network: {
      ...network,
      startUnixMs: START_MS,
      deviceTypes: TYPES.map((each) => ({ ...usual!, ...each })),
      devices: network.devices.map((each, i) => ({ ...each, type: i % TYPES.length })),
    },
    owners: {
      devices: DEVICES.map((who, i) => [devEuiOf(i), who] as const),
      gateways: GATEWAYS.map((who, i) => [nodeIdOf(i), who] as const),
    },
    timeline: [],
  };
}

/** Who does something, whether as its application, and two numbers that choose. */
export interface Chosen {
  readonly by: Who;
  readonly isApplication: boolean;
  readonly a: number;
  readonly b: number;
}

export class Stations extends Driving {
  readonly model = new StationModel();
  /** All that the world reported, also before it was saved. */
  readonly reported: Response[] = [];
  /** EUI of the group that a copy was for, by its news. */
  readonly groupOf = new Map<object, string>();
  readonly users = new Map<Who, string>();
  readonly applications = new Map<Who, string>();

  constructor() {
    super(plan());
    for (const who of WHO) this.#begin(who);
    for (const [i, owner] of DEVICES.entries()) this.knowDevice(owner, devEuiOf(i));
    const { RfRegions } = this.got('ann', { kind: 'rfRegion.list' });
    for (const { Id, Name } of RfRegions) this.model.regions.set(Id, Name);
  }

  override get options(): WorldOptions {
    return { ...super.options, news: (news, about) => this.#hear(news, about) };
  }

  #begin(who: Who): void {
    const { model, users, applications } = this;
    users.set(who, this.got(who, { kind: 'account.get' }).UserInfo!.Id);
    applications.set(who, this.got(who, { kind: 'application.list' }).Applications[0]!.Id);
    const { GatewayProfiles } = this.got(who, { kind: 'gatewayProfile.list' });
    model.profiles.set(
      who,
      GatewayProfiles.map(({ Id }) => Id),
    );
    const { Gateways } = this.got(who, { kind: 'baseStation.list' });
    for (const { NodeId } of Gateways) this.knowGateway(who, NodeId, 0);
  }

  knowDevice(owner: Who, id: string): void {
    this.model.devices.set(id, { id, owner });
  }

  /** A gateway that came, as it is reported: who does not know it says what it must be. */
  knowGateway(owner: Who, id: string, bootedAtUs = this.world.nowUs): ModelGateway {
    const { Coordinates, Statistics, Manufacturer, Model, ...response } = this.got(owner, {
      kind: 'baseStation.get',
      Id: id,
    });
    const { X, Y, Z } = Coordinates;
    const life = new GatewayIncarnation(this.world.nowUs, bootedAtUs);
    const gateway = {
      id,
      owner,
      reported: response,
      place: { X, Y },
      height: Z,
      isUnplaced: false,
      life,
    };
    this.model.gateways.set(id, gateway);
    return gateway;
  }

  callerOf({ by, isApplication }: Pick<Chosen, 'by' | 'isApplication'>): string {
    return (isApplication ? this.applications : this.users).get(by)!;
  }

  /** A command of the caller, held against the model. */
  say<Given extends PlatformCommand>(
    { by, isApplication }: Chosen,
    command: Given,
    reasons: readonly FailureClass[],
  ): Answers[Given['kind']] | undefined {
    const as = isApplication ? { as: this.applications.get(by)! } : {};
    return this.give(by, { ...command, ...as }, reasons);
  }

  instant(atUs: number): string {
    return formatInstant(START_MS + Math.floor(atUs / 1000));
  }

  #hear(news: News, { owner, nowUs }: NewsAbout): void {
    this.reported.push({ news, owner, nowUs });
    if (news.kind === 'frameUp') this.#up(news.frame);
    if (news.kind === 'frameDown') this.#down(news.frame);
  }

  #up({ verdict, receptions, endedAtUs, devEui }: FrameUp): void {
    const isProved = ['joined', 'accepted', 'repeated'].includes(verdict);
    const device = this.model.devices.get(devEui);
    for (const { gatewayEui } of receptions) {
      const life = this.model.gateways.get(gatewayEui)?.life;
      if (life === undefined || life.bornAtUs >= endedAtUs) continue;
      life.ups.push(endedAtUs);
      const hour = Math.floor((START_MS * 1000 + endedAtUs) / HOUR_US);
      if (isProved && device !== undefined) {
        life.heard.set(device, Math.max(hour, life.heard.get(device) ?? 0));
      }
    }
  }

  #down(frame: FrameDown): void {
    const { sending, outcome, mcAddr } = frame;
    if (mcAddr !== null) {
      const address = mcAddr.toString(16).toUpperCase().padStart(8, '0');
      const groups = [...this.model.multicast.values()];
      this.groupOf.set(frame, groups.find((each) => each.address === address)?.id ?? '');
    }
    if (sending === null || outcome.kind !== 'sent') return;
    this.model.gateways.get(sending.gatewayEui)?.life.downs.push(sending.startsAtUs);
  }
}
