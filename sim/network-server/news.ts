/** What the server tells the platform while an event happens; the listener only takes notes. */

export interface ServerListener {
  /** Ports on which uplinks of all devices are told. */
  readonly ports: ReadonlySet<number>;
  /** An accepted uplink of a watched device, or on such a port; `payload` is a copy in clear. */
  onUplink(news: {
    readonly devEui: string;
    readonly atUs: number;
    readonly endedAtUs: number;
    readonly fCnt: number;
    readonly fPort: number;
    readonly payload: Uint8Array;
    readonly dataRate: number;
  }): void;
  /** A multicast frame went on air at a gateway, or was refused there. */
  onMulticast(news: {
    readonly mcAddr: number;
    readonly gatewayEui: string;
    readonly fCnt: number;
    readonly outcome:
      | { readonly kind: 'sent' }
      | { readonly kind: 'noBudget'; readonly notBeforeUs: number }
      | { readonly kind: 'refused'; readonly reason: string };
  }): void;
  /** A sampled device has rebuilt a block from its fragments. */
  onBlock(news: {
    readonly devEui: string;
    readonly mcAddr: number;
    readonly block: Uint8Array;
  }): void;
}

/** Nobody listens. */
export const DEAF: ServerListener = {
  ports: new Set(),
  onUplink() {
    // A network alone has no platform.
  },
  onMulticast() {
    // A network alone has no platform.
  },
  onBlock() {
    // A network alone has no platform.
  },
};
