import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';

type Found =
  { readonly address: string } | { readonly address: null; readonly problem: 'notAnImage' | 'none' | 'notTotp' };

/** Longest side in pixels, in order of trying: photos read better small, screenshots in full size. */
const SIDES = [1200, 2400, 600];

/** Reads the `otpauth://` address from an image of a QR code. The image stays on the device. */
export async function readQrAddress(image: Blob): Promise<Found> {
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
