/**
 * The authorization endpoint (RFC 6749 §3.1, RFC 7636): a person signs in on a plain page, and the
 * browser goes back with a code. It knows no HTTP but parameters and headers.
 */

import type { Principal } from '../../../core/management/accounts/principal.ts';
import { PERMISSIONS } from '../../../core/rows/permissions.ts';
import type { Accounts } from '../../host/accounts/accounts.ts';
import { Refusal } from '../refusal.ts';
import { pageHeaders, refusalPage, signInPage } from './authorize-page.ts';
import { CHALLENGE, type Codes } from './codes.ts';
import { type Form, readForm } from './form.ts';
import { readRedirect, redirectWith } from './redirects.ts';
import { readScope } from './scope.ts';
import type { TokenOperation } from './token-operation.ts';

/** What is answered: a page, or a redirect. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AuthorizationParts {
  readonly accounts: Accounts;
  readonly codes: Codes;
  readonly operation: TokenOperation;
  /** Pages of the emulator that take codes, whole addresses. */
  readonly ownRedirects: () => readonly string[];
}

/** What the page carries from the request to the form that is sent. */
const CARRIED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
];

/** A request that may be answered by a redirect. */
interface Asked {
  readonly form: Form;
  readonly client: Principal;
  readonly redirect: URL;
}

export class Authorization {
  readonly #parts: AuthorizationParts;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
  }

  /** Shows the form, or what is wrong with the request. */
  ask(query: unknown): Page {
    return this.#answer(query, (asked) => signIn(asked, 200));
  }

  /** The form was sent. */
  async decide(body: unknown): Promise<Page> {
    return await this.#answer(body, async (asked) => {
      const { form, client, redirect } = asked;
      if (form.get('decision') === 'deny')
        return failed(asked, 'access_denied', 'It was declined.');
      const user = await this.#signedIn(asked);
      if ('status' in user) return user;
      const scope = readScope(form, user);
      if (!scope.ok) return failed(asked, scope.failure.code, scope.failure.message);
      const code = this.#parts.codes.make({
        client,
        user,
        redirectUri: form.get('redirect_uri') ?? '',
        challenge: form.get('code_challenge') ?? '',
        scope: scope.value,
      });
      return redirected(redirect, { code, state: form.get('state') });
    });
  }

  /** The page once more if name or password are wrong, or the user is another subscriber's. */
  async #signedIn(asked: Asked): Promise<Principal | Page> {
    const [username, password] = [asked.form.get('username'), asked.form.get('password')];
    try {
      const user = await this.#parts.operation.userOf(username ?? '', password ?? '');
      return user.subscriber === asked.client.subscriber ? user : signIn(asked, 403, WRONG);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status !== 429) return signIn(asked, 403, WRONG);
      const page = signIn(asked, 429, TOO_OFTEN);
      return { ...page, headers: { ...page.headers, ...error.headers } };
    }
  }

  /**
   * RFC 6749 §4.1.2.1: errors with an unverified redirect address are shown here; others go to the
   * redirect address.
   */
  #answer<T extends Page | Promise<Page>>(given: unknown, next: (asked: Asked) => T): T | Page {
    let asked: Asked | string;
    try {
      asked = this.#read(readForm(given));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      asked = error.failure.message;
    }
    if (typeof asked === 'string') return refused(asked);
    const wrong = wrongWith(asked);
    return wrong === undefined ? next(asked) : failed(asked, ...wrong);
  }

  /** What may be answered by a redirect, or why nothing may. */
  #read(form: Form): Asked | string {
    const client = this.#parts.accounts.ofClient(form.get('client_id') ?? '');
    if (client === undefined) return 'No client has this client_id.';
    const redirect = readRedirect(form.get('redirect_uri'), this.#parts.ownRedirects());
    if (redirect !== undefined) return { form, client, redirect };
    return 'The redirect_uri has to be on this machine: http://127.0.0.1, [::1] or localhost.';
  }
}

const WRONG = 'User name or password are wrong, or of another subscriber.';
const TOO_OFTEN = 'Too many tries have failed. Wait a minute and try again.';

/** Code and description of RFC 6749 §4.1.2.1. */
function wrongWith({ form }: Asked): [string, string] | undefined {
  if (form.get('response_type') !== 'code') {
    return ['unsupported_response_type', 'response_type has to be code.'];
  }
  if (form.get('code_challenge_method') !== 'S256') {
    return ['invalid_request', 'code_challenge_method has to be S256.'];
  }
  if (!CHALLENGE.test(form.get('code_challenge') ?? '')) {
    return ['invalid_request', 'code_challenge has to be 43 characters of base64url.'];
  }
  // Whose permissions they are is known when somebody signs in.
  const scope = readScope(form, { permissions: PERMISSIONS });
  return scope.ok ? undefined : [scope.failure.code, scope.failure.message];
}

const refused = (message: string): Page => ({
  status: 400,
  headers: pageHeaders(),
  body: refusalPage(message),
});

function signIn({ form, client, redirect }: Asked, status: number, failure?: string): Page {
  const carried = new Map(
    CARRIED.flatMap((name) => {
      const value = form.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const username = form.get('username') ?? '';
  const { origin } = redirect;
  const body = signInPage({ application: client.title, origin, carried, username, failure });
  return { status, headers: pageHeaders(origin), body };
}

const failed = ({ form, redirect }: Asked, error: string, error_description: string): Page =>
  redirected(redirect, { error, error_description, state: form.get('state') });

const redirected = (url: URL, response: Readonly<Record<string, string | undefined>>): Page => ({
  status: 302,
  headers: {
    location: redirectWith(url, response),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  },
  body: '',
});
