import { useId, useState } from 'react';
import { strengthBits } from '@passwordbroker/core/domain/fields/password-generator';
import { ADD_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Slider } from '@passwordbroker/ui/inputs/slider';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../edit/field-form.module.css';
import {
  CLASSES,
  isLastClass,
  LENGTHS,
  strengthOf,
  withClass,
  withLength,
  type Settings,
} from '@passwordbroker/core/domain/fields/generator-settings';

interface Props {
  readonly settings: Settings;
  readonly onChange: (next: Settings) => void;
}

export function GeneratorPanel({ settings, onChange }: Props) {
  const lastClassId = useId();
  const lastClass = CLASSES.find(({ name }) => isLastClass(settings, name))?.name;
  const bits = Math.floor(strengthBits(settings));
  const strength = strengthOf(bits);
  const word = TEXTS.strengths[strength - 1] ?? '';
  return (
    <>
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
      <LengthInputs settings={settings} onChange={onChange} />
      <div className={styles['classes']}>
        {CLASSES.map(({ name, sample }) => (
          <div key={name} className={styles['class']}>
            <Checkbox
              isSelected={settings[name]}
              isDisabled={name === lastClass}
              describedBy={name === lastClass ? lastClassId : undefined}
              onChange={(isOn: boolean) => onChange(withClass(settings, name, isOn))}
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
    </>
  );
}

/** A typed number counts once it is a valid length, so '1' on the way to '16' changes nothing. */
function LengthInputs({ settings, onChange }: Props) {
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
