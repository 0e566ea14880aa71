/** One way to the server: a socket, or what a test has in its place. */
export interface ServerLink {
  send(bytes: Uint8Array): void;
  /** Datagrams go to this function from now on, and to no earlier one. */
  onDatagram(take: (bytes: Uint8Array) => void): void;
}
