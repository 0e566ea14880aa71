/** The form of addresses that things are delivered to; whether one may be reached shows later. */

const NAME = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const HOST = String.raw`${NAME}(?:\.${NAME})*\.?|\[[0-9A-Fa-f:.]{2,45}\]`;
const PORT = '(?::(?<port>[0-9]{1,5}))?';

/** Visible ASCII behind the host, without a fragment; no user name stands before it. */
const WEB_URL = new RegExp(`^https?://(?:${HOST})${PORT}(?:[/?][!"$-~]*)?$`, 'i');
const HOST_AND_PORT = new RegExp(`^(?:${HOST})${PORT}$`);
const CLOUD_HOST = new RegExp(String.raw`^${NAME}(?:\.${NAME})+$`);
const CLOUD_A_ENDPOINT = new RegExp(String.raw`^${NAME}\.iot\.${NAME}(?:\.${NAME})+$`);

const MOST_PORT = 65_535;
const hasRightPort = (match: RegExpExecArray | null): boolean => {
  const port = match?.groups?.port;
  return match !== null && (port === undefined || (Number(port) >= 1 && Number(port) <= MOST_PORT));
};

/** Characters of an address, as proxies and brokers take them. */
const MOST_ADDRESS = 2_048;

const text = { type: 'text', most: MOST_ADDRESS } as const;

/** Kinds of texts, for rows. */
export const WEB_ADDRESS = {
  ...text,
  rule: (value: string) => hasRightPort(WEB_URL.exec(value)),
  allowed: 'an http or https URL with a host, without user name and fragment',
} as const;

export const BROKER_ADDRESS = {
  ...text,
  rule: (value: string) => hasRightPort(HOST_AND_PORT.exec(value)),
  allowed: 'a host, or host:port, without scheme',
} as const;

export const HUB_ADDRESS = {
  ...text,
  pattern: CLOUD_HOST,
  allowed: 'a host such as {hubname}.<cloud_b_domain>, without scheme and port',
} as const;

export const ENDPOINT_ADDRESS = {
  ...text,
  pattern: CLOUD_A_ENDPOINT,
  allowed: 'a host of the form {prefix}.iot.{region}.<cloud_a_domain>, without scheme and port',
} as const;
