import { useId } from 'react';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { FACTORS_TEXTS as TEXTS } from '../texts/identity/factors.ts';
import { TotpForm } from './totp-form.tsx';
import type { TotpSetup } from './use-totp-setup.ts';

interface Props {
  readonly setup: TotpSetup;
  readonly tokens: number;
  readonly isReplacing: boolean;
}

export function TotpDialog({ setup, tokens, isReplacing }: Props) {
  const form = useId();
  return (
    <Dialog
      title={TEXTS.totp.dialog}
      size="md"
      onClose={setup.cancel}
      isBusy={setup.isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={setup.cancel}
          submit={TEXTS.totp.confirm}
          submitting={TEXTS.totp.confirming}
          isBusy={setup.isBusy}
        />
      }
    >
      <TotpForm id={form} setup={setup} tokens={tokens} isReplacing={isReplacing} />
    </Dialog>
  );
}
