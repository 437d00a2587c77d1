/** A master password of one's own and new keys with it. It cannot be put off with the vault open: whoever closes it locks the vault. */
import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '@passwordbroker/client/texts/new-keys';
import { firstFocus } from '@passwordbroker/ui/first-focus';
import { PasswordField } from '@passwordbroker/ui/password-field';
import { ChoiceDialog } from './choice-dialog.tsx';
import type { MakingStep } from '@passwordbroker/client/master-password/make-own-keys';
import { useNewKeys } from './use-new-keys.ts';

interface Props {
  /** Why the keys are made now. */
  readonly reason: string;
  readonly make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>;
  /** Closes it for now, and the vault with it. */
  readonly onLater: () => void;
}

export function NewKeysDialog({ reason, make, onLater }: Props) {
  const { ask } = useSiteRules();
  const keys = useNewKeys(ask, make);
  const { form, set } = keys;
  const texts = { close: TEXTS.later, submit: TEXTS.submit, busy: TEXTS.making, step: TEXTS.steps[keys.step] };
  return (
    <ChoiceDialog choice={keys} title={TEXTS.title} subtitle={reason} texts={texts} onClose={onLater}>
      <PasswordField
        ref={firstFocus}
        label={TEXTS.next}
        value={form.next}
        onChange={(next) => set({ next })}
        size="lg"
        hint={TEXTS.hint}
      />
      <PasswordField
        label={TEXTS.confirmation}
        value={form.confirmation}
        onChange={(confirmation) => set({ confirmation })}
        size="lg"
        isInvalid={form.confirmation !== '' && form.next !== form.confirmation}
      />
    </ChoiceDialog>
  );
}
