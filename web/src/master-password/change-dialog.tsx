import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import type { ChangeForm } from '@passwordbroker/client/master-password/change-rules';
import { ChoiceDialog } from './choice-dialog.tsx';
import { useChange } from './use-change.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;

export function ChangeDialog({ onClose }: { readonly onClose: () => void }) {
  const { ask } = useSiteRules();
  const change = useChange(ask, onClose);
  const { state, form, step, findings, set } = change;
  const invalid = (field: keyof ChangeForm) =>
    state === 'validation_returned_errors' && findings.some((finding) => finding.field === field);
  const differs = form.confirmation !== '' && form.next !== form.confirmation;
  const texts = {
    close: MASTER_PASSWORD_TEXTS.cancel,
    submit: TEXTS.submit,
    busy: TEXTS.changing,
    step: TEXTS.steps[step],
  };
  return (
    <ChoiceDialog choice={change} title={TEXTS.title} subtitle={TEXTS.subtitle} texts={texts} onClose={onClose}>
      <PasswordField
        ref={firstFocus}
        label={TEXTS.old}
        value={form.old}
        onChange={(old) => set({ old })}
        size="lg"
        isInvalid={invalid('old')}
      />
      <PasswordField
        label={TEXTS.next}
        value={form.next}
        onChange={(next) => set({ next })}
        size="lg"
        hint={TEXTS.hint}
        isInvalid={invalid('next')}
      />
      <PasswordField
        label={TEXTS.confirmation}
        value={form.confirmation}
        onChange={(confirmation) => set({ confirmation })}
        size="lg"
        isInvalid={invalid('confirmation') || differs}
      />
    </ChoiceDialog>
  );
}
