import { use } from 'react';
import { FieldFrame, type FrameProps, controlClass, ReadOnlyContext } from './field-frame.tsx';
import styles from './field.module.css';

interface TextAreaProps extends FrameProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly autoFocus?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { value, onChange, rows = 4, autoFocus } = props;
  const isReadOnly = use(ReadOnlyContext);
  const hasError = props.error !== null && props.error !== undefined && props.error !== '';
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={controlClass({ hasError, extra: styles['area'] })}>
          <textarea
            {...ids}
            readOnly={isReadOnly}
            rows={rows}
            value={value}
            autoFocus={autoFocus}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </FieldFrame>
  );
}
