/** The link of a new invitation: shown once, to be copied. */
import { CircleCheck, Copy } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { openableLink } from '@passwordbroker/core/domain/fields/link';
import { clipboard } from '../../lib/clipboard.ts';
import { formatTime } from '../../lib/format.ts';
import { type Inviter, withInviter, withoutFragment } from '@passwordbroker/client/session/inviter-fragment';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { useSession } from '../../session/use-session.ts';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { useVault } from '../../vault/use-vault.ts';
import admin from '../admin.module.css';
import styles from './invites.module.css';
import type { SentInvite } from './use-invites.ts';
import { http } from '../../page/page.ts';

interface Props {
  readonly sent: SentInvite;
  /** Origin of the server that made it. */
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
    // The link gives access to the account, so the clipboard treats it as a secret.
    clipboard.copySecret(link).then(
      () => setCopying('copied'),
      () => setCopying('failed'),
    );
  };
  return (
    <section className={`${admin['card']} ${admin['narrow']}`} aria-label={TEXTS.ready}>
      <div className={styles['ready']} role="status">
        <CircleCheck size={16} aria-hidden="true" />
        <div>
          <h2>{TEXTS.ready}</h2>
          <p className={admin['soft']}>{wasMailed ? TEXTS.wasSent(invite.email) : TEXTS.notSent(invite.email)}</p>
          <p className={admin['hint']}>{inviter === null ? TEXTS.withoutKey : TEXTS.withKey}</p>
          <p className={admin['hint']}>{TEXTS.once(formatTime(invite.expires_at))}</p>
        </div>
      </div>
      {address.leads === 'elsewhere' && <MessageBox tone="danger" lines={[TEXTS.elsewhere(address.host)]} />}
      {address.leads === 'nowhere' && <MessageBox tone="danger" lines={[TEXTS.noLink]} />}
      <div className={styles['link']}>
        <TextField label={TEXTS.link} value={link} isReadOnly mono />
        <Button icon={<Copy size={16} />} onPress={copy}>
          {TEXTS.copy}
        </Button>
      </div>
      <p className={styles['copied']} role="status">
        {copying === 'copied' && TEXTS.copied}
      </p>
      {copying === 'failed' && <MessageBox tone="danger" lines={[TEXTS.copyFailed]} />}
    </section>
  );
}

/** The person's own key, which spares the invited person a question; null while the vault is locked. */
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
  { readonly leads: 'here' } | { readonly leads: 'elsewhere'; readonly host: string } | { readonly leads: 'nowhere' };

/** @param server origin of the server that made the invitation */
export function addressOf(link: string, server: string): LinkAddress {
  const address = openableLink(link);
  if (address === null || address.host === '') return { leads: 'nowhere' };
  return address.origin === server ? { leads: 'here' } : { leads: 'elsewhere', host: address.host };
}
