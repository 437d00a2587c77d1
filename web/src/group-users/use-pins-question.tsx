/** Asks once whether to go on when one's own list of trusted keys cannot be relied on (crypto.md §13). */
import { useCallback, useState, type ReactNode } from 'react';
import { KeyringError } from '../keyring/keyring-error.ts';
import { reasonOf } from '../lib/reason.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useVault } from '../vault/use-vault.ts';

interface PinsQuestion {
  /** Runs it; when the list is in doubt and the person goes on from it, once more. */
  readonly around: <T>(act: () => Promise<T>) => Promise<T>;
  readonly dialog: ReactNode;
}

export function usePinsQuestion(): PinsQuestion {
  const { write } = useVault();
  const [answer, setAnswer] = useState<{ readonly give: (goesOn: boolean) => void } | null>(null);
  const ask = useCallback(
    () =>
      new Promise<boolean>((resolve) => {
        setAnswer({
          give: (goesOn) => {
            setAnswer(null);
            resolve(goesOn);
          },
        });
      }),
    [],
  );
  const around = useCallback(
    async <T,>(act: () => Promise<T>): Promise<T> => {
      try {
        return await act();
      } catch (failure) {
        if (!(failure instanceof KeyringError) || failure.code !== 'pins' || !(await ask())) throw failure;
        return act();
      }
    },
    [ask],
  );
  const dialog = answer !== null && (
    <ConfirmDialog
      title={TEXTS.pinsTitle}
      cancel={TEXTS.cancel}
      confirm={TEXTS.pinsGoOn}
      confirming={TEXTS.goingOn}
      onConfirm={async () => {
        await write?.members.confirmPins();
        answer.give(true);
      }}
      onClose={() => answer.give(false)}
      problemOf={(failure) => TEXTS.goOnFailed(reasonOf(failure))}
    >
      {TEXTS.pinsText}
    </ConfirmDialog>
  );
  return { around, dialog };
}
