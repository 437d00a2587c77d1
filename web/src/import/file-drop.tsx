/** One file, dropped or chosen. Its name and size are shown; the content is read only when the import starts. */
import { useRef, useState, type DragEvent } from 'react';
import { Download, File as FileGlyph } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/file-size';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import { Button } from '../ui/button.tsx';
import styles from './import-dialog.module.css';

interface Props {
  readonly file: File | null;
  readonly error: string | null;
  readonly onChoose: (file: File) => void;
  readonly onRefuse: (text: string) => void;
}

export function FileDrop({ file, error, onChoose, onRefuse }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const first = files?.[0];
    if (first === undefined || files === null) return;
    if (files.length > 1) onRefuse(TEXTS.oneFileOnly);
    else onChoose(first);
  };
  const over = (event: DragEvent, isIn: boolean) => {
    event.preventDefault();
    setOver(isIn);
  };
  return (
    <div className={styles['group']}>
      <span className={styles['label']} id="import-file-label">
        {TEXTS.file}
      </span>
      <div
        className={styles['drop']}
        data-over={isOver || undefined}
        data-error={error !== null || undefined}
        onDragOver={(event) => over(event, true)}
        onDragLeave={(event) => over(event, false)}
        onDrop={(event) => {
          over(event, false);
          take(event.dataTransfer.files);
        }}
      >
        {file === null ? <Download size={16} aria-hidden="true" /> : <FileGlyph size={16} aria-hidden="true" />}
        <div className={styles['dropText']}>
          {file === null ? (
            <>
              {TEXTS.drop}{' '}
              <button type="button" className={styles['link']} onClick={() => input.current?.click()}>
                {TEXTS.choose}
              </button>
              <span className={styles['hint']}>{TEXTS.fileKind}</span>
            </>
          ) : (
            <>
              <b className={styles['fileName']} title={file.name}>
                {file.name}
              </b>
              <span className={styles['hint']}>{TEXTS.chosen(formatFileSize(file.size))}</span>
            </>
          )}
        </div>
        {file !== null && (
          <Button variant="secondary" size="sm" onPress={() => input.current?.click()}>
            {TEXTS.replace}
          </Button>
        )}
        <input
          ref={input}
          className={styles['fileInput']}
          type="file"
          accept=".xml,text/xml,application/xml"
          tabIndex={-1}
          aria-labelledby="import-file-label"
          onChange={(event) => {
            take(event.target.files);
            event.target.value = '';
          }}
        />
      </div>
      {error !== null && (
        <span className={styles['error']} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
