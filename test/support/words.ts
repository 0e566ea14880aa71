/** What answers mentioned, by subscriber and field as in `ann campaign_id`, the latest last. */
export class Words extends Map<string, readonly string[]> {
  readonly #most: number;

  /** The number of are stored of each. */
  constructor(most = 8) {
    super();
    this.#most = most;
  }

  hear(by: string, answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return;
    for (const [field, value] of Object.entries(answer)) {
      if (typeof value === 'object') this.hear(by, value);
      else this.add(`${by} ${field}`, String(value));
    }
  }

  add(key: string, word: string): void {
    this.set(key, [...(this.get(key) ?? []), word].slice(-this.#most));
  }
}
