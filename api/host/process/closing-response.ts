/** How a server ends a connection on which it answers no more, so that its answer is heard. */
import type { Socket } from 'node:net';

/**
 * Sends `text` and closes. What still comes is read and dropped for `patienceMs` at most: a
 * connection that is closed with bytes unread is reset, which may take the answer along.
 */
export function closingResponse(socket: Socket, text: string, patienceMs: number): void {
  socket.on('error', ignore);
  socket.end(text);
  socket.resume();
  const overdue = setTimeout(() => socket.destroy(), patienceMs);
  socket.once('close', () => clearTimeout(overdue));
}

/** A connection that breaks is closed, and nothing more is owed to it. */
const ignore = (): void => {};
