/** Which file, and what opens it. */
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ArrowRight, Download, File as FileGlyph, KeyRound } from 'lucide-react';
import type { ColumnChoice, TableLook } from '@passwordbroker/core/domain/exchange/csv/meanings';
import { EXCHANGE_LIMITS } from '@passwordbroker/core/domain/exchange/exchange-error';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { FileDrop, FileHint, FileName } from '@passwordbroker/ui/inputs/file-drop';
import { Select } from '@passwordbroker/ui/inputs/select';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import type { DetectedFile, ImportProgress } from '@passwordbroker/client/vault/vault';
import { useMasterPassword, useMasterPasswordView } from '../master-password/use-master-password.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { columnsFor, rememberColumns } from './column-memory.ts';
import { Columns } from './columns.tsx';
import styles from './import-dialog.module.css';
import { isRunning } from './import-states.ts';
import type { ImportRun } from './use-import.ts';

interface Props {
  readonly run: ImportRun;
  readonly onClose: () => void;
}

export function ImportForm({ run, onClose }: Props) {
  const form = useId();
  const masterPassword = useMasterPassword();
  useMasterPasswordView();
  const { file, found } = run;
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [keyFile, setKeyFile] = useState<File | null>(null);
  const [fileError, setFileError] = useState<string | null>(null);
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const columns = useColumns(found);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (run.passwordProblem !== null) passwordField.current?.focus();
  }, [run.passwordProblem]);
  const running = isRunning(run.state);
  const asksMaster = !masterPassword.isRemembered();
  const limit = found?.limit ?? EXCHANGE_LIMITS.archiveBytes;
  const tooLarge = file !== null && file.size > limit ? TEXTS.tooLarge(formatFileSize(limit)) : null;

  const choose = (chosen: File) => {
    setFileError(null);
    setPassword('');
    setKeyFile(null);
    run.choose(chosen);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (running) return;
    const noFile = file === null ? TEXTS.fileMissing : tooLarge;
    const noPassword = asksMaster && typed === '' ? TEXTS.masterPasswordMissing : null;
    setFileError(noFile);
    setPasswordError(noPassword);
    if (noFile !== null || noPassword !== null) return;
    if (columns !== null) void rememberColumns(columns.table, columns.choice);
    const opening = { typed: asksMaster ? typed : undefined, password, keyFile, columns: columns?.choice ?? null };
    setTyped('');
    setPassword('');
    void run.read(opening);
  };

  return (
    <Dialog
      title={TEXTS.title}
      {...(running ? {} : { subtitle: TEXTS.subtitle })}
      size={columns === null || running ? 'sm' : 'md'}
      onClose={onClose}
      isBusy={running}
      footer={
        <FormVerbs
          form={form}
          cancel={run.state === 'taking back' ? TEXTS.cancelling : TEXTS.cancel}
          onCancel={running ? run.cancel : onClose}
          isHeld={run.state === 'taking back'}
          submit={TEXTS.next}
          submitting={run.rehearsal === null ? TEXTS.progress.reading : TEXTS.busy}
          isBusy={running}
          icon={<ArrowRight size={16} />}
        />
      }
    >
      <form id={form} className={styles['body']} onSubmit={submit} noValidate>
        <ProblemBox run={run} />
        {running && file !== null ? (
          <ImportProgressView fileName={file.name} progress={run.progress} isTakingBack={run.state === 'taking back'} />
        ) : (
          <>
            <FileDrop
              label={TEXTS.file}
              prompt={{ text: TEXTS.drop, choose: TEXTS.choose, hint: TEXTS.fileKind }}
              icon={file === null ? <Download size={16} /> : <FileGlyph size={16} />}
              chosen={
                file === null
                  ? null
                  : { name: file.name, hint: TEXTS.chosen(formatFileSize(file.size), found?.label ?? null) }
              }
              replace={TEXTS.replace}
              error={fileError ?? tooLarge}
              onFiles={([first, ...others]) => (others.length > 0 ? setFileError(TEXTS.oneFileOnly) : choose(first))}
            />
            {found !== null && <KindChoice found={found} onChoose={run.chooseKind} />}
            {asksMaster ? (
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
            {found?.needs === 'password' && (
              <PasswordField
                ref={passwordField}
                label={TEXTS.filePassword}
                hint={TEXTS.filePasswordHint}
                value={password}
                onChange={setPassword}
                autoComplete="off"
                {...(run.passwordProblem === null ? {} : { error: run.passwordProblem })}
              />
            )}
            {found !== null && columns !== null && (
              <Columns table={columns.table} choice={columns.choice} onChange={columns.choose} />
            )}
            {found?.takesKeyFile === true && <KeyFile chosen={keyFile} onChoose={setKeyFile} />}
          </>
        )}
      </form>
    </Dialog>
  );
}

/** Null for a file that needs no columns, and while those that were chosen before are looked up. */
function useColumns(found: DetectedFile | null) {
  const table = found?.needs === 'columns' ? found.table : null;
  const [chosen, setChosen] = useState<{ readonly table: TableLook; readonly choice: ColumnChoice } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (table !== null)
      void columnsFor(table).then((choice) => {
        if (isCurrent) setChosen({ table, choice });
      });
    return () => {
      isCurrent = false;
    };
  }, [table]);
  if (table === null || chosen?.table !== table) return null;
  return { ...chosen, choose: (choice: ColumnChoice) => setChosen({ table, choice }) };
}

interface KeyFileProps {
  readonly chosen: File | null;
  readonly onChoose: (file: File | null) => void;
}

function KeyFile({ chosen, onChoose }: KeyFileProps) {
  return (
    <div className={styles['keyFile']}>
      <FileDrop
        label={TEXTS.keyFile}
        prompt={{ text: TEXTS.drop, choose: TEXTS.chooseKeyFile, hint: TEXTS.keyFileHint }}
        icon={<KeyRound size={16} />}
        chosen={chosen === null ? null : { name: chosen.name, hint: formatFileSize(chosen.size) }}
        replace={TEXTS.replace}
        error={null}
        onFiles={([first]) => onChoose(first)}
      />
      {chosen !== null && (
        <Button variant="ghost" size="sm" onPress={() => onChoose(null)}>
          {TEXTS.withoutKeyFile}
        </Button>
      )}
    </div>
  );
}

interface KindChoiceProps {
  readonly found: DetectedFile;
  readonly onChoose: (id: string) => void;
}

/** The recognised kind can be replaced: a person may know better. */
export function KindChoice({ found, onChoose }: KindChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  if (found.kinds.length < 2) return null;
  if (!isOpen)
    return (
      <button type="button" className={styles['other']} onClick={() => setOpen(true)}>
        {TEXTS.otherKind}
      </button>
    );
  return (
    <Select
      label={TEXTS.kind}
      value={found.id}
      onChange={onChoose}
      options={found.kinds.map(({ id, label }) => ({ value: id, title: label }))}
    />
  );
}

export function ProblemBox({ run: { problem, state } }: { readonly run: Pick<ImportRun, 'problem' | 'state'> }) {
  if (problem !== null)
    return (
      <MessageBox tone="danger" lines={[problem.message]}>
        {problem.lines.length > 0 && (
          <ul className={styles['problems']}>
            {problem.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </MessageBox>
    );
  return state === 'cancelled' ? <MessageBox tone="info" lines={[TEXTS.cancelled]} /> : null;
}

interface ImportProgressViewProps {
  readonly fileName: string;
  readonly progress: ImportProgress | null;
  readonly isTakingBack: boolean;
}

function ImportProgressView({ fileName, progress, isTakingBack }: ImportProgressViewProps) {
  const phase = progress?.phase ?? 'reading';
  const percent = progress === null || progress.total === 0 ? 0 : Math.floor((progress.done / progress.total) * 100);
  const isKnown = phase !== 'storing' && phase !== 'opening' && !isTakingBack;
  return (
    <div className={styles['running']}>
      <FileName>{fileName}</FileName>
      <ProgressBar label={isTakingBack ? TEXTS.cancelling : TEXTS.progress[phase]} value={isKnown ? percent : null} />
      <FileHint>{isTakingBack ? TEXTS.takingBack : sentence(phase, progress)}</FileHint>
    </div>
  );
}

/** Shorter waits need no words. */
const LONG_SECONDS = 1;

function sentence(phase: ImportProgress['phase'], progress: ImportProgress | null): string {
  const { done, total } = progress ?? { done: 0, total: 0 };
  if (phase === 'storing') return TEXTS.storing;
  if (phase === 'opening') return total > LONG_SECONDS ? TEXTS.opening(Math.ceil(total)) : TEXTS.progress.opening;
  if (phase === 'sealing' || phase === 'comparing') return TEXTS[phase](done, total);
  const phrase = phase === 'reading' ? TEXTS.reading : TEXTS.uploading;
  return phrase(formatFileSize(done), formatFileSize(total));
}
