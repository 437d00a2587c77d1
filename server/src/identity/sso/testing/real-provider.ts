/** The certified provider of the npm package `oidc-provider`, on loopback. Every name signs in, with any password. */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { CLIENT } from './test-provider.ts';

type Sent = Required<Pick<RequestInit, 'method' | 'headers' | 'body' | 'redirect'>>;

export interface RealProvider {
  readonly issuer: string;
  /**
   * Serves the site at this address.
   * @param logoutTo where the site takes back-channel logout tokens; absent: none are sent
   */
  admit(publicUrl: string, logoutTo?: string): void;
  stop(): void;
}

/** A person who signs in there as `eve` is Eve, with the confirmed address eve@example.org. */
export async function startRealProvider(): Promise<RealProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    issuer,
    admit(publicUrl, logoutTo) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [`${publicUrl}/identity/sso/callback`],
            post_logout_redirect_uris: [`${publicUrl}/identity/login`],
            response_types: ['code'],
            grant_types: ['authorization_code'],
            ...(logoutTo === undefined
              ? {}
              : { backchannel_logout_uri: logoutTo, backchannel_logout_session_required: true }),
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        pkce: { required: () => true },
        features: { backchannelLogout: { enabled: logoutTo !== undefined } },
        // Its own refuses loopback addresses.
        fetch: (url: string, { method, headers, body, redirect }: Sent) =>
          fetch(url, { method, headers, body, redirect }),
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            email: `${id}@example.org`,
            email_verified: true,
            name: id.slice(0, 1).toUpperCase() + id.slice(1),
          }),
        }),
      });
      server.on('request', provider.callback());
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
