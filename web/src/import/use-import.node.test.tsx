// @vitest-environment node
import '../testing/document-in-node.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { journal } from '@passwordbroker/core/contract/entries/operations';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { createMasterPassword, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import '../testing/patient.ts';
import { vaultOf, type RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
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

const FILE = new File(
  [
    '<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>test</Generator></Meta><Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name></Group></Root></KeePassFile>',
  ],
  'team.xml',
);

let real: RealVault;
let masterPassword: MasterPassword;
let asked: string[];
beforeEach(() => {
  real = vaultOf(ada);
  masterPassword = createMasterPassword(real.keyring);
  asked = [];
});
afterEach(cleanup);

/** An import that the person starts with this master password. */
function begin(typed: string) {
  const { write } = real.vault;
  if (write === null) throw new Error('The online vault writes');
  const options = { write, masterPassword, onImported: () => undefined, onUnsure: () => void asked.push('the tree') };
  const { result } = renderHook(() => useImport(options));
  let ended: Promise<void> = Promise.resolve();
  act(() => {
    ended = result.current.start(FILE, typed);
  });
  return { result, ended: () => act(() => ended) };
}

type Begun = ReturnType<typeof begin>['result'];

/** Presses Cancel when everything has been sent; `also` runs at the same moment. */
function cancelLate(importing: () => Begun, also: () => void = () => undefined) {
  real.before = (request) => {
    if (request.startsWith('POST') && request.endsWith('/import')) {
      act(() => importing().current.cancel());
      also();
    }
    return Promise.resolve();
  };
}

const trees = async () => (await real.vault.read.tree()).map(({ title }) => title);

test('cancelled while a master password is checked: a wrong one does not ask for another', async () => {
  const { result, ended } = begin('wrong');
  act(() => result.current.cancel());
  await waitFor(() => expect(masterPassword.view().state).toBe('incorrect'));
  await ended();
  expect([masterPassword.view().modal, result.current.state]).toEqual([null, 'cancelled']);
});

test('cancelled when everything was sent: the stored import is undone', async () => {
  const { result, ended } = begin(ada.masterPassword);
  cancelLate(() => result);
  await ended();
  expect([result.current.state, result.current.problem, await trees()]).toEqual(['cancelled', null, []]);
});

test('cancelled late, then the server requires the master password: nothing was stored, and no prompt opens', async () => {
  const { result, ended } = begin(ada.masterPassword);
  cancelLate(
    () => result,
    () => (real.refuse = () => ({ code: 'master_password_invalid', status: 422 })),
  );
  // Closes the prompt if it opens anyway.
  const stop = masterPassword.subscribe(() => {
    if (masterPassword.view().modal === null) return;
    asked.push('the master password');
    masterPassword.close();
  });
  await ended();
  stop();
  expect([result.current.state, result.current.problem, asked]).toEqual(['cancelled', null, []]);
});

test.each([
  ['refuses', 'forbidden', 403],
  ['cannot', null, 502],
] as const)(
  'an import that the server %s to undo is reported with its name and a next step',
  async (_, code, status) => {
    const { result, ended } = begin(ada.masterPassword);
    cancelLate(
      () => result,
      () => (real.refuse = (request) => (request.endsWith('/undo') ? { code, status } : null)),
    );
    await ended();
    expect([result.current.state, asked]).toEqual(['failed', ['the tree']]);
    expect(result.current.problem).toMatchObject({ message: TEXTS.notTakenBack('keepass') });
    expect(result.current.problem?.lines).toHaveLength(1);
    real.refuse = null;
    const [operation] = (await real.http.call(journal, { query: {} })).data;
    await real.vault.write?.undo(operation?.operation_id ?? '');
  },
);

test('cancelled late after the session ended: says that the result is unknown', async () => {
  const { result, ended } = begin(ada.masterPassword);
  cancelLate(() => result, masterPassword.forget);
  await ended();
  expect([result.current.state, result.current.problem?.message]).toEqual(['failed', TEXTS.lost]);
});
