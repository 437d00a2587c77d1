import { Download } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { IconButton } from '@passwordbroker/ui/actions/icon-button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import styles from '../value/field-value.module.css';
import { ValueLine } from '../value/value-line.tsx';
import type { ValueProps } from '../value/value-props.ts';

export function FileValue({ field, verbs }: ValueProps<'file'>) {
  const { saving } = verbs;
  return (
    <>
      <ValueLine
        verbs={
          <IconButton
            label={TEXTS.download}
            icon={<Download size={16} />}
            busy={saving !== null}
            onPress={() => void verbs.save()}
          />
        }
      >
        <span className={styles['value']}>
          {field.file_name} <span className={styles['size']}>{formatFileSize(field.file_size)}</span>
        </span>
      </ValueLine>
      {saving !== null && <ProgressBar label={TEXTS.downloading} value={saving * 100} />}
    </>
  );
}
