/** Three subscribers of the firmware update service on one network, with their reference model. */
import { expect } from 'vitest';
import type { WorldPlan } from '../../core/world/plan.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { Driving } from './driving.ts';
import { IMAGES, ServiceModel, WHO, type Who } from './service-model.ts';
import { eui, HOUR_US, networkOf } from './small-network.ts';

export const DAY_US = 24 * HOUR_US;
const START_MS = 1_767_225_600_000;
/** Rows of device types. */
const CLASS_C = 0;
export const CLASS_A = 1;
const WITHOUT_KEY = 2;

/** Two devices of Ann, one of Bob, one of Eve to begin with, and a gateway each. */
const DEVICES = [
  ['ann', CLASS_C],
  ['ann', WITHOUT_KEY],
  ['ann', CLASS_A],
  ['bob', CLASS_C],
  ['eve', CLASS_C],
] as const;
export const devEuiOf = (i: number) => eui('02', i + 1);
export const gatewayOf = (i: number) => eui('06', i + 1);
export const NOBODYS = devEuiOf(0xfe);

/** Devices speak every hour, those of class C within seconds of a command too. */
export function sharedPlan(uplinkEveryUs = HOUR_US): WorldPlan {
  const network = networkOf({
    devices: DEVICES.length,
    gatewaysAt: [100, 110, 120],
    traffic: { meanUs: uplinkEveryUs, jitterPpm: 100_000 },
  });
  const [type] = network.deviceTypes;
  const packages = { ...USUAL_PACKAGES, versionReportsUs: 6 * HOUR_US };
  const common = { ...type!, packages };
  const deviceTypes = [
    { ...common, name: 'valve', deviceClass: 'C' as const },
    { ...common, name: 'meter' },
    { ...common, name: 'foreign', deviceClass: 'C' as const, rootKeyKnown: false },
  ];
  const devices = network.devices.map((each, i) => ({ ...each, type: DEVICES[i]![1] }));
  return {
    name: 'shared',
    description: '',
    network: { ...network, startUnixMs: START_MS, deviceTypes, devices },
    owners: {
      devices: DEVICES.map(([who], i) => [devEuiOf(i), who] as const),
      gateways: WHO.map((who, i) => [gatewayOf(i), who] as const),
    },
    timeline: [],
  };
}

export class Driven extends Driving {
  readonly model = new ServiceModel();
  names = 0;

  constructor(plan = sharedPlan()) {
    super(plan);
    DEVICES.forEach(([owner, type], i) => {
      const deviceClass = type === CLASS_A ? 'A' : 'C';
      this.model.addDevice({ id: devEuiOf(i), owner, deviceClass });
    });
    WHO.forEach((owner, i) => {
      this.model.gateways.set(gatewayOf(i), { id: gatewayOf(i), owner });
      for (const name of IMAGES) {
        this.model.images.add(`${owner}/${name}`);
        this.try(owner, { kind: 'image.create', name, bytes: new Uint8Array(120).fill(i + 1) });
      }
    });
  }

  /** An id that was never given before. */
  note(id: string): string {
    expect(this.model.ids.has(id), `${id} is given once`).toBe(false);
    this.model.ids.add(id);
    return id;
  }

  /** One of these things, of anybody, and who asks about it. */
  pick<Thing extends { readonly id: string; readonly owner: Who }>(
    things: ReadonlyMap<string, Thing>,
    { by, asOwner, a }: Chosen,
  ): readonly [thing: Thing | undefined, by: Who, id: string] {
    const thing = [...things.values()][a % Math.max(1, things.size)];
    return [thing, asOwner && thing !== undefined ? thing.owner : by, thing?.id ?? ''];
  }

  /** DevEUIs by the bits of a number; the sixth is of no device. */
  devEuis(bits: number): string[] {
    const all = [...this.model.devices.keys(), NOBODYS];
    return all.filter((_, i) => ((bits >> i) & 1) === 1);
  }

  gateway(n: number): string {
    return [...this.model.gateways.keys(), gatewayOf(8)][n % (this.model.gateways.size + 1)]!;
  }
}

/** Who does something, and two numbers that choose among what there is. */
export interface Chosen {
  readonly by: Who;
  readonly asOwner: boolean;
  readonly a: number;
  readonly b: number;
}
