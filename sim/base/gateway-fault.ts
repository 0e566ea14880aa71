/** What may fail of a gateway: the way to the network server, or all sending and receiving. */
export type GatewayFault = 'backhaul' | 'radio';
