import { createHmac } from 'node:crypto';
import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { drawBytes, drawSecret, Secret, Verifiers } from '../../../api/host/accounts/secrets.ts';

const CANARY = 'fw_canary-that-nobody-may-see';

describe('a secret', () => {
  it('has 256 random bits behind the prefix that scanners know', () => {
    const asked: number[] = [];
    const draw = (count: number) => {
      asked.push(count);
      return new Uint8Array(count).fill(0xff);
    };
    const text = drawSecret(draw).reveal();
    expect(asked).toEqual([256 / 8]);
    expect(text).toMatch(/^fw_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(text.slice(3), 'base64url')).toEqual(Buffer.alloc(32, 0xff));
  });

  it('is drawn anew ten thousand times, and never twice', () => {
    const drawn = Array.from({ length: 10_000 }, () => drawSecret(drawBytes).reveal());
    expect(new Set(drawn).size).toBe(10_000);
  });

  const secret = new Secret(CANARY);
  it.each([
    ['a template', `${secret}`],
    ['toString', String(secret)],
    ['JSON', JSON.stringify({ deep: [secret] })],
    ['util.inspect', inspect({ deep: { secret } }, { depth: null, showHidden: true })],
    ['a format', format('%s %o %O %j', secret, secret, secret, secret)],
    ['a spread', JSON.stringify({ ...secret })],
    ['the text of an error', String(new Error(`no ${secret}`).stack)],
    ['its keys', Reflect.ownKeys(secret).join()],
  ])('is not shown by %s', (_, shown) => {
    expect(shown).not.toContain('canary');
  });

  it('is shown where it is asked for', () => {
    expect(secret.reveal()).toBe(CANARY);
    expect(`${secret}`).toBe('[redacted]');
  });
});

describe('a verifier', () => {
  const key = drawBytes(32);
  const verifiers = new Verifiers(key, drawBytes);

  it('is an HMAC-SHA256 under the server key, and not the secret', () => {
    const expected = createHmac('sha256', key).update(`secret\0${CANARY}`).digest();
    expect(Buffer.from(verifiers.of(CANARY))).toEqual(expected);
  });

  it('knows its secret, and no other', () => {
    const verifier = verifiers.of(CANARY);
    expect(verifiers.isRight(CANARY, verifier)).toBe(true);
    for (const wrong of [
      '',
      CANARY.slice(1),
      `${CANARY}x`,
      CANARY.toUpperCase(),
      'x'.repeat(1e6),
    ]) {
      expect(verifiers.isRight(wrong, verifier)).toBe(false);
    }
  });

  it('is worth nothing under another key', () => {
    const other = new Verifiers(drawBytes(32), drawBytes);
    expect(other.isRight(CANARY, verifiers.of(CANARY))).toBe(false);
  });

  it('of nobody fits no secret, not even by what it is compared with', () => {
    const zeros = new Verifiers(key, (count) => new Uint8Array(count));
    for (const text of ['', CANARY]) expect(zeros.isRight(text, undefined)).toBe(false);
    let nobody = new Uint8Array();
    const copied = new Verifiers(
      key,
      () => (nobody = verifiers.of('guess') as Uint8Array<ArrayBuffer>),
    );
    expect(nobody).toHaveLength(32);
    expect(copied.isRight('guess', undefined)).toBe(false);
  });

  it('is made with a key of 32 bytes only', () => {
    expect(() => new Verifiers(drawBytes(31), drawBytes)).toThrow('32 bytes');
  });
});
