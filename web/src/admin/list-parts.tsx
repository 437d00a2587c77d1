import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ADMIN_TEXTS } from '../texts/admin/admin.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import styles from './admin.module.css';
import { Search } from 'lucide-react';
import { TextField } from '@passwordbroker/ui/inputs/text-field';

export function Waiting({ text }: { readonly text: string }) {
  return (
    <p className={styles['waiting']} role="status">
      <Spinner /> {text}
    </p>
  );
}

interface FailedProps {
  readonly text: string;
  readonly failure: Error;
  readonly onRetry: () => void;
}

export function Failed({ text, failure, onRetry }: FailedProps) {
  return (
    <div className={styles['problem']}>
      <MessageBox tone="danger" lines={[text, reasonOf(failure)]} />
      <Button size="sm" onPress={onRetry}>
        {ADMIN_TEXTS.retry}
      </Button>
    </div>
  );
}

interface ListSearchProps {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function ListSearch({ label, hint, text, onChange }: ListSearchProps) {
  return (
    <div className={styles['search']}>
      <TextField
        label={label}
        isLabelHidden
        type="search"
        placeholder={hint}
        start={<Search size={16} />}
        value={text}
        onChange={onChange}
        autoComplete="off"
      />
    </div>
  );
}
