import { useState } from 'react';
import { Search } from 'lucide-react';
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { usePeople } from '../members/changes/add-member.tsx';
import { useSession } from '../session/use-session.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import styles from './services.module.css';

interface Props {
  readonly account: ServiceAccount;
  readonly write: VaultWrite;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** A site admin names the owner: oneself at first, anyone else by name. */
export function OwnerDialog({ account, write, onDone, onClose }: Props) {
  const { user } = useSession();
  const [typed, setTyped] = useState('');
  const [taking, setTaking] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { people, isSearching } = usePeople(typed, '');
  const self = user === null ? [] : [{ userId: user.user_id, name: user.name, email: user.email, disabled: undefined }];
  const others = typed.trim() === '' ? self : (people ?? []);
  const offered = others.filter(
    (one) => one.userId !== account.owner?.user_id && !('disabled' in one && one.disabled === true),
  );
  const give = async (userId: string, name: string) => {
    if (taking !== null) return;
    setTaking(userId);
    setProblem(null);
    try {
      await (await write.services()).change(account.user_id, { owner_id: userId });
      tellDone(TEXTS.given(account.name, name));
      onDone();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setTaking(null);
    }
  };
  return (
    <Dialog title={TEXTS.giveTitle(account.name)} subtitle={TEXTS.giveText} onClose={onClose} isBusy={taking !== null}>
      <div className={styles['form']}>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <TextField
          label={TEXTS.person}
          value={typed}
          onChange={setTyped}
          ref={firstFocus}
          autoComplete="off"
          start={<Search size={16} aria-hidden="true" />}
          {...(isSearching ? { end: <Spinner /> } : {})}
        />
        <p className="visually-hidden" role="status">
          {isSearching && TEXTS.searching}
        </p>
        {!isSearching && offered.length === 0 && <p className={styles['hint']}>{TEXTS.nobody}</p>}
        {offered.length > 0 && (
          <ul className={styles['people']}>
            {offered.map(({ userId, name, ...rest }) => (
              <li key={userId}>
                <span>
                  {name} {'email' in rest && <span className={styles['hint']}>{rest.email}</span>}
                </span>
                <Button
                  size="sm"
                  label={TEXTS.take(name)}
                  busy={taking === userId}
                  busyLabel={TEXTS.saving}
                  isDisabled={taking !== null}
                  onPress={() => void give(userId, name)}
                >
                  {TEXTS.takeShort}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
