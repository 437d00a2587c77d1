import { useNavigate } from 'react-router';
import { usePageTitle } from '../frame/use-page-title.ts';
import { ADMIN_TEXTS as TEXTS } from '../texts/admin.ts';
import { FRAME_TEXTS } from '../texts/frame.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** Comes with a later release and says so. */
export function BackupPage() {
  const navigate = useNavigate();
  usePageTitle(TEXTS.backup);
  return (
    <EmptyState
      title={TEXTS.backup}
      text={TEXTS.backupLater}
      isPageHeading
      action={<Button onPress={() => void navigate('/')}>{FRAME_TEXTS.backToGroups}</Button>}
    />
  );
}
