import { pythonAddMain } from './python-add.server'

/*
 * The command of a release: `node python-add.cjs NAME…`, with the settings of the server. In the repository it is `npm
 * run generate -- python-add NAME…`.
 */

async function main(): Promise<void> {
  const [, file = '', ...words] = process.argv
  process.exitCode = await pythonAddMain(words, process.env, `node ${file.split('/').at(-1) ?? file}`)
}

void main()
