/** The last look before values are released. */
import { type FormEvent, useId, useState } from 'react';
import { Upload } from 'lucide-react';
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import { isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { KINDS } from '@passwordbroker/client/vault/entries/export-scope';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import styles from '../import/import-dialog.module.css';
import { EXPORT_TEXTS as TEXTS } from '../texts/entries/export.ts';
import type { ExportChoice } from './export-form.tsx';
import { choiceLine, lossLine } from './scope.ts';
import type { ExportRun } from './use-export.ts';

interface Props {
  readonly run: ExportRun;
  readonly started: Export;
  readonly choice: ExportChoice;
  readonly name: string;
  readonly onClose: () => void;
}

export function ConfirmExport({ run, started: { counts }, choice, name, onClose }: Props) {
  const form = useId();
  const { format, password } = choice;
  const [isUnderstood, setUnderstood] = useState(false);
  const isPlain = !isEncrypted(format);
  const hasFiles = choice.files && KINDS[format].files && counts.types.file > 0;
  const size = formatFileSize(counts.file_bytes);
  const problem = counts.values === 0 ? TEXTS.empty : null;
  const warnings = [lossLine(format, counts), choiceLine(format, choice, counts)].filter((line) => line !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null && (!isPlain || isUnderstood)) void run.run({ name, password });
  };
  return (
    <Dialog
      key="confirm"
      title={TEXTS.confirmTitle}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onPress={run.back}>
            {TEXTS.back}
          </Button>
          <Button
            variant={isPlain ? 'danger' : 'primary'}
            type="submit"
            form={form}
            icon={<Upload size={16} />}
            isDisabled={problem !== null || (isPlain && !isUnderstood)}
          >
            {TEXTS.exportValues(counts.values)}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['body']} onSubmit={submit} noValidate>
        <p ref={firstFocus} tabIndex={-1} className={`${styles['source']} ${styles['counts']}`}>
          <b>{TEXTS.kinds[format]}</b>
          <br />
          {TEXTS.counts(counts.entry_groups, counts.entries, counts.values)}
          {hasFiles && ` · ${TEXTS.withFiles(size)}`}
        </p>
        {warnings.length > 0 && <MessageBox tone="warning" lines={warnings} />}
        {problem === null ? (
          <MessageBox tone="info" lines={[TEXTS.recorded(counts.values)]} />
        ) : (
          <MessageBox tone="danger" lines={[problem]} />
        )}
        {isPlain && problem === null && (
          <>
            <MessageBox
              tone="danger"
              lines={[TEXTS.plainCount(counts.types.password), ...(format === 'csv-manager' ? [TEXTS.formulas] : [])]}
            />
            <Checkbox isSelected={isUnderstood} onChange={setUnderstood}>
              {TEXTS.understood}
            </Checkbox>
          </>
        )}
      </form>
    </Dialog>
  );
}
