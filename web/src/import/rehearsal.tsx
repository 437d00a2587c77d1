/** Everything that a file would add, before anything is sent (docs/spec/decisions.md H7). */
import { type FormEvent, Suspense, useEffect, useId, useMemo, useState } from 'react';
import { Copy, Download } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { groupsInto } from '@passwordbroker/core/domain/import/groups-into';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import type { DetectedFile, ImportChoice, ReadFile } from '@passwordbroker/client/vault/vault';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { lazyPart } from '../lib/chunk.ts';
import { browserClipboard } from '../lib/clipboard.ts';
import { loadDuplicateTexts } from '../texts/late-texts.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { KindChoice, ProblemBox } from './import-form.tsx';
import styles from './import-dialog.module.css';
import { countsOf, remarkLines } from './import-report.ts';
import { Preview } from './preview.tsx';
import { choicesOf, type ForDuplicates, type Where, WhereTo } from './where-to.tsx';
import type { ImportRun } from './use-import.ts';
import type { Rehearsal } from './use-reading.ts';

/** Its code loads with the first duplicate. */
const DuplicateSections = lazyPart('DuplicateSections', async () => {
  await loadDuplicateTexts();
  return import('./duplicates.tsx');
});

interface Props {
  readonly run: ImportRun;
  readonly file: File;
  readonly found: DetectedFile;
  readonly rehearsal: Rehearsal;
  readonly where: Where;
  readonly onWhere: (where: Where) => void;
  readonly onKind: (id: string) => void;
  readonly onImport: (choice: ImportChoice) => void;
  readonly onClose: () => void;
}

export function RehearsalDialog(props: Props) {
  const { run, file, found, rehearsal, where, onWhere, onKind, onImport, onClose } = props;
  const form = useId();
  const { read } = rehearsal;
  const { tree } = useGroupTree();
  const [duplicates, setDuplicates] = useState<ForDuplicates>({ forAll: 'skip', each: new Map() });
  const [whereError, setWhereError] = useState<string | null>(null);
  const target = where.kind === 'into' && where.target !== null ? (tree?.byId.get(where.target.id) ?? null) : null;
  const groups = useMemo(() => (target === null ? null : groupsInto(read.groups, target)), [read, target]);
  const { compare } = run;
  useEffect(() => {
    void compare(groups);
  }, [compare, groups]);
  const existing = groups === null ? null : run.duplicates;
  const { without, revise } = existing === null ? NO_DUPLICATES : choicesOf(existing, duplicates);
  const [rootName, setRootName] = useState(rehearsal.name);
  const [nameError, setNameError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (where.kind === 'into') {
      setWhereError(groups === null ? TEXTS.groupMissing : null);
      if (groups !== null && existing !== null)
        onImport({ rootName: '', without, into: { groups, sameMembers: where.sameMembers, revise } });
      return;
    }
    const name = rootName.trim();
    setNameError(name === '' ? TEXTS.newTreeMissing : null);
    if (name !== '') onImport({ rootName: name, without: [] });
  };
  return (
    <Dialog
      title={TEXTS.look}
      size="lg"
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onPress={run.back}>
            {TEXTS.back}
          </Button>
          <Button variant="ghost" onPress={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            icon={<Download size={16} />}
            busy={run.state === 'comparing'}
            busyLabel={TEXTS.progress.comparing}
          >
            {TEXTS.importEntries(read.counts.entries - without.length)}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['body']} onSubmit={submit} noValidate>
        <ProblemBox run={run} />
        <div className={styles['head']}>
          <p ref={firstFocus} tabIndex={-1} className={styles['source']}>
            <b>{file.name}</b> {TEXTS.source(found.label, formatFileSize(file.size))}
          </p>
          <KindChoice found={found} onChoose={onKind} />
        </div>
        <p className={styles['counts']} aria-label={TEXTS.inFile}>
          {countsOf(read.counts).join(' · ')}
        </p>
        {found.better !== undefined && <MessageBox tone="info" lines={[TEXTS.better(found.better)]} />}
        <Preview read={read} rootName={target?.title ?? rootName} groups={groups} same={existing?.same ?? null} />
        <Remarks skipped={read.skipped} />
        <WhereTo tree={tree} where={where} error={whereError} onChange={onWhere} />
        {where.kind === 'tree' && (
          <TextField
            label={TEXTS.newTree}
            value={rootName}
            onChange={setRootName}
            maxLength={LIMITS.name}
            autoComplete="off"
            {...(nameError === null ? {} : { error: nameError })}
          />
        )}
        {existing !== null && groups !== null && existing.same.size + existing.elsewhere.size > 0 && (
          <Suspense fallback={null}>
            <DuplicateSections
              read={read}
              found={existing}
              choice={duplicates}
              onChange={setDuplicates}
              progress={run.state === 'comparing' ? (run.progress ?? { done: 0, total: 0 }) : null}
              onCompare={() => void run.compareValues(groups)}
              onStop={run.cancel}
            />
          </Suspense>
        )}
        {found.needs !== 'password' && <MessageBox tone="warning" lines={[TEXTS.deleteFile(file.name)]} />}
      </form>
    </Dialog>
  );
}

const NO_DUPLICATES = { without: [], revise: [] } as const;

function Remarks({ skipped }: Pick<ReadFile, 'skipped'>) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    browserClipboard.write(remarkLines(skipped).join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <section className={styles['remarks']}>
      <h3>{TEXTS.changes}</h3>
      {skipped.length === 0 ? (
        <p>{TEXTS.nothingChanges}</p>
      ) : (
        <>
          <ul>
            {skipped.map(({ kind, reason, count, places = [] }) => {
              const line = TEXTS.leftOutLine(count, kind, reason);
              return (
                <li key={`${kind}/${reason}`}>
                  {places.length === 0 ? (
                    line
                  ) : (
                    <details>
                      <summary>{line}</summary>
                      <ul>
                        {places.map((place, at) => (
                          <li key={`${at}/${place}`}>{place}</li>
                        ))}
                        {count > places.length && <li>{TEXTS.andMore(count - places.length)}</li>}
                      </ul>
                    </details>
                  )}
                </li>
              );
            })}
          </ul>
          <div className={styles['copy']}>
            <Button variant="secondary" size="sm" icon={<Copy size={14} />} onPress={() => void copy()}>
              {TEXTS.copyList}
            </Button>
            <span role="status">{isCopied ? TEXTS.listCopied : ''}</span>
          </div>
        </>
      )}
    </section>
  );
}
