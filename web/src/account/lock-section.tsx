/** After how many idle minutes the vault locks in this browser (threats-and-tests §3.1.38); a site admin sets the most. */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { useState } from 'react';
import { lockAfter } from '../keyring/lock-after.ts';
import { useLockAfter } from '../master-password/use-lock-after.ts';
import { ACCOUNT_TEXTS } from '../texts/account.ts';
import { Select } from '../ui/select.tsx';
import styles from './account.module.css';
import { Section } from './section.tsx';

const TEXTS = ACCOUNT_TEXTS.lock;
const CHOICES = [1, 2, 5, 10, 15, 30, LIMITS.lockMinutes];

export function LockSection() {
  const { minutes, most } = useLockAfter();
  const [isKept, setKept] = useState(true);
  const offered = [...new Set([...CHOICES.filter((choice) => choice <= most), minutes])].sort((a, b) => a - b);
  const hint = [...(isKept ? [] : [TEXTS.notKept]), ...(most < LIMITS.lockMinutes ? [TEXTS.most(most)] : [])].join(' ');
  return (
    <Section title={TEXTS.title} hint={TEXTS.hint}>
      <div className={styles['form']}>
        <Select
          label={TEXTS.after}
          {...(hint === '' ? {} : { hint })}
          value={String(minutes)}
          onChange={(value) => setKept(lockAfter.choose(Number(value)))}
          options={offered.map((choice) => ({ value: String(choice), title: TEXTS.minutes(choice) }))}
        />
      </div>
    </Section>
  );
}
