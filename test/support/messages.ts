/** Laws of every table of messages: decode ∘ encode is the identity, truncations are refused. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Fields, type Message, rest } from '../../sim/lorawan/message.ts';

/** Payloads of a message, drawn as random bytes that the table reads. */
function payloads(message: Message<Fields>): fc.Arbitrary<object> {
  return fc
    .uint8Array({ minLength: 64, maxLength: 64 })
    .map((bytes) => message.readAt(Uint8Array.of(message.cid, ...bytes), 0, 65)?.payload ?? {});
}

/** Checks the laws for each message of a set. */
export function expectLawfulMessages(set: Readonly<Record<string, Message<Fields>>>): void {
  for (const [name, message] of Object.entries(set)) {
    const open = Object.values(message.fields).includes(rest);
    fc.assert(
      fc.property(payloads(message), (payload) => {
        const bytes = message.encode(payload);
        expect(message.decode(bytes), name).toEqual({ ok: true, value: payload });
        expect(message.decode(Uint8Array.of(...bytes, 0)).ok, name).toBe(open);
        for (let length = 0; length < bytes.length && !open; length++) {
          expect(message.decode(bytes.subarray(0, length)).ok, name).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  }
}
