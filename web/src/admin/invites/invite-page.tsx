/** `/admin/user_control/invite` (docs/spec/product.md §2). Auditors see only the list. */
import { Mail } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useMayChange } from '../../session/site-role.ts';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../admin.module.css';
import { InviteLink } from './invite-link.tsx';
import { InviteList } from './invite-list.tsx';
import { useSendInvite } from './use-invites.ts';

export function InvitePage() {
  const mayChange = useMayChange();
  const title = mayChange ? TEXTS.page : TEXTS.list;
  usePageTitle(title);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{title}</h1>
      </header>
      {mayChange ? <Inviting /> : <InviteList />}
    </div>
  );
}

function Inviting() {
  const [email, setEmail] = useState('');
  const [username, setUsername] = useState('');
  const { sending, emailProblem, clearEmailProblem, send } = useSendInvite();
  const isBusy = sending.state === 'in process';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await send(email, username))) return;
    setEmail('');
    setUsername('');
  };
  return (
    <>
      <form
        className={`${styles['form']} ${styles['narrow']}`}
        onSubmit={(event) => void submit(event)}
        noValidate
        autoComplete="off"
      >
        <div className={styles['two']}>
          <TextField
            label={TEXTS.email}
            type="email"
            isRequired
            value={email}
            onChange={(next) => {
              setEmail(next);
              clearEmailProblem();
            }}
            error={emailProblem}
            autoComplete="off"
          />
          <TextField
            label={TEXTS.username}
            isOptional
            hint={TEXTS.usernameHint}
            value={username}
            onChange={setUsername}
            maxLength={100}
            autoComplete="off"
          />
        </div>
        {sending.state === 'error' && <MessageBox tone="danger" title={TEXTS.error} lines={sending.lines} />}
        <div className={styles['actions']}>
          <Button variant="primary" type="submit" icon={<Mail size={16} />} busy={isBusy} busyLabel={TEXTS.sending}>
            {TEXTS.send}
          </Button>
        </div>
      </form>
      {sending.state === 'done' && <InviteLink key={sending.sent.invite.invite_id} sent={sending.sent} />}
      <h2 className={styles['section']}>{TEXTS.list}</h2>
      <InviteList sending={{ isBusy, onResend: (invite) => void send(invite.email, invite.username) }} />
    </>
  );
}
