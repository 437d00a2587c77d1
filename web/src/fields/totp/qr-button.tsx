/** Chooses an image with a QR code. */
import { useRef } from 'react';
import { QrCode } from 'lucide-react';
import { QR_TEXTS as TEXTS } from '../../texts/entries/fields-edit.ts';
import { Button } from '@passwordbroker/ui/button';
import styles from '../edit/field-form.module.css';

interface Props {
  readonly isReading: boolean;
  readonly onChoose: (image: File) => void;
}

export function QrButton({ isReading, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        icon={<QrCode size={16} />}
        busy={isReading}
        busyLabel={TEXTS.reading}
        onPress={() => input.current?.click()}
      >
        {TEXTS.choose}
      </Button>
      <input
        ref={input}
        className={styles['fileInput']}
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={TEXTS.input}
        onChange={(event) => {
          const [image] = event.target.files ?? [];
          if (image !== undefined) onChoose(image);
          event.target.value = '';
        }}
      />
    </>
  );
}
