/**
 * A process that serves two subscribers and measures the turns of its event loop: what its main
 * thread runs from one pass of the loop to the next, whatever else the machine does.
 */
import { measure, yardMs } from '../support/cost.ts';
import { serveNeighbours } from '../support/neighbours.ts';

const { devices, data } = JSON.parse(process.argv[2]!) as {
  readonly devices: number;
  readonly data: string;
};
const { url, subscribers } = await serveNeighbours({ durable: true, data }, devices, '2 h');

let longestMs = 0;
let cost = measure();
const pass = () => {
  longestMs = Math.max(longestMs, cost());
  setImmediate(pass);
  cost = measure();
};
pass();

/** Each message asks for the longest turn since the one before, in yards. */
process.on('message', () => {
  const ms = longestMs;
  longestMs = 0;
  process.send!({ longestMs: ms });
});
process.once('disconnect', () => process.exit());
process.send!({ url, subscribers, yardMs: yardMs() });
