/** Focuses the search box and selects its text, for a part of the page that does not hold it. */
export function focusSearchBox(): void {
  const box = document.querySelector<HTMLInputElement>('[role=search] input[role=combobox]');
  box?.focus();
  box?.select();
}
