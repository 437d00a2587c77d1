/** The recovery key on the screen, and the sheet that is printed in place of the page. */
import { Suspense, useMemo } from 'react';
import { ClipboardCopy, FileDown } from 'lucide-react';
import {
  qrTextOfRecoveryKey,
  textOfRecoveryKey,
  type WrittenRecoveryKey,
} from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { saveBlob } from '../fields/file/save-blob.ts';
import { lazyPart } from '../lib/chunk.ts';
import { clipboard } from '../lib/clipboard.ts';
import { formatTime } from '../lib/format.ts';
import { PrintSheet } from '../lib/print-sheet.tsx';
import { useSession } from '../session/use-session.ts';
import { KIT_TEXTS as TEXTS } from '../texts/identity/recovery-kit.ts';
import styles from './recovery-kit.module.css';

const QrCode = lazyPart('QrCode', () => import('../lib/qr-code.tsx'));

interface KitWords {
  readonly site: string;
  readonly name: string;
  readonly email: string;
  readonly made: string;
}

interface Props {
  readonly written: WrittenRecoveryKey;
  readonly words: KitWords;
}

/** Whose kit it is, and when it was made. */
export function useKitWords(madeAt: number): KitWords {
  const { user } = useSession();
  return useMemo(
    () => ({
      site: location.origin,
      name: user?.name ?? '',
      email: user?.email ?? '',
      made: formatTime(madeAt),
    }),
    [user, madeAt],
  );
}

export function ShownKit({ written, words }: Props) {
  const text = textOfRecoveryKey(written);
  const copy = async () => {
    try {
      await clipboard.copySecret(text);
      tellDone(TEXTS.copied);
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
  };
  const save = () => {
    saveBlob(new Blob([fileOf(written, words)], { type: 'text/plain' }), TEXTS.fileName(new URL(words.site).hostname));
    tellDone(TEXTS.saved);
  };
  return (
    <div className={styles['shown']}>
      <Key written={written} />
      <Qr written={written} />
      <Facts words={words} />
      <div className={styles['verbs']}>
        <Button size="sm" icon={<ClipboardCopy size={14} />} onPress={() => void copy()}>
          {TEXTS.copy}
        </Button>
        <Button size="sm" icon={<FileDown size={14} />} onPress={save}>
          {TEXTS.save}
        </Button>
      </div>
    </div>
  );
}

/** The kit on paper. */
export function KitSheet({ written, words }: Props) {
  const { sheet } = TEXTS;
  return (
    <PrintSheet>
      <div className={styles['printed']}>
        <p className={styles['printedTitle']}>{TEXTS.title}</p>
        <p>{sheet.what}</p>
        <div className={styles['shown']}>
          <Key written={written} />
          <Qr written={written} />
          <Facts words={words} />
        </div>
        <p className={styles['printedHead']}>{sheet.steps}</p>
        <ol>
          <li>{sheet.step1(words.site)}</li>
          <li>{sheet.step2}</li>
          <li>{sheet.step3}</li>
        </ol>
        <p>{sheet.once}</p>
      </div>
    </PrintSheet>
  );
}

/** Read out group by group, symbol by symbol. */
function Key({ written: { groups, check } }: Pick<Props, 'written'>) {
  return (
    <ol className={styles['key']} aria-label={TEXTS.groups}>
      {groups.map((group, at) => (
        <li key={`${at}-${group}`}>
          <span aria-hidden="true">
            <small>{at + 1}</small> {group}
          </span>
          <span className="visually-hidden">{TEXTS.group(at + 1, [...group].join(' '))}</span>
        </li>
      ))}
      <li>
        <span aria-hidden="true">
          <small>{TEXTS.checkLabel}</small> {check}
        </span>
        <span className="visually-hidden">{TEXTS.check(check)}</span>
      </li>
    </ol>
  );
}

function Qr({ written }: Pick<Props, 'written'>) {
  return (
    <Suspense fallback={<div className={styles['qr']} />}>
      <QrCode text={qrTextOfRecoveryKey(written)} label={TEXTS.qr} className={styles['qr']} />
    </Suspense>
  );
}

const factsOf = ({ site, name, email, made }: KitWords): readonly (readonly [string, string])[] => [
  [TEXTS.site, site],
  [TEXTS.name, name],
  [TEXTS.email, email],
  [TEXTS.made, made],
];

function Facts({ words }: Pick<Props, 'words'>) {
  return (
    <dl className={styles['facts']}>
      {factsOf(words).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function fileOf(written: WrittenRecoveryKey, words: KitWords): string {
  const { sheet } = TEXTS;
  const facts = factsOf(words).map(([label, text]) => `${label}: ${text}`);
  const lines = [
    TEXTS.title,
    '',
    sheet.what,
    '',
    `${TEXTS.groups}: ${textOfRecoveryKey(written)}`,
    ...facts,
    '',
    sheet.steps,
    `1. ${sheet.step1(words.site)}`,
    `2. ${sheet.step2}`,
    `3. ${sheet.step3}`,
    '',
    sheet.once,
    '',
  ];
  return lines.join('\n');
}
