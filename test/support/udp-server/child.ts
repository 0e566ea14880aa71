/** The network server as a process of its own: its setting comes first, then `report`. */
import { NetworkServer, type ServerSetting } from './network-server.ts';

let server: NetworkServer | undefined;

process.on('message', async (message: { setting?: ServerSetting; report?: true }) => {
  if (message.setting !== undefined) {
    server = new NetworkServer(message.setting);
    process.send?.({ port: await server.listen() });
  }
  if (message.report === true) process.send?.({ report: server?.report() });
});
process.on('disconnect', () => process.exit(0));
