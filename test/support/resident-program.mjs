/**
 * The bundled command line, loaded once for many commands: a process that takes words from its
 * parent, and answers with what the program would have written and how it would have ended.
 */
import { readFileSync } from 'node:fs';

const [program] = process.argv.slice(2);
const [, chunk] = /import\([`"'](.\/chunks\/command-line-[^`"']+)/.exec(
  readFileSync(program, 'utf8'),
);
const { commandLine } = await import(new URL(chunk, `file://${program}`).href);

process.on('message', async (words) => {
  const written = { stdout: '', stderr: '' };
  const taken = Object.keys(written).map((name) => {
    const { write } = process[name];
    process[name].write = (text) => {
      written[name] += text;
      return true;
    };
    return () => (process[name].write = write);
  });
  const status = await commandLine(words);
  for (const giveBack of taken) giveBack();
  // Its parent may have gone meanwhile.
  if (process.connected) process.send({ status, ...written });
});
process.send('ready');
