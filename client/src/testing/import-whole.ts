import type { ImportOptions, Imported, VaultWrite } from '../vault/vault.ts';

/** Everything in the file, as a person imports it who presses the button of each step. */
export async function importWhole(
  { imports }: Pick<VaultWrite, 'imports'>,
  file: File,
  options: ImportOptions = {},
): Promise<Imported> {
  const { id: kind } = await imports.detect(file);
  const { handle } = await imports.read({ file, kind }, options);
  return imports.store(handle, { rootName: await imports.freeName('keepass'), without: [] }, options);
}
