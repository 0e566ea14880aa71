/** Targets of output profiles, as tests give them: one of each kind. */

export const WEBHOOK = { URL: 'https://example.com/in', OutputFormat: 'simple' } as const;

export const BROKER = {
  Host: 'broker.example.com:8883',
  Username: 'us',
  Password: 'pa55word',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes them.
  Topic: 'up/${DEVEUI}/${FPORT}',
} as const;

const LINES = 'MIIBszCCAVmgAwIBAgIUYx\nQm9ndXM=\n';

export const CLOUD_A = {
  Endpoint: 'a1b2c3-ats.iot.eu-west-1.cloud-a.example',
  x509Certificate: `-----BEGIN CERTIFICATE-----\n${LINES}-----END CERTIFICATE-----\n`,
  PrivateKey: `-----BEGIN PRIVATE KEY-----\n${LINES}-----END PRIVATE KEY-----\n`,
} as const;

export const CLOUD_B = {
  Host: 'hub.cloud-b.example',
  SharedAccessPolicyName: 'device',
  SharedAccessKey: 'c2VjcmV0',
  ApiVersion: '2016-11-14',
} as const;

/** What a profile needs beside its name. */
export const TO_WEB = { RestParams: [WEBHOOK] } as const;
