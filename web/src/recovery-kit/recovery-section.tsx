/** On the account page: the kit, and what would be lost without it. */
import { Suspense, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { removeKit } from '@passwordbroker/client/recovery-kit/make-kit';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Listed, Section } from '../account/section.tsx';
import { tellDone } from '../activity-log/activity-log.ts';
import { lazyPart } from '../lib/chunk.ts';
import { formatTime } from '../lib/format.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { http } from '../page/page.ts';
import { freshSignIn, kitOffer } from '../page/vault.ts';
import { useVault, useWhyNot } from '../vault/use-vault.ts';
import { KIT_TEXTS as TEXTS } from '../texts/identity/recovery-kit.ts';
import { LostGroups, type LostGroup } from './lost-groups.tsx';
import styles from './recovery-kit.module.css';
import { useKitTime } from './use-kit-time.ts';

const ShareDialog = lazyPart('ShareDialog', () => import('../members/sharing/share-dialog.tsx'));

export function RecoveryKitSection() {
  const { write } = useVault();
  const whyNot = useWhyNot();
  const queries = useQueryClient();
  const { data: madeAt, error, isPending, refetch } = useKitTime();
  const [isRemoving, setRemoving] = useState(false);
  const [sharing, setSharing] = useState<LostGroup | null>(null);
  const hasKit = madeAt !== undefined && madeAt !== null;
  return (
    <Section
      title={TEXTS.title}
      hint={TEXTS.sectionHint}
      id="recovery-kit"
      verbs={
        <span className={styles['verbs']}>
          {hasKit && (
            <Button size="sm" variant="danger-quiet" whyNot={whyNot} onPress={() => setRemoving(true)}>
              {TEXTS.remove}
            </Button>
          )}
          <Button size="sm" whyNot={whyNot} onPress={() => kitOffer.put({ kind: 'chosen' })}>
            {hasKit ? TEXTS.makeNew : TEXTS.make}
          </Button>
        </span>
      }
    >
      <div className={styles['form']}>
        {madeAt === undefined ? (
          <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
            {null}
          </Listed>
        ) : (
          <p className={styles['text']} role="status">
            {madeAt === null ? TEXTS.none : TEXTS.madeOn(formatTime(madeAt))}
          </p>
        )}
        {madeAt !== undefined && (
          <LostGroups
            hasKit={hasKit}
            verb={(group) => (
              <Button
                size="sm"
                label={TEXTS.addMemberTo(group.title)}
                whyNot={whyNot}
                onPress={() => setSharing(group)}
              >
                {TEXTS.addMember}
              </Button>
            )}
          />
        )}
      </div>
      {isRemoving && <RemoveKitDialog onClose={() => setRemoving(false)} />}
      {sharing !== null && write !== null && (
        <Suspense fallback={null}>
          <ShareDialog
            group={sharing}
            below={NONE}
            write={write}
            onClose={() => {
              setSharing(null);
              void queries.invalidateQueries({ queryKey: ['account', 'only mine'] });
            }}
          />
        </Suspense>
      )}
    </Section>
  );
}

const NONE = [] as const;

function RemoveKitDialog({ onClose }: { readonly onClose: () => void }) {
  const masterPassword = useMasterPassword();
  const queries = useQueryClient();
  const remove = async () => {
    const act = async () => {
      await masterPassword.use(() => removeKit({ http }), { label: TEXTS.removeAction });
      return {};
    };
    try {
      if ((await freshSignIn.tryRun(act)) === null) return;
    } catch (failure) {
      if (failure instanceof MasterPasswordCancelled) return;
      throw failure;
    }
    tellDone(TEXTS.removed);
    onClose();
    await queries.invalidateQueries({ queryKey: ['account'] });
  };
  return (
    <ConfirmDialog
      title={TEXTS.removeTitle}
      cancel={TEXTS.cancel}
      confirm={TEXTS.remove}
      confirming={TEXTS.removing}
      onConfirm={remove}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <div className={styles['form']}>
        <p>{TEXTS.removeText}</p>
        <LostGroups />
        <p>{TEXTS.removeOld}</p>
      </div>
    </ConfirmDialog>
  );
}
