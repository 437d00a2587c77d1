/** Forms that scripts make: components in shadow roots, controlled inputs, fields that come late or are replaced. */
import { inSteps, signIn } from './page.ts';

/** A controlled input as React makes it: the value of the state is written back after each event, and an instance property hides the native one. */
const CONTROLLED = `
  function control(input, state, key, render) {
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let tracked = input.value;
    Object.defineProperty(input, 'value', { configurable: true, get() { return native.get.call(this); }, set(v) { tracked = String(v); native.set.call(this, v); } });
    input.addEventListener('input', () => { const now = native.get.call(input); if (now === tracked) return; tracked = now; state[key] = now; render(); });
    return () => { if (native.get.call(input) !== state[key]) input.value = state[key]; };
  }`;

export const FRAMEWORK_PAGES = [
  signIn(
    'controlled inputs like React, all written back after each event',
    { username: '#r-email', password: '#r-password' },
    `<div id=root><form><input id=r-email name=email type=email placeholder=Email><input id=r-password name=password type=password placeholder=Password><button disabled id=go>Sign in</button></form></div><script>${CONTROLLED}
     const state={e:'',p:''},all=[];const render=()=>{for(const one of all)one();document.getElementById('go').disabled=!(state.e&&state.p)};
     all.push(control(document.getElementById('r-email'),state,'e',render),control(document.getElementById('r-password'),state,'p',render));setInterval(render,20)</script>`,
  ),
  signIn(
    'two-way binding like Vue, written back on change',
    { username: '[data-v-u]', password: '[data-v-p]' },
    `<div id=app><input data-v-u type=text placeholder="User name" name=user><input data-v-p type=password placeholder=Password name=pass><button>Login</button></div>
     <script>const m={u:'',p:''};for(const [k,s] of [['u','[data-v-u]'],['p','[data-v-p]']]){const i=document.querySelector(s);i.addEventListener('input',e=>{if(e.target.composing)return;m[k]=e.target.value});setInterval(()=>{if(i.value!==m[k])i.value=m[k]},20)}</script>`,
  ),
  signIn(
    'reactive form like Angular, with random ids',
    { username: '[formcontrolname=login]', password: '[formcontrolname=password]' },
    `<app-root><form novalidate class="ng-untouched ng-pristine ng-invalid"><mat-form-field><label id=mat-label-1 for=mat-input-0>Login</label><input formcontrolname=login id=mat-input-0 class=mat-input-element type=text></mat-form-field>
     <mat-form-field><label for=mat-input-1>Password</label><input formcontrolname=password id=mat-input-1 type=password></mat-form-field><button type=submit>Sign in</button></form></app-root>
     <script>const model={};for(const i of document.querySelectorAll('input')){model[i.id]='';i.addEventListener('input',()=>{model[i.id]=i.value});setInterval(()=>{if(i.value!==model[i.id])i.value=model[i.id]},20)}</script>`,
  ),
  signIn(
    'material text fields with an outline above the input',
    { username: '#outlined-user', password: '#outlined-pass' },
    `<style>.m{position:relative;display:inline-flex;width:240px;margin:8px}.m input{flex:1;padding:16px 14px;border:0;background:none}.m fieldset{position:absolute;inset:-5px 0 0;pointer-events:none;border:1px solid #999;border-radius:4px;margin:0}
     .m label{position:absolute;left:14px;top:16px;pointer-events:none;transform-origin:top left}</style><form><div class=m><label for=outlined-user>Username</label><input id=outlined-user type=text name=username><fieldset aria-hidden=true><legend></legend></fieldset></div>
     <div class=m><label for=outlined-pass>Password</label><input id=outlined-pass type=password name=password><fieldset aria-hidden=true><legend></legend></fieldset></div><button>Sign in</button></form>`,
  ),
  signIn(
    'components with open shadow roots, one for each field',
    { username: '#in-user', password: '#in-pass' },
    `<form><x-field data-id=in-user data-type=text data-label="User name"></x-field><x-field data-id=in-pass data-type=password data-label=Password></x-field><button>Sign in</button></form>
     <script>customElements.define('x-field',class extends HTMLElement{constructor(){super().attachShadow({mode:'open'})}connectedCallback(){const d=this.dataset;this.shadowRoot.innerHTML='<label for='+d.id+'>'+d.label+'</label><input id='+d.id+' type='+d.type+'>'}})</script>`,
  ),
  signIn(
    'whole form nested two open shadow roots deep',
    { username: '#deep-user', password: '#deep-pass' },
    `<app-shell></app-shell><script>customElements.define('login-form',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<form><input id=deep-user name=username placeholder=Username><input id=deep-pass type=password name=password placeholder=Password><button>Log in</button></form>'}});
     customElements.define('app-shell',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<header><input type=search placeholder=Search></header><login-form></login-form>'}})</script>`,
  ),
  signIn(
    'form in a closed shadow root',
    { username: '#c-user', password: '#c-pass' },
    `<secure-login></secure-login><script>customElements.define('secure-login',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<form><label for=c-user>Email</label><input id=c-user type=email name=email><label for=c-pass>Password</label><input id=c-pass type=password name=password><button>Sign in</button></form>'}})</script>`,
  ),
  signIn(
    'declarative shadow root',
    { username: '#ds-user', password: '#ds-pass' },
    `<section><template shadowrootmode=open><form method=post><input id=ds-user name=user type=text placeholder=User><input id=ds-pass name=pass type=password placeholder=Password><button>OK</button></form></template></section>`,
  ),
  signIn(
    'inputs in slots of a component that draws a frame above them',
    { username: '#s-user', password: '#s-pass' },
    `<form><fancy-box><input id=s-user name=username type=text placeholder="User name"></fancy-box><fancy-box><input id=s-pass name=password type=password placeholder=Password></fancy-box><button>Sign in</button></form>
     <script>customElements.define('fancy-box',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<style>:host{position:relative;display:inline-block}i{position:absolute;inset:0;border:2px solid teal;pointer-events:none}</style><slot></slot><i></i>'}})</script>`,
  ),
  signIn(
    'form that is drawn half a second after loading',
    { username: '#late-user', password: '#late-pass' },
    `<div id=root>Loading…</div><script>setTimeout(()=>{document.getElementById('root').innerHTML='<form><input id=late-user name=username type=text placeholder=Username><input id=late-pass name=password type=password placeholder=Password><button>Go</button></form>'},500)</script>`,
  ),
  signIn(
    'password field that appears when the user name gets its value',
    { username: '#g-user' },
    `<form><input id=g-user type=email name=email placeholder=E-mail autocomplete=username><div id=rest></div><button>Continue</button></form><script>document.getElementById('g-user').addEventListener('change',()=>{document.getElementById('rest').innerHTML='<input type=password name=password placeholder=Password>'},{once:true})</script>`,
  ),
  signIn(
    'type is text until focus, then password',
    { username: '#tt-user', password: '#tt-pass' },
    `<form><label for=tt-user>User</label><input id=tt-user name=user type=text><label for=tt-pass>Password</label><input id=tt-pass name=password type=text onfocus="this.type='password'"><button>Log in</button></form>`,
  ),
  signIn(
    'masked by style and not by type',
    { username: '#mk-user', password: '#mk-pass' },
    `<form><label for=mk-user>Login name</label><input id=mk-user name=login type=text><label for=mk-pass>Password</label><input id=mk-pass name=pwd type=text style="-webkit-text-security:disc" autocomplete=off><button>Log in</button></form>`,
  ),
  signIn(
    'input listeners that trim and lower-case the user name',
    { username: '#lc-user', password: '#lc-pass' },
    `<form><input id=lc-user type=text name=email oninput="this.value=this.value.trim().toLowerCase()" placeholder=Email><input id=lc-pass type=password name=password oninput="this.setAttribute('aria-invalid',String(this.value.length<4))" placeholder=Password><button>Go</button></form>`,
  ),
  signIn(
    'events that another script stops before the document sees them',
    { username: '#st-user', password: '#st-pass' },
    `<form><input id=st-user type=text name=username placeholder=Username><input id=st-pass type=password name=password placeholder=Password><button>Go</button></form><script>for(const i of document.querySelectorAll('input'))for(const t of ['input','change','keydown'])i.addEventListener(t,e=>e.stopPropagation())</script>`,
  ),
  inSteps(
    'tabs: the form of the hidden tab is in the page, too',
    [
      { asked: 'sign-in', expect: { username: '#tab-user', password: '#tab-pass' }, click: '#other' },
      { asked: 'new', expect: { username: '#reg-mail', newPassword: ['#reg-pass'] } },
    ],
    `<button id=other onclick="a.hidden=true;b.hidden=false">Register</button><form id=a><input id=tab-user name=username type=text placeholder=Username><input id=tab-pass type=password name=password placeholder=Password><button>Log in</button></form>
     <form id=b hidden><input id=reg-mail type=email name=email placeholder=Email><input id=reg-pass type=password name=password placeholder="Choose a password" autocomplete=new-password><button>Create account</button></form>`,
  ),
  signIn(
    'several hundred inputs of an administration page around the form',
    { username: '#adm-user', password: '#adm-pass' },
    `<form id=grid style="height:40px;overflow:auto"></form><form method=post><input id=adm-user name=username type=text placeholder="User name"><input id=adm-pass name=password type=password placeholder=Password><button>Unlock</button></form>
     <script>document.getElementById('grid').innerHTML=Array.from({length:400},(_,i)=>'<input type=text name=cell'+i+'>').join('')</script>`,
  ),
  signIn(
    'sign-in in a popover',
    { username: '#po-user', password: '#po-pass' },
    `<p>Shop</p><div id=pop popover><form><input id=po-user name=email type=email placeholder=E-mail><input id=po-pass name=password type=password placeholder=Password><button>Sign in</button></form></div><script>document.getElementById('pop').showPopover()</script>`,
  ),
  signIn(
    'names of inputs that hide properties of the form and the document',
    { username: '#cl-user', password: '#cl-pass' },
    `<form method=post action=/in><img name=querySelectorAll><input type=hidden name=action value=x><input type=hidden name=elements value=y><input type=hidden name=querySelectorAll value=z><input type=hidden name=id value=q>
     <input id=cl-user name=username type=text placeholder=Username><input id=cl-pass name=password type=password placeholder=Password><button name=submit>Go</button></form>`,
  ),
];
