/** Tags as KeePass ('a;b') and KeePassXC ('a,b') write them. */
export const tagsOf = (text: string): string[] =>
  text
    .split(/[;,]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
