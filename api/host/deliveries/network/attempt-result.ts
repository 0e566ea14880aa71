/** What an attempt to deliver came to. */

/**
 * What an attempt came to, for short: a status of HTTP, or one of these words. `acknowledged`: a
 * broker has it. `address refused`: deliveries may not go there.
 */
export type SentAnswer =
  | number
  | 'acknowledged'
  | 'timeout'
  | 'connection refused'
  | 'connection failed'
  | 'no token'
  | 'address refused'
  | 'not possible';

export interface Sent {
  readonly answer: SentAnswer;
  /** Retry-After, s; 0: none. */
  readonly retryAfterS: number;
  /** For people, 1 000 characters at most: what was answered, or what went wrong. */
  readonly says: string;
  /**
   * Whether nothing was sent, because there was no way there: the target is tried later, and it
   * counts as no attempt of this delivery.
   */
  readonly isUnsent?: boolean;
}
