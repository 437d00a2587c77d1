/** The value of a new password: generated, or typed; below it the generator with its strength. */
import { useId, useState } from 'react';
import { RefreshCw } from 'lucide-react';
import { generatePassword, strengthBits } from '@passwordbroker/core/domain/password-generator';
import { clipboard } from '../lib/clipboard.ts';
import { ADD_FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { reasonOf } from '../lib/reason.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Slider } from '../ui/slider.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './field-form.module.css';
import { SecretText } from './secret-text.tsx';
import {
  CLASSES,
  DEFAULT_SETTINGS,
  isLastClass,
  LENGTHS,
  strengthOf,
  withClass,
  withLength,
  type Settings,
} from './generator-settings.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string;
}

export function GeneratedPassword({ value, onChange, error }: Props) {
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const [copies, setCopies] = useState(0);
  const [copyProblem, setCopyProblem] = useState<string | null>(null);
  const label = useId();
  const lastClassId = useId();
  const apply = (next: Settings) => {
    setSettings(next);
    onChange(generatePassword(next));
  };
  const copy = async () => {
    setCopyProblem(null);
    try {
      await clipboard.copySecret(value);
      setCopies((before) => before + 1);
    } catch (failure) {
      setCopyProblem(reasonOf(failure));
    }
  };
  const lastClass = CLASSES.find(({ name }) => isLastClass(settings, name))?.name;
  const bits = Math.floor(strengthBits(settings));
  const strength = strengthOf(bits);
  const word = TEXTS.strengths[strength - 1] ?? '';
  return (
    <div className={styles['group']} role="group" aria-labelledby={label}>
      <span className={styles['label']} id={label}>
        {TEXTS.value}
      </span>
      <div className={styles['generator']}>
        <div className={styles['generated']} data-error={error !== undefined || undefined}>
          <div className={styles['stack']}>
            <span className={styles['painted']} aria-hidden="true" data-secret>
              <SecretText secret={value} />
            </span>
            <textarea
              className={styles['typed']}
              aria-labelledby={label}
              aria-invalid={error !== undefined}
              rows={1}
              value={value}
              onChange={(event) => onChange(event.target.value.replaceAll(/[\r\n]/g, ''))}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </div>
          <IconButton label={TEXTS.generateAgain} icon={<RefreshCw size={16} />} onPress={() => apply(settings)} />
          <CopyButton label={TEXTS.copyPassword} onCopy={() => void copy()} count={copies} />
        </div>
        <div className={styles['panel']}>
          <div className={styles['strength']}>
            <div className={styles['meter']} data-strength={strength} role="img" aria-label={TEXTS.strength(word)}>
              <i />
              <i />
              <i />
              <i />
            </div>
            <div className={styles['strengthWords']}>
              <b>{word}</b>
              <span>{TEXTS.bits(bits)}</span>
            </div>
          </div>
          <LengthInputs settings={settings} onChange={apply} />
          <div className={styles['classes']}>
            {CLASSES.map(({ name, sample }) => (
              <div key={name} className={styles['class']}>
                <Checkbox
                  isSelected={settings[name]}
                  isDisabled={name === lastClass}
                  describedBy={name === lastClass ? lastClassId : undefined}
                  onChange={(isOn: boolean) => apply(withClass(settings, name, isOn))}
                >
                  {name}
                </Checkbox>
                <code>{sample}</code>
              </div>
            ))}
          </div>
          {lastClass !== undefined && (
            <p id={lastClassId} className={styles['why']}>
              {TEXTS.lastClass}
            </p>
          )}
        </div>
      </div>
      {copyProblem !== null && (
        <span className={styles['error']} role="alert">
          {copyProblem}
        </span>
      )}
      {error !== undefined && (
        <span className={styles['error']} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

/** Slider and number. What is typed counts once it is a possible length: '1' on the way to '16' changes nothing. */
function LengthInputs({
  settings,
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (next: Settings) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const change = (length: number) => onChange(withLength(settings, length));
  return (
    <div className={styles['length']} onBlur={() => setTyped(null)}>
      <span aria-hidden="true">{TEXTS.length}</span>
      <Slider
        label={TEXTS.length}
        value={settings.length}
        minValue={LENGTHS.min}
        maxValue={LENGTHS.max}
        onChange={change}
      />
      <TextField
        label={TEXTS.lengthNumber}
        isLabelHidden
        size="sm"
        type="number"
        min={LENGTHS.min}
        max={LENGTHS.max}
        step={1}
        value={typed ?? String(settings.length)}
        onChange={(text) => {
          setTyped(text);
          if (withLength(settings, Number(text)).length === Number(text)) change(Number(text));
        }}
      />
    </div>
  );
}
