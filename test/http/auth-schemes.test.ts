import { describe, expect, it } from 'vitest';
import { SECURITY, SECURITY_SCHEMES } from '../../api/http/auth/security-schemes.ts';
import { PERMISSIONS } from '../../core/rows/permissions.ts';
import { AuthEntry } from '../support/auth-server.ts';

describe('the security schemes', () => {
  it('are the two that the firmware update service documents; either one is enough', () => {
    expect(Object.keys(SECURITY_SCHEMES)).toEqual(['OAuth2AuthorizationCodeBearer', 'HTTPBearer']);
    expect(SECURITY.flatMap((each) => Object.keys(each))).toEqual(Object.keys(SECURITY_SCHEMES));
  });

  it('name paths that the entry point has, for every flow', async () => {
    const { app } = new AuthEntry();
    await app.ready();
    const { flows } = SECURITY_SCHEMES.OAuth2AuthorizationCodeBearer;
    expect(Object.keys(flows)).toEqual(['authorizationCode', 'clientCredentials', 'password']);
    for (const { tokenUrl } of Object.values(flows)) {
      expect(app.hasRoute({ method: 'POST', url: tokenUrl })).toBe(true);
    }
    const { authorizationUrl: url } = flows.authorizationCode;
    for (const method of ['GET', 'POST']) expect(app.hasRoute({ method, url })).toBe(true);
  });

  it('have every permission as a scope of every flow', () => {
    const { flows } = SECURITY_SCHEMES.OAuth2AuthorizationCodeBearer;
    for (const { scopes } of Object.values(flows)) {
      expect(Object.keys(scopes)).toEqual(PERMISSIONS);
    }
  });
});
