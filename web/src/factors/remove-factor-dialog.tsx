import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { freshSignIn } from '../page/vault.ts';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';

const TEXTS = FACTORS_TEXTS.removal;

interface Props {
  readonly title: string;
  readonly done: string;
  /** Whether the password alone signs in afterwards. */
  readonly isLast: boolean;
  readonly onRemove: () => Promise<unknown>;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export function RemoveFactorDialog({ title, done, isLast, onRemove, onDone, onClose }: Props) {
  return (
    <ConfirmDialog
      title={title}
      cancel={FACTORS_TEXTS.cancel}
      confirm={FACTORS_TEXTS.remove}
      confirming={TEXTS.removing}
      onConfirm={async () => {
        const remove = async () => {
          await onRemove();
          return {};
        };
        if ((await freshSignIn.tryRun(remove)) === null) return;
        tellDone(done);
        onClose();
        await onDone();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{isLast ? TEXTS.textLast : TEXTS.text}</p>
    </ConfirmDialog>
  );
}
