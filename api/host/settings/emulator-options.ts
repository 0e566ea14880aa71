/** What an emulator is started with, and what is wrong with it. */
import {
  ANY_OPTION,
  FLAG_OPTION,
  functionOption,
  optionFaults,
} from '../../../sim/base/options.ts';
import type { ClientLimit } from './clients.ts';
import { fromProgram } from './read.ts';
import { SETTING_NAMES, type SettingOf } from './table.ts';

export interface EmulatorOptions {
  /** Path of the scenario file; the fleet that comes with Fleetwave when absent. */
  readonly scenario?: string | undefined;
  /** One of that file's variants; the file itself when absent. */
  readonly variant?: string | undefined;
  /** Overrides `path=value`, such as `devices.meter.count=50`. */
  readonly set?: readonly string[] | undefined;
  /** Any text of 1 to 200 characters on one line; the scenario's own when absent. */
  readonly seed?: string | undefined;
  /** Virtual time zero, RFC 3339 (`2026-01-31T12:00:00Z`); the wall clock's instant when absent. */
  readonly startAt?: string | undefined;
  /** Whether virtual time stands still at first. */
  readonly paused?: boolean | undefined;
  /** Virtual seconds in a second of the wall clock, or as fast as possible; 1 when absent. */
  readonly speed?: number | 'max' | undefined;
  /**
   * Whether the world runs to the instant of the wall clock before it answers; it goes on where it
   * stood when absent.
   */
  readonly catchUp?: boolean | undefined;
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string | undefined;
  /** 0: any free port, the default. */
  readonly port?: number | undefined;
  /** Whether it speaks plain HTTP: on loopback addresses only. */
  readonly http?: boolean | undefined;
  /** Folder of the certificate authority; absent: in memory only. */
  readonly data?: string | undefined;
  /**
   * Whether the world is stored in `data`, command by command, and resumes from there at the next
   * start; it ends with the process when absent.
   */
  readonly durable?: boolean | undefined;
  /** Whether clients get other secrets at this start, which hold from then on. */
  readonly rotateSecret?: boolean | undefined;
  /** Whether what leaves the world goes to real receivers; real when absent. */
  readonly deliver?: 'real' | 'none' | undefined;
  /** Where deliveries may go besides the public internet: networks, hosts, `host:port`. */
  readonly allowDeliveryTo?: readonly string[] | undefined;
  /** Path of certificates (PEM) that receivers are trusted by, besides those of the system. */
  readonly deliveryCa?: string | undefined;
  /** `host:port` that all CloudA targets are reached at; each target's own when absent. */
  readonly cloudAEndpoint?: string | undefined;
  /** The same of CloudB. */
  readonly cloudBEndpoint?: string | undefined;
  /** The clock by which tokens expire; the wall's when absent. */
  readonly tokenClock?: 'wall' | 'virtual' | undefined;
  /** Whether `/sim/v1` is there although the address is no loopback one. */
  readonly enableSimControl?: boolean | undefined;
  /** Whether `/metrics` is there although the address is no loopback one. */
  readonly metrics?: boolean | undefined;
  /** Least severe of what is logged, in JSON lines on stderr; error when absent. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Requests in a second, per client; 0: as many as come. When absent, 1000 where others than this
   * machine reach the emulator, else 0.
   */
  readonly requestsPerSecond?: number | undefined;
  /** The same for single clients, as in `fleetwave.yaml`. */
  readonly clients?: readonly ClientLimit[] | undefined;
  /** Connections at the same time; 12 000 when absent. */
  readonly connections?: number | undefined;
  /** Bytes of a JSON body; 1 MiB when absent, 16 MiB of operations on a fleet. */
  readonly bodyBytes?: number | undefined;
  /**
   * Called when a broken invariant has stopped the world, which is not used again; the process ends
   * with exit code 70 when absent.
   */
  readonly onBroken?: ((error: unknown) => void) | undefined;
  /** Whether each answer is held to its own schema: for tests. */
  readonly checkAnswers?: boolean | undefined;
}

export type LogLevel = SettingOf<'logLevel'>;

/** What an emulator cannot be started with; a line each. */
export class WrongOptions extends Error {
  override readonly name = 'WrongOptions';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Of the command line alone. */
const OF_THE_COMMAND_LINE: readonly string[] = ['ephemeral', 'readyFile', 'quiet'];

/** Values of settings are judged by the rows of settings. */
const ROWS = {
  ...Object.fromEntries(
    SETTING_NAMES.filter((name) => !OF_THE_COMMAND_LINE.includes(name)).map((name) => [
      name,
      ANY_OPTION,
    ]),
  ),
  durable: FLAG_OPTION,
  onBroken: functionOption('a function of the error'),
  checkAnswers: FLAG_OPTION,
};

/** Throws `WrongOptions` with all that is wrong. */
export function checkOptions(options: EmulatorOptions): void {
  const lines: string[] = [];
  const complain = (wrong: boolean, line: string) => void (wrong && lines.push(line));
  lines.push(...optionFaults('startEmulator', options, ROWS));
  lines.push(...fromProgram(options).problems);
  complain(
    options.http === true && !isLoopback(hostOf(options)),
    `--http is for loopback addresses only, and ${hostOf(options)} is none`,
  );
  complain(
    options.durable === true && options.data === undefined,
    'a stored world needs a folder (data)',
  );
  if (lines.length > 0) throw new WrongOptions(lines);
}

export const hostOf = ({ host = '127.0.0.1' }: EmulatorOptions): string => host;

/** Whether only this machine reaches the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether the address stands for all that the machine has, and so is the name of none. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';
