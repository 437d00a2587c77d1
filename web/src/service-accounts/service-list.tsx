import { useRef } from 'react';
import { Bot, Ellipsis, KeyRound } from 'lucide-react';
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Badge } from '@passwordbroker/ui/display/badge';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import { focusAfter, Listed } from '../account/section.tsx';
import { formatTime } from '../lib/format.ts';
import { useSession } from '../session/use-session.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import type { Question } from './service-dialogs.tsx';
import { marksOf } from './service-states.ts';
import styles from './services.module.css';

interface Props {
  readonly services: readonly ServiceAccount[];
  /** Instead of an empty list. */
  readonly none: string;
  /** Shows owners, and lets a site admin change them. */
  readonly isSite: boolean;
  readonly error: Error | null;
  readonly isPending: boolean;
  /** When they were loaded, in Unix ms. */
  readonly now: number;
  readonly onRetry: () => void;
  readonly onAsk: (question: Question) => void;
}

export function ServiceList({ services, none, isSite, error, isPending, now, onRetry, onAsk }: Props) {
  return (
    <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={onRetry}>
      {services.length === 0 && <li className={styles['none']}>{none}</li>}
      {services.map((account) => (
        <ServiceRow key={account.user_id} account={account} isSite={isSite} now={now} onAsk={onAsk} />
      ))}
    </Listed>
  );
}

interface RowProps extends Pick<Props, 'isSite' | 'now' | 'onAsk'> {
  readonly account: ServiceAccount;
}

function ServiceRow({ account, isSite, now, onAsk }: RowProps) {
  const { user } = useSession();
  const row = useRef<HTMLLIElement>(null);
  const { name, description, owner, groups, allowed_networks: networks, credentials } = account;
  const isOwn = owner !== null && owner.user_id === user?.user_id;
  const facts = [
    ...(isSite && owner !== null ? [TEXTS.owner(owner.name)] : []),
    TEXTS.groups(groups),
    ...(networks.length > 0 ? [TEXTS.networks(networks.join(', '))] : []),
  ];
  return (
    <li ref={row} className={styles['service']}>
      <div className={styles['line']}>
        <span className={styles['icon']}>
          <Bot size={16} aria-hidden="true" />
        </span>
        <div className={styles['what']}>
          <p className={styles['name']}>
            {name}{' '}
            {marksOf(account, now).map(({ text, tone }) => (
              <Badge key={text} text={text} tone={tone} />
            ))}
          </p>
          {description !== '' && <p className={styles['about']}>{description}</p>}
          <p className={styles['facts']}>
            {facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
        </div>
        <Menu
          label={TEXTS.more(name)}
          icon={<Ellipsis size={16} />}
          items={[
            { label: TEXTS.change, onPress: () => onAsk({ kind: 'change', account }) },
            {
              label: TEXTS.renew,
              whyNot: isOwn ? null : TEXTS.onlyOwner,
              onPress: () => onAsk({ kind: 'renew', account }),
            },
            ...(isSite ? [{ label: TEXTS.giveTo, onPress: () => onAsk({ kind: 'give', account }) }] : []),
            {
              label: TEXTS.remove,
              onPress: () => onAsk({ kind: 'remove', account, keepFocus: focusAfter(row.current) }),
            },
          ]}
        />
      </div>
      {credentials.length > 0 && (
        <ul className={styles['credentials']} aria-label={TEXTS.credentials(name)}>
          {credentials.map(({ slot_id: slotId, created_at, expires_at, last_used_at, last_address }) => {
            const made = formatTime(created_at);
            return (
              <li key={slotId} className={styles['credential']}>
                <KeyRound size={14} aria-hidden="true" />
                <p className={styles['facts']}>
                  <span>{TEXTS.credentialOf(made)}</span>
                  <span>{TEXTS.until(formatTime(expires_at))}</span>
                  <span>
                    {last_used_at === null ? TEXTS.neverUsed : TEXTS.usedAt(formatTime(last_used_at), last_address)}
                  </span>
                </p>
                <Button
                  size="sm"
                  label={TEXTS.endNamed(made, name)}
                  onPress={() =>
                    onAsk({
                      kind: 'end',
                      account,
                      slotId,
                      // The button goes, the account stays.
                      keepFocus: () => row.current?.querySelector('button')?.focus(),
                    })
                  }
                >
                  {TEXTS.end}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
}
