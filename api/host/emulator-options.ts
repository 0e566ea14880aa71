/** What an emulator is started with, and what is wrong with it. */
import { parseInstant } from '../../core/base/instant.ts';
import { START_YEARS } from '../../scenarios/language/instant.ts';
import { SPEEDS } from './clock.ts';

export interface EmulatorOptions {
  /** Path of the scenario file; the fleet that comes with Fleetwave when absent. */
  readonly scenario?: string | undefined;
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
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string | undefined;
  /** 0: any free port, the default. */
  readonly port?: number | undefined;
  /** Whether it speaks plain HTTP: on loopback addresses only. */
  readonly http?: boolean | undefined;
  /** Folder of the certificate authority; it is kept in memory when absent. */
  readonly data?: string | undefined;
  /**
   * Whether the world is kept in `data`, command by command, and goes on from there at the next
   * start; it ends with the process when absent.
   */
  readonly durable?: boolean | undefined;
  /** The clock by which tokens expire; the wall's when absent. */
  readonly tokenClock?: 'wall' | 'virtual' | undefined;
  /** Whether `/sim/v1` is there although the address is no loopback one. */
  readonly enableSimControl?: boolean | undefined;
  /** Least severe of what is logged, in JSON lines on stderr; error when absent. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Called when a broken invariant has stopped the world, which is not used again; the process ends
   * with exit code 70 when absent.
   */
  readonly onBroken?: ((error: unknown) => void) | undefined;
  /** Whether each answer is held to its own schema: for tests. */
  readonly checkAnswers?: boolean | undefined;
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const TOKEN_CLOCKS: readonly string[] = ['wall', 'virtual'];

/** What an emulator cannot be started with; a line each. */
export class WrongOptions extends Error {
  override readonly name = 'WrongOptions';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Throws `WrongOptions` with all that is wrong. */
export function checkOptions(options: EmulatorOptions): void {
  const { seed, startAt, speed, port = 0, http } = options;
  const years = `${START_YEARS.least} to ${START_YEARS.most}`;
  const lines: string[] = [];
  const complain = (wrong: boolean, line: string) => void (wrong && lines.push(line));
  const isSeed = seed === undefined || (/^[^\r\n]{1,200}$/.test(seed) && seed.trim() !== '');
  complain(!isSeed, '--seed is not right; allowed: 1 to 200 characters on one line');
  complain(
    startAt !== undefined && !isStart(startAt),
    `--start-at ${startAt} is not right; allowed: an instant of the years ${years} such as ` +
      '2026-01-31T12:00:00Z',
  );
  const { least, most } = SPEEDS;
  const isSpeed = speed === undefined || speed === 'max' || (speed >= least && speed <= most);
  complain(!isSpeed, `--speed is not right; allowed: ${least} to ${most}, or max`);
  const { tokenClock = 'wall', logLevel = 'error' } = options;
  complain(
    !TOKEN_CLOCKS.includes(tokenClock),
    '--token-clock is not right; allowed: wall, virtual',
  );
  const levels = LOG_LEVELS.join(', ');
  complain(!LOG_LEVELS.includes(logLevel), `--log-level is not right; allowed: ${levels}`);
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  complain(!isPort, '--port is not right; allowed: 0 to 65535, 0 is any that is free');
  complain(
    http === true && !isLoopback(hostOf(options)),
    `--http is for loopback addresses only, and ${hostOf(options)} is none`,
  );
  complain(
    options.durable === true && options.data === undefined,
    'a world that is kept needs a folder (data)',
  );
  if (lines.length > 0) throw new WrongOptions(lines);
}

function isStart(text: string): boolean {
  const instant = parseInstant(text);
  const year = Number(text.slice(0, 4));
  return instant.ok && year >= START_YEARS.least && year <= START_YEARS.most;
}

export const hostOf = ({ host = '127.0.0.1' }: EmulatorOptions): string => host;

/** Whether only this machine reaches the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether the address stands for all that the machine has, and so is the name of none. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';
