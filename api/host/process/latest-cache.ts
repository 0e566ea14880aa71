/** The value of the latest key is kept: for what is asked again and again of the same instant. */
export function latest<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let created: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (created?.key !== key) created = { key, value: make(key) };
    return created.value;
  };
}
