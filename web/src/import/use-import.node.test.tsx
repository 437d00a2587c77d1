import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createMasterPassword } from '../master-password/master-password.ts';
import '../testing/patient.ts';
import { vaultOf } from '../testing/real-vault.node.ts';
import { useImport } from './use-import.ts';

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

test('cancelled while a master password is tried: when it turns out wrong, nobody is asked for another one', async () => {
  const { keyring, vault } = vaultOf(ada);
  const masterPassword = createMasterPassword(keyring);
  if (vault.write === null) throw new Error('The online vault writes');
  const options = { write: vault.write, masterPassword, onImported: () => undefined, onUnsure: () => undefined };
  const { result } = renderHook(() => useImport(options));
  let ended: Promise<void> = Promise.resolve();
  act(() => {
    ended = result.current.start(new File(['<KeePassFile/>'], 'team.xml'), 'wrong');
  });
  act(() => result.current.cancel());
  await waitFor(() => expect(masterPassword.view().state).toBe('incorrect'));
  await act(() => ended);
  expect([masterPassword.view().modal, result.current.state]).toEqual([null, 'cancelled']);
});
