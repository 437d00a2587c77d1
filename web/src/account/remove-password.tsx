/** Removing the account password, offered where something else signs in to the account. */
import { useState } from 'react';
import { removePassword } from '@passwordbroker/core/contract/account/credentials';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { http, session } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { useOwnPasskeys } from '../passkeys/passkeys-section.tsx';
import { useSession } from '../session/use-session.ts';
import { useOwnLinks } from '../sso/links-section.tsx';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import styles from './account.module.css';

const TEXTS = ACCOUNT_TEXTS.password;

/** What signs in to the account beside its password; empty for a page of another server. */
function useOtherWays(): readonly string[] {
  const { server, ways } = useSession();
  const { data: known } = useOwnPasskeys();
  const { data: links = [] } = useOwnLinks(server === null && ways !== undefined);
  if (server !== null) return [];
  const enabled = new Set(ways?.providers.map(({ provider_id }) => provider_id));
  const providers = links.filter(({ provider_id }) => enabled.has(provider_id)).map(({ name }) => name);
  const passkeys = known?.passkeys.filter(({ uses, is_here }) => is_here && uses.includes('sign_in')) ?? [];
  return [...providers, ...(known?.can_sign_in === true && passkeys.length > 0 ? [TEXTS.passkey] : [])];
}

export function RemovePassword({ onRemoved }: { readonly onRemoved: () => Promise<void> }) {
  const ways = useOtherWays();
  const [isAsking, setAsking] = useState(false);
  if (ways.length === 0) return null;

  const remove = async () => {
    await http.call(removePassword);
    return {};
  };
  return (
    <>
      <Button size="sm" onPress={() => setAsking(true)}>
        {TEXTS.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={TEXTS.removeTitle}
          cancel={TEXTS.cancel}
          confirm={TEXTS.remove}
          confirming={TEXTS.removing}
          onConfirm={async () => {
            if ((await freshSignIn.tryRun(remove)) === null) return;
            setAsking(false);
            tellDone(TEXTS.removed);
            session.passwordChanged();
            const { user } = session.view();
            if (user !== null) session.know({ ...user, has_password: false });
            await onRemoved();
          }}
          onClose={() => setAsking(false)}
          problemOf={reasonOf}
        >
          <div className={styles['choices']}>
            <p>{TEXTS.removeText(ways)}</p>
            <p>{TEXTS.removeHint}</p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}
