import { useState } from 'react';
import {
  CLASSES,
  isLastClass,
  LENGTHS,
  type Settings,
  withClass,
  withLength,
} from '@passwordbroker/core/domain/fields/generator-settings';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import styles from './popup.module.css';

interface Props {
  readonly settings: Settings;
  /** Each change makes another password. */
  readonly onChange: (next: Settings) => void;
}

export function GeneratorSettings({ settings, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const changeLength = (text: string) => {
    setTyped(text);
    const next = withLength(settings, Number(text));
    // '1' on the way to '16' changes nothing.
    if (next.length === Number(text)) onChange(next);
  };
  return (
    <details className={styles['generator']}>
      <summary>{TEXTS.generatorSettings}</summary>
      <TextField
        label={TEXTS.length}
        type="number"
        min={LENGTHS.min}
        max={LENGTHS.max}
        step={1}
        value={typed ?? String(settings.length)}
        onChange={changeLength}
      />
      <div role="group" aria-label={TEXTS.characters} className={styles['characters']}>
        {CLASSES.map(({ name, sample }) => (
          <Checkbox
            key={name}
            isSelected={settings[name]}
            isDisabled={isLastClass(settings, name)}
            onChange={(isOn) => onChange(withClass(settings, name, isOn))}
          >
            <code>{sample}</code>
          </Checkbox>
        ))}
      </div>
    </details>
  );
}
