import type { ReactNode } from 'react';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ROTATION_TEXTS as TEXTS, TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { useGroupTrust } from '../../trust/use-trust-state.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import styles from '../table/members.module.css';
import { ConfirmMembers } from './confirm-members.tsx';
import { useRotate, useRotationOf } from './use-rotation.ts';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly canRotate: boolean;
}

/** State of the group's key rotation: due, running, or interrupted (docs/spec/crypto.md §12). */
export function RotationBanner({ group, selfId, canRotate }: Props) {
  const content = useBanner({ group, selfId, canRotate });
  return content === null ? null : <div className={styles['banner']}>{content}</div>;
}

function useBanner({ group, selfId, canRotate }: Props): ReactNode {
  const id = group.entry_group_id;
  const inBackground = useRotationOf({ id, title: group.title });
  const trust = useGroupTrust(id)?.trust;
  const { running, problem, start } = useRotate({ id, title: group.title });
  const verb = (title: string) => <Verb title={title} onPress={() => void start()} />;
  const fraction = running?.fraction ?? inBackground?.fraction ?? 0;

  if (running !== null || inBackground?.state === 'running' || inBackground?.state === 'waiting') {
    return (
      <MessageBox tone="info" title={TEXTS.runningTitle} lines={[TEXTS.keepOpen, TEXTS.honest]}>
        <ProgressBar label={TEXTS.running} value={fraction > 0 ? fraction * 100 : null} />
        {running !== null && <Verb title={TEXTS.stop} onPress={running.stop} />}
      </MessageBox>
    );
  }
  if (problem !== null || inBackground?.state === 'failed') {
    const reason = problem === null ? TEXTS.failedHere : TEXTS.failed(reasonOf(problem));
    return (
      <MessageBox tone="danger" title={TEXTS.failedTitle} lines={[reason]}>
        {verb(TEXTS.retry)}
      </MessageBox>
    );
  }
  if (!canRotate) {
    if (!group.rotation_due) return null;
    return <MessageBox tone="info" title={TEXTS.dueTitle} lines={[TEXTS.due, TEXTS.waitForAdmin]} />;
  }
  if (inBackground?.state === 'unsure') {
    return (
      <MessageBox tone="warning" title={TEXTS.dueTitle} lines={[TEXTS.unsure]}>
        <ConfirmMembers group={group} selfId={selfId} onlyIds={inBackground.userIds} onConfirmed={() => start()} />
      </MessageBox>
    );
  }
  if (group.origin === 'server' && (trust === undefined || trust.state === 'unsigned')) {
    return (
      <MessageBox tone="warning" title={TRUST_TEXTS.unsignedTitle} lines={[TRUST_TEXTS.unsigned]}>
        <ConfirmMembers group={group} selfId={selfId} onConfirmed={(confirmed) => start({ confirmed })} />
      </MessageBox>
    );
  }
  if (!group.rotation_due) return null;
  return (
    <MessageBox tone="warning" title={TEXTS.dueTitle} lines={[TEXTS.due, TEXTS.honest]}>
      {verb(TEXTS.start)}
    </MessageBox>
  );
}

const Verb = ({ title, onPress }: { readonly title: string; readonly onPress: () => void }) => (
  <span className={styles['verbs']}>
    <Button size="sm" onPress={onPress}>
      {title}
    </Button>
  </span>
);
