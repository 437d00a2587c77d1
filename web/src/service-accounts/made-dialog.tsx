import { useState } from 'react';
import { Download } from 'lucide-react';
import type { MadeService } from '@passwordbroker/client/vault/service-accounts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { saveBlob } from '../fields/file/save-blob.ts';
import { SecretLine } from '../fields/value/secret-line.tsx';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import styles from './services.module.css';

/** Shows a credential once. It closes after the person says that it is stored. */
export function MadeDialog({ made, onClose }: { readonly made: MadeService; readonly onClose: () => void }) {
  const { account, text, pin, missed } = made;
  const { tree } = useGroupTree();
  const [isStored, setStored] = useState(false);
  return (
    <Dialog
      title={TEXTS.made(account.name)}
      size="md"
      mustAnswer
      onClose={onClose}
      footer={
        <Button variant="primary" isDisabled={!isStored} onPress={onClose}>
          {TEXTS.done}
        </Button>
      }
    >
      <div className={styles['made']}>
        <MessageBox tone="warning" lines={[TEXTS.once]} />
        <div className={styles['secret']}>
          <SecretLine secret={text} copyLabel={TEXTS.copy} />
          <Button
            size="sm"
            icon={<Download size={14} />}
            onPress={() => saveBlob(new Blob([`${text}\n`]), `${account.name}.credential`)}
          >
            {TEXTS.saveFile}
          </Button>
        </div>
        <div className={styles['secret']}>
          <p className={styles['hint']}>{TEXTS.pinsHint}</p>
          <SecretLine secret={`PB_SERVICE_PINS=${pin}`} copyLabel={TEXTS.copyPins} />
        </div>
        {missed.length > 0 && (
          <MessageBox
            tone="danger"
            title={TEXTS.missed}
            lines={missed.map(({ groupId, reason }) =>
              TEXTS.missedGroup(tree?.byId.get(groupId)?.title ?? groupId, reason),
            )}
          />
        )}
        <Checkbox isSelected={isStored} onChange={setStored}>
          {TEXTS.stored}
        </Checkbox>
      </div>
    </Dialog>
  );
}
