/**
 * News of the world as they happen, in streams of server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * A reader who is slow is never waited for: so much waits for it, what comes then is left out, and
 * an event states the number. Who listens changes nothing of the world.
 */
import { Readable } from 'node:stream';
import type { NewsAbout } from '../../../core/kit/resource.ts';
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { News } from '../../../sim/contract/news.ts';
import { eventKindOf, type NewsResponse, newsResponse, type Viewer } from './event-payloads.ts';

export interface NewsListener {
  readonly hear: (news: News, about: NewsAbout) => void;
  /** The world has ended. */
  readonly end: () => void;
}

/** The world that is listened to. */
export interface HeardWorld {
  /** Virtual time, µs. */
  readonly nowUs: number;
  /** Until what is returned is called. */
  readonly listen: (listener: NewsListener) => () => void;
}

/** Kinds of events to include; absent: all that the viewer may receive. */
export interface EventFilter {
  readonly kinds?: ReadonlySet<string> | undefined;
  /** DevEUI. */
  readonly device?: string | undefined;
  readonly gateway?: string | undefined;
  /** Virtual time, µs; both are inside. */
  readonly fromUs: number;
  readonly toUs: number;
}

export interface StreamBounds {
  /** At the same time. */
  readonly streams: number;
  /** What waits for one reader, bytes. */
  readonly bytes: number;
  /** Between two signs of life, ms of the wall's clock. */
  readonly heartbeatMs: number;
}

export const STREAM_BOUNDS: StreamBounds = {
  streams: 16,
  bytes: 1024 * 1024,
  heartbeatMs: 15_000,
};

export class EventStreams {
  readonly #world: HeardWorld;
  readonly #bounds: StreamBounds;
  #open = 0;

  constructor(world: HeardWorld, bounds: StreamBounds = STREAM_BOUNDS) {
    this.#world = world;
    this.#bounds = bounds;
  }

  /** Streams that are read. */
  get count(): number {
    return this.#open;
  }

  /** Text of a stream; destroying it unsubscribes. */
  open(viewer: Viewer, filter: EventFilter): Result<Readable> {
    if (this.#open >= this.#bounds.streams) {
      const message = `${this.#bounds.streams} streams of events are read already.`;
      return fail('event.too-many', message);
    }
    this.#open++;
    const stream = new EventStream({
      viewer,
      filter,
      world: this.#world,
      bounds: this.#bounds,
      onEnd: () => {
        assert(this.#open > 0, 'a stream ends once');
        this.#open--;
      },
    });
    return ok(stream.text);
  }
}

/** Reserve for the notice of omitted events and for ordinals, bytes. */
const RESERVE = 128;

interface StreamParts {
  readonly viewer: Viewer;
  readonly filter: EventFilter;
  readonly world: HeardWorld;
  readonly bounds: StreamBounds;
  /** Called once, when it is over, however. */
  readonly onEnd: () => void;
}

class EventStream {
  readonly text: Readable;
  readonly #parts: StreamParts;
  readonly #leave: () => void;
  readonly #heart: NodeJS.Timeout;
  /** Of the latest event, also where it was left out. */
  #ordinal = 0;
  #missed = 0;
  #isOver = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.text = new Readable({
      // Below what may wait, so that it is asked for more when there is place again.
      highWaterMark: parts.bounds.bytes >> 4,
      read: () => this.#sendMissed(),
      destroy: (error, done) => {
        this.#close();
        done(error);
      },
    });
    // An early comment shows the client at once that the stream is open.
    this.text.push(': listening\n\n');
    this.#heart = setInterval(() => this.#beat(), parts.bounds.heartbeatMs).unref();
    this.#leave = parts.world.listen({
      hear: (news, about) => this.#hear(news, about),
      end: () => this.#end(),
    });
    this.#endIfLate();
  }

  #hear(news: News, { owner, nowUs }: NewsAbout): void {
    const { viewer, filter } = this.#parts;
    if (nowUs > filter.toUs) return this.#end();
    const kind = eventKindOf(news);
    if (nowUs < filter.fromUs || filter.kinds?.has(kind) === false) return;
    const response = newsResponse(news, owner, viewer);
    if (response === undefined || !isAbout(response, filter)) return;
    this.#report(kind, { at: viewer.timeOf(nowUs), ...response.data });
  }

  /** Leaves it out where too much waits already; ordinals go on. */
  #report(event: string, data: object): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (this.text.readableLength + text.length + RESERVE <= this.#parts.bounds.bytes) {
      this.#sendMissed();
      this.#push(text);
    } else {
      this.#ordinal++;
      this.#missed++;
    }
  }

  #push(text: string): void {
    this.text.push(`id: ${++this.#ordinal}\n${text}`);
  }

  /** At the place of what was left out; at once where the reader goes on before there is more. */
  #sendMissed(): void {
    const missed = this.#missed;
    this.#missed = 0;
    if (missed > 0) this.#push(`event: missed\ndata: ${JSON.stringify({ missed })}\n\n`);
  }

  /** Proxies close what is silent. */
  #beat(): void {
    if (this.text.readableLength === 0) this.text.push(': alive\n\n');
    this.#endIfLate();
  }

  #endIfLate(): void {
    const { world, filter } = this.#parts;
    if (world.nowUs > filter.toUs) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#sendMissed();
    this.#push('event: end\ndata: {}\n\n');
    this.text.push(null);
    this.#close();
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#heart);
    this.#leave();
    this.#parts.onEnd();
  }
}

const isAbout = ({ device, gateways }: NewsResponse, filter: EventFilter): boolean =>
  (filter.device === undefined || filter.device === device) &&
  (filter.gateway === undefined || gateways.includes(filter.gateway));
