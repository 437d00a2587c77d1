/** `/admin/user_control/invite` (docs/spec/product.md §2). Auditors see only the list. */
import { Mail, CircleCheck, Copy } from 'lucide-react';
import { type FormEvent, useState, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { InviteGroup } from '@passwordbroker/core/contract/users/invites';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useGroupTree } from '../../groups/tree/use-group-tree.ts';
import type { GroupInRole } from '../../members/sharing/use-sharing.ts';
import { groupsOf } from '../../search/find-suggestions.ts';
import { useMayChange, useSession } from '../../session/use-session.ts';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../admin.module.css';
import { JoinedList } from '../../invites/joined-list.tsx';
import { InviteGroupDialog, InviteGroups } from './invite-groups.tsx';
import { InviteList, useSendInvite, type SentInvite } from './invite-list.tsx';
import { openableLink } from '@passwordbroker/core/domain/fields/link';
import { clipboard } from '../../lib/clipboard.ts';
import { formatTime } from '../../lib/format.ts';
import { type Inviter, withInviter, withoutFragment } from '@passwordbroker/client/session/inviter-fragment';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { useVault } from '../../vault/use-vault.ts';
import invitesStyles from './invites.module.css';
import { http } from '../../page/page.ts';

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
  const [groups, setGroups] = useState<readonly GroupInRole[]>([]);
  const [isAdding, setAdding] = useState(false);
  const { tree } = useGroupTree();
  const own = useMemo(() => (tree === null ? null : groupsOf(tree).filter(({ role }) => role === 'admin')), [tree]);
  const { sending, emailProblem, clearEmailProblem, send } = useSendInvite();
  const isBusy = sending.state === 'in process';
  const stillOwn = (named: readonly InviteGroup[]) =>
    named.filter(({ entry_group_id }) => own?.some(({ id }) => id === entry_group_id));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await send(email, username, groups.map(asNamed)))) return;
    setEmail('');
    setUsername('');
    setGroups([]);
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
        {own !== null && own.length > 0 && (
          <InviteGroups
            groups={groups}
            onAdd={() => setAdding(true)}
            onRemove={(group) => setGroups(groups.filter((one) => one !== group))}
          />
        )}
        {sending.state === 'error' && <MessageBox tone="danger" title={TEXTS.error} lines={sending.lines} />}
        <div className={styles['actions']}>
          <Button variant="primary" type="submit" icon={<Mail size={16} />} busy={isBusy} busyLabel={TEXTS.sending}>
            {TEXTS.send}
          </Button>
        </div>
      </form>
      {isAdding && (
        <InviteGroupDialog
          targets={own?.filter(({ id }) => groups.every((group) => group.id !== id)) ?? null}
          onChoose={(group) => {
            setGroups([...groups, group]);
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {sending.state === 'done' && <InviteLink key={sending.sent.invite.invite_id} sent={sending.sent} />}
      <JoinedList />
      <h2 className={styles['section']}>{TEXTS.list}</h2>
      <InviteList
        sending={{ isBusy, onResend: (invite) => void send(invite.email, invite.username, stillOwn(invite.groups)) }}
      />
    </>
  );
}

const asNamed = ({ id, role }: GroupInRole): InviteGroup => ({ entry_group_id: id, role });

interface Props {
  readonly sent: SentInvite;
  readonly server?: string;
}

export function InviteLink({ sent, server = http.server() ?? location.origin }: Props) {
  const inviter = useInviter();
  const bare = withoutFragment(sent.link);
  const link = inviter === null ? bare : withInviter(bare, inviter);
  const { invite, wasMailed } = sent;
  const address = addressOf(bare, server);
  const [copying, setCopying] = useState<'not yet' | 'copied' | 'failed'>('not yet');
  const copy = () => {
    // The link gives access to the account, so it is copied as a secret.
    clipboard.copySecret(link).then(
      () => setCopying('copied'),
      () => setCopying('failed'),
    );
  };
  return (
    <section className={`${styles['card']} ${styles['narrow']}`} aria-label={TEXTS.ready}>
      <div className={invitesStyles['ready']} role="status">
        <CircleCheck size={16} aria-hidden="true" />
        <div>
          <h2>{TEXTS.ready}</h2>
          <p className={styles['soft']}>{wasMailed ? TEXTS.wasSent(invite.email) : TEXTS.notSent(invite.email)}</p>
          <p className={styles['hint']}>{inviter === null ? TEXTS.withoutKey : TEXTS.withKey}</p>
          <p className={styles['hint']}>{TEXTS.once(formatTime(invite.expires_at))}</p>
        </div>
      </div>
      {address.leads === 'elsewhere' && <MessageBox tone="danger" lines={[TEXTS.elsewhere(address.host)]} />}
      {address.leads === 'nowhere' && <MessageBox tone="danger" lines={[TEXTS.noLink]} />}
      <div className={invitesStyles['link']}>
        <TextField label={TEXTS.link} value={link} isReadOnly mono />
        <Button icon={<Copy size={16} />} onPress={copy}>
          {TEXTS.copy}
        </Button>
      </div>
      <p className={invitesStyles['copied']} role="status">
        {copying === 'copied' && TEXTS.copied}
      </p>
      {copying === 'failed' && <MessageBox tone="danger" lines={[TEXTS.copyFailed]} />}
    </section>
  );
}

/** The person's own key for the link; null while the vault is locked. */
function useInviter(): Inviter | null {
  const { read } = useVault();
  const { user } = useSession();
  const masterPassword = useMasterPassword();
  const isUnlocked = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  const [fingerprint, setFingerprint] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    if (isUnlocked) {
      read.ownKey().then(
        (key) => isWanted && setFingerprint(key.fingerprint),
        () => undefined,
      );
    }
    return () => {
      isWanted = false;
    };
  }, [read, isUnlocked]);
  if (user === null || fingerprint === null) return null;
  return { userId: user.user_id, name: user.name, fingerprint };
}

type LinkAddress =
  | { readonly leads: 'here' }
  | { readonly leads: 'elsewhere'; readonly host: string }
  | { readonly leads: 'nowhere' };

/** @param server origin of the server that made the invitation */
export function addressOf(link: string, server: string): LinkAddress {
  const address = openableLink(link);
  if (address === null || address.host === '') return { leads: 'nowhere' };
  return address.origin === server ? { leads: 'here' } : { leads: 'elsewhere', host: address.host };
}
