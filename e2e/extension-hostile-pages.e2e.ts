/** Pages that try to get a password into a field that the person does not see, that change before it is filled, or that disturb the scripts of the extension. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillNew } from '../extension/src/background/filling.ts';
import type { InPage } from '../extension/src/background/in-page.ts';
import { type FormBrowser, type OpenForm, startFormBrowser } from './testing/corpus/form-browser.ts';

const NO_FORMS = { isTop: true, title: '', forms: [], choice: null, frames: [] } as const;
const LOGIN = 'nina@example.org';
const PASSWORD = 'correct horse 7!';

let browser: FormBrowser;
beforeAll(async () => {
  browser = await startFormBrowser();
});
afterAll(() => browser.close());

const USER =
  '<input id=u name=username type=text placeholder=Username style="position:absolute;left:20px;top:20px;width:200px;height:30px">';
const AT = 'position:absolute;left:20px;top:80px;width:200px;height:30px';
const password = (style = '') => `<input id=p name=password type=password placeholder=Password style="${AT};${style}">`;
const over = (style: string, more = '') =>
  `<div id=over style="position:absolute;left:0;top:60px;width:300px;height:80px;background:white;${style}" ${more}></div>`;
const PLAIN = `<form>${USER}${password()}</form>`;

/** Opens a page, reads it, lets `between` change it, and fills what was read. @returns what was refused or filled, and all values afterwards */
async function attack(html: string, between?: (form: OpenForm) => Promise<unknown>) {
  return browser.show({ html }, async (form) => {
    const read = await form.read();
    if (read === null) return { outcome: 'unreadable', values: [] };
    const { choice } = read.reading;
    if (typeof choice !== 'number') return { outcome: choice ?? 'none', values: await form.values() };
    await between?.(form);
    const result = await form.fill(read, { form: choice, userName: LOGIN, password: PASSWORD });
    return { outcome: result.result === 'filled' ? result.filled.join() : result.result, values: await form.values() };
  });
}

describe('fields that the person does not see', () => {
  test('the same page without a trick is filled', async () => {
    expect(await attack(PLAIN)).toMatchObject({ outcome: 'userName,password', values: [LOGIN, PASSWORD] });
  });

  const COVERED = `<form>${USER}${password()}</form>`;
  const TRICKS: Record<string, string> = {
    'display none': `<form>${USER}${password('display:none')}</form>`,
    'visibility hidden': `<form>${USER}${password('visibility:hidden')}</form>`,
    'opacity 0': `<form>${USER}${password('opacity:0')}</form>`,
    'almost transparent': `<form>${USER}${password('opacity:.02')}</form>`,
    'transparent container': `<form>${USER}<div style="opacity:.1">${password()}</div></form>`,
    'transparent page': `<style>html{opacity:.001}</style>${PLAIN}`,
    'transparent in steps': `<form>${USER}<div style="opacity:.6"><div style="opacity:.6">${password()}</div></div></form>`,
    'one pixel': `<form>${USER}${password('width:1px;height:1px;padding:0;border:0')}</form>`,
    'left of the window': `<form>${USER}${password('left:-9999px')}</form>`,
    'above the window': `<form>${USER}${password('top:-9999px')}</form>`,
    'right of the window': `<form>${USER}${password('left:9999px')}</form>`,
    'below a window that cannot be scrolled to it': `<form>${USER}${password('position:fixed;top:auto;bottom:-500px')}</form>`,
    'moved away by a transformation': `<form>${USER}${password('transform:translate(-200vw)')}</form>`,
    'scaled to nothing': `<form>${USER}${password('transform:scale(.01)')}</form>`,
    'zoomed to nothing': `<form>${USER}${password('zoom:.02')}</form>`,
    'turned on its edge': `<form>${USER}${password('transform:rotateX(90deg)')}</form>`,
    'clipped by a path': `<form>${USER}${password('clip-path:inset(100%)')}</form>`,
    'clipped to a dot': `<form>${USER}${password('clip-path:circle(5px)')}</form>`,
    'clipped by its container': `<form>${USER}<div style="position:absolute;top:80px;width:4px;height:4px;overflow:hidden">${password('top:0;left:0')}</div></form>`,
    'transparent by a filter': `<form>${USER}${password('filter:opacity(0)')}</form>`,
    blurred: `<form>${USER}<div style="filter:blur(30px)">${password()}</div></form>`,
    masked: `<form>${USER}${password('mask-image:linear-gradient(transparent,transparent)')}</form>`,
    'blended into its background': `<form>${USER}${password('mix-blend-mode:screen')}</form>`,
    'skipped contents': `<form>${USER}<div style="content-visibility:hidden">${password()}</div></form>`,
    'closed details': `<form>${USER}<details><summary>More</summary>${password()}</details></form>`,
    'inert form': `<form inert>${USER}${password()}</form>`,
    'below the background of its container': `<form><div style="background:#fff;position:static;height:400px">${USER}${password('z-index:-1')}</div></form>`,
    'below a container with a clear pseudo-element': `<style>#c::after{content:"";position:absolute;inset:0}</style><form><div id=c style="background:#fff;height:400px">${USER}${password('z-index:-1')}</div></form>`,
    covered: `${COVERED}${over('')}`,
    'below a clear layer that takes the clicks': `${COVERED}${over('background:none')}`,
    'covered by a transparent picture': `${COVERED}${over('background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)')}`,
    'covered, clicks pass': `${COVERED}${over('pointer-events:none')}`,
    'covered, clicks pass, insistently': `${COVERED}${over('pointer-events:none!important')}`,
    'covered, clicks pass, in the first layer': `<style>@layer a{#over{pointer-events:none!important}}</style>${COVERED}${over('')}`,
    'covered, clicks pass, in a long transition': `<style>#over{pointer-events:none;transition:pointer-events 99s allow-discrete}</style>${COVERED}${over('')}`,
    'covered, clicks pass, in an animation': `<style>@keyframes k{to,from{pointer-events:none}}#over{animation:k 1s infinite}</style>${COVERED}${over('')}`,
    'covered by a pseudo-element': `<style>body::after{content:"";position:fixed;inset:60px 0 0;background:#fff;pointer-events:none}</style>${COVERED}`,
    'covered by a pseudo-element of another element': `<style>#x::before{content:"";position:fixed;inset:60px 0 0;background:#fff;pointer-events:none}</style>${COVERED}<i id=x></i>`,
    'covered by something inert': `${COVERED}${over('', 'inert')}`,
    'covered by a part that the style makes inert': `${COVERED}${over('interactivity:inert')}`,
    'covered by a popover': `${COVERED}<div id=pop popover=manual style="position:fixed;inset:60px auto auto 0;margin:0;width:300px;height:80px;border:0;background:#fff;pointer-events:none"></div><script>pop.showPopover()</script>`,
    'modal dialog covered by a popover': `<dialog id=d style="position:fixed;inset:0;width:500px;height:300px;margin:0"><form>${USER}${password()}</form></dialog><div id=pop popover=manual style="position:fixed;inset:60px auto auto 0;margin:0;width:300px;height:80px;border:0;background:#fff"></div><script>d.showModal();pop.showPopover()</script>`,
    'covered by a dialog that is not modal': `${COVERED}<dialog open style="position:absolute;left:0;top:60px;margin:0;width:300px;height:80px;border:0;pointer-events:none"></dialog>`,
    'covered by a frame': `${COVERED}<iframe srcdoc="<p>Play" style="position:absolute;left:0;top:60px;width:300px;height:80px;background:#fff;pointer-events:none"></iframe>`,
    'covered by a drawing': `${COVERED}<svg style="position:absolute;left:0;top:60px;pointer-events:none" width=300 height=80><rect width=300 height=80 fill=white /></svg>`,
    'covered by a canvas': `${COVERED}<canvas width=300 height=80 style="position:absolute;left:0;top:60px;pointer-events:none"></canvas>`,
    'covered by blurring glass': `${COVERED}${over('background:none;backdrop-filter:blur(30px);pointer-events:none')}`,
    'covered by its own large label': `${COVERED}<label for=p style="position:absolute;left:0;top:60px;width:300px;height:80px;background:#fff;pointer-events:none">Win a prize</label>`,
    'covered by its own label of the same size': `${COVERED}<label for=p style="${AT};background:#fff;pointer-events:none"></label>`,
    'covered by letters that are blocks': `${COVERED}<span style="position:absolute;left:10px;top:60px;font:60px/70px monospace;color:#fff;pointer-events:none">██████████</span>`,
    'covered from a shadow root': `${COVERED}<x-o></x-o><script>customElements.define('x-o',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<b style="position:absolute;left:0;top:60px;width:300px;height:80px;background:#fff;pointer-events:none"></b>'}})</script>`,
    'covered from a shadow root, insistently': `${COVERED}<x-o></x-o><script>customElements.define('x-o',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<b style="position:absolute;left:0;top:60px;width:300px;height:80px;background:#fff;pointer-events:none!important"></b>'}})</script>`,
    'in a closed shadow root that covers it': `<x-f></x-f><script>customElements.define('x-f',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML=${JSON.stringify(`<form>${USER}${password()}</form>${over('pointer-events:none')}`)}}})</script>`,
  };

  test.concurrent.each(Object.entries(TRICKS))('%s', async (_, html) => {
    const { outcome, values } = await attack(html);
    expect(values).not.toContain(PASSWORD);
    expect(outcome).not.toContain('password');
  });
});

describe('pages that change between reading and filling', () => {
  const CHANGES: Record<string, string> = {
    'the field moves out of the window': `p.style.left='-9999px'`,
    'the field moves elsewhere in the window': `p.style.top='500px'`,
    'the field becomes transparent': `p.style.opacity='0'`,
    'the field is covered': `document.body.insertAdjacentHTML('beforeend',${JSON.stringify(over('pointer-events:none'))})`,
    'the field is replaced by its copy': `p.replaceWith(p.cloneNode())`,
    'the field is moved into another form': `document.body.append(Object.assign(document.createElement('form'),{id:'g'}));g.append(p)`,
    'the field becomes read-only': `p.readOnly=true`,
    'the field is disabled': `p.disabled=true`,
    'the field becomes the one for a card': `p.autocomplete='cc-csc'`,
    'the field becomes a search box': `u.type='search';p.type='search'`,
    'the form sends to another site': `p.form.action='https://thief.example/'`,
    'a button sends to another site': `p.form.insertAdjacentHTML('beforeend','<button formaction="https://thief.example/">Go</button>')`,
    'the document is written anew': `document.open();document.write(${JSON.stringify(PLAIN)});document.close()`,
    'all contents are replaced': `document.body.innerHTML=${JSON.stringify(PLAIN)}`,
  };
  test.concurrent.each(Object.entries(CHANGES))('%s', async (_, script) => {
    const { outcome, values } = await attack(PLAIN, ({ page }) => page.evaluate(script));
    expect(outcome).toBe('changed');
    expect(values).not.toContain(PASSWORD);
    expect(values).not.toContain(LOGIN);
  });

  test('the tab goes to another site, to another page of the site, or loads the page again', async () => {
    const elsewhere = browser.serve({ html: PLAIN });
    const moves: ((form: OpenForm) => Promise<unknown>)[] = [
      ({ page }) => page.goto(elsewhere),
      ({ page }) => page.goto(`${new URL(page.url()).origin}/other`),
      ({ page }) => page.reload(),
      async ({ page }) => {
        const [first] = [page.url()];
        await page.evaluate((to) => void setTimeout(() => (location.href = to)), elsewhere);
        await page.waitForURL((url) => !url.href.startsWith(first));
      },
    ];
    for (const move of moves) {
      const { outcome, values } = await attack(PLAIN, move);
      expect(outcome).toBe('changed');
      expect(values).toEqual(['', '']);
    }
  });

  test('a mark fills once, and a foreign mark, origin or form not at all', async () => {
    const form = await browser.open(browser.serve({ html: PLAIN }));
    const order = { form: 0, userName: LOGIN, password: PASSWORD };
    const read = await form.read();
    if (read === null) throw new Error('The page cannot be read');
    const changed = { result: 'changed' };
    expect(await form.fill({ ...read, reading: { ...read.reading, mark: 'f'.repeat(32) } }, order)).toEqual(changed);
    expect(await form.fill(read, order)).toEqual(changed);
    const second = await form.read();
    if (second === null) throw new Error('The page cannot be read');
    const foreign = { ...second, reading: { ...second.reading, origin: 'https://bank.example' } };
    expect(await form.fill(foreign, order)).toEqual(changed);
    const third = await form.read();
    if (third === null) throw new Error('The page cannot be read');
    expect(await form.fill(third, { ...order, form: 7 })).toEqual(changed);
    expect(await form.values()).toEqual(['', '']);
    await form.page.close();
  });
});

describe('frames', () => {
  const frame = (more: string) => `<h1>Welcome</h1><iframe width=500 height=300 ${more}></iframe>`;
  const escaped = PLAIN.replaceAll('"', '&quot;');

  test('a form in a frame is not filled, and the frame’s origin is told', async () => {
    const inner = browser.serve({ html: PLAIN });
    const nested = browser.serve({ html: frame(`src="${inner}"`) });
    const cases = [
      { html: frame(`srcdoc="${escaped}"`), origins: 1 },
      { html: frame(`src="${inner}"`), origins: 1 },
      { html: frame(`sandbox="allow-scripts" src="${inner}"`), origins: 1 },
      { html: frame(`src="${nested}"`), origins: 1 },
      { html: frame(`src="${inner}" style="display:none"`), origins: 0 },
    ];
    for (const { html, origins } of cases) {
      const form = await browser.open(browser.serve({ html }));
      const read = await form.read();
      expect(read?.reading).toMatchObject({ choice: null, forms: [], isTop: true });
      expect(read?.reading.frames).toHaveLength(origins);
      for (const one of form.page.frames())
        expect(
          await one.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value).join('')),
        ).toBe('');
      await form.page.close();
    }
  });
});

describe('where a form sends', () => {
  test('http on an https page, another site, and the page’s own are told apart, whatever names hide them', async () => {
    const form = (attributes: string, more = '') => `<form ${attributes}>${USER}${password()}${more}</form>`;
    const cases: [string, unknown][] = [
      [form('action=/in'), null],
      [form('', '<input type=hidden name=action value="http://a.example">'), null],
      [
        form('action="http://bank.example/in"'),
        { origin: 'http://bank.example', host: 'bank.example', isPlainHttp: true },
      ],
      [
        form('action="http://bank.example/in"', '<input type=hidden name=action>'),
        { origin: 'http://bank.example', host: 'bank.example', isPlainHttp: true },
      ],
      [
        form('action="https://idp.example/in"'),
        { origin: 'https://idp.example', host: 'idp.example', isPlainHttp: false },
      ],
      [
        form('', '<button formaction="http://bank.example/x">Go</button>'),
        { origin: 'http://bank.example', host: 'bank.example', isPlainHttp: true },
      ],
      [
        `<base href="http://bank.example/">${form('action=in')}`,
        { origin: 'http://bank.example', host: 'bank.example', isPlainHttp: true },
      ],
    ];
    let html = '';
    await browser.context.route('https://bank.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${html}` }),
    );
    for (const [one, action] of cases) {
      html = one;
      const opened = await browser.open('https://bank.example/');
      const read = await opened.read();
      expect(read?.reading.forms.map((found) => found.action)).toEqual([action]);
      await opened.page.close();
    }
  });

  test('a new password is not filled where it would go out unencrypted, nor into another page', async () => {
    const address = 'https://bank.example/join';
    const form = (action: string) =>
      `<form action="${action}"><h1>Create account</h1>${USER}${password()}<button>Create account</button></form>`.replace(
        'type=password',
        'type=password autocomplete=new-password',
      );
    let html = '';
    await browser.context.route(`${address}*`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${html}` }),
    );
    const outcome = async (action: string, shownInPopup = address) => {
      html = form(action);
      const opened = await browser.open(address);
      const inPage: InPage = {
        read: (_tab, asked) => opened.read(asked),
        fill: (_tab, documentId, order) => opened.fill({ documentId, reading: { ...NO_FORMS, ...order } }, order),
      };
      const tab = async () => ({ url: opened.page.url() });
      const request = { tabId: 1, address: shownInPopup, password: PASSWORD };
      const result = await fillNew({ tab, inPage }, request);
      const values = await opened.values();
      await opened.page.close();
      return [result, values];
    };
    expect(await outcome('/in')).toEqual(['filled', ['', PASSWORD]]);
    expect(await outcome('http://bank.example/in')).toEqual(['plain_action', ['', '']]);
    expect(await outcome('/in', 'https://shop.example/')).toEqual(['changed', ['', '']]);
  });
});

describe('pages that disturb', () => {
  const filled = { outcome: 'userName,password', values: [LOGIN, PASSWORD] };
  const HARMLESS: Record<string, string> = {
    'prototypes are patched': `<script>
      for (const [of, name] of [[HTMLInputElement,'value'],[HTMLInputElement,'form'],[Node,'parentNode'],[Document,'activeElement']]) Object.defineProperty(of.prototype, name, {get(){throw 1}, set(){throw 1}});
      for (const of of [Document, Element, DocumentFragment]) of.prototype.querySelectorAll = () => { throw 2 };
      Document.prototype.elementsFromPoint = () => []; Element.prototype.getBoundingClientRect = () => ({ width: 0, height: 0 }); Element.prototype.checkVisibility = () => false;
      EventTarget.prototype.dispatchEvent = () => { throw 3 }; globalThis.getComputedStyle = () => { throw 4 }; crypto.getRandomValues = (a) => a.fill(0); Array.prototype.filter = () => [];</script>`,
    'names of ours are defined': `<form id=passwordBrokerPage></form><script>globalThis.passwordBrokerPage={read(){return {choice:0,forms:[]}},fill(){}};globalThis.chrome={dom:{openOrClosedShadowRoot(){throw 1}}}</script>`,
    'properties of the document are hidden by elements': `<img name=querySelectorAll><img name=elementsFromPoint><img name=activeElement><img name=title><form name=body></form><form name=documentElement></form><img name=createRange>`,
    'setters of the fields throw': `<script>addEventListener('load',()=>{for(const i of document.querySelectorAll('input'))Object.defineProperty(i,'value',{get(){throw 1},set(){throw 1}})})</script>`,
    'listeners throw': `<script>for(const t of ['input','change'])addEventListener(t,()=>{throw new Error('no')},true)</script>`,
    'messages are forged without end': `<script>setInterval(()=>{for(let i=0;i<50;i++){postMessage({to:'background',name:'saves.captured',args:{userName:'x',password:'y'}},'*');document.dispatchEvent(new CustomEvent('passwordBrokerPage',{detail:{fill:1}}))}},5)</script>`,
    'the page changes all the time': `<div id=noise></div><script>setInterval(()=>{noise.innerHTML='<p>'+'x'.repeat(200)+'</p>'.repeat(50)},5)</script>`,
  };
  test.concurrent.each(Object.entries(HARMLESS))('%s: filled all the same', async (name, html) => {
    const form = await browser.open(browser.serve({ html: `${PLAIN}${html}` }));
    const read = await form.read();
    if (read === null) throw new Error('The page cannot be read');
    const { choice, mark } = read.reading;
    expect([name, choice]).toEqual([name, 0]);
    expect(mark).not.toMatch(/^0*$/);
    const result = await form.fill(read, { form: 0, userName: LOGIN, password: PASSWORD });
    expect(result).toEqual({ result: 'filled', filled: ['userName', 'password'] });
    // Read from outside of the page's own world, whose functions may lie.
    const session = await form.page.context().newCDPSession(form.page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
    const { result: values } = await session.send('Runtime.evaluate', {
      contextId: executionContextId,
      expression: `['u','p'].map((id) => document.getElementById(id).value).join('|')`,
    });
    expect(values.value).toBe(filled.values.join('|'));
    await form.page.close();
  });

  test(
    'floods of inputs and elements are given up, deep nesting is read, both in time',
    { timeout: 60_000 },
    async () => {
      // Inputs, elements, nested containers, nested shadow roots: the first two are more than the script reads.
      const floods: [string, number | null][] = [
        [`for(let i=0;i<4000;i++)document.body.append(document.createElement('input'))`, null],
        [
          `const f=document.createDocumentFragment();for(let i=0;i<70000;i++)f.append(document.createElement('i'));document.body.append(f)`,
          null,
        ],
        [`let at=document.body;for(let i=0;i<3000;i++){const d=document.createElement('div');at.append(d);at=d}`, 0],
        [
          `let at=document.body;for(let i=0;i<300;i++){const d=document.createElement('div');at.append(d);at=d.attachShadow({mode:'open'})}`,
          0,
        ],
      ];
      for (const [flood, choice] of floods) {
        const form = await browser.open(browser.serve({ html: `${PLAIN}<script>${flood}</script>` }));
        const before = Date.now();
        const read = await form.read();
        expect(Date.now() - before).toBeLessThan(10_000);
        expect(read?.reading.choice).toBe(choice);
        expect((await form.values()).join('')).toBe('');
        await form.page.close();
      }
    },
  );

  test('reading leaves nothing in the page, and a refused filling shows it no value', async () => {
    const html = `<form>${USER.replace('type=text', 'type=number')}${password()}</form><script>
      globalThis.seen=[];const look=()=>{for(const i of document.querySelectorAll('input'))if(i.value)seen.push(i.value)};
      for(const t of ['input','change','focus','blur','scroll','keydown'])addEventListener(t,look,true);setInterval(look,1);
      globalThis.mutations=0;new MutationObserver((m)=>{mutations+=m.length}).observe(document,{subtree:true,childList:true,attributes:true,characterData:true});
      globalThis.names=Object.getOwnPropertyNames(globalThis).length;globalThis.before=document.documentElement.outerHTML</script>`;
    const form = await browser.open(browser.serve({ html }));
    const read = await form.read();
    if (read === null) throw new Error('The page cannot be read');
    // A field for numbers takes no address: all values are taken back before a script of the page runs.
    expect(await form.fill(read, { form: 0, userName: LOGIN, password: PASSWORD })).toEqual({ result: 'changed' });
    await form.page.waitForTimeout(50);
    expect(
      await form.page.evaluate(() => {
        const { seen, mutations, names, before } = globalThis as unknown as Record<string, unknown>;
        const sheets = document.adoptedStyleSheets.length + document.styleSheets.length;
        return {
          seen,
          mutations,
          sheets,
          isSame: before === document.documentElement.outerHTML,
          isUncovered: getComputedStyle(document.documentElement).getPropertyValue('--passwordbroker-uncovered'),
          added: Object.getOwnPropertyNames(globalThis).length - Number(names),
          ours: 'passwordBrokerPage' in globalThis,
          canMessage: typeof (globalThis as { chrome?: { runtime?: unknown } }).chrome?.runtime,
        };
      }),
    ).toEqual({
      seen: [],
      mutations: 0,
      sheets: 1,
      isSame: true,
      isUncovered: '',
      added: 2,
      ours: false,
      canMessage: 'undefined',
    });
    await form.page.close();
  });
});
