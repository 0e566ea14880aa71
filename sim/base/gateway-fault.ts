/** What may fail of a gateway: the way to the network server, or all sending and receiving. */
export const GATEWAY_FAULTS = ['backhaul', 'radio'] as const;
export type GatewayFault = (typeof GATEWAY_FAULTS)[number];
