/** Addresses as settings have them. */
import { BROKER_ADDRESS } from '../../../core/delivery/addresses.ts';
import { parseAllowed } from '../deliveries/network/egress.ts';
import { lineOf, linesOf } from './kinds.ts';

/** Where deliveries may go besides the public internet. */
export const allowedAddresses = linesOf(
  'a list of networks (10.0.0.0/8), hosts (hooks.example) and hosts with a port (host:8080)',
  (line) => parseAllowed(line).ok,
);

/** Where something listens. */
export const hostAndPort = lineOf(
  'host:port, without scheme',
  (line) => BROKER_ADDRESS.rule(line) && /:\d+$/.test(line),
);
