/**
 * What a device is set to as a trace goes on, read from the downlinks that it heard by the format
 * of docs/model.md, Settings. Nothing here uses the simulator's own reading of it.
 */
import type { DeviceTypePlan } from '../../../sim/plan/network-plan.ts';
import { USUAL_PACKAGES } from '../../../sim/plan/packages-plan.ts';

/** By tag: how many bytes, and from what to what. */
const FORMAT: Readonly<Record<number, readonly [bytes: number, least: number, most: number]>> = {
  1: [3, 10, 16_777_215],
  2: [1, 0, 222],
  3: [1, 0, 1],
  4: [1, 1, 223],
};
const TAGS = [1, 2, 3, 4] as const;

/** Values by tag. */
type Values = Readonly<Record<number, number>>;

/** FPorts of a type's packages. */
export const packagePorts = ({ packages = USUAL_PACKAGES }: DeviceTypePlan): readonly number[] => [
  packages.clockSync.fPort,
  packages.multicastSetup.fPort,
  packages.fragmentation.fPort,
  packages.firmwareManagement.fPort,
];

function valuesIn(hex: string): Values | undefined {
  const bytes = (hex.match(/../g) ?? []).map((two) => Number.parseInt(two, 16));
  const values: Record<number, number> = {};
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!;
    const [count, least, most] = FORMAT[tag] ?? [0, 0, 0];
    if (count === 0 || values[tag] !== undefined || at + count >= bytes.length) return undefined;
    let value = 0;
    for (let i = 1; i <= count; i++) value = value * 256 + bytes[at + i]!;
    if (value < least || value > most) return undefined;
    values[tag] = value;
    at += 1 + count;
  }
  return Object.keys(values).length === 0 ? undefined : values;
}

/** A device of a type that is set over the air. */
export class ReportedSettings {
  readonly fPort: number;
  readonly #type: DeviceTypePlan;
  #values: Values;

  /** Undefined: the type is not set over the air. */
  static of(type: DeviceTypePlan): ReportedSettings | undefined {
    return type.settings === undefined
      ? undefined
      : new ReportedSettings(type, type.settings.fPort);
  }

  private constructor(type: DeviceTypePlan, fPort: number) {
    const { meanUs, payloadBytes, confirmedPpm, fPort: ownPort } = type.traffic;
    this.fPort = fPort;
    this.#type = type;
    this.#values = { 1: meanUs / 1e6, 2: payloadBytes, 3: confirmedPpm / 1e6, 4: ownPort };
  }

  get periodS(): number {
    return this.#values[1]!;
  }

  get payloadBytes(): number {
    return this.#values[2]!;
  }

  get confirmed(): boolean {
    return this.#values[3] === 1;
  }

  get ownPort(): number {
    return this.#values[4]!;
  }

  /** All of it, as a report has it, hexadecimal. */
  get hex(): string {
    return TAGS.map((tag) => {
      const digits = 2 * FORMAT[tag]![0];
      return `0${tag}${this.#values[tag]!.toString(16).padStart(digits, '0')}`;
    }).join('');
  }

  /** The device heard a downlink on the port of its settings: whether it takes it. */
  hear(hex: string): boolean {
    const values = valuesIn(hex);
    if (values === undefined) return false;
    const { protocol } = this.#type.settings!;
    if (protocol !== 'report' && Object.keys(values).length > 1) return false;
    const reserved = [this.fPort, ...packagePorts(this.#type)];
    if (values[4] !== undefined && reserved.includes(values[4])) return false;
    this.#values = { ...this.#values, ...values };
    return true;
  }
}
