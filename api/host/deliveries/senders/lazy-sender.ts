/** A sender whose code is loaded with the first thing that it has to send. */
import type { Route } from '../../../../core/delivery/targets/kinds.ts';
import type { Sender } from './sender.ts';

export function loadedOnUse<To extends Route>(load: () => Promise<Sender<To>>): Sender<To> {
  let loading: Promise<Sender<To>> | undefined;
  return {
    send: async (...words) => {
      loading ??= load();
      return (await loading).send(...words);
    },
    forget: async (target) => (await loading)?.forget(target),
    close: async () => {
      await (await loading)?.close();
    },
  };
}
