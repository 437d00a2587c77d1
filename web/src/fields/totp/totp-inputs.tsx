import { useRef, useState, type ClipboardEvent } from 'react';
import { TOTP_ALGORITHMS, type TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import { QR_TEXTS, ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Select } from '@passwordbroker/ui/inputs/select';
import styles from '../edit/field-form.module.css';
import type { Draft, DraftErrors } from '../edit/new-field.ts';
import { QrCode } from 'lucide-react';
import { Button } from '@passwordbroker/ui/actions/button';

interface Props {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly isMasked: boolean;
  /** In a form of several fields: the parameters follow once a secret is typed. */
  readonly label?: string;
}

/** Inputs of a TOTP. The secret can be typed, pasted as an `otpauth://` address, or read from a QR image. */
export function TotpInputs({ draft, errors, onChange, isMasked, label }: Props) {
  const qr = useQr();
  /** An `otpauth://` address also sets algorithm and period. */
  const take = (secret: string) => {
    const parsed = secret.trim().toLowerCase().startsWith('otpauth:') ? parseTotpSecret(secret) : null;
    qr.forget();
    onChange({
      secret,
      ...(parsed?.algorithm === undefined ? {} : { algorithm: parsed.algorithm }),
      ...(parsed?.period === undefined ? {} : { period: String(parsed.period) }),
    });
  };
  const read = async (image: Blob) => {
    const address = await qr.read(image);
    if (address !== null) take(address);
  };
  const onPaste = (event: ClipboardEvent) => {
    const image = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (image === undefined) return;
    event.preventDefault();
    void read(image);
  };
  const Secret = isMasked ? PasswordField : TextField;
  const parameters = (
    <div className={styles['pair']}>
      <Select
        label={TEXTS.algorithm}
        value={draft.algorithm}
        onChange={(algorithm: string) => onChange({ algorithm: algorithm as TotpAlgorithm })}
        options={TOTP_ALGORITHMS.map((value) => ({ value, title: FIELD_TEXTS.algorithms[value] }))}
      />
      <TextField
        label={TEXTS.timeout}
        value={draft.period}
        onChange={(period: string) => onChange({ period })}
        type="number"
        min={LIMITS.totpPeriodMin}
        max={LIMITS.totpPeriodMax}
        step={1}
        hint={TEXTS.timeoutHint}
        autoComplete="off"
        error={errors.totp_timeout}
      />
    </div>
  );
  return (
    <>
      {label === undefined && parameters}
      <div className={styles['kept']} onPaste={onPaste}>
        <Secret
          label={label ?? TEXTS.secret}
          value={draft.secret}
          onChange={take}
          hint={`${TEXTS.secretHint}. ${QR_TEXTS.hint}`}
          mono
          autoComplete="off"
          error={qr.problem ?? errors.value}
        />
        <QrButton isReading={qr.isReading} onChoose={(image) => void read(image)} />
      </div>
      {label !== undefined && draft.secret !== '' && parameters}
    </>
  );
}

function useQr() {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    isReading,
    problem,
    forget: () => setProblem(null),
    /** Returns null after an error was shown. */
    async read(image: Blob): Promise<string | null> {
      setProblem(null);
      setReading(true);
      try {
        const found = await readQrAddress(image);
        if (found.address === null) setProblem(QR_TEXTS[found.problem]);
        return found.address;
      } finally {
        setReading(false);
      }
    },
  };
}

interface QrButtonProps {
  readonly isReading: boolean;
  readonly onChoose: (image: File) => void;
}

function QrButton({ isReading, onChoose }: QrButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        icon={<QrCode size={16} />}
        busy={isReading}
        busyLabel={QR_TEXTS.reading}
        onPress={() => input.current?.click()}
      >
        {QR_TEXTS.choose}
      </Button>
      <input
        ref={input}
        className={styles['fileInput']}
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={QR_TEXTS.input}
        onChange={(event) => {
          const [image] = event.target.files ?? [];
          if (image !== undefined) onChoose(image);
          event.target.value = '';
        }}
      />
    </>
  );
}

type Found =
  | { readonly address: string }
  | { readonly address: null; readonly problem: 'notAnImage' | 'none' | 'notTotp' };

/** Longest side in pixels, in order of trying: photos read better small, screenshots in full size. */
const SIDES = [1200, 2400, 600];

/** Reads the `otpauth://` address from an image of a QR code. The image stays on the device. */
async function readQrAddress(image: Blob): Promise<Found> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(image);
  } catch {
    return { address: null, problem: 'notAnImage' };
  }
  try {
    const texts = await textsIn(bitmap);
    const address = texts.find((text) => /^otpauth:/i.test(text.trim()) && parseTotpSecret(text) !== null);
    if (address !== undefined) return { address: address.trim() };
    return { address: null, problem: texts.length === 0 ? 'none' : 'notTotp' };
  } finally {
    bitmap.close();
  }
}

async function textsIn(bitmap: ImageBitmap): Promise<readonly string[]> {
  const native = await nativeTexts(bitmap);
  if (native.length > 0) return native;
  const { default: decode } = await import('jsqr');
  for (const side of SIDES) {
    const pixels = pixelsOf(bitmap, side);
    const found = pixels === null ? null : decode(pixels.data, pixels.width, pixels.height);
    if (found !== null && found.data !== '') return [found.data];
  }
  return [];
}

/** The used part of the Barcode Detection API, which not every browser has. */
interface BarcodeReader {
  detect(image: ImageBitmap): Promise<readonly { readonly rawValue: string }[]>;
}
interface BarcodeReaderMaker {
  new (options: { readonly formats: readonly string[] }): BarcodeReader;
  getSupportedFormats(): Promise<readonly string[]>;
}

async function nativeTexts(bitmap: ImageBitmap): Promise<readonly string[]> {
  const { BarcodeDetector: Reader } = globalThis as { readonly BarcodeDetector?: BarcodeReaderMaker };
  if (Reader === undefined) return [];
  try {
    if (!(await Reader.getSupportedFormats()).includes('qr_code')) return [];
    const found = await new Reader({ formats: ['qr_code'] }).detect(bitmap);
    return found.map(({ rawValue }) => rawValue);
  } catch {
    // The browser's detector is not available: use jsQR.
    return [];
  }
}

/** On white, because a code may have a transparent background. */
function pixelsOf(bitmap: ImageBitmap, longest: number): ImageData | null {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
