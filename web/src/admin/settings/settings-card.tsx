import { type FormEvent, type ReactNode, useId } from 'react';
import { formatTime } from '../../lib/format.ts';
import { useMayChange } from '../../session/site-role.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_SETTINGS_TEXTS as TEXTS } from '../../texts/admin/settings.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ReadOnlyContext } from '@passwordbroker/ui/inputs/read-only';
import admin from '../admin.module.css';

interface Props {
  readonly title: string;
  readonly updatedAt: string;
  readonly form: {
    readonly lines: readonly string[];
    readonly isBusy: boolean;
    readonly isChanged: boolean;
    readonly submit: () => Promise<void>;
  };
  readonly children: ReactNode;
}

export function SettingsCard({ title, updatedAt, form, children }: Props) {
  const id = useId();
  const mayChange = useMayChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form className={admin['card']} onSubmit={submit} noValidate aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ReadOnlyContext value={!mayChange}>{children}</ReadOnlyContext>
      {form.lines.length > 0 && <MessageBox tone="danger" lines={form.lines} />}
      <div className={admin['actions']}>
        {mayChange && (
          <Button
            variant="primary"
            type="submit"
            isDisabled={!form.isChanged}
            busy={form.isBusy}
            busyLabel={ADMIN_TEXTS.saving}
          >
            {ADMIN_TEXTS.save}
          </Button>
        )}
        <span className={admin['hint']}>{TEXTS.changedAt(formatTime(updatedAt))}</span>
      </div>
    </form>
  );
}
