import { accountsMain } from '@/lib/server/wiring/accounts/accounts-command.server'

/* npm run accounts -- …: what `accounts.cjs` of a release does. Without anything behind it, it says what there is. */

process.exitCode = await accountsMain(process.argv.slice(2), process.env, 'npm run accounts --')
