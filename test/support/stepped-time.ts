/** A clock of the host that stands still between its appointments. */
import type { HostTime } from '../../api/host/clock/host-time.ts';

/** A clock that goes on when it is asked to wait. */
export class SteppedTime implements HostTime {
  nowMs = 0;
  readonly #due: { readonly atMs: number; readonly act: () => void }[] = [];
  wallMs = () => this.nowMs;
  elapsedMs = () => this.nowMs;
  soon = (act: () => void) => this.later(act, 0);
  later(act: () => void, ms: number) {
    const entry = { atMs: this.nowMs + Math.max(ms, 0.01), act };
    this.#due.push(entry);
    return { cancel: () => void this.#drop(entry) };
  }
  #drop(entry: { readonly atMs: number; readonly act: () => void }): void {
    const at = this.#due.indexOf(entry);
    if (at >= 0) this.#due.splice(at, 1);
  }
  /** Carries out what is due, in order; false: nothing is left. */
  step(): boolean {
    const next = this.#due.reduce((a, b) => (b.atMs < a.atMs ? b : a), this.#due[0]!);
    if (next === undefined) return false;
    this.#drop(next);
    this.nowMs = Math.max(this.nowMs, next.atMs);
    next.act();
    return true;
  }
}
