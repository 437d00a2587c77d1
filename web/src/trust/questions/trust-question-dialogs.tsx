/** The dialog of the question that an operation waits for, over every page. */
import { useState, useSyncExternalStore } from 'react';
import { useVault } from '../../vault/use-vault.ts';
import { LastUseDialog } from './last-use-dialog.tsx';
import { SignerDialog } from './signer-dialog.tsx';
import { trustQuestions } from '../../page/vault.ts';

export function TrustQuestionDialogs() {
  const question = useSyncExternalStore(trustQuestions.subscribe, trustQuestions.view);
  if (question === null) return null;
  const { decided, cancel } = trustQuestions;
  return question.kind === 'last-use' ? (
    <LastUseDialog onDecided={decided} onClose={cancel} />
  ) : (
    <SignerQuestion key={question.groupId} groupId={question.groupId} onDecided={decided} onClose={cancel} />
  );
}

interface Props {
  readonly groupId: string;
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

/** Keeps the state of the group when it opened, even if the server shows another list meanwhile. */
export function SignerQuestion({ groupId, onDecided, onClose }: Props) {
  const { trust } = useVault();
  const [details] = useState(() => trust?.details(groupId));
  const newest = details?.newest ?? null;
  if (details === undefined || newest === null) return null;
  return <SignerDialog groupId={groupId} details={{ ...details, newest }} onDecided={onDecided} onClose={onClose} />;
}
