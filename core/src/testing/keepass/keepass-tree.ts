/** The imported tree of a KeePass file with this root. */
import { readKeepassXml } from '../../domain/keepass/read.ts';
import type { ExchangeTree } from '../../domain/exchange/tree.ts';
import { type KeepassFile, type XmlGroup, keepassXml } from './keepass-files.ts';

export const treeOf = (root: Partial<XmlGroup>, rest: Omit<KeepassFile, 'root'> = {}): Promise<ExchangeTree> =>
  readKeepassXml(new TextEncoder().encode(keepassXml({ root: { name: 'Passwords', ...root }, ...rest })));
