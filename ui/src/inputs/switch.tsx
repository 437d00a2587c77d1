import { use, useId } from 'react';
import { ReadOnlyContext } from './field-frame.tsx';
import styles from './switch.module.css';

interface SwitchProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
  /** A reason disables and describes it; it stays focusable. */
  readonly whyNot?: string | null;
  readonly busy?: boolean;
}

export function Switch(props: SwitchProps) {
  const { label, isLabelHidden = false, isOn, onChange, isDisabled = false, whyNot = null, busy = false } = props;
  const isReadOnly = use(ReadOnlyContext);
  const reason = useId();
  const isHeld = whyNot !== null || busy;
  return (
    <label className={styles['row']}>
      <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        className={styles['switch']}
        checked={isOn}
        disabled={isDisabled || isReadOnly}
        aria-disabled={isHeld || undefined}
        aria-busy={busy || undefined}
        aria-describedby={whyNot === null ? undefined : reason}
        onChange={(event) => {
          if (!isHeld) onChange(event.target.checked);
        }}
      />
      {whyNot !== null && (
        <span id={reason} className="visually-hidden">
          {whyNot}
        </span>
      )}
    </label>
  );
}
