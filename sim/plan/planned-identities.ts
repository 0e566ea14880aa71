/**
 * Who is in a row. As a rule that is the plan's own object of this row: a million devices stand in
 * memory once, and a snapshot has those alone who came later, or were changed since.
 */

/** Rows whose identity is not the plan's own. */
export type SavedIdentities<Identity> = readonly (readonly [row: number, identity: Identity])[];

/** `told`: a copy of what an identity has. */
export function saveIdentities<Identity>(
  identities: readonly Identity[],
  planned: readonly Identity[],
  told: (identity: Identity) => Identity,
): SavedIdentities<Identity> {
  const saved: [number, Identity][] = [];
  identities.forEach((identity, row) => {
    if (identity !== planned[row]) saved.push([row, told(identity)]);
  });
  return saved;
}

/** Puts so many saved identities in a list. */
export function loadIdentities<Identity>(
  identities: Identity[],
  planned: readonly Identity[],
  saved: SavedIdentities<Identity>,
  rows: number,
): void {
  identities.length = Math.min(rows, planned.length);
  for (let row = 0; row < identities.length; row++) identities[row] = planned[row]!;
  for (const [row, identity] of saved) identities[row] = identity;
}
