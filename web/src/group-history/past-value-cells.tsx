/** A value as it was written then, masked until it is shown; opened through the envelope of its own revision and witnessed. */
import { useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { activityLog } from '../activity-log/activity-log.ts';
import { CopyButton } from '../fields/copy-button.tsx';
import { problemText } from '../fields/problem-text.ts';
import { Mask, SecretText } from '../fields/secret-text.tsx';
import { useSecret } from '../fields/use-secret.ts';
import { clipboard } from '../lib/clipboard.ts';
import { FIELD_HISTORY_TEXTS, FIELD_TEXTS } from '../texts/fields.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { useVault } from '../vault/use-vault.ts';
import type { PastFieldPath } from '../vault/vault.ts';
import styles from './group-history.module.css';

interface Props {
  readonly path: PastFieldPath;
  readonly row: GroupHistory;
}

export function PastValueCells({ path, row }: Props) {
  const vault = useVault();
  const { title, type } = row.field;
  const secret = useSecret((signal) => vault.read.revealRevision(path, row, signal), FIELD_HISTORY_TEXTS.reveal(title));
  const [copies, setCopies] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const { shown } = secret;

  const toggle = () => {
    setProblem(null);
    if (shown === null) void secret.show();
    else secret.hide();
  };
  const copy = async () => {
    setProblem(null);
    const opened = await secret.take(FIELD_TEXTS.copy(title));
    if (opened === null) return;
    try {
      await clipboard.copySecret(opened.text);
    } catch (failure) {
      setProblem(problemText(failure));
      return;
    }
    setCopies((before) => before + 1);
    activityLog.add(FIELD_TEXTS.activity.valueCopied(title));
  };
  const told = problem ?? secret.problem;
  return (
    <>
      <div className={styles['value']} role="cell">
        {shown === null ? (
          <Mask label={FIELD_TEXTS.hidden(title)} />
        ) : (
          <span className={styles['shown']} data-secret>
            {type === 'password' ? <SecretText secret={shown.text} /> : shown.text}
          </span>
        )}
        {told !== null && <MessageBox tone="danger" lines={[told]} />}
        {shown !== null && shown.disagreements.length > 0 && (
          <MessageBox tone="warning" lines={[FIELD_TEXTS.disagrees(shown.disagreements)]} />
        )}
      </div>
      <div className={styles['verbs']} role="cell">
        <IconButton
          label={shown === null ? FIELD_TEXTS.show : FIELD_TEXTS.hide}
          icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
          busy={secret.isOpening}
          align="end"
          onPress={toggle}
        />
        <CopyButton label={FIELD_HISTORY_TEXTS.copyValue} onCopy={() => void copy()} count={copies} />
      </div>
    </>
  );
}
