/**
 * Forms of what targets have. Syntax alone is checked when a profile is made: what an address leads
 * to is seen when something is delivered there.
 */

const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const NAME = `${LABEL}(\\.${LABEL})*`;
const DOMAIN = `${LABEL}(\\.${LABEL})+`;
/** An IPv6 address in brackets: its characters alone are looked at. */
const BRACKETED = '\\[[0-9A-Fa-f:.]{2,45}\\]';

/** `{prefix}.iot.{region}.<domain>`. */
export const CLOUD_A = new RegExp(`^${LABEL}\\.iot\\.${LABEL}\\.${DOMAIN}$`);
/** `{hubname}.<domain>`. */
export const CLOUD_B = new RegExp(`^${LABEL}\\.${DOMAIN}$`);

const URL_FORM = new RegExp(
  `^https?://(${NAME}|${BRACKETED})(:(?<port>\\d{1,5}))?([/?][\\x21\\x22\\x24-\\x7E]*)?$`,
  'i',
);
const BROKER = new RegExp(`^(${NAME}|${BRACKETED}):(?<port>\\d{1,5})$`);

const hasForm = (text: string, form: RegExp): boolean => {
  const match = form.exec(text);
  if (match === null) return false;
  const port = match.groups?.port ?? '1';
  return Number(port) >= 1 && Number(port) <= 65_535;
};

/** Of the web, with its scheme, without user and password; a fragment never leaves a browser. */
export const isUrl = (text: string): boolean => hasForm(text, URL_FORM);

/** Scheme, host and port of such a URL. */
export const originOf = (url: string): string => {
  const end = url.slice('https://'.length).search(/[/?]/);
  return (end < 0 ? url : url.slice(0, 'https://'.length + end)).toLowerCase();
};

/** Host and port. */
export const isBroker = (text: string): boolean => hasForm(text, BROKER);

const VARIABLE = /\$\{([^{}]*)\}/g;

/** What a publisher may name (MQTT 5.0 §4.7), with these variables and no others. */
export function isTopic(text: string, variables: readonly string[]): boolean {
  if (/[#+]/.test(text)) return false;
  const unknown = [...text.matchAll(VARIABLE)].some(([, name = '']) => !variables.includes(name));
  return !unknown && !text.replace(VARIABLE, '').includes('${');
}

/** A topic with its variables replaced. */
export const filledTopic = (topic: string, values: Readonly<Record<string, string>>): string =>
  topic.replace(VARIABLE, (whole, name: string) => values[name] ?? whole);

const BASE64_LINES = '[A-Za-z0-9+/=\\s]+';
const CERTIFICATES = new RegExp(
  `^\\s*(-----BEGIN CERTIFICATE-----${BASE64_LINES}-----END CERTIFICATE-----\\s*)+$`,
);
const KEY = new RegExp(
  `^\\s*-----BEGIN ((RSA |EC )?PRIVATE KEY)-----${BASE64_LINES}-----END \\1-----\\s*$`,
);

/** Ends of lines as they are, for those who wrote them as two characters. */
export const withLines = (pem: string): string => pem.replaceAll('\\n', '\n');

/** One certificate in PEM (RFC 7468), or a chain of them. */
export const isCertificate = (text: string): boolean => CERTIFICATES.test(withLines(text));

export const isKey = (text: string): boolean => KEY.test(withLines(text));
