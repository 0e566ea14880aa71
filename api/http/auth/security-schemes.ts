/** The two security schemes of every operation, as OpenAPI 3.1 has them. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { PERMISSIONS } from '../../../core/rows/permissions.ts';

/** The first is the documented one; the second is its alias. */
export const TOKEN_PATHS = ['/oauth/token', '/oauth2/token'] as const;
export const AUTHORIZE_PATH = '/oauth/authorize';

type Document = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;
type Components = NonNullable<Document['components']>;

const [tokenUrl] = TOKEN_PATHS;
const scopes = Object.fromEntries(
  PERMISSIONS.map((each) => {
    const [object, action] = each.split('.');
    return [each, `${action} ${object}`];
  }),
);

/** Every flow takes the same scopes; a request without a scope gets all that its owner has. */
export const SECURITY_SCHEMES = {
  OAuth2AuthorizationCodeBearer: {
    type: 'oauth2',
    flows: {
      authorizationCode: { authorizationUrl: AUTHORIZE_PATH, tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
      password: { tokenUrl, scopes },
    },
  },
  HTTPBearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} satisfies Components['securitySchemes'];

/** Either of them. */
export const SECURITY = [
  { OAuth2AuthorizationCodeBearer: [] },
  { HTTPBearer: [] },
] satisfies Document['security'];
