import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '@passwordbroker/client/texts/new-keys';
import { ChoiceDialog, NewMasterPasswordFields, useNewMasterPassword } from './choice-dialog.tsx';
import type { MakingStep } from '@passwordbroker/client/master-password/make-own-keys';
import { ConfirmationCancelled } from '@passwordbroker/client/session/fresh-sign-in';
import { SSO_TEXTS } from '../texts/identity/sso.ts';
import { tellDone } from '../activity-log/activity-log.ts';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';

interface Props {
  readonly reason: string;
  readonly make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>;
  /** Closes the dialog and locks the vault. */
  readonly onLater: () => void;
}

export function NewKeysDialog({ reason, make, onLater }: Props) {
  const { ask } = useSiteRules();
  const keys = useNewKeys(ask, make);
  const texts = { close: TEXTS.later, submit: TEXTS.submit, busy: TEXTS.making, step: TEXTS.steps[keys.step] };
  const labels = { next: TEXTS.next, confirmation: TEXTS.confirmation, hint: TEXTS.hint };
  return (
    <ChoiceDialog choice={keys} title={TEXTS.title} subtitle={reason} texts={texts} onClose={onLater}>
      <NewMasterPasswordFields choice={keys} labels={labels} />
    </ChoiceDialog>
  );
}

/** @param make creates and stores the keys */
export function useNewKeys(
  ask: AskPolicy,
  make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>,
) {
  return useNewMasterPassword<MakingStep>(ask, {
    first: 'checking',
    send: async (next, onStep) => {
      await make(next, onStep);
      tellDone(TEXTS.done);
    },
    reasonOf: (failure) => (failure instanceof ConfirmationCancelled ? SSO_TEXTS.confirm.failed : reasonOf(failure)),
  });
}
