/** What the records of an outside server share: messages as they were read, counts, addresses. */

/** A message of a package. */
export interface PackageMessage {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function count(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

/** 8 upper-case hexadecimal digits. */
export const hexAddress = (mcAddr: number): string =>
  mcAddr.toString(16).toUpperCase().padStart(8, '0');
