/** Codecs over HTTPS: `/sim/v1/decoders`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../api/client/client.ts';
import { type Emulator, startEmulator } from '../../api/emulator.ts';
import { METER_CODEC } from '../support/codecs.ts';

let emulator: Emulator;
let client: ReturnType<typeof connect>;
beforeAll(async () => {
  emulator = await startEmulator({ paused: true, seed: 'codecs' });
  client = connect(emulator);
});
afterAll(() => emulator.stop());

const body = { name: 'meter', script: METER_CODEC };

describe('/sim/v1/decoders', () => {
  it('takes a codec, reports it, replaces and deletes it', async () => {
    const created = await client.POST('/sim/v1/decoders', { body });
    expect(created.response.status).toBe(201);
    const { Id } = created.data!;
    const params = { path: { Id } };
    expect((await client.GET('/sim/v1/decoders/{Id}', { params })).data).toEqual({ Id, ...body });
    expect((await client.GET('/v1/decodertypes/{Id}', { params })).data).toEqual({
      Id,
      Name: 'meter',
      PayloadDecoder: 'JAVASCRIPT',
    });
    const other = { name: 'other', script: `${METER_CODEC} // again` };
    const put = await client.PUT('/sim/v1/decoders/{Id}', { params, body: other });
    expect(put.response.status).toBe(204);
    const listed = await client.GET('/sim/v1/decoders');
    expect(listed.data).toEqual({ decoders: [{ Id, name: 'other' }] });
    const gone = await client.DELETE('/sim/v1/decoders/{Id}', { params });
    expect(gone.response.status).toBe(204);
    expect((await client.GET('/sim/v1/decoders/{Id}', { params })).response.status).toBe(404);
  });

  it('is 400 with the line for what is no codec', async () => {
    const wrong = await client.POST('/sim/v1/decoders', {
      body: { name: 'x', script: 'var x;\nx(' },
    });
    expect(wrong.response.status).toBe(400);
    expect(JSON.stringify(wrong.error)).toContain('line 2: SyntaxError');
  });

  it('is 409 to delete while a device has it', async () => {
    const { Id } = (await client.POST('/sim/v1/decoders', { body })).data!;
    const [device] = (await client.GET('/v1/devices')).data!.Devices;
    const path = { DevEUI: device!.DevEUI };
    await client.PATCH('/v1/devices/{DevEUI}', { params: { path }, body: { DecoderType: Id } });
    const stored = await client.DELETE('/sim/v1/decoders/{Id}', { params: { path: { Id } } });
    expect(stored.response.status).toBe(409);
  });
});
