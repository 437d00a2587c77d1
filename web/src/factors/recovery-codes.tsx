/** Recovery codes, shown once: to copy, save or print. */
import { Copy, Download, Printer } from 'lucide-react';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { saveBlob } from '../fields/file/save-blob.ts';
import { clipboard } from '../lib/clipboard.ts';
import { PrintSheet } from '../lib/print-sheet.tsx';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';
import styles from './factors.module.css';

const TEXTS = FACTORS_TEXTS.codes;

interface Props {
  readonly codes: readonly string[];
  readonly email: string;
}

export function RecoveryCodes({ codes, email }: Props) {
  const head = TEXTS.file(location.host, email);
  const copy = async () => {
    try {
      await clipboard.copySecret(codes.join('\n'));
      tellDone(TEXTS.copied);
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
  };
  const save = () => {
    const text = [...head, '', ...codes, ''].join('\n');
    saveBlob(new Blob([text], { type: 'text/plain' }), `recovery-codes-${location.hostname}.txt`);
  };
  return (
    <div className={styles['stack']}>
      <MessageBox tone="warning" lines={[TEXTS.shownText]} />
      <CodeList codes={codes} />
      <div className={styles['verbs']}>
        <Button size="sm" icon={<Copy size={14} />} onPress={() => void copy()}>
          {TEXTS.copy}
        </Button>
        <Button size="sm" icon={<Download size={14} />} onPress={save}>
          {TEXTS.save}
        </Button>
        <Button size="sm" icon={<Printer size={14} />} onPress={() => print()}>
          {TEXTS.print}
        </Button>
      </div>
      <PrintSheet>
        {head.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <ol className={styles['printed']}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </PrintSheet>
    </div>
  );
}

/** Read aloud group by group. */
function CodeList({ codes }: Pick<Props, 'codes'>) {
  return (
    <ol className={styles['codes']} aria-label={TEXTS.shown} data-secret>
      {codes.map((code) => (
        <li key={code}>
          <span aria-hidden="true">{code}</span>
          <span className="visually-hidden">{code.replaceAll('-', ', ')}</span>
        </li>
      ))}
    </ol>
  );
}
