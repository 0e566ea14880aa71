/** Faults of what delivers to real receivers. */
import type { Mutant } from './mutant.ts';

const EGRESS = 'test/host/deliveries/egress.test.ts';
const WEBHOOK = 'test/host/deliveries/webhook.test.ts';
const GUARDED = 'test/host/deliveries/guarded-network.test.ts';
const OAUTH = 'test/host/deliveries/oauth.test.ts';

export const DELIVERIES_MUTANTS: readonly Mutant[] = [
  // ── where they may go ──────────────────────────────────────────────────────────────────────────
  {
    what: 'A name is allowed by the first of its addresses.',
    file: 'api/host/deliveries/network/egress.ts',
    find: 'for (const { address } of addresses) {',
    replace: 'for (const { address } of addresses.slice(0, 1)) {',
    test: EGRESS,
    title: 'is refused where any of its addresses is',
  },
  {
    what: 'An IPv4 address that IPv6 maps is none of its own.',
    file: 'api/host/deliveries/network/egress.ts',
    find: 'return isMapped ? ipv4At(groups, 6) : new URL',
    replace: 'return new URL',
    test: EGRESS,
  },
  {
    what: 'Anyone who listens on loopback is reached through a gateway.',
    file: 'api/host/deliveries/network/egress.ts',
    find: 'return closedAs(address) ?? (carried',
    replace:
      'if (carried !== undefined) return undefined;\n    return closedAs(address) ?? (carried',
    test: EGRESS,
  },
  {
    what: 'An address that is given as such is not checked.',
    file: 'api/host/deliveries/network/http-client.ts',
    find: 'if (refusal !== undefined) return then',
    replace: 'if (refusal === to.hostname) return then',
    test: EGRESS,
    title: 'nothing reaches a listener there',
  },
  {
    what: 'A socket to an address is opened without a look at the address.',
    file: 'api/host/deliveries/network/tcp-socket.ts',
    find: 'if (refusal !== undefined) throw new NoWay(new AddressRefused(refusal));',
    replace: '',
    test: GUARDED,
  },
  {
    what: 'A socket to a name goes wherever the name leads.',
    file: 'api/host/deliveries/network/tcp-socket.ts',
    find: 'lookup: egress.lookupFor(port), ',
    replace: '',
    test: GUARDED,
  },
  // ── webhooks ───────────────────────────────────────────────────────────────────────────────────
  {
    what: 'What may have been received counts as no attempt.',
    file: 'api/host/deliveries/network/request-errors.ts',
    find: '  return unanswered(...(AFTER[code] ?? unknown));',
    replace: '  return { ...unanswered(...(AFTER[code] ?? unknown)), isUnsent: true };',
    test: WEBHOOK,
    title: 'is a failed connection',
  },
  {
    what: 'Answers are read to their end.',
    file: 'api/host/deliveries/network/http-client.ts',
    find: 'if (bytes >= MOST_ANSWER_BYTES) break;',
    replace: '',
    test: WEBHOOK,
    title: 'is read to 16 kB and no further',
  },
  {
    what: 'All targets have the connections of one.',
    file: 'api/host/deliveries/network/http-client.ts',
    find: 'const key = keyOf(target, end);',
    replace: "const key = keyOf('', end);",
    test: WEBHOOK,
    title: 'waits for no other target',
  },
  {
    what: 'Connections of targets stay open, however many there are.',
    file: 'api/host/deliveries/network/http-client.ts',
    find: 'this.#lines.size > lines || this.#openConnections >= connections',
    replace: 'this.#lines.size > lines',
    test: 'test/host/deliveries/http-client.test.ts',
  },
  {
    what: 'A Retry-After with a date is passed over.',
    file: 'api/host/deliveries/senders/retry-after.ts',
    find: 'if (!isDate || Number.isNaN(atMs)) return 0;',
    replace: 'if (isDate || Number.isNaN(atMs)) return 0;',
    test: WEBHOOK,
    title: 'that has Retry-After',
  },
  {
    what: 'A key in base64 signs as the text that it is.',
    file: 'api/host/deliveries/senders/signature.ts',
    find: "Buffer.from(encoded, 'base64')",
    replace: 'Buffer.from(encoded)',
    test: WEBHOOK,
    title: 'is signed as Standard Webhooks has it',
  },
  {
    what: 'Users say who sent it.',
    file: 'api/host/deliveries/senders/webhook.ts',
    find: 'isSettable(header) && isHeaderValue(value)',
    replace: 'isHeaderValue(value)',
    test: WEBHOOK,
    title: 'has the headers of the user, but those of the way there',
  },
  {
    what: 'A secret that is echoed is reported.',
    file: 'api/host/deliveries/senders/response-text.ts',
    find: 'reportText = reportText.replaceAll(secret, REDACTED);',
    replace: '{}',
    test: WEBHOOK,
    title: 'gives away no secret that was sent',
  },
  // ── tokens ─────────────────────────────────────────────────────────────────────────────────────
  {
    what: 'Each delivery that waits asks for a token of its own.',
    file: 'api/host/deliveries/senders/tokens.ts',
    find: 'holder.asked ??= this.#ask',
    replace: 'holder.asked = this.#ask',
    test: OAUTH,
    title: 'is asked for once, however many wait for it',
  },
  {
    what: 'A token is used to its last moment.',
    file: 'api/host/deliveries/senders/tokens.ts',
    find: 'beganMs + livesMs - Math.min(SPARED_MS, livesMs / 10)',
    replace: 'beganMs + livesMs',
    test: OAUTH,
    title: 'is used until shortly before',
  },
  {
    what: 'A receiver that takes no token is asked again and again.',
    file: 'api/host/deliveries/senders/tokens.ts',
    find: 'isDoubted: holder.isDoubted };',
    replace: 'isDoubted: false };',
    test: OAUTH,
    title: 'for the second time means it',
  },
  {
    what: 'A token that was not accepted is used again.',
    file: 'api/host/deliveries/senders/tokens.ts',
    find: '      delete holder.token;\n',
    replace: '',
    test: OAUTH,
    title: 'is asked again with another token, once',
  },
];
