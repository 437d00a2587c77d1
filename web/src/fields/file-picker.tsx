/** One file, dropped or chosen; refused at once when it is too large. */
import { useId, useRef, useState, type DragEvent } from 'react';
import { File as FileGlyph, Upload } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/file-size';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { EDIT_FIELD_TEXTS } from '../texts/fields-edit.ts';
import { ADD_FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { Button } from '../ui/button.tsx';
import styles from './field-form.module.css';

interface Props {
  readonly file: File | null;
  /** The file that is kept while no other one is chosen. */
  readonly stored: { readonly name: string; readonly size: number } | null;
  readonly error: string | null;
  readonly onChoose: (file: File) => void;
}

export function FilePicker({ file, stored, error, onChoose }: Props) {
  const present = file ?? stored;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const label = useId();
  const problem = useId();
  const drag = (event: DragEvent, isIn: boolean) => {
    event.preventDefault();
    setOver(isIn);
  };
  const take = (files: FileList | null) => {
    const first = files?.[0];
    if (first !== undefined) onChoose(first);
  };
  const browse = () => input.current?.click();
  return (
    <div className={styles['group']}>
      <span className={styles['label']} id={label}>
        {TEXTS.file}
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
        {present === null ? <Upload size={16} aria-hidden="true" /> : <FileGlyph size={16} aria-hidden="true" />}
        <div className={styles['dropText']}>
          {present === null ? (
            <>
              {TEXTS.dropFile}
              <button type="button" className={styles['link']} onClick={browse}>
                {TEXTS.chooseFile}
              </button>
              <span className={styles['hint']}>{TEXTS.fileLimit(formatFileSize(LIMITS.fileBytes))}</span>
            </>
          ) : (
            <>
              <b className={styles['fileName']} title={present.name}>
                {present.name}
              </b>
              <span className={styles['hint']}>
                {formatFileSize(present.size)}
                {file === null && `. ${EDIT_FIELD_TEXTS.fileKept}`}
              </span>
            </>
          )}
        </div>
        {present !== null && (
          <Button variant="secondary" size="sm" onPress={browse}>
            {TEXTS.replaceFile}
          </Button>
        )}
        <input
          ref={input}
          className={styles['fileInput']}
          type="file"
          tabIndex={-1}
          aria-labelledby={label}
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
