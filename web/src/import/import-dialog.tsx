/** Imports one KeePass XML 2.x file (docs/spec/product.md §2). */
import { type FormEvent, useId, useState, useMemo } from 'react';
import { Download, File as FileGlyph } from 'lucide-react';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { useMasterPassword, useMasterPasswordView } from '../master-password/use-master-password.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { FileDrop, FileHint, FileName } from '@passwordbroker/ui/inputs/file-drop';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import type { ImportProgress, VaultWrite, Imported } from '@passwordbroker/client/vault/vault';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import styles from './import-dialog.module.css';
import { isRunning } from './import-states.ts';
import { useImport } from './use-import.ts';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import { useQueryClient } from '@tanstack/react-query';
import { activityLog, tellDone, type TakingBack } from '../activity-log/activity-log.ts';
import { useVault } from '../vault/use-vault.ts';

interface Props {
  readonly write: VaultWrite;
  readonly onClose: () => void;
  readonly tree: TreeAround;
}

export function ImportDialog({ write, tree, onClose }: Props) {
  const form = useId();
  const masterPassword = useMasterPassword();
  useMasterPasswordView();
  const afterImport = useAfterImport(write, tree);
  const run = useImport({ write, masterPassword, onImported: afterImport.show, onUnsure: tree.reload });
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState('');
  const [fileError, setFileError] = useState<string | null>(null);
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const running = isRunning(run.state);
  const asksPassword = !masterPassword.isRemembered();

  const choose = (chosen: File) => {
    setFile(chosen);
    setFileError(chosen.size > LIMITS.importBytes ? TEXTS.tooLarge(formatFileSize(LIMITS.importBytes)) : null);
    run.forget();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (running) return;
    const noFile = file === null ? TEXTS.fileMissing : fileError;
    const noPassword = asksPassword && typed === '' ? TEXTS.masterPasswordMissing : null;
    setFileError(noFile);
    setPasswordError(noPassword);
    if (file === null || noFile !== null || noPassword !== null) return;
    const password = asksPassword ? typed : undefined;
    setTyped('');
    void run.start(file, password);
  };

  if (run.state === 'done' && run.imported !== null) {
    const { imported } = run;
    const leave = () => {
      onClose();
      afterImport.offerUndo(imported);
    };
    const openTree = () => {
      leave();
      tree.openTree(imported.entry_group_id);
    };
    return (
      <Dialog
        title={TEXTS.doneTitle}
        onClose={leave}
        footer={
          <Button variant="primary" onPress={openTree}>
            {TEXTS.open}
          </Button>
        }
      >
        <ImportSummary answer={imported} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={TEXTS.title}
      {...(running ? {} : { subtitle: TEXTS.subtitle })}
      onClose={onClose}
      isBusy={running}
      footer={
        <FormVerbs
          form={form}
          cancel={run.state === 'taking back' ? TEXTS.cancelling : TEXTS.cancel}
          onCancel={running ? run.cancel : onClose}
          isHeld={run.state === 'taking back'}
          submit={TEXTS.submit}
          submitting={TEXTS.busy}
          isBusy={running}
          icon={<Download size={16} />}
        />
      }
    >
      <form id={form} className={styles['body']} onSubmit={submit} noValidate>
        {run.problem !== null && (
          <MessageBox tone="danger" lines={[run.problem.message]}>
            {run.problem.lines.length > 0 && (
              <ul className={styles['problems']}>
                {run.problem.lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </MessageBox>
        )}
        {run.state === 'cancelled' && <MessageBox tone="info" lines={[TEXTS.cancelled]} />}
        {running && file !== null ? (
          <ImportProgressView fileName={file.name} progress={run.progress} isTakingBack={run.state === 'taking back'} />
        ) : (
          <>
            <FileDrop
              label={TEXTS.file}
              prompt={{ text: TEXTS.drop, choose: TEXTS.choose, hint: TEXTS.fileKind }}
              icon={file === null ? <Download size={16} /> : <FileGlyph size={16} />}
              chosen={file === null ? null : { name: file.name, hint: TEXTS.chosen(formatFileSize(file.size)) }}
              replace={TEXTS.replace}
              accept=".xml,text/xml,application/xml"
              error={fileError}
              onFiles={([first, ...others]) => (others.length > 0 ? setFileError(TEXTS.oneFileOnly) : choose(first))}
            />
            {asksPassword ? (
              <PasswordField
                label={TEXTS.masterPassword}
                hint={TEXTS.masterPasswordHint}
                value={typed}
                onChange={setTyped}
                autoComplete="off"
                {...(passwordError === null ? {} : { error: passwordError })}
              />
            ) : (
              <TextField
                label={TEXTS.masterPassword}
                hint={TEXTS.alreadyUnlockedHint}
                value={TEXTS.alreadyUnlocked}
                isLocked
              />
            )}
          </>
        )}
      </form>
    </Dialog>
  );
}

interface ImportProgressViewProps {
  readonly fileName: string;
  readonly progress: ImportProgress | null;
  readonly isTakingBack: boolean;
}

function ImportProgressView({ fileName, progress, isTakingBack }: ImportProgressViewProps) {
  const phase = progress?.phase ?? 'reading';
  const percent = progress === null || progress.total === 0 ? 0 : Math.floor((progress.done / progress.total) * 100);
  const isKnown = phase !== 'storing' && !isTakingBack;
  return (
    <div className={styles['running']}>
      <FileName>{fileName}</FileName>
      <ProgressBar label={isTakingBack ? TEXTS.cancelling : TEXTS.progress[phase]} value={isKnown ? percent : null} />
      <FileHint>{isTakingBack ? TEXTS.takingBack : sentence(phase, progress)}</FileHint>
    </div>
  );
}

function sentence(phase: ImportProgress['phase'], progress: ImportProgress | null): string {
  const { done, total } = progress ?? { done: 0, total: 0 };
  if (phase === 'storing') return TEXTS.storing;
  if (phase === 'sealing') return TEXTS.sealing(done, total);
  const phrase = phase === 'reading' ? TEXTS.reading : TEXTS.uploading;
  return phrase(formatFileSize(done), formatFileSize(total));
}

type ImportAnswer = AnswerOf<typeof importFile>;

function ImportSummary({ answer }: { readonly answer: ImportAnswer }) {
  const { counts, skipped, name } = answer;
  return (
    <div className={`${styles['body']} ${styles['summary']}`}>
      <MessageBox tone="success" lines={[TEXTS.doneInto(name)]} />
      <section>
        <h3>{TEXTS.read}</h3>
        <ul className={styles['counts']}>
          <li>{TEXTS.groups(counts.entry_groups)}</li>
          <li>{TEXTS.entries(counts.entries)}</li>
          <li>{TEXTS.fields(counts.fields)}</li>
          {counts.revisions > counts.fields && <li>{TEXTS.revisions(counts.revisions)}</li>}
        </ul>
      </section>
      <section>
        <h3>{TEXTS.leftOut}</h3>
        {skipped.length === 0 ? (
          <p>{TEXTS.nothingLeftOut}</p>
        ) : (
          <ul>
            {skipped.map((item) => (
              <li key={`${item.kind}/${item.reason}`}>{TEXTS.leftOutLine(item.count, item.kind, item.reason)}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

interface TreeAround {
  readonly reload: () => Promise<void>;
  readonly openTree: (id: string) => void;
  /** Leaves the page of a group that is no longer in the tree. */
  readonly leaveGone: () => void;
}

interface AfterImport {
  readonly show: (imported: Imported) => void;
  /** Call it after the summary is closed, because a modal dialog covers the toast. */
  readonly offerUndo: (imported: Imported) => void;
}

function useAfterImport(write: VaultWrite, { reload, openTree, leaveGone }: TreeAround): AfterImport {
  const { mode } = useVault();
  const client = useQueryClient();
  return useMemo(() => {
    const refresh = () => Promise.all([reload(), client.invalidateQueries({ queryKey: [mode, 'search'] })]);
    const undoOf =
      ({ operation_id, name }: Imported): TakingBack =>
      async () => {
        await write.undo(operation_id);
        await refresh();
        leaveGone();
        return TEXTS.undone(name);
      };
    return {
      show({ name, entry_group_id }) {
        activityLog.add(TEXTS.log(name));
        void refresh().then(() => openTree(entry_group_id));
      },
      offerUndo(imported) {
        tellDone(TEXTS.toast(imported.counts.entries, imported.name), undoOf(imported), null);
      },
    };
  }, [mode, client, reload, openTree, leaveGone, write]);
}
