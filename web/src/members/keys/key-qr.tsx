import qrcode from 'qrcode-generator';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import styles from './key-words.module.css';

/** White margin in modules, which readers need. */
const QUIET = 4;

/** The full key as a QR code. Loaded separately, because it is rarely used. */
export function KeyQr({ fingerprint }: { readonly fingerprint: string }) {
  const code = qrcode(0, 'M');
  code.addData(fingerprint.toUpperCase(), 'Alphanumeric');
  code.make();
  const count = code.getModuleCount();
  const side = count + 2 * QUIET;
  const dark: string[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) dark.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`);
    }
  }
  return (
    <svg className={styles['qr']} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={TEXTS.qr}>
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
