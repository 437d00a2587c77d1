import { File as FileGlyph, Upload } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { EDIT_FIELD_TEXTS, ADD_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { FileDrop } from '@passwordbroker/ui/inputs/file-drop';

interface Props {
  readonly file: File | null;
  /** The stored file of an edited field. It stays until another is chosen. */
  readonly stored: { readonly name: string; readonly size: number } | null;
  readonly error: string | null;
  readonly onChoose: (file: File) => void;
}

export function FilePicker({ file, stored, error, onChoose }: Props) {
  const present = file ?? stored;
  const kept = file === null ? `. ${EDIT_FIELD_TEXTS.fileKept}` : '';
  return (
    <FileDrop
      label={TEXTS.file}
      prompt={{
        text: TEXTS.dropFile,
        choose: TEXTS.chooseFile,
        hint: TEXTS.fileLimit(formatFileSize(LIMITS.fileBytes)),
      }}
      icon={present === null ? <Upload size={16} /> : <FileGlyph size={16} />}
      chosen={present === null ? null : { name: present.name, hint: `${formatFileSize(present.size)}${kept}` }}
      replace={TEXTS.replaceFile}
      error={error}
      onFiles={([first]) => onChoose(first)}
    />
  );
}
