import { Search } from 'lucide-react';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from './admin.module.css';

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
