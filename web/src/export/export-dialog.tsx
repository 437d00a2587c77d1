/** Writes groups or entries into a file of another program, or of our own (docs/spec/product.md §2). */
import { useQuery } from '@tanstack/react-query';
import { Save } from 'lucide-react';
import { useState } from 'react';
import { settings } from '@passwordbroker/core/contract/site/site';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { VaultWrite, WrittenExport } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { saveBlob } from '../fields/file/save-blob.ts';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import styles from '../import/import-dialog.module.css';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { EXPORT_TEXTS as TEXTS } from '../texts/entries/export.ts';
import { ConfirmExport } from './confirm-export.tsx';
import { type ExportChoice, ExportForm, FIRST_CHOICE } from './export-form.tsx';
import { type ExportWhat, fileNameOf, scopeOf } from './scope.ts';
import { type ExportRun, useExport } from './use-export.ts';

export interface ExportDialogProps {
  readonly what: ExportWhat;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

export function ExportDialog({ what, write, onClose }: ExportDialogProps) {
  const { tree, problem: noTree } = useGroupTree();
  const site = useQuery({
    queryKey: ['export', 'settings'],
    queryFn: ({ signal }) => http.call(settings, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const masterPassword = useMasterPassword();
  const run = useExport({
    load: write.exports,
    masterPassword,
    confirmed: (call) => freshSignIn.tryRun(call),
  });
  const [choice, setChoice] = useState<ExportChoice>(FIRST_CHOICE);
  const { state } = run;
  const failure = noTree ?? site.error;
  if (tree === null || site.data === undefined) {
    const lines = failure === null ? null : [reasonOf(failure)];
    return (
      <Dialog title={TEXTS.title} onClose={onClose}>
        {lines === null ? (
          <ProgressBar label={TEXTS.loading} value={null} />
        ) : (
          <MessageBox tone="danger" lines={lines} />
        )}
      </Dialog>
    );
  }
  const scope = scopeOf(what, tree, site.data.export_by);
  if (state.at === 'done')
    return <ExportDone written={state.written} choice={choice} name={scope.name} onClose={onClose} />;
  if (state.at === 'confirming')
    return <ConfirmExport run={run} started={state.started} choice={choice} name={scope.name} onClose={onClose} />;
  if (state.at === 'choosing' || state.at === 'preparing')
    return (
      <ExportForm
        run={run}
        what={what}
        scope={scope}
        site={site.data}
        choice={choice}
        onChoose={setChoice}
        onClose={onClose}
      />
    );
  return <ExportRunning run={run} />;
}

function ExportRunning({ run: { state, cancel } }: { readonly run: ExportRun }) {
  const isCancelling = state.at === 'cancelling';
  const work = 'work' in state ? state.work : null;
  const { done = 0, total = 0 } = work ?? {};
  const label = isCancelling
    ? TEXTS.cancelling
    : work === null
      ? TEXTS.preparing
      : work.phase === 'opening'
        ? TEXTS.opening(done, total)
        : TEXTS.writing(done, total);
  return (
    <Dialog
      title={TEXTS.title}
      onClose={() => undefined}
      isBusy
      footer={
        <Button variant="ghost" isDisabled={isCancelling} onPress={() => void cancel()}>
          {isCancelling ? TEXTS.cancelling : TEXTS.cancel}
        </Button>
      }
    >
      <ProgressBar label={label} value={total === 0 || isCancelling ? null : (100 * done) / total} />
    </Dialog>
  );
}

interface DoneProps {
  readonly written: WrittenExport;
  readonly choice: ExportChoice;
  readonly name: string;
  readonly onClose: () => void;
}

/** What the file lacks is said before it is saved. */
function ExportDone({ written, choice, name, onClose }: DoneProps) {
  const [saved, setSaved] = useState<string | null>(null);
  const { file, extension, values, gone, failed, lost, isImportable } = written;
  const fileName = fileNameOf(name, extension, new Date());
  const save = () => {
    saveBlob(file, fileName);
    setSaved(fileName);
  };
  const missing = [
    gone > 0 ? TEXTS.gone(gone) : null,
    failed > 0 ? TEXTS.damaged(failed) : null,
    isImportable ? null : TEXTS.notImportable,
  ].filter((line) => line !== null);
  return (
    <Dialog
      key="done"
      title={TEXTS.doneTitle}
      onClose={onClose}
      footer={
        <>
          <Button variant={saved === null ? 'ghost' : 'secondary'} onPress={onClose}>
            {saved === null ? TEXTS.cancel : TEXTS.close}
          </Button>
          <Button variant="primary" icon={<Save size={16} />} onPress={save}>
            {TEXTS.save}
          </Button>
        </>
      }
    >
      <div className={`${styles['body']} ${styles['summary']}`}>
        <MessageBox tone="success" lines={[TEXTS.exported(values), ...(saved === null ? [] : [TEXTS.saved(saved)])]} />
        {missing.length > 0 && <MessageBox tone="warning" lines={missing} />}
        {lost.length > 0 && (
          <section>
            <h3>{TEXTS.lost}</h3>
            <ul>
              {lost.map(({ count, kind, reason }) => (
                <li key={`${kind}/${reason}`}>{TEXTS.lostLine(count, kind, reason)}</li>
              ))}
            </ul>
          </section>
        )}
        {!isEncrypted(choice.format) && <MessageBox tone="danger" lines={[TEXTS.deleteFile(fileName)]} />}
      </div>
    </Dialog>
  );
}
