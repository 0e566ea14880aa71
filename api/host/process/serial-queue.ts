/** What is done one after the other, in the order in which it was asked for. */
export type InTurn = <Value>(act: () => Value | Promise<Value>) => Promise<Value>;

export function inSequence(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act);
    last = next.catch(() => undefined);
    return next;
  };
}
