import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Every file below a folder with its bytes.
 * @param unless paths, relative to the folder, that are left out
 */
export function filesBelow(folder: string, unless: RegExp = /^$/): Record<string, Buffer> {
  const found: Record<string, Buffer> = {};
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    const name = relative(folder, path);
    if (file.isFile() && !unless.test(name)) found[name] = readFileSync(path);
  }
  return found;
}
