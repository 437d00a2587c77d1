import { useEffect, useId, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { Button } from '../actions/button.tsx';
import styles from './file-drop.module.css';
import nameStyles from '../display/file-name.module.css';

interface FileDropProps {
  readonly label: string;
  /** Shown while no file is chosen. */
  readonly prompt: { readonly text: string; readonly choose: string; readonly hint: string };
  readonly icon: ReactNode;
  readonly chosen: { readonly name: string; readonly hint: string } | null;
  readonly replace: string;
  readonly accept?: string;
  readonly error: string | null;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
}

export function FileDrop(props: FileDropProps) {
  const { label, prompt, icon, chosen, replace, accept, error, isDisabled = false, autoFocus, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  const other = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(false);
  const name = useId();
  const problem = useId();
  const isThere = chosen !== null;
  const was = useRef(isThere);
  // The pressed button disappears with the first choice; the focus moves to its successor.
  useEffect(() => {
    if (isThere && !was.current && document.activeElement === document.body) other.current?.focus();
    was.current = isThere;
  }, [isThere]);
  const take = (files: FileList | null) => {
    const [first, ...others] = files ?? [];
    if (first !== undefined && !isDisabled) onFiles([first, ...others]);
  };
  const drag = (event: DragEvent, isIn: boolean) => {
    event.preventDefault();
    setOver(isIn && !isDisabled);
  };
  const browse = () => input.current?.click();
  return (
    <div className={styles['group']}>
      <span className={styles['label']} id={name}>
        {label}
      </span>
      <div
        className={styles['drop']}
        data-over={isOver || undefined}
        data-error={error !== null || undefined}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take(event.dataTransfer.files);
        }}
      >
        <span className={styles['icon']} aria-hidden="true">
          {icon}
        </span>
        <div className={styles['words']}>
          {chosen === null ? (
            <>
              {prompt.text}{' '}
              <button type="button" className={styles['link']} autoFocus={autoFocus} onClick={browse}>
                {prompt.choose}
              </button>
              <FileHint>{prompt.hint}</FileHint>
            </>
          ) : (
            <>
              <FileName>{chosen.name}</FileName>
              <FileHint>{chosen.hint}</FileHint>
            </>
          )}
        </div>
        {chosen !== null && (
          <Button ref={other} variant="secondary" size="sm" isDisabled={isDisabled} onPress={browse}>
            {replace}
          </Button>
        )}
        <input
          ref={input}
          className={styles['input']}
          type="file"
          accept={accept}
          tabIndex={-1}
          disabled={isDisabled}
          aria-labelledby={name}
          aria-describedby={error === null ? undefined : problem}
          onChange={(event) => {
            take(event.target.files);
            event.target.value = '';
          }}
        />
      </div>
      {error !== null && (
        <span className={styles['error']} id={problem} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

export const FileName = ({ children }: { readonly children: string }) => (
  <b className={nameStyles['name']} title={children}>
    {children}
  </b>
);

export const FileHint = ({ children }: { readonly children: ReactNode }) => (
  <span className={nameStyles['hint']}>{children}</span>
);
