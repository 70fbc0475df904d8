import { errorsOf, refusalsOf, type Catalogue } from '@/lib/base/catalogue'

/** What is refused of accounts, and what keeps a server with accounts from starting. */
export const accountWords = {
  'accounts.sign-in-needed': 'This server asks who you are first. Sign in, then go on where you were.',
  'accounts.signed-out':
    'You were signed out in this browser. What you wrote is kept here; sign in again as the same account and it is sent.',
  'accounts.off': 'This server has no accounts.',
  'accounts.no-such-way': 'This server offers no such way to sign in. Reload the page to see those that it has.',
  'accounts.wrong-password': 'This e-mail address and password don’t belong together. Look for a typing mistake.',
  'accounts.disabled': 'This account was switched off. Ask whoever runs this server.',
  'accounts.no-account': 'There is no such account.',
  'accounts.not-made': 'Your account could not be made just now. Try again.',
  'accounts.no-session': 'This session has ended already.',
  'accounts.not-admin': 'Only an administrator of this server may do this.',
  'accounts.last-admin':
    'This is the last administrator, and would be one no more. Make another account an administrator first.',
  'accounts.email-taken':
    'No account was made under this address. If you have one, sign in with it; else use another address.',
  'accounts.email-wrong': 'This is no e-mail address.',
  'accounts.password-short':
    'This password is too short. Take at least {least} characters; a few words are easy to keep.',
  'accounts.password-long': 'This password is too long. Take at most {most} characters.',
  'accounts.password-wrong-now': 'This is not the password of your account. Nothing was changed.',
  'accounts.confirm-wrong': 'This is not the address of your account. Nothing was deleted.',
  'accounts.admin-by-setting':
    'NOD_ADMINS names this account’s address, so it stays an administrator. Take the address out there, and start the server again.',
  'accounts.invitation-gone': 'This invitation was used or taken back before.',
  'accounts.reset-wrong':
    'This link can’t be used: it was used before, or has ended. Ask whoever runs this server for a new one.',
  'accounts.no-password': 'This account has no password: it signs in another way. Nothing was changed.',
  'accounts.invitation-needed':
    'A new account under this address needs an invitation. Ask whoever runs this server for a link.',
  'accounts.address-must-be-proven':
    'This address needs an invitation that names it. Ask whoever runs this server for one.',
  'accounts.invitation-wrong':
    'This invitation can’t be used: it was used before, taken back, has ended, or is for another address. Ask for a new one.',
  'accounts.too-many-tries': 'Too many tries to sign in. Wait {seconds, seconds}, then try again.',
  'accounts.oidc-unreachable': '{label} does not answer, so nobody can sign in with it. Try again in a moment.',
  'accounts.oidc-failed': 'Signing in there did not work, and nothing was changed. Try again from this page.',
  'accounts.not-linked':
    'There is an account under this address already. Sign in to it as before; on its page {label} can be made another way in.',
  'accounts.forged-header':
    'This request names its user in a header, but did not come through the proxy that may do that. Open this server by its public address.',
  'accounts.header-account':
    'You are signed in by the proxy in front of this server, so there is nothing to sign out of here.',

  'accounts.start-unknown': 'NOD_AUTH names "{word}". It takes password, oidc, header and invite, by commas.',
  'accounts.start-how': 'NOD_AUTH says invite, but no way to sign up. Add password or oidc.',
  'accounts.start-header-invite':
    'NOD_AUTH says header and invite, but no other way: whoever the proxy names has an account. Take invite out, or add password or oidc.',
  'accounts.start-alone':
    '{name} is set, but NOD_AUTH is not: this server has no accounts. Set NOD_AUTH, or take it out.',
  'accounts.start-without': '{name} is set, but NOD_AUTH does not name {way}. Add it, or take {name} out.',
  'accounts.start-missing': 'NOD_AUTH names {way}, which needs {name}. Set it.',
  'accounts.start-address': '{name} must be an address that begins with https:// (http:// only for this machine).',
  'accounts.start-origin':
    '{name} must be this server’s own address alone, such as https://chat.example.com, without a path.',
  'accounts.start-proxies': 'NOD_AUTH_PROXIES names "{word}", which is no address and no range such as 10.0.0.0/8.',
  'accounts.start-header-name': '{name} is "{value}", which is no name of a header.',
  'accounts.start-admin': 'NOD_ADMINS names "{word}", which is no e-mail address.',
} as const satisfies Catalogue

export const accountError = errorsOf(accountWords)
export const accountRefusal = refusalsOf(accountWords)
