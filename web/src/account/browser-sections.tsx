/** Choices that this browser keeps. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { type KeptChoice, keptChoice } from '@passwordbroker/client/kept-choice';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { Select } from '@passwordbroker/ui/inputs/select';
import { chooseDensity, density } from '../app/theme/density.ts';
import { chooseTheme, useThemeChoice } from '../app/theme/theme.tsx';
import { REMASK_SECONDS, remaskAfter } from '../fields/value/use-secret.ts';
import { CLEAR_SECONDS, clearAfter } from '../lib/clipboard.ts';
import { dateFormat, formatTime } from '../lib/format.ts';
import { useLockAfter } from '../master-password/use-master-password.ts';
import { lockAfter } from '../page/vault.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import styles from './account.module.css';
import { Section } from './section.tsx';

const LOCK_TEXTS = ACCOUNT_TEXTS.lock;
const CHOICES = [1, 2, 5, 10, 15, 30, LIMITS.lockMinutes];

export function LockSection() {
  const { minutes, most } = useLockAfter();
  const [isKept, setKept] = useState(true);
  const offered = [...new Set([...CHOICES.filter((choice) => choice <= most), minutes])].sort((a, b) => a - b);
  const hint = [
    ...(isKept ? [] : [LOCK_TEXTS.notKept]),
    ...(most < LIMITS.lockMinutes ? [LOCK_TEXTS.most(most)] : []),
  ].join(' ');
  return (
    <Section title={LOCK_TEXTS.title} hint={LOCK_TEXTS.hint}>
      <div className={styles['form']}>
        <Select
          label={LOCK_TEXTS.after}
          {...(hint === '' ? {} : { hint })}
          value={String(minutes)}
          onChange={(value) => setKept(lockAfter.choose(Number(value)))}
          options={offered.map((choice) => ({ value: String(choice), title: LOCK_TEXTS.minutes(choice) }))}
        />
        <SecondsSelect
          label={LOCK_TEXTS.remaskAfter}
          hint={LOCK_TEXTS.remaskHint}
          choice={remaskAfter}
          offered={REMASK_SECONDS}
          onKept={setKept}
        />
        <SecondsSelect
          label={LOCK_TEXTS.clearAfter}
          hint={LOCK_TEXTS.clearHint}
          choice={clearAfter}
          offered={CLEAR_SECONDS}
          onKept={setKept}
        />
      </div>
    </Section>
  );
}

interface SecondsSelectProps {
  readonly label: string;
  readonly hint: string;
  readonly choice: KeptChoice<number>;
  readonly offered: readonly number[];
  readonly onKept: (isKept: boolean) => void;
}

function SecondsSelect({ label, hint, choice, offered, onKept }: SecondsSelectProps) {
  const seconds = useSyncExternalStore(choice.onChange, choice.get);
  return (
    <Select
      label={label}
      hint={hint}
      value={String(seconds)}
      onChange={(value) => onKept(choice.set(Number(value)))}
      options={offered.map((one) => ({ value: String(one), title: LOCK_TEXTS.seconds(one) }))}
    />
  );
}

const TEXTS = ACCOUNT_TEXTS.appearance;
const THEMES = (['dark', 'light', 'system'] as const).map((value) => ({ value, label: TEXTS.themes[value] }));
const DENSITIES = (['comfortable', 'compact'] as const).map((value) => ({ value, label: TEXTS.densities[value] }));
const DATE_FORMATS = (['plain', 'locale'] as const).map((value) => ({ value, label: TEXTS.dateFormats[value] }));

export function AppearanceSection() {
  const theme = useThemeChoice();
  const rows = useSyncExternalStore(density.onChange, density.get);
  const dates = useSyncExternalStore(dateFormat.onChange, dateFormat.get);
  const [isKept, setKept] = useState(true);
  const [now] = useState(() => Date.now());
  return (
    <Section title={TEXTS.title} hint={isKept ? TEXTS.hint : LOCK_TEXTS.notKept}>
      <div className={styles['choices']}>
        <Labelled text={TEXTS.theme}>
          <SegmentedRadio
            label={TEXTS.theme}
            value={theme}
            options={THEMES}
            onChange={(chosen) => setKept(chooseTheme(chosen))}
          />
        </Labelled>
        <Labelled text={TEXTS.density}>
          <SegmentedRadio
            label={TEXTS.density}
            value={rows}
            options={DENSITIES}
            onChange={(chosen) => setKept(chooseDensity(chosen))}
          />
        </Labelled>
        <Labelled text={TEXTS.dates}>
          <SegmentedRadio
            label={TEXTS.dates}
            value={dates}
            options={DATE_FORMATS}
            onChange={(chosen) => setKept(dateFormat.set(chosen))}
          />
          <p className={styles['hint']}>{TEXTS.dateExample(formatTime(now))}</p>
        </Labelled>
      </div>
    </Section>
  );
}

const LANGUAGE_TEXTS = ACCOUNT_TEXTS.language;
const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
const LANGUAGE_OPTIONS = [
  { value: 'system', label: LANGUAGE_TEXTS.system },
  ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_TEXTS.names[value] })),
] as const;

/** `main.ts` reads the same key and values. */
const language = keptChoice<'system' | (typeof LANGUAGES)[number]>(
  'language',
  'system',
  (text) => LANGUAGES.find((known) => known === text) ?? null,
  () => localStorage,
);

export function LanguageSection() {
  const [isKept, setKept] = useState(true);
  return (
    <Section title={LANGUAGE_TEXTS.title} hint={isKept ? LANGUAGE_TEXTS.hint : LOCK_TEXTS.notKept}>
      <SegmentedRadio
        label={LANGUAGE_TEXTS.choice}
        value={language.get()}
        options={LANGUAGE_OPTIONS}
        onChange={(chosen) => {
          if (language.set(chosen)) location.reload();
          else setKept(false);
        }}
      />
    </Section>
  );
}

/** The control carries the name; a screen reader hears it once. */
function Labelled({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div>
      <p className={styles['label']} aria-hidden="true">
        {text}
      </p>
      {children}
    </div>
  );
}
