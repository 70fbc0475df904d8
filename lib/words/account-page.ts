import { sentencesOf } from '@/lib/base/catalogue'

/** Getting in, and the page of one's own account. */
export const accountSentence = sentencesOf({
  'account.sign-in': 'Sign in',
  'account.sign-in-why': 'The chats of this browser come along, and are then on every device you sign in on.',
  'account.email': 'E-mail',
  'account.password': 'Password',
  'account.password-least': 'At least 10 characters.',
  'account.with': 'Continue with {provider}',
  'account.with-too': 'Sign in with {provider} too',
  'account.proxy-alone': 'The proxy in front of this server says who you are. Open this server by its public address.',
  'account.forgotten': 'A forgotten password: ask whoever runs this server for a link to set a new one.',
  'account.invite-only': 'New accounts need an invitation.',
  'account.without': 'Go on without an account',
  'account.arrived': 'You are signed in.',
  'account.go-on': 'Go on',

  'account.sign-up': 'Make an account',
  'account.sign-up-why': 'It takes the chats of this browser over; its files stay in this browser.',
  'account.sign-up-do': 'Make the account',
  'account.sign-up-stopped': 'No new account',
  'account.invited': 'The invitation is for this address.',
  'account.name': 'Name',
  'account.name-hint': 'May stay empty.',
  'account.have-one': 'I have an account',

  'account.reset': 'A new password',
  'account.reset-why': 'It ends every session of the account; sign in with it then.',
  'account.reset-do': 'Set the password',

  'account.waits': 'Waiting for the server’s answer …',
  'account.back': 'Back to the chats',
  'account.about':
    '{email, select, null {Known by the proxy in front of this server} other {{email}}}{admin, select, true { · administrator} other {}}',
  'account.administration': 'Administration',
  'account.proxy': 'Signed in by a proxy',
  'account.proxy-why': 'The proxy in front of this server says who you are. To sign out, sign out there.',
  'account.provider': 'You can sign in with {provider}.',
  'account.sessions': 'Where you are signed in',
  'account.this-browser': 'this browser',
  'account.session':
    'Last seen {seen, moment}{address, select, null {} other {, from {address}}}. Signed in {since, moment}.',
  'account.sign-out': 'Sign out',
  'account.sign-out-of': 'Sign out {device}',
  'account.sign-out-others': 'Sign out all others',
  'account.sign-out-why':
    'The next person at this browser sees nothing of your chats. Files, unsent words, and this browser’s models with their keys stay stored in it, and are there when you sign in again.',
  'account.sign-out-here': 'Sign out here',
  'account.sign-out-everywhere': 'Sign out everywhere',
  'account.password-now': 'Password now',
  'account.password-new': 'New password',
  'account.password-new-hint': 'At least 10 characters. All other sessions end.',
  'account.password-changed': 'The password is changed, and all other sessions have ended.',
  'account.password-change': 'Change the password',
  'account.delete': 'Delete the account',
  'account.delete-why':
    'All its chats on this server are deleted at once, on every device, and can’t be brought back. Export what you want to keep first. This browser forgets your unsent words, its models with their keys, and your labs; files of chats stay in the browsers that made them until their site data is cleared.',
  'account.delete-type': 'Type {email}',
  'account.delete-do': 'Delete the account and its chats',
  'account.forgets': 'The account is deleted. Taking away what this browser kept of it …',
  'account.held':
    'The account and its chats are deleted. Another tab of Nod holds some of what this browser kept of it: close the other tabs. What is left goes by itself when Nod is opened here next.',
})
