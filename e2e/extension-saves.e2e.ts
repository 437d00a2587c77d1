/** What the script that watches for new sign-ins tells the extension, and what it does not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FormBrowser, type OpenForm, startFormBrowser } from './testing/corpus/form-browser.ts';

let browser: FormBrowser;
beforeAll(async () => {
  browser = await startFormBrowser({ watch: true });
});
afterAll(() => browser.close());

const STAY = `onsubmit="event.preventDefault()"`;
const FORM = `<form ${STAY}><h1>Log in</h1><input id=u name=username placeholder=Username><input id=p name=password type=password placeholder=Password><button>Log in</button></form>`;

/** What was told after `act`: user name, password. */
async function told(html: string, act: (form: OpenForm) => Promise<unknown>): Promise<unknown[]> {
  return browser.show({ html }, async (form) => {
    await form.messages();
    await act(form);
    await form.page.waitForTimeout(150);
    const { host } = new URL(form.page.url());
    return (await form.messages()).map((one) => {
      const { message, origin, frame } = one as {
        message: { name: string; input: object };
        origin: string;
        frame: number;
      };
      expect([message.name, frame]).toEqual(['saves.captured', 0]);
      expect(origin.endsWith(host)).toBe(true);
      return message.input;
    });
  });
}

const type = async ({ page }: OpenForm, selector: string, value: string) => {
  await page.locator(selector).click();
  await page.keyboard.type(value);
};

describe('told once, when the form is sent', () => {
  const nina = { userName: 'nina', password: 'secret-1' };
  const ENDS: Record<string, (form: OpenForm) => Promise<unknown>> = {
    'by a click': ({ page }) => page.locator('button').click(),
    'by Enter': ({ page }) => page.keyboard.press('Enter'),
  };
  test.each(Object.entries(ENDS))('%s', async (_, end) => {
    const messages = await told(FORM, async (form) => {
      await type(form, '#u', nina.userName);
      await type(form, '#p', nina.password);
      await end(form);
    });
    expect(messages).toEqual([nina]);
  });

  test('when the page goes on to another one, without a form, and from open and closed shadow roots', async () => {
    const fields = FORM.replace(/<form[^>]*>/, '<div>').replace('</form>', '</div>');
    const shadow = (mode: string) =>
      `<x-l></x-l><script>customElements.define('x-l',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'${mode}'}).innerHTML=${JSON.stringify(FORM)}}})</script>`;
    for (const html of [FORM.replace(STAY, 'method=get action=/next'), fields, shadow('open'), shadow('closed')]) {
      const messages = await told(html, async ({ page }) => {
        await page.mouse.click(40, 45);
        await page.keyboard.press('Tab');
        for (const value of ['nina', 'secret-1']) {
          await page.keyboard.type(value);
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      });
      expect([html, messages]).toEqual([html, [nina]]);
    }
  });

  test('with the user name of an earlier step, and the new password of a change', async () => {
    const steps = `<div id=s><h1>Sign in</h1><input id=u type=email name=email placeholder=Email autocomplete=username><button id=next onclick="s.innerHTML='<h1>Sign in</h1><input id=p type=password name=password><button id=go>Sign in</button>'">Next</button></div>`;
    const inSteps = await told(steps, async (form) => {
      await type(form, '#u', 'nina@example.org');
      await form.page.locator('#next').click();
      await type(form, '#p', 'secret-1');
      await form.page.locator('#go').click();
    });
    expect(inSteps).toEqual([{ userName: 'nina@example.org', password: 'secret-1' }]);
    const change = `<form ${STAY}><input type=hidden name=username value=nina><input id=o type=password name=old placeholder="Current password"><input id=n type=password name=new placeholder="New password"><button>Save</button></form>`;
    const changed = await told(change, async (form) => {
      await type(form, '#o', 'secret-1');
      await type(form, '#n', 'secret-2');
      await form.page.locator('button').click();
    });
    expect(changed).toEqual([{ userName: 'nina', password: 'secret-2' }]);
  });

  test('when the extension filled a generated password', async () => {
    const html = `<form ${STAY}><h1>Create account</h1><input name=email type=email placeholder=Email><input name=password type=password autocomplete=new-password><button>Create account</button></form>`;
    const messages = await told(html, async (form) => {
      const read = await form.read({ purpose: 'new' });
      if (read === null) throw new Error('The page cannot be read');
      await form.fill(read, { form: 0, userName: 'nina', newPassword: 'fresh-Staple-9' });
      await form.page.locator('button').click();
    });
    expect(messages).toEqual([{ userName: 'nina', password: 'fresh-Staple-9' }]);
  });
});

describe('not told', () => {
  test('a saved sign-in that was filled, even when something else was typed', async () => {
    const html = FORM.replace('<button>', '<input id=c name=captcha placeholder=Captcha><button>');
    const messages = await told(html, async (form) => {
      const read = await form.read();
      if (read === null) throw new Error('The page cannot be read');
      await form.fill(read, { form: 0, userName: 'nina', password: 'secret-1' });
      await type(form, '#c', 'xyz');
      await form.page.locator('button').click();
    });
    expect(messages).toEqual([]);
  });

  const SILENT: Record<string, [string, (form: OpenForm) => Promise<unknown>]> = {
    'what is typed and not sent': [FORM, (form) => type(form, '#p', 'secret-1')],
    'values and events that the page makes': [
      FORM,
      ({ page }) =>
        page.evaluate(() => {
          for (const input of document.querySelectorAll('input')) {
            input.value = 'forged';
            input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
            input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }));
          }
          document.querySelector('button')?.click();
          document.querySelector('form')?.requestSubmit();
        }),
    ],
    'a form without a password': [
      `<form ${STAY}><input id=u name=q><button>Search</button></form>`,
      async (form) => {
        await type(form, '#u', 'shoes');
        await form.page.keyboard.press('Enter');
      },
    ],
    'a card and its security code': [
      `<form ${STAY}><input name=cardnumber autocomplete=cc-number><input id=p name=cvc type=password autocomplete=cc-csc><button>Pay</button></form>`,
      async (form) => {
        await type(form, '#p', '123');
        await form.page.locator('button').click();
      },
    ],
    'a one-time code': [
      `<form ${STAY}><label for=p>Verification code</label><input id=p name=otp type=password maxlength=6 autocomplete=one-time-code><button>Verify</button></form>`,
      async (form) => {
        await type(form, '#p', '123456');
        await form.page.locator('button').click();
      },
    ],
    'a form in a frame': [
      `<iframe width=600 height=300 srcdoc="${FORM.replaceAll('"', '&quot;')}"></iframe>`,
      async ({ page }) => {
        const frame = page.frameLocator('iframe');
        await frame.locator('#p').click();
        await page.keyboard.type('secret-1');
        await page.keyboard.press('Enter');
      },
    ],
  };
  test.each(Object.entries(SILENT))('%s', async (_, [html, act]) => {
    expect(await told(html, act)).toEqual([]);
  });
});
