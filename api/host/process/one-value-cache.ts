/** A cache of one value, by its key: for what is requested often at one instant. */
export function cacheLatest<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let created: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (created?.key !== key) created = { key, value: make(key) };
    return created.value;
  };
}
