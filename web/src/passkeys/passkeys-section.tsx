/** Passkeys on the account page: those that sign in, and those that open the vault. */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { listAll, remove } from '@passwordbroker/core/contract/account/passkeys';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { ConfirmationCancelled } from '@passwordbroker/client/session/fresh-sign-in';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from '../account/account.module.css';
import { browserName } from '../account/browser-name.ts';
import { focusAfter, Listed, Section } from '../account/section.tsx';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { lazyPart } from '../lib/chunk.ts';
import { formatTime } from '../lib/format.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';
import { RenamePasskey } from './rename-passkey.tsx';
import { mayUsePasskeys } from './use-passkey.tsx';

const AddPasskeyDialog = lazyPart('AddPasskeyDialog', () => import('./add-passkey-dialog.tsx'));
const AddPlainPasskeyDialog = lazyPart('AddPlainPasskeyDialog', () => import('./add-plain-passkey-dialog.tsx'));

export function UnlockPasskeysSection() {
  const { data, refetch } = useOwnPasskeys();
  const [adding, setAdding] = useState<{ readonly passkey: Passkey | null } | null>(null);
  const may = data?.can_unlock;
  return (
    <PasskeyList
      words={TEXTS.unlock}
      may={may}
      isListed={({ uses }) => uses.every((use) => use === 'unlock')}
      after={TEXTS.removedHint}
      onAdd={() => setAdding({ passkey: null })}
      onUse={(passkey) => (passkey.is_here && passkey.uses.length === 0 ? () => setAdding({ passkey }) : null)}
    >
      {adding !== null && (
        <Suspense fallback={null}>
          <AddPasskeyDialog
            passkey={adding.passkey}
            onAdded={() => {
              setAdding(null);
              tellDone(TEXTS.unlock.added);
              void refetch();
            }}
            onClose={() => {
              setAdding(null);
              // A passkey may be registered that opens nothing yet.
              void refetch();
            }}
          />
        </Suspense>
      )}
    </PasskeyList>
  );
}

export function SignInPasskeysSection() {
  const { data, refetch } = useOwnPasskeys();
  const [isAdding, setAdding] = useState(false);
  return (
    <PasskeyList
      words={TEXTS.signIn}
      may={data?.can_sign_in}
      isListed={(passkey) => passkey.uses.includes('sign_in')}
      onAdd={() => setAdding(true)}
    >
      {isAdding && (
        <Suspense fallback={null}>
          <AddPlainPasskeyDialog
            use="sign_in"
            words={{ title: TEXTS.signIn.add, hint: TEXTS.signIn.dialogHint, submit: TEXTS.submit }}
            onAdded={() => {
              setAdding(false);
              tellDone(TEXTS.signIn.added);
              void refetch();
            }}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
    </PasskeyList>
  );
}

interface ListProps {
  readonly words: Readonly<Record<'title' | 'hint' | 'add' | 'none' | 'siteOff', string>>;
  /** Whether the site allows it; undefined: not loaded. */
  readonly may: boolean | undefined;
  readonly isListed: (passkey: Passkey) => boolean;
  /** Below the list. */
  readonly after?: string;
  readonly onAdd: () => void;
  readonly onUse?: (passkey: Passkey) => (() => void) | null;
  /** Dialogs. */
  readonly children: ReactNode;
}

function PasskeyList({ words, may, isListed, after, onAdd, onUse, children }: ListProps) {
  const { data, error, isPending, refetch } = useOwnPasskeys();
  const isOff = may === false;
  const mayAdd = may === true && mayUsePasskeys();
  const passkeys = data?.passkeys.filter(isListed) ?? [];
  return (
    <Section title={words.title} hint={words.hint}>
      <div className={styles['choices']}>
        {isOff && <MessageBox tone="info" lines={[words.siteOff]} />}
        {!isOff && !mayUsePasskeys() && <MessageBox tone="info" lines={[TEXTS.browserOff]} />}
        {data !== undefined && passkeys.length === 0 ? (
          !isOff && <p role="status">{words.none}</p>
        ) : (
          <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
            {passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.passkey_id}
                passkey={passkey}
                onUse={mayAdd ? (onUse?.(passkey) ?? null) : null}
                onRemoved={refetch}
              />
            ))}
          </Listed>
        )}
        {after !== undefined && passkeys.length > 0 && <p className={styles['hint']}>{after}</p>}
        {mayAdd && (
          <div>
            <Button icon={<Plus size={14} />} onPress={onAdd}>
              {words.add}
            </Button>
          </div>
        )}
      </div>
      {children}
    </Section>
  );
}

interface RowProps {
  readonly passkey: Passkey;
  /** Null: it opens the vault already, or cannot. */
  readonly onUse: (() => void) | null;
  readonly onRemoved: () => Promise<unknown>;
}

function PasskeyRow({ passkey, onUse, onRemoved }: RowProps) {
  const [isBusy, setBusy] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const removeIt = async () => {
    const keepFocus = focusAfter(row.current);
    setBusy(true);
    try {
      await freshSignIn.run(() => http.call(remove, { params: { passkeyId: passkey.passkey_id } }));
      tellDone(TEXTS.removed);
      await onRemoved();
      keepFocus();
    } catch (failure) {
      if (!(failure instanceof ConfirmationCancelled)) tellFailure(reasonOf(failure));
    }
    setBusy(false);
  };
  return (
    <li ref={row} className={styles['row']}>
      <div className={styles['what']}>
        <p className={styles['name']}>{passkey.name}</p>
        <p className={styles['facts']}>
          {factsOf(passkey).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      {onUse !== null && (
        <Button size="sm" label={TEXTS.openAgainNamed(passkey.name)} onPress={onUse}>
          {TEXTS.openAgain}
        </Button>
      )}
      <RenamePasskey passkey={passkey} />
      <Button
        size="sm"
        label={TEXTS.removeNamed(passkey.name)}
        busy={isBusy}
        busyLabel={TEXTS.removing}
        onPress={() => void removeIt()}
      >
        {TEXTS.remove}
      </Button>
    </li>
  );
}

function factsOf({ uses, is_here, rp_id, synced, created_at, user_agent, address }: Passkey): string[] {
  const does = uses.includes('sign_in') ? TEXTS.signsIn : uses.includes('unlock') ? TEXTS.opens : TEXTS.opensNothing;
  return [
    is_here ? does : TEXTS.elsewhere(rp_id),
    TEXTS.addedFrom(formatTime(created_at), browserName(user_agent) ?? TEXTS.unknownBrowser, address),
    ...(synced ? [TEXTS.synced] : []),
  ];
}

export function useOwnPasskeys() {
  return useQuery({
    queryKey: ['account', 'passkeys'],
    queryFn: ({ signal }) => http.call(listAll, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}
