/** Names of gateways in results: by EUI, the latest of several. */
import { expect, it } from 'vitest';
import { gatewayNames } from '../../core/world/gateway-names.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';

it('gateways are called by the latest name of their EUI, else by the EUI', () => {
  const gateways = [
    { eui: 'A1', name: 'mast' },
    { eui: 'A2', name: 'roof' },
    { eui: 'A1', name: 'tower' },
  ] as unknown as NetworkSummary['gateways'];
  const nameOf = gatewayNames({ gateways });
  expect(['A1', 'A2', 'A3'].map(nameOf)).toEqual(['tower', 'roof', 'A3']);
});
