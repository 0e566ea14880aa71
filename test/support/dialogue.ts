/** A dialogue with one class C device about its packages: commands down, answers up. */
import { AppTimeAns } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { BENCH_START_UNIX_MS, Bench } from './bench.ts';
import { eui, networkOf, SECOND_US, type Wanted } from './small-network.ts';

export type Packages = Partial<PackagesPlan>;

/** All packages in version 2. */
export const V2: Packages = {
  clockSync: { version: 2, fPort: 202 },
  multicastSetup: { version: 2, fPort: 200 },
  fragmentation: { version: 2, fPort: 201 },
};

const DEVICE = eui('02', 1);
/** A command is answered within this, unless answers are delayed. */
const ROUND_US = 8 * SECOND_US;
/** The device has sent its first uplink by then. */
const FIRST_UPLINK_US = 40 * SECOND_US;

export class Dialogue {
  readonly bench: Bench;
  #heard = 0;

  /** `packages` change the usual ones; null: the device's type names no packages. */
  constructor(packages: Packages | null = {}, wanted: Wanted = {}, seed = 'bench') {
    const own = packages === null ? {} : { packages: { ...USUAL_PACKAGES, ...packages } };
    const plan = networkOf({
      ...wanted,
      type: { deviceClass: 'C', answers: [], ...own, ...wanted.type },
      traffic: { meanUs: 40 * SECOND_US, ...wanted.traffic },
      gateway: { dutyCycle: false, ...wanted.gateway },
    });
    this.bench = new Bench({ ...plan, startUnixMs: BENCH_START_UNIX_MS }, seed);
    this.bench.runUntil(FIRST_UPLINK_US);
  }

  get nowUs(): number {
    return this.bench.nowUs;
  }

  /** GPS seconds modulo 2^32, in that many seconds. */
  gpsIn(seconds: number): number {
    return this.bench.view.gpsSeconds(this.nowUs) + seconds;
  }

  /** Sends commands in one downlink; what came back to the port meanwhile, hexadecimal. */
  say(fPort: number, ...commands: readonly Uint8Array[]): string[] {
    this.bench.sendCommands(DEVICE, fPort, ...commands);
    return this.wait(ROUND_US / SECOND_US, fPort);
  }

  /** Lets time pass; what came to a port meanwhile. */
  wait(seconds: number, fPort: number): string[] {
    this.bench.runUntil(this.nowUs + seconds * SECOND_US);
    const uplinks = this.bench.heard.slice(this.#heard);
    this.#heard = this.bench.heard.length;
    return uplinks.filter((one) => one.fPort === fPort).map(({ hex }) => hex);
  }

  /** Answers the device's AppTimeReq, so that its clock is set. */
  setClock(fPort = 202): void {
    const { column } = this.bench.network.sides.device.devices;
    const seconds = this.bench.view.gpsSeconds(Math.round(column.startsAtUs[0]!));
    const tokenAns = column.timeToken[0]!;
    this.say(fPort, AppTimeAns.encode({ timeCorrection: seconds | 0, tokenAns }));
  }

  get #device() {
    return this.bench.view.device(DEVICE)!;
  }

  /** A group's key as McGroupSetupReq carries it. */
  wrapped(mcKey: Uint8Array): Uint8Array {
    return this.#device.wrapMcKey(mcKey);
  }

  /** MIC of a block for this device. */
  mic(sessionCnt: number, fragIndex: number, descriptor: number, block: Uint8Array): number {
    return this.#device.blockMic({ sessionCnt, fragIndex, descriptor, block });
  }

  /** The firmware version that the device runs. */
  get fwVersion(): number {
    return this.bench.network.sides.device.column.fwVersion[0]!;
  }
}
