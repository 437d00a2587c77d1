import { type ReactNode, useId } from 'react';
import styles from './segmented-radio.module.css';

interface SegmentedRadioProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly icon?: ReactNode }[];
  readonly isDisabled?: boolean;
}

/** A visible choice of a few options, as radio buttons. */
export function SegmentedRadio<Value extends string>({
  label,
  value,
  onChange,
  options,
  isDisabled,
}: SegmentedRadioProps<Value>) {
  const name = useId();
  return (
    <div className={styles['group']} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={isDisabled}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  );
}
