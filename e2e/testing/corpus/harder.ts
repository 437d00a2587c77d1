/** Pages on which a careless rule fills a field that it must not, or misses one: written after the first four files, against no particular code. */
import { inSteps, signIn } from './page.ts';

export const HARDER_PAGES = [
  signIn(
    'sign-in that calls its password new to stop browsers from filling',
    { username: '#h-u', password: '#h-p' },
    `<form method=post action=/login><h2>Log in</h2><input id=h-u name=username type=text autocomplete=nope placeholder=Username><input id=h-p name=pw type=password autocomplete=new-password placeholder=Password><button>Log in</button></form>`,
  ),
  signIn(
    'read-only until it has the focus: left alone',
    {},
    `<form method=post><input name=username type=text readonly onfocus="this.removeAttribute('readonly')" placeholder=Username><input name=password type=password readonly onfocus="this.removeAttribute('readonly')" placeholder=Password><button>Log in</button></form>`,
  ),
  inSteps(
    'profile with e-mail and a change of password in one form',
    [{ asked: 'new', expect: { password: '#cur', newPassword: ['#n1', '#n2'] } }],
    `<form method=post><h1>Your profile</h1><label for=dn>Display name</label><input id=dn name=display_name type=text><label for=em>E-mail</label><input id=em name=email type=email value=old@example.org>
     <h2>Password</h2><label for=cur>Current password</label><input id=cur type=password name=current><label for=n1>New password</label><input id=n1 type=password name=new><label for=n2>New password again</label><input id=n2 type=password name=new2><button>Save changes</button></form>`,
  ),
  signIn(
    'deleting something with a phrase and the password',
    { password: '#del-pw' },
    `<form method=post><h2>Delete repository</h2><label for=phrase>Type DELETE to confirm</label><input id=phrase name=verify type=text><label for=del-pw>Your password</label><input id=del-pw name=sudo_password type=password><button>Delete</button></form>`,
  ),
  signIn(
    'new access token with a name and the password',
    { password: '#tk-pw' },
    `<form method=post><h2>New access token</h2><label for=tn>Token name</label><input id=tn name=note type=text><label for=tk-pw>Confirm with your password</label><input id=tk-pw name=password type=password autocomplete=current-password><button>Generate</button></form>`,
  ),
  inSteps(
    'recovery code is no one-time code',
    [{ asked: 'code', expect: {} }],
    `<form method=post><h1>Two-factor recovery</h1><label for=rc>Recovery code</label><input id=rc name=recovery_code type=text maxlength=8><button>Verify</button></form>`,
  ),
  signIn(
    'administrator makes an account for somebody else',
    {},
    `<h1>Add user</h1><form method=post><label for=au>Username</label><input id=au name=user_login type=text><label for=ae>Email</label><input id=ae name=email type=email><label for=ap>Password</label><input id=ap name=pass1 type=text autocomplete=new-password><button>Add new user</button></form>`,
  ),
  signIn(
    'order is tracked by number and e-mail',
    {},
    `<form method=post><h2>Track your order</h2><label for=on>Order number</label><input id=on name=order type=text><label for=oe>E-mail</label><input id=oe name=email type=email><button>Track</button></form>`,
  ),
  signIn(
    'people are invited by e-mail, in steps',
    {},
    `<div role=dialog aria-label="Share with others"><h2>Invite people</h2><input id=inv name=invitee type=email placeholder="Email address"><button>Next</button></div>`,
  ),
  signIn(
    'survey that asks for an e-mail first',
    {},
    `<form method=post><h1>Customer survey</h1><label for=sm>Your e-mail</label><input id=sm name=email type=email><button>Next</button></form>`,
  ),
  signIn(
    'guest checkout beside a sign-in of returning customers',
    { username: '#rt-u', password: '#rt-p' },
    `<div style="display:flex;gap:30px"><form method=post action=/checkout/guest><h2>Guest checkout</h2><input name=guest_email type=email placeholder=Email><button>Continue as guest</button></form>
     <form method=post action=/login><h2>Returning customer</h2><input id=rt-u name=email type=email placeholder=Email><input id=rt-p name=password type=password placeholder=Password><button>Sign in</button></form></div>`,
  ),
  signIn(
    'hotel network asks for room and name',
    {},
    `<h1>Welcome to our Wi-Fi</h1><form method=post><label for=room>Room number</label><input id=room name=room type=text><label for=ln>Last name</label><input id=ln name=lastname type=text><button>Connect</button></form>`,
  ),
  signIn(
    'cookie wall over the whole form: nothing is filled',
    {},
    `<form method=post><input name=username type=text placeholder=Username><input name=password type=password placeholder=Password><button>Log in</button></form><div style="position:fixed;inset:0;background:rgba(0,0,0,.6)"><div style="background:#fff;margin:200px auto;width:300px;padding:20px">We value your privacy <button>Accept</button></div></div>`,
  ),
  signIn(
    'cookie bar below the form',
    { username: '#cb-u', password: '#cb-p' },
    `<form method=post><input id=cb-u name=username type=text placeholder=Username><input id=cb-p name=password type=password placeholder=Password><button>Log in</button></form><div style="position:fixed;bottom:0;left:0;right:0;height:120px;background:#eee">Cookies <button>OK</button></div>`,
  ),
  signIn(
    'carousel: the form of the second slide is out of view',
    { username: '#s1-u', password: '#s1-p' },
    `<div style="width:400px;overflow:hidden"><div style="display:flex;width:800px"><form method=post style="width:400px"><input id=s1-u name=username type=text placeholder=Username><input id=s1-p name=password type=password placeholder=Password><button>Log in</button></form>
     <form method=post style="width:400px"><input name=username type=text placeholder=Username><input name=password type=password placeholder=Password><button>Log in</button></form></div></div>`,
  ),
  signIn(
    'modal with its own scrolling, form at its end, sticky header',
    { username: '#ms-u', password: '#ms-p' },
    `<header style="position:sticky;top:0;height:60px;background:#ccc">Head</header><div role=dialog style="position:fixed;top:80px;left:100px;width:400px;height:260px;overflow:auto;border:1px solid"><div style="height:600px">Terms</div><form method=post><input id=ms-u name=username type=text placeholder=Username><input id=ms-p name=password type=password placeholder=Password><button>Log in</button></form></div>`,
  ),
  signIn(
    'decorative picture behind the whole page that lets clicks through',
    { username: '#dp-u', password: '#dp-p' },
    `<canvas style="position:fixed;inset:0;pointer-events:none;z-index:0"></canvas><div style="position:relative;z-index:1;background:#fff"><form method=post><input id=dp-u name=username type=text placeholder=Username><input id=dp-p name=password type=password placeholder=Password><button>Log in</button></form></div>`,
  ),
  signIn(
    'ripple and underline of a component library',
    { username: '#rp-u', password: '#rp-p' },
    `<style>.t{position:relative;display:inline-block;background:#f5f5f5}.t::after{content:"";position:absolute;left:0;right:0;bottom:0;height:100%;border-bottom:2px solid #36c;pointer-events:none;transform:scaleX(1)}.t .r{position:absolute;inset:0;background:rgba(0,0,0,.04);pointer-events:none}.t input{background:none;border:0;padding:14px}</style>
     <form method=post><div class=t><input id=rp-u name=username type=text placeholder=Username><span class=r></span></div><div class=t><input id=rp-p name=password type=password placeholder=Password><span class=r></span></div><button>Log in</button></form>`,
  ),
  signIn(
    'eye button in the field and icons before it',
    { username: '#ic-u', password: '#ic-p' },
    `<style>.w{position:relative;width:280px}.w input{width:100%;padding:12px 44px}.w svg,.w button{position:absolute;top:10px;width:24px;height:24px}.w svg{left:10px;pointer-events:none}.w button{right:10px}</style><form method=post><div class=w><svg viewBox="0 0 24 24"><circle cx=12 cy=12 r=9 /></svg><input id=ic-u name=email type=email placeholder=Email></div>
     <div class=w><svg viewBox="0 0 24 24"><rect width=20 height=20 /></svg><input id=ic-p name=password type=password placeholder=Password><button type=button aria-label="Show password">o</button></div><button>Sign in</button></form>`,
  ),
  signIn(
    'bank: legitimation id and a five-digit PIN',
    { username: '#lg-id', password: '#lg-pin' },
    `<form method=post><h1>Anmelden</h1><label for=lg-id>Anmeldename oder Legitimations-ID</label><input id=lg-id name=kontonummer type=text autocomplete=off><label for=lg-pin>PIN</label><input id=lg-pin name=pin type=password maxlength=5 autocomplete=off><button>Anmelden</button></form>`,
    { lang: 'de' },
  ),
  signIn(
    'mobile number with a country code before it',
    { username: '#mob', password: '#mpw' },
    `<form method=post><h2>Log in</h2><label for=cc>Country code</label><input id=cc name=country_code type=tel value=+49 size=4><label for=mob>Mobile number</label><input id=mob name=mobile type=tel><label for=mpw>Password</label><input id=mpw name=password type=password><button>Log in</button></form>`,
  ),
  signIn(
    'domain after the user name',
    { username: '#wm-u', password: '#wm-p' },
    `<form method=post action=/webmail><input id=wm-u name=mailbox type=text placeholder="Mailbox"> @ <input id=wm-d name=maildomain type=text value=example.org placeholder=Domain><input id=wm-p name=password type=password placeholder=Password><button>Log in</button></form>`,
  ),
  signIn(
    'security question after the password',
    { username: '#sq-u', password: '#sq-p' },
    `<form method=post><h1>Sign in</h1><label for=sq-u>User ID</label><input id=sq-u name=userid type=text><label for=sq-p>Password</label><input id=sq-p name=password type=password><label for=sq-a>Name of your first pet</label><input id=sq-a name=answer type=password><button>Sign in</button></form>`,
  ),
  signIn(
    'form of single-page software without any names, labels as text beside it',
    { username: '#root input:nth-of-type(1)', password: '#root input:nth-of-type(2)' },
    `<div id=root><span>Benutzername</span><input class=css-1x type=text><span>Passwort</span><input class=css-1x type=password><div class=btn tabindex=0>Anmelden</div></div>`,
    { lang: 'de' },
  ),
  signIn(
    'contenteditable user name: only the password can be filled',
    { password: '#ce-p' },
    `<form method=post><div contenteditable role=textbox aria-label="User name" style="border:1px solid;width:200px">&nbsp;</div><input id=ce-p name=password type=password placeholder=Password><button>Log in</button></form>`,
  ),
  inSteps(
    'code sent by text message, in a field of type text without length',
    [{ asked: 'code', expect: { code: ['#sms'] } }],
    `<form method=post><h1>Check your phone</h1><p>We sent a verification code to +49 … 12.</p><label for=sms>Verification code</label><input id=sms name=pin_code type=text><button>Continue</button></form>`,
  ),
];
