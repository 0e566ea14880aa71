/** Times of the transmit queue (docs/standard.md, Transmit queue of a packet forwarder). */

const TX_START_DELAY_US = 1_500;
/** SX1301; other concentrators look at their queue earlier. */
const TX_JIT_DELAY_US = 30_000;
/** Between two entries of the queue. */
export const TX_MARGIN_DELAY_US = 1_000;
/** A downlink must reach the gateway earlier than this before its start. */
export const leadTimeUs = (txJitUs = TX_JIT_DELAY_US): number =>
  TX_START_DELAY_US + TX_MARGIN_DELAY_US + txJitUs;
/** Free time before a frame. */
export const FREE_BEFORE_US = TX_START_DELAY_US + TX_JIT_DELAY_US;
