/** A lock of the vault removes the typed draft of a new field from the screen. */
import { UNMARKED } from '@passwordbroker/core/domain/entry-marks';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../../master-password/use-master-password.ts';
import { oneLock } from '@passwordbroker/client/testing/one-lock';
import { ADD_FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { onlineVault } from '@passwordbroker/client/vault/online';
import { AddFieldDialog } from './add-field-dialog.tsx';
import { keyring } from '../../page/vault.ts';
import { http } from '../../page/page.ts';

afterEach(cleanup);

const ENTRY = {
  entry_id: 'e',
  entry_group_id: 'g',
  title: 'Ledger',
  ...UNMARKED,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

function rendered(isOpenAtFirst: boolean) {
  const masterPassword = createMasterPassword(oneLock(isOpenAtFirst));
  const { write } = onlineVault(http, keyring, { onKeptUp: () => undefined });
  if (write === null) throw new Error('The online vault writes');
  const closed: string[] = [];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MasterPasswordContext value={masterPassword}>
        <AddFieldDialog entry={ENTRY} file={null} write={write} onClose={() => void closed.push('closed')} />
      </MasterPasswordContext>
    </QueryClientProvider>,
  );
  return { masterPassword, closed };
}

test('a lock closes the dialog with its draft', () => {
  const { masterPassword, closed } = rendered(true);
  fireEvent.change(screen.getByLabelText(ADD_FIELD_TEXTS.fieldTitle), { target: { value: 'Root' } });
  act(() => masterPassword.lock());
  expect(closed).toEqual(['closed']);
});

test('a cancelled prompt is not a lock: the dialog stays', () => {
  const { masterPassword, closed } = rendered(false);
  act(() => {
    masterPassword.open();
    masterPassword.close();
  });
  expect(closed).toEqual([]);
});

test('unlocking and then locking closes the dialog as well', async () => {
  const { masterPassword, closed } = rendered(false);
  await act(() => masterPassword.enter('right'));
  expect(closed).toEqual([]);
  act(() => masterPassword.lock());
  expect(closed).toEqual(['closed']);
});
