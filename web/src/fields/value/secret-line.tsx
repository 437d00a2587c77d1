import { useState } from 'react';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { clipboard } from '../../lib/clipboard.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './secret-line.module.css';

interface Props {
  readonly secret: string;
  /** As it is read; default: the secret. */
  readonly shown?: string;
  readonly copyLabel: string;
}

/** A secret that is shown once, with a button that copies it. */
export function SecretLine({ secret, shown = secret, copyLabel }: Props) {
  const [copies, setCopies] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const copy = async () => {
    setProblem(null);
    try {
      await clipboard.copySecret(secret);
      setCopies((before) => before + 1);
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
  };
  return (
    <>
      <div className={styles['line']}>
        <code data-secret>{shown}</code>
        <CopyButton label={copyLabel} align="end" onCopy={() => void copy()} count={copies} />
      </div>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
    </>
  );
}
