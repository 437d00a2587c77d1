/** Helpers of journeys about fields, with one entry open. */
import type { Locator, Page } from 'playwright-core';
import { screenOf } from './screen.ts';

export function fieldsOf(page: Page) {
  const screen = screenOf(page);
  const { button, dialog } = screen;
  /** A group of inputs may have the same name as its input. */
  const box = (name: string, within: Page | Locator = page) =>
    within.getByLabel(name, { exact: true }).and(page.locator('input, textarea'));
  const row = (title: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByText(title, { exact: true }) })
      .last();
  const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });

  return {
    ...screen,
    box,
    row,
    closed,

    addTree: async (title: string) => {
      await button('add new tree').click();
      await box('Title', dialog()).fill(title);
      await page.keyboard.press('Enter');
      await screen.remember();
      await screen.heading(title).waitFor();
    },

    addEntry: async (title: string) => {
      await button(/add new Entry/)
        .first()
        .click();
      await box('Title', dialog()).fill(title);
      await page.keyboard.press('Enter');
      await closed();
    },

    openEntry: async (title: string) => {
      await screen.entry(title).first().click();
      await page.getByRole('table', { name: `Fields of ${title}` }).waitFor();
    },

    addField: async (kind: string, title: string, fill: () => Promise<void>) => {
      await button('Add field', page.getByRole('main')).click();
      await dialog().getByText(kind, { exact: true }).click();
      await box('Title', dialog()).fill(title);
      await fill();
      await button('Add field', dialog()).click();
      await closed();
      await row(title).waitFor();
    },

    /** Shows a value, reads the row and hides the value again. */
    shownIn: async (title: string, show = 'Show', hide = 'Hide'): Promise<string> => {
      await button(show, row(title)).click();
      await button(hide, row(title)).waitFor();
      const text = await row(title).innerText();
      await button(hide, row(title)).click();
      return text;
    },

    /** A notice; it contains its buttons. */
    notice: (text: string): Locator => page.getByRole('status').filter({ hasText: text }),
  };
}
