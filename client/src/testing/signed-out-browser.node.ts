/** A server that is empty at first, and before each test a browser without cookies. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts';
import type { NewAccount } from '../session/new-account.ts';
import { createSession, type Session } from '../session/session.ts';
import { type RealVault, vaultOf } from './real-vault.node.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import { noCopies, ownServer } from './signs-in-here.ts';
import { loadNow } from './load-now.ts';

export const MIRA: NewAccount = {
  name: 'Mira Okafor',
  email: 'mira@example.org',
  password: 'account passphrase 41',
  masterPassword: 'violet ☂ quay 77',
  setupToken: '',
};

interface Browser {
  readonly app: TestApp;
  readonly real: RealVault;
  readonly session: Session;
}

/** Call once per file, before its own hooks. @returns a function that opens another browser during a test */
export function withBrowser(take: (browser: Browser) => void) {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());
  const open = () => {
    const client = app.guest();
    const real = vaultOf(client);
    take({
      app,
      real,
      session: createSession({
        http: real.http,
        keyring: real.keyring,
        tabs: onlyTab(),
        servers: ownServer(),
        local: noCopies(),
        load: loadNow,
      }),
    });
    return client;
  };
  beforeEach(() => void open());
  return open;
}
