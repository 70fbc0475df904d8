import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What the command for accounts says to whoever runs the server. */
export const accountCommandWords = {
  'account-command.usage': `{called} list [WORD]                 accounts whose name or address holds the word
{called} invite [ADDRESS] [--admin]  make a link to sign up with, for seven days
{called} reset ADDRESS               make a link to set a new password, for a day
{called} role ADDRESS admin|user     make somebody an administrator, or a user
{called} off ADDRESS                 disable an account and sign it out everywhere
{called} on ADDRESS                  enable it again
{called} out ADDRESS                 end all its sessions
Give it the variables of the server.`,
  'account-command.unknown': 'There is no such command. Use one of these:',
  'account-command.no-auth': 'NOD_AUTH is not set, so this server has no accounts. Set it as for the server.',
  'account-command.none': 'There is no account under {address}.',
  'account-command.no-accounts': 'No accounts.',
  'account-command.role': '{role, select, admin {{address} is an administrator now.} other {{address} is a user now.}}',
  'account-command.off': '{address} is disabled now.',
  'account-command.on': '{address} is enabled now.',
  'account-command.out':
    '{sessions, plural, =0 {{address} had no session.} one {One session of {address} ended.} other {# sessions of {address} ended.}}',
} as const satisfies Catalogue

export const accountCommandError = errorsOf(accountCommandWords)
