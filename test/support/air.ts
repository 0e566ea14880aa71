/**
 * A drawing of the air: a line a transmission, a character 10 ms, and what one gateway made of it.
 *
 *     alder SF7 868.1 -90 |######
 *     birch SF7 868.1 -97 |   ######
 *     gateway             |       ###
 *
 * Levels are dBm at the gateway; `gateway` is its own transmission. `SF8/500` is 500 kHz wide.
 */

import { newDownlinks } from '../../sim/gateway/downlinks.ts';
import { Gateways } from '../../sim/gateway/gateway.ts';
import { NONE } from '../../sim/kernel/columns.ts';
import { symbolUs } from '../../sim/lorawan/airtime.ts';
import { region } from '../../sim/lorawan/region.ts';
import { Fading } from '../../sim/radio/fading.ts';
import { Interference } from '../../sim/radio/interference.ts';
import { Links } from '../../sim/radio/links.ts';
import { Noise } from '../../sim/radio/noise.ts';
import type { InterferencePlan } from '../../sim/radio/radio-plan.ts';
import { SENSITIVITIES, SIR_MATRICES } from '../../sim/radio/tables.ts';
import { FATE_NAMES, UplinkAir } from '../../sim/radio/uplink-air.ts';
import { Beacons } from '../../sim/spectrum/beacons.ts';
import { PLAIN_RADIO } from './plain-radio.ts';

export interface AirOptions extends Partial<InterferencePlan> {
  readonly receptionPaths?: number;
  /** What a character lasts, µs; 10 000 unless given. */
  readonly characterUs?: number;
}

export interface Reception {
  /** Names of the frames that were received, in the order in which they ended. */
  readonly heard: readonly string[];
  /** Fate of the others by name. */
  readonly lost: Readonly<Record<string, string>>;
}

interface Drawn {
  readonly name: string;
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  readonly frequencyHz: number;
  readonly centiDbm: number;
  readonly fromUs: number;
  readonly untilUs: number;
}

const LINE = /^(\S+)(?:\s+SF(\d+)(?:\/(\d+))?\s+([\d.]+)\s+(-[\d.]+))?\s*\|( *)(#+)$/;

function parse(text: string, characterUs: number): Drawn[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, factor, khz = '125', mhz, dbm, silence, sound] = LINE.exec(line) ?? [];
      if (name === undefined) throw new Error(`not a transmission: ${line}`);
      const fromUs = silence.length * characterUs;
      return {
        name,
        spreadingFactor: Number(factor),
        bandwidthHz: 1000 * Number(khz),
        frequencyHz: Math.round(Number(mhz) * 1e6),
        centiDbm: Math.round(Number(dbm) * 100),
        fromUs,
        untilUs: fromUs + sound.length * characterUs,
      };
    });
}

/** What a gateway makes of the drawn transmissions. */
export function onTheAir(text: string, options: AirOptions = {}): { readonly gateway: Reception } {
  const { receptionPaths = 8, characterUs = 10_000, ...interference } = options;
  const stage = new Stage(receptionPaths, {
    model: 'energy',
    sirCentiDb: SIR_MATRICES.goursaud,
    window: 'afterLock',
    ...interference,
  });
  const drawn = parse(text, characterUs);
  const acts = drawn.flatMap((one, row) => [
    { atUs: one.fromUs, rank: one.name === 'gateway' ? 1 : 2, act: () => stage.begin(one, row) },
    { atUs: one.untilUs, rank: 0, act: () => stage.end(one, row) },
  ]);
  acts.sort((a, b) => a.atUs - b.atUs || a.rank - b.rank);
  for (const { act } of acts) act();
  return { gateway: stage };
}

class Stage implements Reception {
  readonly heard: string[] = [];
  readonly lost: Record<string, string> = {};
  readonly #downlinks = newDownlinks();
  readonly #gateways = new Gateways(this.#downlinks, new Beacons(region('EU868'), 0));
  readonly #air: UplinkAir;
  readonly #links: Links;

  constructor(receptionPaths: number, interference: InterferencePlan) {
    const radio = {
      pathLoss: { model: 'constant' as const, lossDb: 0 },
      shadowingSigmaDb: 0,
      ...PLAIN_RADIO,
      noiseFigureDb: 6,
      gatewaySensitivityCentiDbm: SENSITIVITIES.ns3Gateway,
      deviceSensitivityCentiDbm: SENSITIVITIES.ns3EndDevice,
      interference,
      ignoredBelowCentiDbm: -20_000,
    };
    const backhaul = { latencyUs: 0, jitterUs: 0, lossPpm: 0 };
    const place = { name: 'gateway', eui: '0600000000000001', xMeters: 0, yMeters: 0 };
    const power = { antennaGainCentiDb: 0, maxEirpCentiDbm: 2900, dutyCycle: false, gps: false };
    this.#gateways.add({ ...place, ...power, receptionPaths, backhaul }, { key0: 1, key1: 2 });
    this.#links = new Links(radio, 0, 0);
    const physics = {
      interference: new Interference(interference),
      fading: new Fading(radio.fading),
      noise: new Noise(radio),
    };
    this.#air = new UplinkAir(this.#links, this.#gateways, physics);
  }

  begin(drawn: Drawn, row: number): void {
    if (drawn.name === 'gateway') return this.#send(drawn);
    const { spreadingFactor, bandwidthHz, frequencyHz, centiDbm, fromUs, untilUs } = drawn;
    this.#air.addDevice(row);
    this.#links.connect(row, { xMeters: 0, yMeters: 0, key0: row, key1: row }, [
      this.#gateways.stations[0],
    ]);
    const signal = {
      frequencyHz,
      isHeard: true,
      spreadingFactor,
      bandwidthHz,
      symbolUs: symbolUs(spreadingFactor, bandwidthHz),
      preambleSymbols: 8,
      airtimeUs: untilUs - fromUs,
      eirpCentiDbm: centiDbm,
      sensitivityCentiDbm: SENSITIVITIES.ns3Gateway[spreadingFactor - 5],
    };
    this.#air.begin(row, signal, fromUs);
  }

  end({ name }: Drawn, row: number): void {
    if (name === 'gateway') {
      this.#gateways.endSending(0);
      return;
    }
    this.#air.end(row, row, row, 0);
    const reception = this.#air.flights.column.firstReception[row];
    const fate =
      reception === NONE ? 'tooWeak' : FATE_NAMES[this.#air.receptions.column.fate[reception]];
    if (fate === 'received') this.heard.push(name);
    else this.lost[name] = fate;
    this.#air.close(row);
  }

  #send({ fromUs, untilUs }: Drawn): void {
    const downlink = this.#downlinks.take();
    const { gateway, startsAtUs, airtimeUs } = this.#downlinks.column;
    gateway[downlink] = 0;
    startsAtUs[downlink] = fromUs;
    airtimeUs[downlink] = untilUs - fromUs;
    this.#gateways.enqueue(downlink, fromUs - 1_000_000);
    this.#gateways.beginSending(0, () => 0, fromUs);
  }
}
