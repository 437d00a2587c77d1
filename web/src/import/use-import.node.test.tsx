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

/** The form with the file; `ended` presses the button of each step. @param typed the master password */
async function begin(typed: string) {
  const { write } = real.vault;
  if (write === null) throw new Error('The online vault writes');
  const options = { write, masterPassword, onImported: () => undefined, onUnsure: () => void asked.push('the tree') };
  const { result } = renderHook(() => useImport(options));
  act(() => result.current.choose(FILE));
  await waitFor(() => expect(result.current.found?.id).toBe('keepass-xml'));
  const ended = async () => {
    await act(() => result.current.read({ typed, password: '', keyFile: null, columns: null }));
    await act(() => result.current.store({ rootName: 'keepass', without: [] }));
  };
  return { result, ended };
}

type Begun = Awaited<ReturnType<typeof begin>>['result'];

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
  const { result, ended } = await begin('wrong');
  const stop = masterPassword.subscribe(() => {
    stop();
    act(() => result.current.cancel());
  });
  await ended();
  await waitFor(() => expect(masterPassword.view().state).toBe('incorrect'));
  expect([masterPassword.view().modal, result.current.state]).toEqual([null, 'cancelled']);
});

test('reads and shows the file before anything is sent; nothing of it stays when the form is left', async () => {
  const { result, ended } = await begin(ada.masterPassword);
  real.requests.length = 0;
  const before = result.current;
  await act(() => before.read({ typed: ada.masterPassword, password: '', keyFile: null, columns: null }));
  expect([result.current.state, result.current.rehearsal?.name]).toEqual(['rehearsed', 'keepass']);
  expect(real.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  act(() => result.current.back());
  expect([result.current.state, result.current.rehearsal, result.current.file]).toEqual(['choosing', null, FILE]);
  await ended();
  expect([result.current.state, await trees()]).toEqual(['done', ['keepass']]);
  await real.vault.write?.undo(result.current.imported?.operation_id ?? '');
});

test('what was read is gone after a lock, and that is said', async () => {
  const { result } = await begin(ada.masterPassword);
  await act(() => result.current.read({ typed: ada.masterPassword, password: '', keyFile: null, columns: null }));
  act(() => real.keyring.lock());
  await real.keyring.unlock(ada.masterPassword);
  await act(() => result.current.store({ rootName: 'keepass', without: [] }));
  expect([result.current.state, result.current.rehearsal]).toEqual(['failed', null]);
  expect(result.current.problem?.lines).toEqual(['What was read is gone. Read the file again.']);
});

test('cancelled when everything was sent: the stored import is undone', async () => {
  const { result, ended } = await begin(ada.masterPassword);
  cancelLate(() => result);
  await ended();
  expect([result.current.state, result.current.problem, await trees()]).toEqual(['cancelled', null, []]);
});

test('cancelled late, then the server requires the master password: nothing was stored, and no prompt opens', async () => {
  const { result, ended } = await begin(ada.masterPassword);
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
    const { result, ended } = await begin(ada.masterPassword);
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
  const { result, ended } = await begin(ada.masterPassword);
  cancelLate(() => result, masterPassword.forget);
  await ended();
  expect([result.current.state, result.current.problem?.message]).toEqual(['failed', TEXTS.lost]);
});
