/** Sign-ins in two steps, one-time codes, changes of a password and registrations. */
import { inSteps } from './page.ts';

const boxes = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('');
const ids = (n: number, prefix: string) => Array.from({ length: n }, (_, i) => `#${prefix}${i}`);

/** Moves the focus to the next box, as pages with one box a digit do. */
const NEXT_BOX = `<script>for(const b of document.querySelectorAll('.box'))b.addEventListener('input',()=>{if(b.value&&b.nextElementSibling)b.nextElementSibling.focus()})</script>`;

export const STEP_PAGES = [
  inSteps(
    'search engine account: identifier first, then the password in place',
    [
      { asked: 'sign-in', expect: { username: '#identifierId' }, click: '#next' },
      { asked: 'sign-in', expect: { password: '#pw2' } },
    ],
    `<form id=s1><label for=identifierId>Email or phone</label><input type=email id=identifierId name=identifier autocomplete="username webauthn"><input type=password name=hiddenPassword tabindex=-1 aria-hidden=true style="position:absolute;left:-2000px"><button type=button id=next onclick="s1.style.display='none';s2.style.display='block'">Next</button></form>
     <form id=s2 style="display:none"><div>nina@example.org</div><label for=pw2>Enter your password</label><input type=password id=pw2 name=Passwd autocomplete=current-password><button>Next</button></form>`,
  ),
  inSteps(
    'office account: password in the same form, moved out of view at first',
    [
      { asked: 'sign-in', expect: { username: '#i0116' }, click: '#idSIButton9' },
      { asked: 'sign-in', expect: { password: '#i0118' } },
    ],
    `<form id=f><input type=email name=loginfmt id=i0116 placeholder="Email, phone, or Skype" autocomplete=username><input name=passwd type=password id=i0118 autocomplete=off class=moveOffScreen style="position:fixed;bottom:0;right:0;height:0;width:0;opacity:0;border:0;padding:0" tabindex=-1 aria-hidden=true>
     <input type=button id=idSIButton9 value=Next onclick="i0116.type='hidden';i0118.removeAttribute('style');i0118.removeAttribute('aria-hidden');i0118.placeholder='Password'"></form>`,
  ),
  inSteps(
    'shop: second step is another page',
    [
      { asked: 'sign-in', expect: { username: '#ap_email' }, click: '#continue' },
      { asked: 'sign-in', expect: { password: '#ap_password' } },
    ],
    `<div id=box></div><script>if(location.search==='?step=2')box.innerHTML='<form method=post><input type=hidden name=email value=nina@example.org><label for=ap_password>Password</label><input type=password id=ap_password name=password><input type=submit value="Sign in"></form>';
     else box.innerHTML='<form><label for=ap_email>Enter mobile number or email</label><input type=email id=ap_email name=email><input type=hidden name=step value=2><button id=continue type=button onclick="location.search=\\'?step=2\\'">Continue</button></form>'</script>`,
  ),
  inSteps(
    'identity provider: field of the first step is of type text and named identifier',
    [{ asked: 'sign-in', expect: { username: '#input28' } }],
    `<main><form data-se=o-form><h2>Sign In</h2><label for=input28>Username</label><input type=text name=identifier id=input28 autocomplete=username aria-required=true><input type=checkbox name=rememberMe id=cb><label for=cb>Keep me signed in</label><input type=submit value=Next></form></main>`,
    { path: '/oauth2/authorize' },
  ),
  inSteps(
    'first step without autocomplete, recognised by its words',
    [{ asked: 'sign-in', expect: { username: '#q1' } }],
    `<form><input type=search name=s placeholder=Search></form><form action=/login/next><h1>Log in</h1><label for=q1>Your e-mail address</label><input type=text id=q1 name=q1><button>Continue</button></form>`,
  ),
  inSteps(
    'one-time code with autocomplete',
    [{ asked: 'code', expect: { code: ['#app_totp'] } }],
    `<form method=post><h1>Two-factor authentication</h1><label for=app_totp>Authentication code</label><input type=text name=app_otp id=app_totp autocomplete=one-time-code inputmode=numeric maxlength=6 placeholder=XXXXXX><button>Verify</button></form>`,
  ),
  inSteps(
    'one-time code without autocomplete, named otp',
    [{ asked: 'code', expect: { code: ['#idTxtBx'] } }],
    `<form method=post><label for=idTxtBx>Code</label><input type=tel name=otc id=idTxtBx maxlength=6><input type=checkbox id=kmsi><label for=kmsi>Don't ask again for 60 days</label><button>Verify</button></form>`,
  ),
  inSteps(
    'one-time code of type number in German words',
    [{ asked: 'code', expect: { code: ['#feld'] } }],
    `<form method=post><p>Bestätigungscode aus Ihrer Authenticator-App</p><label for=feld>Bestätigungscode</label><input type=number id=feld name=feld><button>Prüfen</button></form>`,
    { lang: 'de' },
  ),
  inSteps(
    'one-time code in a masked field is not a password',
    [{ asked: 'code', expect: { code: ['#tok'] } }],
    `<form method=post><label for=tok>Enter the 6-digit verification code</label><input type=password id=tok name=token autocomplete=one-time-code maxlength=6 inputmode=numeric><button>Submit</button></form>`,
  ),
  inSteps(
    'one-time code in six boxes',
    [{ asked: 'code', expect: { code: ids(6, 'd') } }],
    `<form method=post><h1>Enter verification code</h1><div>${boxes(6, (i) => `<input class=box id=d${i} type=text inputmode=numeric maxlength=1 aria-label="Digit ${i + 1}">`)}</div><button>Verify</button></form>${NEXT_BOX}`,
  ),
  inSteps(
    'six boxes, the first of which is for one-time codes, each controlled',
    [{ asked: 'code', expect: { code: ids(6, 'k') } }],
    `<form><p>Enter the code from your authenticator app</p><div>${boxes(6, (i) => `<input class=box id=k${i} type=tel maxlength=1 ${i === 0 ? 'autocomplete=one-time-code' : 'autocomplete=off'}>`)}</div></form>
     <script>const st=Array(6).fill('');document.querySelectorAll('.box').forEach((b,i)=>{b.addEventListener('input',()=>{st[i]=b.value.slice(0,1)});setInterval(()=>{if(b.value!==st[i])b.value=st[i]},20)})</script>${NEXT_BOX}`,
  ),
  inSteps(
    'six boxes in open shadow roots',
    [{ asked: 'code', expect: { code: ids(6, 'sb') } }],
    `<h1>Security code</h1><otp-input></otp-input><script>customElements.define('otp-input',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML=Array.from({length:6},(_,i)=>'<input id=sb'+i+' name=otp'+i+' maxlength=1 type=text inputmode=numeric size=1>').join('')}})</script>`,
  ),
  inSteps(
    'user name, password and code in one form of a gateway',
    [
      { asked: 'sign-in', expect: { username: '#v-user', password: '#v-pass' } },
      { asked: 'code', expect: { username: '#v-user', password: '#v-pass', code: ['#v-otp'] } },
    ],
    `<form method=post><label for=v-user>Username</label><input id=v-user name=username><label for=v-pass>Password</label><input id=v-pass type=password name=password><label for=v-otp>Second factor (OTP)</label><input id=v-otp name=otp maxlength=6><button>Connect</button></form>`,
  ),
  inSteps(
    'change of password with autocomplete',
    [{ asked: 'new', expect: { password: '#old', newPassword: ['#new1', '#new2'] } }],
    `<form method=post><h1>Change password</h1><input type=text name=username autocomplete=username value=nina@example.org hidden><label for=old>Old password</label><input id=old type=password name=old autocomplete=current-password>
     <label for=new1>New password</label><input id=new1 type=password name=new autocomplete=new-password><label for=new2>Confirm new password</label><input id=new2 type=password name=again autocomplete=new-password><button>Update password</button></form>`,
  ),
  inSteps(
    'change of password by order alone',
    [{ asked: 'new', expect: { password: '#p1', newPassword: ['#p2', '#p3'] } }],
    `<form method=post><table><tr><td>Aktuelles Passwort<td><input id=p1 type=password name=p1><tr><td>Neues Passwort<td><input id=p2 type=password name=p2><tr><td>Wiederholen<td><input id=p3 type=password name=p3></table><button>Speichern</button></form>`,
    { lang: 'de' },
  ),
  inSteps(
    'saved sign-in on a page that changes the password fills the current one alone',
    [{ asked: 'sign-in', expect: { password: '#cp1' } }],
    `<form method=post><label for=cp1>Current password</label><input id=cp1 type=password name=current_password><label for=cp2>New password</label><input id=cp2 type=password name=new_password><label for=cp3>Repeat new password</label><input id=cp3 type=password name=confirm><button>Save</button></form>`,
  ),
  inSteps(
    'reset by a link: two new passwords, no current one',
    [
      { asked: 'sign-in', expect: {} },
      { asked: 'new', expect: { newPassword: ['#a1', '#a2'] } },
    ],
    `<form method=post><h1>Choose a new password</h1><label for=a1>New password</label><input id=a1 type=password name=password><label for=a2>Repeat password</label><input id=a2 type=password name=password_confirmation><button>Set password</button></form>`,
    { path: '/reset?token=abc' },
  ),
  inSteps(
    'registration with name, address and two passwords',
    [
      { asked: 'sign-in', expect: {} },
      { asked: 'new', expect: { username: '#email', newPassword: ['#pass1', '#pass2'] } },
    ],
    `<form method=post action=/register><h1>Create account</h1><label for=fn>First name</label><input id=fn name=first autocomplete=given-name><label for=ln>Last name</label><input id=ln name=last autocomplete=family-name>
     <label for=email>E-mail</label><input id=email type=email name=email autocomplete=email><label for=tel>Phone</label><input id=tel type=tel name=phone autocomplete=tel>
     <label for=pass1>Password</label><input id=pass1 type=password name=password autocomplete=new-password><label for=pass2>Repeat</label><input id=pass2 type=password name=password2 autocomplete=new-password><label><input type=checkbox name=tos> I agree</label><button>Register</button></form>`,
  ),
  inSteps(
    'registration without autocomplete, user name and e-mail',
    [{ asked: 'new', expect: { username: '#rg_user', newPassword: ['#rg_p', '#rg_p2'] } }],
    `<form method=post><h2>Sign up</h2><label for=rg_user>Username</label><input id=rg_user name=username><label for=rg_mail>E-mail (not shown)</label><input id=rg_mail type=email name=mail><label for=rg_p>Password</label><input id=rg_p type=password name=pass>
     <label for=rg_p2>Password again</label><input id=rg_p2 type=password name=pass2><button>Create my account</button></form>`,
  ),
  inSteps(
    'sign-in and registration side by side',
    [
      { asked: 'sign-in', expect: { username: '#username', password: '#password' } },
      { asked: 'new', expect: { username: '#reg_email', newPassword: ['#reg_password'] } },
    ],
    `<div style="display:flex;gap:40px"><form method=post class=login><h2>Login</h2><label for=username>Username or email address</label><input id=username name=username autocomplete=username><label for=password>Password</label><input id=password type=password name=password autocomplete=current-password><button>Log in</button></form>
     <form method=post class=register><h2>Register</h2><label for=reg_email>Email address</label><input id=reg_email type=email name=email autocomplete=email><label for=reg_password>Password</label><input id=reg_password type=password name=password autocomplete=new-password><button>Register</button></form></div>`,
  ),
];
