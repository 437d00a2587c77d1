import { Suspense } from 'react';
import { lazyPart } from '../../lib/chunk.ts';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import type { KeyWords } from '@passwordbroker/client/vault/groups/people';
import styles from './key-words.module.css';

const QrCode = lazyPart('QrCode', () => import('../../lib/qr-code.tsx'));

interface WordListProps {
  readonly title: string;
  readonly words: readonly string[];
  /** Words that differ from those at the same position are marked. */
  readonly unlike?: readonly string[];
}

export function WordList({ title, words, unlike }: WordListProps) {
  return (
    <div className={styles['list']}>
      <p className={styles['caption']} aria-hidden="true">
        {title}
      </p>
      <ol className={styles['words']} aria-label={title}>
        {words.map((word, at) => (
          <li key={`${at}-${word}`} data-unlike={(unlike !== undefined && unlike[at] !== word) || undefined}>
            {word}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface KeyProps {
  readonly title: string;
  /** The owner of the key, above the words. */
  readonly facts?: readonly string[];
  readonly current: KeyWords;
}

/** A key as eight numbered words and a QR code (docs/spec/crypto.md §7). */
export function KeyCard({ title, facts = [], current }: KeyProps) {
  return (
    <div className={styles['card']}>
      <div>
        {facts.map((fact) => (
          <p key={fact} className={styles['fact']}>
            {fact}
          </p>
        ))}
        <WordList title={title} words={current.words} />
      </div>
      <Suspense fallback={<div className={styles['qr']} />}>
        <QrCode
          text={current.fingerprint.toUpperCase()}
          mode="Alphanumeric"
          label={TEXTS.qr}
          className={styles['qr']}
        />
      </Suspense>
    </div>
  );
}

export function KeyDetails({ fingerprint }: Pick<KeyWords, 'fingerprint'>) {
  return (
    <details className={styles['details']}>
      <summary>{TEXTS.details}</summary>
      <p className={styles['caption']}>{TEXTS.fingerprint}</p>
      <p className={styles['full']}>{fingerprint.match(/.{1,8}/g)?.join(' ')}</p>
    </details>
  );
}
