/** Which devices are to be looked at when a group's n-th row has ended. */

export type SavedChecks = readonly (readonly [
  number,
  readonly (readonly [number, readonly number[]])[],
])[];

export class Checks {
  /** By group address and row number. */
  readonly #devices = new Map<number, Map<number, number[]>>();

  add(mcAddr: number, rowNumber: number, device: number): void {
    const rows = this.#devices.get(mcAddr) ?? new Map<number, number[]>();
    this.#devices.set(mcAddr, rows);
    const devices = rows.get(rowNumber);
    if (devices === undefined) rows.set(rowNumber, [device]);
    else devices.push(device);
  }

  /** Takes the devices appointed for a row. */
  take(mcAddr: number, rowNumber: number): readonly number[] {
    const rows = this.#devices.get(mcAddr);
    const devices = rows?.get(rowNumber) ?? [];
    rows?.delete(rowNumber);
    return devices;
  }

  save(): SavedChecks {
    return [...this.#devices].map(([mcAddr, rows]) => [
      mcAddr,
      [...rows].map(([row, devices]) => [row, [...devices]] as const),
    ]);
  }

  load(saved: SavedChecks): void {
    this.#devices.clear();
    for (const [mcAddr, rows] of saved) {
      this.#devices.set(mcAddr, new Map(rows.map(([row, devices]) => [row, [...devices]])));
    }
  }
}
