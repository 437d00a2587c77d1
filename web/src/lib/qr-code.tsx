import qrcode from 'qrcode-generator';

/** White margin in modules, which readers need. */
const QUIET = 4;

interface Props {
  readonly text: string;
  /** `Alphanumeric`: digits, capital letters and a few signs, in a smaller code. */
  readonly mode?: 'Byte' | 'Alphanumeric';
  /** For screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** A text as a QR code, dark on white in both themes. Load it lazily: it is rarely used. */
export function QrCode({ text, mode = 'Byte', label, className }: Props) {
  const code = qrcode(0, 'M');
  code.addData(text, mode);
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
    <svg className={className} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label}>
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
