import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/chunk.ts';
import { tellFailure } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { TRUST_RECORD_TEXTS as TEXTS } from '../../texts/groups/trust-record.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import type { AccountTrust } from '@passwordbroker/client/vault/trust/trust';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import styles from '../trust.module.css';

const NewRecordDialog = lazyPart('NewRecordDialog', () => import('./record-dialogs.tsx'));
const SetUpRecordDialog = lazyPart('SetUpRecordDialog', () => import('./record-dialogs.tsx'));

/** This browser writes nothing until the person settles it. */
export const isAtFault = ({ state }: AccountTrust): boolean =>
  state === 'missing' || state === 'doubted' || state === 'none-yet';

export const faultTitle = ({ state }: AccountTrust): string => {
  if (state === 'none-yet') return TEXTS.noneTitle;
  return state === 'doubted' ? TEXTS.doubtedTitle : TEXTS.missingTitle;
};

/** Empty unless `isAtFault`. */
export function RecordFault({ account }: { readonly account: AccountTrust }) {
  const whyNot = useWhyNot();
  const { again, isBusy } = useReadAgain();
  const [open, setOpen] = useState<'new' | 'set up' | null>(null);
  if (!isAtFault(account)) return null;
  const close = () => setOpen(null);
  return (
    <MessageBox tone="warning" title={faultTitle(account)} lines={linesOf(account)}>
      <span className={styles['verbs']}>
        {account.state === 'none-yet' ? (
          <Button size="sm" whyNot={whyNot} onPress={() => setOpen('set up')}>
            {TEXTS.setUp}
          </Button>
        ) : (
          <>
            <Button size="sm" busy={isBusy} busyLabel={TEXTS.trying} whyNot={whyNot} onPress={again}>
              {TEXTS.tryAgain}
            </Button>
            <Button size="sm" variant="danger-quiet" whyNot={whyNot} onPress={() => setOpen('new')}>
              {TEXTS.beginNew}
            </Button>
          </>
        )}
      </span>
      <Suspense fallback={null}>
        {open === 'new' && <NewRecordDialog onClose={close} />}
        {open === 'set up' && <SetUpRecordDialog onClose={close} />}
      </Suspense>
    </MessageBox>
  );
}

function linesOf({ state }: AccountTrust): readonly string[] {
  if (state === 'none-yet') return [TEXTS.none];
  return state === 'doubted' ? [TEXTS.doubted, TEXTS.doubtedAdvice] : [TEXTS.missing, TEXTS.missingAdvice];
}

function useReadAgain() {
  const { write, trust } = useVault();
  const masterPassword = useMasterPassword();
  const [isBusy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await masterPassword.use(async () => write?.trust?.readAgain(), { label: TEXTS.readAction });
      const after = trust?.account();
      if (after !== undefined && isAtFault(after)) tellFailure(TEXTS.stillMissing);
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) tellFailure(TEXTS.failed(reasonOf(failure)));
    }
    setBusy(false);
  };
  return { again: () => void again(), isBusy };
}
