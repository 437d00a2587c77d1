/** Asks to compare a signer's key that is not the decided one, in the dialog for a person to share with. */
import { useEffect, useRef } from 'react';
import { tellFailure } from '../../activity-log/tell.ts';
import { useTrust } from '../../members/keys/use-trust.tsx';
import { useMembersReload } from '../../members/table/use-members.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';

interface Props {
  readonly groupId: string;
  readonly signer: { readonly userId: string; readonly name: string };
  readonly onClose: () => void;
}

export function CompareSigner({ groupId, signer, onClose }: Props) {
  const { compared, dialog } = useTrust();
  const reload = useMembersReload();
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    compared(signer)
      .catch((failure: unknown) => {
        if (!(failure instanceof EntryCancelled)) tellFailure(reasonOf(failure));
      })
      .finally(() => {
        onClose();
        void reload([groupId]);
      });
  }, [compared, signer, groupId, onClose, reload]);
  return dialog;
}
