/** Adds a passkey that signs in, or a security key. */
import { useId } from 'react';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';
import { NewPasskeyForm } from './new-passkey-form.tsx';
import { type Registered, useNewPasskey } from './use-new-passkey.ts';

interface Props {
  readonly use: 'factor' | 'sign_in';
  readonly words: { readonly title: string; readonly hint: string; readonly submit: string };
  /** Tokens that the first second factor may end. */
  readonly tokens?: number;
  readonly onClose: () => void;
  readonly onAdded: (registered: Registered) => Promise<void> | void;
}

export function AddPlainPasskeyDialog({ use, words, tokens = 0, onClose, onAdded }: Props) {
  const form = useId();
  const passkey = useNewPasskey(use, onAdded);
  return (
    <Dialog
      title={words.title}
      subtitle={words.hint}
      onClose={onClose}
      isBusy={passkey.isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={words.submit}
          submitting={TEXTS.signIn.waiting}
          isBusy={passkey.isBusy}
        />
      }
    >
      <NewPasskeyForm id={form} use={use} passkey={passkey} tokens={tokens} />
    </Dialog>
  );
}
