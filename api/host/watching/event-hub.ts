/** Who listens to a world. Whether anybody does changes no event and no digest. */
import type { NewsAbout } from '../../../core/kit/resource.ts';
import type { News } from '../../../sim/contract/news.ts';
import type { NewsListener } from './event-streams.ts';

export class NewsHub {
  /** In the order in which they came. */
  readonly #listeners = new Set<NewsListener>();
  #isOver = false;

  /** For `WorldOptions.news`: a world that nobody listens to pays nothing but this look. */
  readonly hear = (news: News, about: NewsAbout): void => {
    if (this.#listeners.size === 0) return;
    for (const { hear } of this.#listeners) hear(news, about);
  };

  /** News of the world from now on, until what is returned is called. */
  listen(listener: NewsListener): () => void {
    this.#listeners.add(listener);
    // A subscriber that arrives after the end receives `end`, once it listens.
    if (this.#isOver) queueMicrotask(() => this.end());
    return () => void this.#listeners.delete(listener);
  }

  /** There is no more news. */
  end(): void {
    this.#isOver = true;
    for (const { end } of this.#listeners) end();
  }
}
