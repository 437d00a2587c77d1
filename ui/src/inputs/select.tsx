import { use } from 'react';
import { FieldFrame, type FrameProps, controlClass, ReadOnlyContext } from './field-frame.tsx';
import styles from './field.module.css';

interface SelectProps extends FrameProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly size?: 'sm' | 'md';
  readonly isDisabled?: boolean;
}

/** Native, for keyboard, touch and screen readers. */
export function Select(props: SelectProps) {
  const { value, onChange, options, size = 'md', isDisabled = false } = props;
  const isReadOnly = use(ReadOnlyContext);
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={controlClass({ hasError: ids['aria-invalid'] === true, size, extra: styles['select'] })}>
          <select
            {...ids}
            value={value}
            disabled={isDisabled || isReadOnly}
            onChange={(event) => onChange(event.target.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.title}
              </option>
            ))}
          </select>
        </div>
      )}
    </FieldFrame>
  );
}
