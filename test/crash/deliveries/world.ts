/** A world whose uplinks go to a webhook and a broker, and what it had to deliver. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../../api/host/files/package-root.ts';

export interface Places {
  readonly webhookPort: number;
  readonly brokerPort: number;
}

export const scenarioOf = ({ webhookPort, brokerPort }: Places): string => `
scenario: delivered
duration: 300 d
seed: delivered
subscribers: [ann]
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways:
  - { name: mast, subscriber: ann }
devices:
  - name: meter
    count: 60
    subscriber: ann
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 5 min }
    outputProfile: readings
outputProfiles:
  - name: readings
    subscriber: ann
    rest: [{ url: "http://127.0.0.1:${webhookPort}/in", outputFormat: simple }]
    mqtt:
      - host: "127.0.0.1:${brokerPort}"
        username: ann
        password: opensesame
        topic: "meters/\${DEVEUI}"
`;

export interface Bodies {
  readonly webhook: readonly string[];
  readonly mqtt: readonly string[];
}

/**
 * Bodies that have left a world, as a run of its session reports them: another process, which makes
 * the world anew from what clients asked.
 */
export async function bodiesOf(session: string, folder: string): Promise<Bodies> {
  const file = join(folder, 'session.yaml');
  writeFileSync(file, session);
  const text = join(folder, 'effects.ndjson');
  const words = ['run', file, '--quiet', '--deliveries', text, '--out', join(folder, 'out')];
  await promisify(execFile)(process.execPath, [packageFile('dist/fleetwave.js'), ...words]);
  const lines = readFileSync(text, 'utf8').split('\n').filter(Boolean);
  const emitted = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'emitted');
  const of = (kind: string) =>
    emitted.filter(({ to }) => to.kind === kind).map(({ body }) => JSON.stringify(body));
  return { webhook: of('webhook'), mqtt: of('mqtt') };
}
