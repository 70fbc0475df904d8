import { accountsMain } from './accounts-command.server'

/*
 * The command of a release: `node accounts.cjs invite [ADDRESS] [--admin]` and more, with the settings of the server.
 * `npm run accounts` is the same.
 */

async function main(): Promise<void> {
  const [, file = '', ...words] = process.argv
  process.exitCode = await accountsMain(words, process.env, `node ${file.split('/').at(-1) ?? file}`)
}

void main()
