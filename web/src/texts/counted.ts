/** '1 person', '3 people' */
export const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const groups = (count: number) => counted(count, 'group', 'groups');

/** '“One”, “two”' */
export const quoted = (titles: readonly string[]) => titles.map((title) => `“${title}”`).join(', ');
