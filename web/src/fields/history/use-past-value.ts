import { useState } from 'react';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { activityLog } from '../../activity-log/activity-log.ts';
import { clipboard } from '../../lib/clipboard.ts';
import { FIELD_HISTORY_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { PastFieldPath } from '@passwordbroker/client/vault/vault';
import { copiedNotice } from '../value/copied-notice.ts';
import { problemText } from '../table/problem-text.ts';
import { useFileSave, type FileSave } from '../file/use-file-save.ts';
import { useSecret, type Secret } from '../value/use-secret.ts';

export interface PastValue {
  readonly title: string;
  readonly type: FieldType;
  readonly secret: Secret;
  readonly copies: number;
  readonly problem: string | null;
  readonly toggle: () => void;
  readonly copy: () => Promise<void>;
  readonly file: FileSave;
}

/** Shows, copies and downloads the value of a history row through its own envelope. Each use is logged. */
export function usePastValue(
  path: PastFieldPath & { readonly field: { readonly title: string } },
  row: FieldHistory,
): PastValue {
  const vault = useVault();
  const { title, type } = path.field;
  const secret = useSecret((signal) => vault.read.revealRevision(path, row, signal), TEXTS.reveal(title));
  const file = useFileSave((watched) => vault.read.openRevisionFile(path, row, watched), title);
  const [copies, setCopies] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    title,
    type,
    secret,
    copies,
    file,
    problem: problem ?? secret.problem ?? file.problem,
    toggle() {
      setProblem(null);
      if (secret.shown === null) void secret.show();
      else secret.hide();
    },
    async copy() {
      setProblem(null);
      const opened = await secret.take(FIELD_TEXTS.copy(title));
      if (opened === null) return;
      try {
        await clipboard.copySecret(opened.text);
      } catch (failure) {
        setProblem(problemText(failure));
        return;
      }
      setCopies((before) => before + 1);
      activityLog.add(copiedNotice(type, title));
    },
  };
}
