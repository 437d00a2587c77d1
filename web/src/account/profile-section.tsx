import { type FormEvent, useState } from 'react';
import { update } from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import { tellDone } from '../activity-log/tell.ts';
import { useSession } from '../session/use-session.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from './account.module.css';
import { Section } from './section.tsx';
import { http, session } from '../page/page.ts';

const TEXTS = ACCOUNT_TEXTS.profile;

export function ProfileSection() {
  const { user } = useSession();
  const [name, setName] = useState(user?.name ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  if (user === null) return null;
  const isChanged = name !== user.name || email !== user.email;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || !isChanged) return;
    setBusy(true);
    setProblems([]);
    try {
      const changed = await http.call(update, { params: { id: user.user_id }, body: { name, email } });
      session.know(changed);
      setName(changed.name);
      setEmail(changed.email);
      tellDone(TEXTS.saved);
    } catch (failure) {
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [TEXTS.failed]);
    }
    setBusy(false);
  };
  return (
    <Section title={TEXTS.title}>
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextField label={TEXTS.name} value={name} onChange={setName} autoComplete="name" maxLength={100} />
        <TextField label={TEXTS.email} value={email} onChange={setEmail} type="email" autoComplete="email" />
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <div>
          <Button
            variant="primary"
            type="submit"
            isDisabled={!isChanged}
            busy={isBusy}
            busyLabel={ACCOUNT_TEXTS.saving}
          >
            {ACCOUNT_TEXTS.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}
