/** The pages of the authorization endpoint: plain HTML without scripts. All text is escaped. */
import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 10vh auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem .625rem;
  border: 1px solid #767676; border-radius: .25rem; }
button { font: inherit; padding: .5rem 1.25rem; border: 1px solid #0b57d0; border-radius: .25rem;
  background: #0b57d0; color: #fff; cursor: pointer; }
button[value=deny] { background: none; color: inherit; border-color: #767676; }
:focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
.buttons { display: flex; gap: .75rem; margin-top: 1.5rem; }
.alert { padding: .75rem 1rem; border-left: .25rem solid #c5221f; background: #c5221f1f; }
code { overflow-wrap: anywhere; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Fleetwave</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

const alert = (text: string): string => `<p class="alert" role="alert">${escaped(text)}</p>`;

export interface SignIn {
  /** Names of the application and of its subscriber. */
  readonly application: string;
  /** Where the browser goes afterwards, an origin. */
  readonly origin: string;
  /** What the form carries on unseen. */
  readonly carried: ReadonlyMap<string, string>;
  readonly username: string;
  /** What went wrong before. */
  readonly failure?: string | undefined;
}

/** The form that a person fills in. */
export function signInPage({ application, origin, carried, username, failure }: SignIn): string {
  const hidden = [...carried].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  const focus = (isHere: boolean) => (isHere ? ' autofocus' : '');
  return page(
    'Sign in',
    `<p>The application of <strong>${escaped(application)}</strong> asks to act for you. Afterwards
you are back at <code>${escaped(origin)}</code>.</p>
${failure === undefined ? '' : alert(failure)}
<form method="post">
${hidden.join('\n')}
<label for="username">User name</label>
<input id="username" name="username" value="${escaped(username)}" autocomplete="username"
 autocapitalize="none" spellcheck="false" required${focus(username === '')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
 required${focus(username !== '')}>
<p class="buttons">
<button name="decision" value="allow">Sign in</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</p>
</form>`,
  );
}

/** What is said where nothing may be redirected to. */
export const refusalPage = (message: string): string =>
  page('This request cannot be answered', alert(message));

/**
 * Headers of both pages. `origin`: where the answer to the form may redirect to; browsers hold
 * redirects to the form's targets, and no policy can name an IPv6 address but by its scheme.
 */
export function pageHeaders(origin?: string): Readonly<Record<string, string>> {
  const target = origin?.includes('[') ? origin.replace(/\/\/.*$/, '') : origin;
  const formAction = target === undefined ? "'none'" : `'self' ${target}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      `form-action ${formAction}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
