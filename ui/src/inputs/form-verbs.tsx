import type { ReactNode } from 'react';
import { Button } from '../actions/button.tsx';

interface FormVerbsProps {
  /** Id of the form. */
  readonly form: string;
  readonly cancel: string;
  readonly onCancel: () => void;
  /** Disables cancelling; default: while busy. */
  readonly isHeld?: boolean;
  readonly submit: string;
  readonly submitting?: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly icon?: ReactNode;
}

/** Footer of a dialog with a form. */
export function FormVerbs(props: FormVerbsProps) {
  const { form, cancel, onCancel, submit, submitting = submit, isBusy = false, isDisabled = false, icon } = props;
  const { isHeld = isBusy } = props;
  return (
    <>
      <Button variant="ghost" onPress={onCancel} isDisabled={isHeld}>
        {cancel}
      </Button>
      <Button
        variant="primary"
        type="submit"
        form={form}
        icon={icon}
        busy={isBusy}
        busyLabel={submitting}
        isDisabled={isDisabled}
      >
        {submit}
      </Button>
    </>
  );
}
