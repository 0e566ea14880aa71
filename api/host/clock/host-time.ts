/** The wall's clocks and timers, as the host uses them; tests put others in their place. */
export interface HostTime {
  /** Milliseconds since 1970; it may jump. */
  wallMs(): number;
  /** Milliseconds since some instant; it never runs backwards. */
  elapsedMs(): number;
  /** Calls once, as soon as what has come meanwhile is served. */
  soon(act: () => void): Appointment;
  /** Calls once after some milliseconds. It keeps no process alive. */
  later(act: () => void, ms: number): Appointment;
}

export interface Appointment {
  cancel(): void;
}

export const HOST_TIME: HostTime = {
  wallMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  soon(act) {
    const immediate = setImmediate(act);
    return { cancel: () => clearImmediate(immediate) };
  },
  later(act, ms) {
    const timer = setTimeout(act, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
