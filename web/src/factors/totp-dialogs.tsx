import { useId } from 'react';
import { removeTotp } from '@passwordbroker/core/contract/account/factors';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
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

interface RemoveProps {
  readonly totpId: string;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export function RemoveTotpDialog({ totpId, onDone, onClose }: RemoveProps) {
  const remove = async () => {
    await http.call(removeTotp, { params: { totpId } });
    return {};
  };
  return (
    <ConfirmDialog
      title={TEXTS.removal.title}
      cancel={TEXTS.cancel}
      confirm={TEXTS.remove}
      confirming={TEXTS.removal.removing}
      onConfirm={async () => {
        if ((await freshSignIn.tryRun(remove)) === null) return;
        tellDone(TEXTS.removal.done);
        onClose();
        await onDone();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{TEXTS.removal.text}</p>
    </ConfirmDialog>
  );
}
