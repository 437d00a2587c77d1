/**
 * Renders components with the real vault of one person and the dialogs that operations may wait
 * for.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { createMasterPassword, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../master-password/use-master-password.ts';
import { TrustQuestionDialogs } from '../trust/questions/trust-question-dialogs.tsx';
import { VaultContext } from '../vault/use-vault.ts';
import type { RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { trustQuestions } from '../page/vault.ts';

/** @returns the master password of that page; operations use it as in the product */
export function showVault({ vault, keyring }: RealVault, children: ReactNode): MasterPassword {
  const masterPassword = createMasterPassword(keyring, { ask: trustQuestions.ask });
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <MasterPasswordContext value={masterPassword}>
          <VaultContext value={vault}>
            {children}
            <TrustQuestionDialogs />
          </VaultContext>
        </MasterPasswordContext>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return masterPassword;
}
