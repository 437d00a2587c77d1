import { type ReactNode, useState } from 'react';
import { Button } from '../actions/button.tsx';
import { Dialog, firstFocus } from './dialog.tsx';
import { MessageBox } from '../feedback/message-box.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly cancel: string;
  readonly confirm: string;
  readonly confirming: string;
  /** Nothing is lost. */
  readonly isHarmless?: boolean;
  readonly isIncomplete?: boolean;
  readonly size?: 'sm' | 'md';
  /** Closes the dialog itself when done. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly problemOf: (failure: unknown) => string;
  readonly children: ReactNode;
}

/** Asks before something is lost. The cancel button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, cancel, confirm, confirming, onConfirm, onClose, problemOf, children } = props;
  const { isHarmless = false, isIncomplete = false, size = 'sm' } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const run = async () => {
    setProblem(null);
    setBusy(true);
    try {
      await onConfirm();
    } catch (failure) {
      setProblem(problemOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      role="alertdialog"
      size={size}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={isBusy} onPress={onClose}>
            {cancel}
          </Button>
          <Button
            variant={isHarmless ? 'primary' : 'danger'}
            busy={isBusy}
            busyLabel={confirming}
            isDisabled={isIncomplete}
            onPress={() => void run()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <div>{children}</div>
    </Dialog>
  );
}
