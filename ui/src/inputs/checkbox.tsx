import { type ReactNode, use, useEffect, useId, useRef } from 'react';
import styles from './checkbox.module.css';
import { ReadOnlyContext } from './field-frame.tsx';

interface CheckboxProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  readonly hint?: string;
  /** Id of an element that says more. */
  readonly describedBy?: string | undefined;
  /** Replaces missing `children`. */
  readonly label?: string;
  readonly children?: ReactNode;
}

export function Checkbox({
  isSelected,
  onChange,
  isIndeterminate = false,
  isDisabled = false,
  hint,
  describedBy,
  label,
  children,
}: CheckboxProps) {
  const isReadOnly = use(ReadOnlyContext);
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <label className={styles['row']}>
      <input
        ref={box}
        type="checkbox"
        className={styles['box']}
        checked={isSelected}
        disabled={isDisabled || isReadOnly}
        aria-label={label}
        aria-describedby={hint === undefined ? describedBy : id}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children !== undefined && (
        <span className={styles['words']}>
          <span>{children}</span>
          {hint !== undefined && (
            <span id={id} className={styles['hint']}>
              {hint}
            </span>
          )}
        </span>
      )}
    </label>
  );
}
