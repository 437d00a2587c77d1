/** The admin panel's address: for site admins only (decision I7); its pages come with a later release and say so. */
import { useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { useSession } from '../session/use-session.ts';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { toast } from '../ui/toast.ts';

export function AdminPage() {
  const { user } = useSession();
  const navigate = useNavigate();
  const isAdmin = user?.is_admin === true;
  useEffect(() => {
    if (!isAdmin) toast(TEXTS.adminRefused, { tone: 'danger' });
  }, [isAdmin]);
  if (!isAdmin) return <Navigate to="/" replace />;
  return (
    <EmptyState
      title={TEXTS.adminPanel}
      text={TEXTS.adminLater}
      isPageHeading
      action={<Button onPress={() => void navigate('/')}>{TEXTS.backToGroups}</Button>}
    />
  );
}
