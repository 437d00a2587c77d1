/** Theme of this browser: dark, light or system. */
import { useState } from 'react';
import { chooseTheme, useThemeChoice } from '../app/theme/theme.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { SegmentedRadio } from '@passwordbroker/ui/segmented-radio';
import { Section } from './section.tsx';

const TEXTS = ACCOUNT_TEXTS.appearance;
const OPTIONS = (['dark', 'light', 'system'] as const).map((value) => ({ value, label: TEXTS.themes[value] }));

export function AppearanceSection() {
  const choice = useThemeChoice();
  const [isKept, setKept] = useState(true);
  return (
    <Section title={TEXTS.title} hint={isKept ? TEXTS.hint : ACCOUNT_TEXTS.lock.notKept}>
      <SegmentedRadio
        label={TEXTS.theme}
        value={choice}
        options={OPTIONS}
        onChange={(theme) => setKept(chooseTheme(theme))}
      />
    </Section>
  );
}
