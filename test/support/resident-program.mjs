/**
 * The bundled command line, loaded once for many commands: a process that takes words from its
 * parent, and answers with what the program would have written and how it would have ended.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { scriptFor } from '../../dist/api/cli/script-for.js';

const [program] = process.argv.slice(2);
const scripts = join(dirname(program), 'scripts');
const require = createRequire(program);

const commandLineFor = (words) => {
  const name = readdirSync(scripts).find((each) => each.startsWith(`${scriptFor(words).script}-`));
  return require(join(scripts, name)).commandLine;
};

process.on('message', async ({ words, variables }) => {
  Object.assign(process.env, variables);
  const written = { stdout: '', stderr: '' };
  const taken = Object.keys(written).map((name) => {
    const { write } = process[name];
    process[name].write = (text) => {
      written[name] += text;
      return true;
    };
    return () => (process[name].write = write);
  });
  const status = await commandLineFor(words)(words);
  for (const giveBack of taken) giveBack();
  for (const name of Object.keys(variables)) delete process.env[name];
  // Its parent may have gone meanwhile.
  if (process.connected) process.send({ status, ...written });
});
process.send('ready');
