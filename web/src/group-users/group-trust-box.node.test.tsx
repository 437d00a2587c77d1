/** A list of members that does not follow: an admin may go on from it, anybody else is told to ask one. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createMasterPassword } from '../master-password/master-password.ts';
import { MasterPasswordContext } from '../master-password/use-master-password.ts';
import { vaultOf } from '../testing/real-vault.node.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';
import { VaultContext } from '../vault/use-vault.ts';
import { GroupTrustBox } from './group-trust-box.tsx';

let app: TestApp;
let ada: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});
afterEach(cleanup);

function show(isAdmin: boolean) {
  const { keyring, vault } = vaultOf(ada);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={createMasterPassword(keyring)}>
        <VaultContext value={vault}>
          <GroupTrustBox groupId="g" trust={{ readOnly: 'rolled-back' }} isAdmin={isAdmin} />
        </VaultContext>
      </MasterPasswordContext>
    </QueryClientProvider>,
  );
}

test('an admin is offered to go on', () => {
  show(true);
  expect(screen.getByText(TEXTS.readOnly['rolled-back'])).toBeDefined();
  expect(screen.getByRole('button', { name: TEXTS.goOn })).toBeDefined();
  expect(screen.queryByText(TEXTS.askAdmin)).toBeNull();
});

test('a member is told whom to ask, and has no button', () => {
  show(false);
  expect(screen.getByText(TEXTS.readOnly['rolled-back'])).toBeDefined();
  expect(screen.getByText(TEXTS.askAdmin)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});
