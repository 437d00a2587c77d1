/** Pages with nothing to fill, with several forms, and with fields that only look as if they were for a sign-in. */
import { inSteps, signIn } from './page.ts';

export const OTHER_PAGES = [
  signIn(
    'search box and newsletter alone',
    {},
    `<form action=/search role=search><input type=search name=q placeholder="Search products"><button>Search</button></form><article>News</article><form action=/newsletter><label for=nl>Our newsletter</label><input id=nl type=email name=email placeholder="Your email address"><button>Subscribe</button></form>`,
  ),
  signIn(
    'newsletter in the footer beside a sign-in',
    { username: '#lg', password: '#pw' },
    `<form action=/login method=post><input id=lg name=login type=text placeholder=Login><input id=pw name=pw type=password placeholder=Password><button>Log in</button></form><footer><form action=/subscribe><input type=email name=newsletter_email autocomplete=email placeholder="Subscribe to our newsletter"><button>Subscribe</button></form></footer>`,
  ),
  signIn(
    'payment card',
    {},
    `<form method=post><h1>Payment</h1><label for=ccn>Card number</label><input id=ccn name=cardnumber autocomplete=cc-number inputmode=numeric><label for=ccname>Name on card</label><input id=ccname name=ccname autocomplete=cc-name>
     <label for=exp>Expiry</label><input id=exp name=exp autocomplete=cc-exp placeholder="MM / YY"><label for=cvc>CVC</label><input id=cvc name=cvc type=password autocomplete=cc-csc maxlength=4><button>Pay</button></form>`,
  ),
  signIn(
    'payment card without autocomplete, security code masked',
    {},
    `<form method=post><h1>Zahlung</h1><label for=k1>Kartennummer</label><input id=k1 name=k1 type=text maxlength=19><label for=k2>Prüfnummer (CVV)</label><input id=k2 name=cvv type=password maxlength=3><button>Bezahlen</button></form>`,
    { lang: 'de' },
  ),
  inSteps(
    'security code of a card is no one-time code',
    [{ asked: 'code', expect: {} }],
    `<form method=post><label for=n>Card number</label><input id=n name=card_number><label for=s>Security code</label><input id=s name=security_code autocomplete=cc-csc maxlength=4><button>Pay now</button></form>`,
  ),
  inSteps(
    'voucher and postal codes are no one-time codes',
    [{ asked: 'code', expect: {} }],
    `<form method=post><label for=v>Discount code</label><input id=v name=coupon_code maxlength=8><label for=z>Postal code</label><input id=z name=zip autocomplete=postal-code maxlength=5><label for=cc>Country code</label><input id=cc name=country_code type=tel maxlength=4><button>Apply</button></form>`,
  ),
  signIn(
    'comment form of a blog',
    {},
    `<form action=/comment method=post><label for=author>Name</label><input id=author name=author type=text><label for=email>Email</label><input id=email name=email type=email><label for=url>Website</label><input id=url name=url type=url><textarea name=comment></textarea><button>Post comment</button></form>`,
  ),
  signIn(
    'contact form with a phone number',
    {},
    `<form action=/contact method=post><h2>Contact us</h2><input name=name placeholder="Your name" autocomplete=name><input name=email type=email placeholder="Your e-mail" autocomplete=email><input type=tel name=phone placeholder=Phone><textarea name=message placeholder=Message></textarea><button>Send</button></form>`,
  ),
  signIn(
    'two equal sign-ins: the person is asked',
    'ask',
    `<form action=/private method=post><h2>Private customers</h2><input id=pu name=user type=text placeholder="User name"><input id=pp name=password type=password placeholder=Password><button>Log in</button></form>
     <form action=/business method=post><h2>Business customers</h2><input id=bu name=user type=text placeholder="User name"><input id=bp name=password type=password placeholder=Password><button>Log in</button></form>`,
  ),
  inSteps(
    'two equal sign-ins: the one with the focus',
    [{ asked: 'sign-in', focus: '#bu', expect: { username: '#bu', password: '#bp' } }],
    `<form action=/private method=post><h2>Private customers</h2><input id=pu name=user type=text placeholder="User name"><input id=pp name=password type=password placeholder=Password><button>Log in</button></form>
     <form action=/business method=post><h2>Business customers</h2><input id=bu name=user type=text placeholder="User name"><input id=bp name=password type=password placeholder=Password><button>Log in</button></form>`,
  ),
  inSteps(
    'focus in the search box does not move the filling there',
    [{ asked: 'sign-in', focus: '#q', expect: { username: '#su', password: '#sp' } }],
    `<form action=/search><input id=q name=q type=text aria-label=Search></form><form method=post><input id=su name=email type=email placeholder=Email><input id=sp name=password type=password placeholder=Password><button>Sign in</button></form>`,
  ),
  signIn(
    'password of a document, with a search box in the page',
    { password: '#doc' },
    `<form><input type=search name=q placeholder="Search in files"></form><form method=post><p>This share is password-protected</p><input id=doc type=password name=password placeholder=Password><button>Open</button></form>`,
  ),
  signIn(
    'disabled fields are left alone',
    {},
    `<form method=post><input name=username type=text placeholder=Username disabled><input name=password type=password placeholder=Password disabled><button disabled>Sign in</button></form><p>Sign-in is closed for maintenance.</p>`,
  ),
  signIn(
    'fields in a disabled fieldset beside a second form',
    { username: '#ok-u', password: '#ok-p' },
    `<fieldset disabled><form><input name=username type=text placeholder=Username><input name=password type=password placeholder=Password></form></fieldset><form method=post><input id=ok-u name=username type=text placeholder=Username><input id=ok-p name=password type=password placeholder=Password><button>Sign in</button></form>`,
  ),
  signIn(
    'captcha after the password',
    { username: '#un', password: '#pa' },
    `<form method=post><label for=un>Login</label><input id=un name=login type=text><label for=pa>Password</label><input id=pa name=pass type=password><label for=cap>Type the characters of the picture</label><input id=cap name=captcha type=text maxlength=6><button>Sign in</button></form>`,
  ),
  signIn(
    'captcha between user name and password',
    { username: '#un2', password: '#pa2' },
    `<form method=post><label for=un2>Login</label><input id=un2 name=login type=text><label for=cap2>Captcha</label><input id=cap2 name=captcha type=text maxlength=6><label for=pa2>Password</label><input id=pa2 name=pass type=password><button>Sign in</button></form>`,
  ),
  signIn(
    'sign-in by e-mail link, beside providers',
    { username: '#ml' },
    `<h1>Welcome back</h1><button>Continue with Google</button><form method=post action=/auth/magic><label for=ml>Work email</label><input id=ml type=email name=email placeholder=name@work.example><button>Email me a sign-in link</button></form>`,
    { path: '/login' },
  ),
  signIn(
    'memorable word: chosen characters of a secret in boxes',
    { username: '#bank-id' },
    `<form method=post><label for=bank-id>Customer ID</label><input id=bank-id name=customer_id type=text autocomplete=username><p>Characters 2, 5 and 7 of your memorable word</p><input type=password maxlength=1 name=c2 size=1><input type=password maxlength=1 name=c5 size=1><input type=password maxlength=1 name=c7 size=1><button>Continue</button></form>`,
  ),
  signIn(
    'settings of a mail server with somebody else’s password',
    {},
    `<h1>Settings › Outgoing mail</h1><form method=post><label for=h>SMTP host</label><input id=h name=smtp_host type=text><label for=pt>Port</label><input id=pt name=smtp_port type=number><label for=su>SMTP user</label><input id=su name=smtp_user type=text autocomplete=off><label for=sp>SMTP password</label><input id=sp name=smtp_password type=password autocomplete=new-password><button>Save</button></form>`,
  ),
  signIn(
    'wi-fi key of a router’s settings, for a new password only',
    {},
    `<form method=post><label for=ssid>Name of the network (SSID)</label><input id=ssid name=ssid type=text><label for=psk>New network key</label><input id=psk name=psk type=password autocomplete=new-password><button>Apply</button></form>`,
  ),
];
