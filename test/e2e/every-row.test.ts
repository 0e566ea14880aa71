/**
 * Device and gateway management is complete: one who administers a served world asks for each of
 * its 64 operations, rows 52 to 115, and each is done.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DOCUMENTED_ROWS } from '../support/documented-rows.ts';
import { ServedEntry, TOWN } from '../support/served-http.ts';

const ROWS = new Map(DOCUMENTED_ROWS.map((each) => [each.row, each]));
const OF_MANAGEMENT = [...ROWS.keys()].filter((row) => row >= 52 && row <= 115);

const KEY = '0123456789ABCDEF'.repeat(2);
const NEW = 'C0FFEE0000000001';

let entry: ServedEntry;
let token: string;
const done = new Set<number>();

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  await entry.advance(1_200);
  const { username, password } = entry.credentialsOf('ann');
  // Of a user: an application has no account of its own.
  const form = new URLSearchParams({ grant_type: 'password', username, password });
  const { body } = await entry.ask('POST', '/oauth/token', {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  token = (body as { readonly access_token: string }).access_token;
});
afterAll(async () => await entry.close());

type Answered = Readonly<Record<string, unknown>>;
type Listed = readonly { readonly Id: string; readonly Name: string }[];

/** Asks for the operation of a row; its path is filled by name. */
async function ask(
  row: number,
  ids: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<Answered> {
  const { method, path } = ROWS.get(row)!;
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  const answer = await entry.ask(method, url, { token, ...(body === undefined ? {} : { body }) });
  expect([row, answer.status, answer.text]).toEqual([row, 200, expect.any(String)]);
  done.add(row);
  return answer.body as Answered;
}

const firstOf = (answer: Answered, list: string) => (answer[list] as Listed)[0]!.Id;

async function account(): Promise<void> {
  await ask(52);
  await ask(56);
  await ask(54, {}, { PhoneNumber: '+49 1' });
  await ask(55, {}, { Email: 'ann@example.org', FirstName: 'Ann', LastName: 'Example' });
  await ask(57);
  const { Id } = (await ask(58, {}, { Name: 'made' })) as { Id: string };
  await ask(59, { Id });
  await ask(60, { Id }, { Name: 'other' });
  await ask(61, { Id }, { Name: 'another' });
  await ask(63, { Id });
  await ask(62, { Id });
}

async function devices(heard: string): Promise<void> {
  await ask(65, { Id: firstOf(await ask(64), 'DecoderTypes') });
  const profiles = (await ask(85)).DeviceProfiles as Listed;
  const DeviceProfile = profiles.find(({ Name }) => Name === 'Class A')!.Id;
  const services = await entry.ask('GET', '/v1/serviceprofiles', { token });
  const ServiceProfile = firstOf(services.body as Answered, 'ServiceProfiles');
  const named = { Name: 'new', ServiceProfile, DeviceProfile };
  const keys = { ActivationType: 'OTAA', ApplicationEUI: NEW, ApplicationKey: KEY };
  await ask(67, {}, { ...named, DevEUI: NEW, ...keys });
  const one = { DevEUI: NEW, dev_eui: NEW };
  for (const row of [66, 68, 69, 76]) await ask(row);
  for (const row of [70, 75, 77]) await ask(row, one);
  await ask(71, one, { ...named, Name: 'other' });
  await ask(72, one, { PrivateData: true });
  await ask(86, { Id: DeviceProfile }, { Devices: [NEW] });
  await ask(74, { DevEUI: heard }, { Payload: '01', TargetPort: '7' });
  const { Id } = (await ask(79, {}, { Name: 'group', DeviceList: [NEW] })) as { Id: string };
  await ask(78);
  for (const row of [80, 84]) await ask(row, { Id });
  await ask(81, { Id }, { Name: 'other' });
  await ask(82, { Id }, { DeviceList: [heard] });
  await ask(83, { Id });
  await ask(73, one);
}

async function gateways(): Promise<void> {
  const created = await ask(
    98,
    {},
    {
      GatewayProfile: firstOf(await ask(114), 'GatewayProfiles'),
      MacAddress: '02:00:00:00:00:01',
      NodeId: NEW,
      Name: 'new',
      AntennaGain: '2.0',
      LocationType: 'OUTDOOR',
      Coordinates: { X: '48.0', Y: '11.0', Z: '20' },
    },
  );
  const { Id, GatewayProfile, Coordinates } = created as { Id: string } & Answered;
  await entry.advance(120);
  for (const row of [97, 99, 100]) await ask(row);
  for (const row of [101, 105, 106, 107]) await ask(row, { Id, NodeID: NEW });
  const named = { Name: 'other', AntennaGain: '3.0', LocationType: 'INDOOR' };
  await ask(102, { Id }, { ...named, GatewayProfile, Coordinates });
  await ask(103, { Id: NEW }, { Name: 'another' });
  const group = (await ask(109, {}, { Name: 'group', GatewayList: [Id, NEW] })) as { Id: string };
  await ask(108);
  await ask(110, group);
  await ask(111, group, { Name: 'other', GatewayList: [NEW] });
  await ask(112, group, { Name: 'another' });
  await ask(113, group);
}

async function multicastGroups(heard: string): Promise<void> {
  const one = { MulticastDevEUI: 'C0FFEE00000000FF' };
  const keys = { MulticastNwkSKey: KEY, MulticastAppSKey: KEY };
  const radio = { GroupType: 'C', DataRate: 3, Frequency: 869_525_000 };
  await ask(88, {}, { Name: 'all', ...one, MulticastDevAddr: '0C0FFEE0', ...keys, ...radio });
  await ask(87);
  await ask(89, one);
  await ask(90, one, { Name: 'other' });
  await ask(92, one, { Devices: [heard] });
  await ask(95, one, { Gateways: [NEW] });
  await ask(94, one);
  await ask(93, one, { Devices: [heard] });
  await ask(96, one, { Gateways: [NEW] });
  await ask(91, one);
}

it('account.get to log.list: each of the 64 operations is done, in one served world', async () => {
  const [heard] = (await entry.devEuisOf('meter')) as [string];
  await account();
  await devices(heard);
  await gateways();
  await multicastGroups(heard);
  const { Logs } = await ask(115);
  expect(Logs).not.toEqual([]);
  await ask(104, { Id: NEW });
  // It ends the tokens that there are.
  const { password: CurrentPassword } = entry.credentialsOf('ann');
  await ask(53, {}, { CurrentPassword, NewPassword: 'Correct horse 42' });
  expect([...done].sort((a, b) => a - b)).toEqual(OF_MANAGEMENT);
  expect(done.size).toBe(64);
});
