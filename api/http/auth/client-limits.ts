/** How often clients may ask, by the settings of the emulator. */
import type { Accounts } from '../../host/accounts/accounts.ts';
import type { EmulatorOptions } from '../../host/settings/emulator-options.ts';
import type { LimitsOptions } from './limits.ts';

/** Of a client, where others than this machine's reach the emulator. */
const REQUESTS_A_SECOND = 1_000;

type Given = Pick<EmulatorOptions, 'requestsPerSecond' | 'clients'>;

/** Names are looked up when somebody asks: an application may come, and be renamed, at any time. */
export function clientLimits(
  { requestsPerSecond, clients = [] }: Given,
  isLoopback: boolean,
  accounts: Pick<Accounts, 'ofClient'>,
): LimitsOptions {
  const most = requestsPerSecond ?? (isLoopback ? 0 : REQUESTS_A_SECOND);
  if (clients.length === 0) return { requestsASecond: orNone(most) };
  const by = (key: 'client_id' | 'name') =>
    new Map(clients.map((each) => [each[key] ?? '', orNone(each.requests_per_second)]));
  const [byId, byName] = [by('client_id'), by('name')];
  return {
    requestsASecond: orNone(most),
    requestsOf: (id) => {
      const own = byId.get(id);
      // A user asks by his name, an application by its id.
      return own === undefined ? byName.get(accounts.ofClient(id)?.title ?? id) : own;
    },
  };
}

const orNone = (most: number): number | null => (most === 0 ? null : most);
