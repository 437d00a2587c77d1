/** One part of the copy with its state, in the specification's words (docs/spec/product.md §4). */
import { Check } from 'lucide-react';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Badge } from '@passwordbroker/ui/badge';
import { Spinner } from '@passwordbroker/ui/spinner';
import type { PartName, PartState } from '@passwordbroker/client/offline/offline';
import styles from './offline.module.css';

const TONES = { not_loaded: 'plain', download_required: 'info', synchronized: 'success' } as const;

interface Props {
  readonly name: PartName;
  readonly state: PartState;
  /** Something is being done about it. */
  readonly isBusy: boolean;
}

export function PartBadge({ name, state, isBusy }: Props) {
  return (
    <div className={styles['part']} data-part={name}>
      <dt>{TEXTS.parts[name]}</dt>
      <dd>
        <Badge
          tone={TONES[state]}
          text={state}
          icon={state === 'synchronized' ? <Check size={12} /> : isBusy ? <Spinner /> : undefined}
        />
      </dd>
    </div>
  );
}
