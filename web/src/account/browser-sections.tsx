import { LIMITS } from '@passwordbroker/core/domain/limits';
import { useState, useSyncExternalStore } from 'react';
import { REMASK_SECONDS, remaskAfter } from '../fields/value/use-secret.ts';
import { useLockAfter } from '../master-password/use-master-password.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Select } from '@passwordbroker/ui/inputs/select';
import styles from './account.module.css';
import { Section } from './section.tsx';
import { lockAfter } from '../page/vault.ts';
import { chooseTheme, useThemeChoice } from '../app/theme/theme.tsx';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';

const TEXTS = ACCOUNT_TEXTS.lock;
const CHOICES = [1, 2, 5, 10, 15, 30, LIMITS.lockMinutes];

export function LockSection() {
  const { minutes, most } = useLockAfter();
  const seconds = useSyncExternalStore(remaskAfter.onChange, remaskAfter.get);
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
        <Select
          label={TEXTS.remaskAfter}
          hint={TEXTS.remaskHint}
          value={String(seconds)}
          onChange={(value) => setKept(remaskAfter.set(Number(value)))}
          options={REMASK_SECONDS.map((choice) => ({ value: String(choice), title: TEXTS.seconds(choice) }))}
        />
      </div>
    </Section>
  );
}

const THEME_TEXTS = ACCOUNT_TEXTS.appearance;
const THEMES = (['dark', 'light', 'system'] as const).map((value) => ({ value, label: THEME_TEXTS.themes[value] }));

export function AppearanceSection() {
  const choice = useThemeChoice();
  const [isKept, setKept] = useState(true);
  return (
    <Section title={THEME_TEXTS.title} hint={isKept ? THEME_TEXTS.hint : TEXTS.notKept}>
      <SegmentedRadio
        label={THEME_TEXTS.theme}
        value={choice}
        options={THEMES}
        onChange={(theme) => setKept(chooseTheme(theme))}
      />
    </Section>
  );
}
