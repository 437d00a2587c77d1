import { useEffect, useState } from 'react';
import { Copy, KeyRound } from 'lucide-react';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import styles from './field-value.module.css';

/** 300 ms, then it fades. */
const TAG_MS = 560;

interface Props {
  readonly label: string;
  readonly onCopy: () => void;
  /** Number of copies. */
  readonly count: number;
  readonly isKey?: boolean;
  /** Of its tooltip. */
  readonly align?: 'center' | 'end';
}

/** Copies, and shows 'copied' for about 300 ms (docs/spec/product.md §9). */
export function CopyButton({ label, onCopy, count, isKey = false, align = 'center' }: Props) {
  const [faded, setFaded] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setFaded(count), TAG_MS);
    return () => clearTimeout(timer);
  }, [count]);
  return (
    <span className={styles['copy']}>
      <IconButton
        label={label}
        align={align}
        icon={isKey ? <KeyRound size={16} /> : <Copy size={16} />}
        onPress={onCopy}
      />
      {count !== faded && (
        <span key={count} className={styles['copied']} aria-hidden="true">
          {FIELD_TEXTS.copied}
        </span>
      )}
    </span>
  );
}
