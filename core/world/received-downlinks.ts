/**
 * Devices that have received the downlink of a reliable downlink job: what the radio knows, and the
 * service does not. For results alone.
 */
import type { Sender } from '../../sim/contract/downlinks.ts';

/** Plain data: DevEUIs by the id of a job. */
export type SavedReceivedDownlinks = readonly (readonly [jobId: string, readonly string[]])[];

export class ReceivedDownlinks {
  readonly #byJob = new Map<string, Set<string>>();

  /**
   * A device has received a downlink; those of jobs that are gone are forgotten when a new job's is
   * received.
   */
  note({ kind, id }: Sender, devEui: string, isKnown: (jobId: string) => boolean): void {
    if (kind !== 'job') return;
    let devices = this.#byJob.get(id);
    if (devices === undefined) {
      for (const job of [...this.#byJob.keys()]) if (!isKnown(job)) this.#byJob.delete(job);
      devices = new Set();
      this.#byJob.set(id, devices);
    }
    devices.add(devEui);
  }

  /** How many devices have received that of a job, once or more. */
  count(jobId: string): number {
    return this.#byJob.get(jobId)?.size ?? 0;
  }

  save(): SavedReceivedDownlinks {
    return [...this.#byJob].map(([job, devices]) => [job, [...devices]]);
  }

  load(saved: SavedReceivedDownlinks): void {
    this.#byJob.clear();
    for (const [job, devices] of saved) this.#byJob.set(job, new Set(devices));
  }
}
