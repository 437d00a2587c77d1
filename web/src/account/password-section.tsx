/** Changes the account password. All other sessions and tokens end. */
import { type FormEvent, useState } from 'react';
import { changePassword } from '@passwordbroker/core/contract/account/credentials';
import { AppError } from '@passwordbroker/core/contract/problem';
import { tellDone } from '../activity-log/tell.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import styles from './account.module.css';
import { Section } from './section.tsx';
import { useReloadedAccount } from './use-account.ts';
import { http, session } from '../page/page.ts';

const TEXTS = ACCOUNT_TEXTS.password;
const EMPTY = { current: '', next: '', confirmation: '' } as const;
type Form = { readonly [Name in keyof typeof EMPTY]: string };

function problemsOf({ current, next, confirmation }: Form): string[] {
  return [
    ...(current === '' ? [TEXTS.currentMissing] : []),
    ...(next === '' ? [TEXTS.empty] : []),
    ...(next !== confirmation ? [TEXTS.mismatch] : []),
  ];
}

export function PasswordSection() {
  const [form, setForm] = useState<Form>(EMPTY);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const reload = useReloadedAccount();
  const put = (name: keyof Form) => (value: string) => setForm((before) => ({ ...before, [name]: value }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const wrong = problemsOf(form);
    setProblems(wrong);
    if (wrong.length > 0) return;
    setBusy(true);
    try {
      const { current, next, confirmation } = form;
      const body = { current_password: current, password: next, password_confirmation: confirmation };
      await http.call(changePassword, { body });
      session.passwordChanged();
      setForm(EMPTY);
      tellDone(TEXTS.changed);
      await reload();
    } catch (failure) {
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [reasonOf(failure)]);
    }
    setBusy(false);
  };
  const mismatch = form.confirmation !== '' && form.confirmation !== form.next;
  return (
    <Section title={TEXTS.title} hint={TEXTS.hint}>
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        <PasswordField
          label={TEXTS.current}
          value={form.current}
          onChange={put('current')}
          autoComplete="current-password"
        />
        <PasswordField label={TEXTS.next} value={form.next} onChange={put('next')} autoComplete="new-password" />
        <PasswordField
          label={TEXTS.confirmation}
          value={form.confirmation}
          onChange={put('confirmation')}
          autoComplete="new-password"
          isInvalid={mismatch}
        />
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <div>
          <Button variant="primary" type="submit" busy={isBusy} busyLabel={TEXTS.changing}>
            {TEXTS.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}
