/**
 * How strong frames of gateways arrive at devices: by gain and fading of the link, copies that add
 * up as waves, and what is lost to noise.
 */
import { cos, linearToCentiDb, sin } from '../base/math.ts';
import { DrawPurpose, drawPair, toUnit } from '../base/random.ts';
import type { AirCopy } from './air-row.ts';
import type { Links } from './links.ts';
import { leastLevel, milliwatts } from './power.ts';
import type { Physics } from './uplink-air.ts';

/** What the air must know of a gateway. */
export interface GatewaySenders {
  antennaGainCentiDb(gateway: number): number;
  key0(gateway: number): number;
  key1(gateway: number): number;
}

export class DownlinkLevels {
  readonly #links: Links;
  readonly #gateways: GatewaySenders;
  readonly #physics: Physics;

  constructor(links: Links, gateways: GatewaySenders, physics: Physics) {
    this.#links = links;
    this.#gateways = gateways;
    this.#physics = physics;
  }

  /** Levels of many gateways' frames at this device are asked for. */
  hold(device: number): void {
    this.#links.hold(device);
  }

  /** Whether frames that a gateway sends with one power fare alike: none fades or drowns. */
  get areConstant(): boolean {
    return !this.#physics.fading.active && !this.#physics.noise.active;
  }

  /**
   * Level at a device of a gateway's frame, 1/100 dBm; NaN when out of reach. `frame` is the number
   * of the gateway's transmission.
   */
  centiDbm(device: number, gateway: number, eirpCentiDbm: number, frame: number): number {
    const sent = eirpCentiDbm - this.#gateways.antennaGainCentiDb(gateway);
    return this.arrivingCentiDbm(device, gateway, sent, frame);
  }

  /** The same of what its antenna is fed with, before the gain of the link, 1/100 dBm. */
  arrivingCentiDbm(device: number, gateway: number, sentCentiDbm: number, frame: number): number {
    const { antennaGains } = this.#links;
    const gain = this.#links.gainCentiDb(device, gateway);
    const median = sentCentiDbm + gain + antennaGains[device];
    return this.#physics.fading.active ? this.#faded(device, gateway, median, frame) : median;
  }

  #faded(device: number, gateway: number, median: number, frame: number): number {
    if (Number.isNaN(median)) return median;
    const own = { key0: this.#links.key0[device], key1: this.#links.key1[device] };
    const other = { key0: this.#gateways.key0(gateway), key1: this.#gateways.key1(gateway) };
    const gain = this.#physics.fading.centiDb(own, other, DrawPurpose.fadingDown, frame);
    return leastLevel(median + gain);
  }

  /**
   * Level at a device of copies of one frame that arrive together, 1/100 dBm: the copies add up as
   * waves, each with a phase drawn for its transmission, so the sum fades from frame to frame. NaN
   * when all are out of reach; one copy alone has the level that it has by itself.
   */
  sumCentiDbm(device: number, copies: readonly AirCopy[]): number {
    const { key0, key1 } = this.#links;
    let [along, across, inReach, level] = [0, 0, 0, Number.NaN];
    for (const { gateway, eirpCentiDbm, frame } of copies) {
      const own = this.centiDbm(device, gateway, eirpCentiDbm, frame);
      if (Number.isNaN(own)) continue;
      const other0 = this.#gateways.key0(gateway);
      const other1 = this.#gateways.key1(gateway);
      const word = drawPair(
        key0[device],
        key1[device],
        other0,
        other1,
        DrawPurpose.copyPhase,
        frame,
      );
      const phase = 2 * Math.PI * toUnit(word);
      const amplitude = Math.sqrt(milliwatts(leastLevel(own)));
      along += amplitude * cos(phase);
      across += amplitude * sin(phase);
      inReach++;
      level = own;
    }
    if (inReach <= 1) return level;
    return leastLevel(linearToCentiDb(along * along + across * across));
  }

  /** Whether a frame that a device was strong enough for is lost to noise. */
  isLostToNoise(
    device: number,
    gateway: number,
    frame: number,
    levelCentiDbm: number,
    spreadingFactor: number,
    bandwidthHz: number,
    airtimeUs: number,
  ): boolean {
    const { noise } = this.#physics;
    if (!noise.active) return false;
    const { key0, key1 } = this.#links;
    const other0 = this.#gateways.key0(gateway);
    const other1 = this.#gateways.key1(gateway);
    const word = drawPair(key0[device], key1[device], other0, other1, DrawPurpose.noiseDown, frame);
    return noise.loses('device', spreadingFactor, bandwidthHz, airtimeUs, levelCentiDbm, word);
  }
}
