import { accountsMain } from '@/lib/server/wiring/accounts/accounts-command.server'

/* npm run accounts -- …: the same as a release's `accounts.cjs`. Without arguments, it lists its commands. */

process.exitCode = await accountsMain(process.argv.slice(2), process.env, 'npm run accounts --')
