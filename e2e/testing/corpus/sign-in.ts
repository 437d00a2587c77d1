/** Sign-in forms in plain HTML, as shops, forums, routers, banks and office software have them. */
import { signIn } from './page.ts';

export const SIGN_IN_PAGES = [
  signIn(
    'textbook form with autocomplete',
    { username: '#email', password: '#pw' },
    `<h1>Sign in</h1><form method=post action=/session><label for=email>Email</label><input id=email type=email name=email autocomplete=username>
     <label for=pw>Password</label><input id=pw type=password name=password autocomplete=current-password><button>Sign in</button></form>`,
  ),
  signIn(
    'code host with a commit hash and honeypots',
    { username: '#login_field', password: '#password' },
    `<header><form action=/search><input name=q type=text placeholder="Search or jump to" aria-label=Search></form></header>
     <form action=/session method=post><input type=hidden name=authenticity_token value=abc>
     <label for=login_field>Username or email address</label><input type=text name=login id=login_field autocapitalize=off autocomplete=username autofocus>
     <label for=password>Password</label><a href=/reset>Forgot password?</a><input type=password name=password id=password autocomplete=current-password>
     <input type=hidden name=webauthn-support value=supported><input type=text name=required_field_63c1 hidden><input type=hidden name=timestamp value=17>
     <input type=submit name=commit value="Sign in"></form>`,
  ),
  signIn(
    'table layout without labels or autocomplete',
    { username: '[name=uid]', password: '[name=pwd]' },
    `<form action=login.cgi method=post><table><tr><td>User ID</td><td><input name=uid size=20></td></tr><tr><td>PIN</td><td><input type=password name=pwd size=20></td></tr>
     <tr><td colspan=2><input type=submit value=OK> <input type=reset></td></tr></table></form>`,
  ),
  signIn(
    'router that asks for a password alone',
    { password: '#uiPass' },
    `<h2>Home router</h2><form><label for=uiPass>Password</label><input id=uiPass type=password autocomplete=off><button type=submit>Log in</button></form>`,
  ),
  signIn(
    'content management system',
    { username: '#user_login', password: '#user_pass' },
    `<form name=loginform id=loginform action=/wp-login.php method=post><p><label for=user_login>Username or Email Address</label>
     <input type=text name=log id=user_login autocomplete=username></p><div><label for=user_pass>Password</label><input type=password name=pwd id=user_pass autocomplete=current-password spellcheck=false>
     <button type=button aria-label="Show password">o</button></div><p><input name=rememberme type=checkbox id=rememberme value=forever><label for=rememberme>Remember Me</label></p>
     <input type=submit name=wp-submit value="Log In"></form>`,
  ),
  signIn(
    'forum with the sign-in in its header and a search box before it',
    { username: '#navbar_username', password: '#navbar_password' },
    `<form action=/search.php><input type=text name=query placeholder="Search forum"><button>Go</button></form>
     <form action=/login.php method=post style="float:right"><input type=text name=vb_login_username id=navbar_username placeholder="User name">
     <input type=password name=vb_login_password id=navbar_password placeholder=Password><button>Log in</button></form><p>Threads</p>`,
  ),
  signIn(
    'user name of type tel',
    { username: '#msisdn', password: '#pin' },
    `<form method=post><label for=msisdn>Mobile number</label><input id=msisdn type=tel name=msisdn inputmode=tel><label for=pin>Password</label><input id=pin type=password name=secret><button>Continue</button></form>`,
  ),
  signIn(
    'customer number and a select before the password',
    { username: '#kdnr', password: '#pass' },
    `<form method=post><label for=kdnr>Kundennummer</label><input id=kdnr name=customer type=text><label for=country>Land</label><select id=country name=country><option>DE<option>AT</select>
     <label for=pass>Kennwort</label><input id=pass type=password name=kennwort><button>Anmelden</button></form>`,
    { lang: 'de' },
  ),
  signIn(
    'tenant, user name and password',
    { username: '#user', password: '#password' },
    `<form method=post><label for=tenant>Company</label><input id=tenant name=tenant type=text autocomplete=organization><label for=user>User name</label><input id=user name=user type=text>
     <label for=password>Password</label><input id=password name=password type=password><button>Log on</button></form>`,
  ),
  signIn(
    'cloud console with account alias',
    { username: '#username', password: '#password' },
    `<form method=post><label for=account>Account ID (12 digits) or account alias</label><input id=account name=account type=text>
     <label for=username>IAM user name</label><input id=username name=username type=text autocomplete=username><label for=password>Password</label><input id=password name=password type=password autocomplete=current-password><button>Sign in</button></form>`,
  ),
  signIn(
    'French labels and unhelpful names',
    { username: '#f1', password: '#f2' },
    `<form method=post><label for=f1>Identifiant</label><input id=f1 name=f1 type=text><label for=f2>Mot de passe</label><input id=f2 name=f2 type=password><button>Se connecter</button></form>`,
    { lang: 'fr' },
  ),
  signIn(
    'Spanish labels and a checkbox between',
    { username: '#campo_a', password: '#campo_b' },
    `<form method=post><label>Usuario <input id=campo_a name=a type=text></label><label><input type=checkbox name=recordar> Recordar usuario</label>
     <label>Contraseña <input id=campo_b name=b type=password></label><button>Iniciar sesión</button></form>`,
    { lang: 'es' },
  ),
  signIn(
    'Japanese labels',
    { username: '#a', password: '#b' },
    `<form method=post><p>メールアドレス</p><input id=a name=a type=email><p>パスワード</p><input id=b name=b type=password><button>ログイン</button></form>`,
    { lang: 'ja' },
  ),
  signIn(
    'Arabic, right to left',
    { username: '#u1', password: '#u2' },
    `<div dir=rtl><form method=post><label for=u1>اسم المستخدم</label><input id=u1 type=text name=u1><label for=u2>كلمة المرور</label><input id=u2 type=password name=u2><button>تسجيل الدخول</button></form></div>`,
    { lang: 'ar' },
  ),
  signIn(
    'paste and the context menu are disabled',
    { username: '#userid', password: '#passwd' },
    `<form method=post autocomplete=off oncontextmenu="return false"><label for=userid>User ID</label><input id=userid type=text name=userid onpaste="return false" autocomplete=off>
     <label for=passwd>Password</label><input id=passwd type=password name=passwd onpaste="return false" ondrop="return false" oncopy="return false" autocomplete=off><button>Log on</button></form>`,
  ),
  signIn(
    'hidden decoys before the fields, against the filling of browsers',
    { username: '#real_user', password: '#real_pass' },
    `<form method=post><input type=text name=username style="display:none"><input type=password name=password style="display:none">
     <label for=real_user>E-mail</label><input id=real_user name=x_81 type=text><label for=real_pass>Password</label><input id=real_pass name=x_82 type=password><button>Log in</button></form>`,
  ),
  signIn(
    'decoys off-screen and of no size',
    { username: '#u', password: '#p' },
    `<form method=post><div style="position:absolute;left:-9999px"><input type=text name=email tabindex=-1><input type=password name=password tabindex=-1></div>
     <input type=password name=fake style="height:0;width:0;border:0;padding:0"><label for=u>User</label><input id=u name=u type=text><label for=p>Password</label><input id=p name=p type=password><button>Enter</button></form>`,
  ),
  signIn(
    'transparent honeypot between the fields',
    { username: '#login', password: '#secret' },
    `<form method=post style="position:relative"><input id=login name=login type=text placeholder="User name"><input name=website type=text style="opacity:0;position:absolute" tabindex=-1 autocomplete=off>
     <input id=secret name=secret type=password placeholder=Password><button>Sign in</button></form>`,
  ),
  signIn(
    'fields outside of any form',
    { username: '#loginName', password: '#loginPass' },
    `<div class=box><div>User name</div><input id=loginName type=text><div>Password</div><input id=loginPass type=password><a href="#" onclick="return false" role=button>Log in</a></div>`,
  ),
  signIn(
    'fields tied to the form by its id alone',
    { username: '#who', password: '#what' },
    `<form id=loginform method=post></form><div><input form=loginform id=who type=text name=who placeholder=Login></div><p>or</p><div><input form=loginform id=what type=password name=what placeholder=Password></div><button form=loginform>Go</button>`,
  ),
  signIn(
    'user name already there and read-only',
    { password: '#pw' },
    `<form method=post><label for=un>Signed in as</label><input id=un type=email name=email value=nina@example.org readonly autocomplete=username><label for=pw>Confirm your password</label>
     <input id=pw type=password name=password autocomplete=current-password><button>Confirm</button></form>`,
  ),
  signIn(
    'old user name in the field is replaced',
    { username: '#un', password: '#pw' },
    `<form method=post><input id=un type=text name=username value=somebody><input id=pw type=password name=password><button>Sign in</button></form>`,
  ),
  signIn(
    'floating labels that cover the inputs',
    { username: '#email', password: '#password' },
    `<style>.f{position:relative;margin:12px 0;width:260px}.f input{width:100%;padding:14px 8px}.f label{position:absolute;left:8px;top:14px;pointer-events:none;width:180px;color:#666}</style>
     <form method=post><div class=f><input id=email name=email type=text><label for=email>Email or phone number of your account</label></div>
     <div class=f><input id=password name=password type=password><label for=password>Password of your account here</label></div><button>Log in</button></form>`,
  ),
  signIn(
    'form in an open modal dialog above an inert page',
    { username: '#m-user', password: '#m-pass' },
    `<main><h1>Shop</h1><form action=/newsletter><input type=email name=newsletter placeholder="Your e-mail"><button>Subscribe</button></form></main>
     <dialog id=d><form method=post><h2>Sign in</h2><input id=m-user type=email name=email placeholder=E-mail><input id=m-pass type=password name=password placeholder=Password><button>Sign in</button></form></dialog>
     <script>document.getElementById('d').showModal()</script>`,
  ),
  signIn(
    'form below the fold of a long page',
    { username: '#bl-user', password: '#bl-pass' },
    `<div style="height:2400px">News</div><form method=post><input id=bl-user type=text name=username placeholder="User name"><input id=bl-pass type=password name=password placeholder=Password><button>Log in</button></form><div style="height:900px"></div>`,
  ),
  signIn(
    'webmail with a language choice and a field of the server',
    { username: '#rcmloginuser', password: '#rcmloginpwd' },
    `<form method=post><input type=hidden name=_token value=x><table><tr><td><label for=rcmloginuser>Username</label><td><input name=_user id=rcmloginuser type=text autocomplete=off required>
     <tr><td><label for=rcmloginpwd>Password</label><td><input name=_pass id=rcmloginpwd type=password autocomplete=off required><tr><td><label for=rcmloginhost>Server</label><td><input name=_host id=rcmloginhost type=text value=mail.example.org></table><button>Login</button></form>`,
  ),
  signIn(
    'bank with account number of type number',
    { username: '#acct', password: '#webpin' },
    `<form method=post autocomplete=off><label for=acct>Account number</label><input id=acct type=number name=acct><label for=webpin>Web PIN</label><input id=webpin type=password name=webpin inputmode=numeric maxlength=20><button>Log in</button></form>`,
    { login: '40021187' },
  ),
  signIn(
    'password shown as text by the eye button',
    { username: '#n-user', password: '#n-pass' },
    `<form method=post><label for=n-user>User name</label><input id=n-user type=text name=username autocomplete=username><label for=n-pass>Password</label><input id=n-pass type=text name=password autocomplete=current-password><button type=button>Hide</button><button>Log in</button></form>`,
  ),
];
