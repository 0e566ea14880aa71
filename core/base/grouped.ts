/** Values by what they have in common, the groups in the order of their first values. */
export function groupedBy<Value, Key>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const alike = groups.get(key);
    if (alike === undefined) groups.set(key, [value]);
    else alike.push(value);
  }
  return groups;
}
