/** Up to which size files come into the copy. */
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Select } from '@passwordbroker/ui/select';
import { offline } from '../page/vault.ts';

const MB = 1_000_000;
const CHOICES = [0, MB, 10 * MB, 100 * MB] as const;

interface Props {
  /** Bytes; 0: none. */
  readonly limit: number;
  readonly whyNot: string | null;
  readonly onChoose: (work: () => Promise<void>) => void;
}

export function FileLimit({ limit, whyNot, onChoose }: Props) {
  // Another limit than these may have been set by an earlier version.
  const choices = [...new Set([...CHOICES, limit])].toSorted((one, other) => one - other);
  return (
    <Select
      label={TEXTS.files}
      hint={whyNot ?? TEXTS.filesHint}
      size="sm"
      isDisabled={whyNot !== null}
      value={String(limit)}
      options={choices.map((bytes) => ({ value: String(bytes), title: titleOf(bytes) }))}
      onChange={(value) => onChoose(() => offline.setFileLimit(Number(value)))}
    />
  );
}

const titleOf = (bytes: number) => (bytes === 0 ? TEXTS.fileChoices.none : TEXTS.fileChoices.upTo(`${bytes / MB} MB`));
