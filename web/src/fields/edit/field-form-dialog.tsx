import { useId, type FormEvent, type ReactNode } from 'react';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { FormVerbs } from '@passwordbroker/ui/inputs/form-verbs';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './field-form.module.css';

interface Props {
  readonly title: string;
  readonly subtitle: string;
  readonly cancel: string;
  readonly submit: string;
  readonly submitting: string;
  readonly isBusy: boolean;
  /** Whether a running upload can be cancelled. */
  readonly canStop: boolean;
  /** An error of no single input. */
  readonly problem: string | undefined;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FieldFormDialog(props: Props) {
  const { title, subtitle, cancel, submit, submitting, isBusy, canStop, problem, onSubmit, onClose, children } = props;
  const form = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <Dialog
      title={title}
      subtitle={subtitle}
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={cancel}
          onCancel={onClose}
          isHeld={isBusy && !canStop}
          submit={submit}
          submitting={submitting}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={send} noValidate autoComplete="off">
        {problem !== undefined && <MessageBox tone="danger" lines={[problem]} />}
        {children}
      </form>
    </Dialog>
  );
}
