/** Imports a file of another program (docs/spec/product.md §2). */
import { useMemo, useState } from 'react';
import { Save } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import type { VaultWrite, Imported } from '@passwordbroker/client/vault/vault';
import styles from './import-dialog.module.css';
import { isRunning } from './import-states.ts';
import { useImport } from './use-import.ts';
import { useQueryClient } from '@tanstack/react-query';
import { activityLog, tellDone, type TakingBack } from '../activity-log/activity-log.ts';
import { saveBlob } from '../fields/file/save-blob.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { useVault } from '../vault/use-vault.ts';
import { ImportForm } from './import-form.tsx';
import { reportText } from './import-report.ts';
import { RehearsalDialog } from './rehearsal.tsx';
import type { Where } from './where-to.tsx';

export interface ImportDialogProps {
  readonly write: VaultWrite;
  readonly onClose: () => void;
  readonly tree: TreeAround;
}

export function ImportDialog({ write, tree, onClose }: ImportDialogProps) {
  const masterPassword = useMasterPassword();
  const afterImport = useAfterImport(write, tree);
  const run = useImport({ write, masterPassword, onImported: afterImport.show, onUnsure: tree.reload });
  const { file, found, rehearsal, imported } = run;
  const [where, setWhere] = useState<Where>({ kind: 'tree', target: null, sameMembers: true });
  const isInto = where.kind === 'into';

  if (run.state === 'done' && imported !== null && file !== null && found !== null && rehearsal !== null) {
    const leave = () => {
      onClose();
      afterImport.offerUndo(imported);
    };
    const openTree = () => {
      leave();
      tree.openTree(imported.entry_group_id);
    };
    const save = () => {
      const source = TEXTS.source(found.label, formatFileSize(file.size));
      const text = reportText({ file: file.name, source, read: rehearsal.read, done: doneText(imported.name, isInto) });
      saveBlob(new Blob([text], { type: 'text/plain' }), TEXTS.reportName(new Date().toISOString().slice(0, 10)));
    };
    return (
      <Dialog
        key="done"
        title={TEXTS.doneTitle}
        onClose={leave}
        footer={
          <>
            <Button variant="secondary" icon={<Save size={16} />} onPress={save}>
              {TEXTS.saveReport}
            </Button>
            <Button variant="primary" onPress={openTree}>
              {isInto ? TEXTS.openGroup : TEXTS.open}
            </Button>
          </>
        }
      >
        <ImportSummary answer={imported} done={doneText(imported.name, isInto)} />
      </Dialog>
    );
  }
  if (rehearsal !== null && file !== null && found !== null && !isRunning(run.state))
    return (
      <RehearsalDialog
        key={`rehearsal ${rehearsal.read.handle}`}
        run={run}
        file={file}
        found={found}
        rehearsal={rehearsal}
        where={where}
        onWhere={setWhere}
        onKind={(id) => {
          run.chooseKind(id);
          const kind = found.kinds.find((one) => one.id === id);
          if (kind?.needs === 'nothing')
            void run.read({ typed: undefined, password: '', keyFile: null, columns: null });
          else run.back();
        }}
        onImport={(choice) => void run.store(choice)}
        onClose={onClose}
      />
    );
  return <ImportForm key="form" run={run} onClose={onClose} />;
}

const doneText = (name: string, isInto: boolean) => (isInto ? TEXTS.doneIntoGroup(name) : TEXTS.doneInto(name));

function ImportSummary({ answer, done }: { readonly answer: Imported; readonly done: string }) {
  const { counts, skipped } = answer;
  return (
    <div className={`${styles['body']} ${styles['summary']}`}>
      <MessageBox tone="success" lines={[done]} />
      <section>
        <h3>{TEXTS.read}</h3>
        <ul className={styles['counts']}>
          <li>{TEXTS.groups(counts.entry_groups)}</li>
          <li>{TEXTS.entries(counts.entries)}</li>
          <li>{TEXTS.fields(counts.fields)}</li>
          {counts.updated !== undefined && counts.updated > 0 && <li>{TEXTS.updated(counts.updated)}</li>}
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
