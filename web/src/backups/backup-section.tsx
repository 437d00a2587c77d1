/** 'Get backups', 'Create a new backup', and the list that can be hidden (docs/spec/product.md §2). */
import { useQueryClient } from '@tanstack/react-query';
import { Archive, ChevronDown, ChevronRight, CircleCheck, RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { useMayChange } from '../session/site-role.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { BackupList } from './backup-list.tsx';
import styles from './backups.module.css';
import { BACKUPS_KEY } from './use-backups.ts';
import { useCreateBackup } from './use-create-backup.ts';

export function BackupSection() {
  const title = useId();
  const list = useId();
  const client = useQueryClient();
  const mayChange = useMayChange();
  const [isShown, setShown] = useState(true);
  const [page, setPage] = useState(1);
  const [isGetting, setGetting] = useState(false);
  const get = async () => {
    setGetting(true);
    setShown(true);
    setPage(1);
    // The list shows the error itself.
    await client.refetchQueries({ queryKey: BACKUPS_KEY }).catch(() => undefined);
    setGetting(false);
  };
  return (
    <section aria-labelledby={title}>
      <div className={styles['listHead']}>
        <h2 id={title}>{TEXTS.list}</h2>
        <Button
          variant="ghost"
          size="sm"
          icon={isShown ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
          expanded={{ isOpen: isShown, id: list }}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? TEXTS.hide : TEXTS.show}
        </Button>
        <Button
          size="sm"
          icon={<RefreshCw size={16} />}
          busy={isGetting}
          busyLabel={TEXTS.getting}
          onPress={() => void get()}
        >
          {TEXTS.get}
        </Button>
        {mayChange && <CreateButton />}
      </div>
      {isShown && (
        <div id={list}>
          <BackupList page={page} onPage={setPage} />
        </div>
      )}
    </section>
  );
}

function CreateButton() {
  const { state, press } = useCreateBackup();
  const text = TEXTS.create[state];
  return (
    <>
      <Button
        variant={state === 'failed' ? 'danger' : 'primary'}
        size="sm"
        icon={state === 'sent' ? <CircleCheck size={16} /> : <Archive size={16} />}
        busy={state === 'waiting' || state === 'requesting'}
        busyLabel={text}
        isDisabled={state === 'sent'}
        onPress={() => void press()}
      >
        {text}
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : text}
      </span>
    </>
  );
}
