/** Following a suggestion: to its address, or doing what it says. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { activityLog } from '../activity-log/activity-log.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import type { ActDialogProps } from '../search/act-dialog.tsx';
import type { HeaderAct, Suggestion } from '../search/suggestion.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import { toggleTheme } from './theme.ts';

interface Header {
  readonly onLog: () => void;
  readonly onKeys: () => void;
}

export function useHeaderActs({ onLog, onKeys }: Header) {
  const navigate = useNavigate();
  const masterPassword = useMasterPassword();
  const [dialog, setDialog] = useState<ActDialogProps['act'] | null>(null);
  const acts: Readonly<Record<HeaderAct, () => void>> = {
    'add tree': () => setDialog('add tree'),
    import: () => setDialog('import'),
    theme: toggleTheme,
    lock: () => {
      masterPassword.lock();
      activityLog.add(MASTER_PASSWORD_TEXTS.locked);
    },
    log: onLog,
    keys: onKeys,
  };
  return {
    dialog,
    closeDialog: () => setDialog(null),
    follow: ({ target }: Suggestion) => {
      if ('act' in target) acts[target.act]();
      else void navigate(target.address);
    },
  };
}
