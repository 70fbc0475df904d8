// npm run generate -- NAME [options]: generates a committed file from the sources, or data for a server's folder;
// without a name, lists them.
import { ensureInstalled } from './setup/install.mjs'
import { run } from './setup/run.mjs'

const generators = {
  'http-api': ['http-api.ts', 'all routes (docs/generated/http-api.md), or as OpenAPI: [--write]'],
  icons: ['icons.mjs', 'icons of the installed app (public/icons) from app/icon.svg'],
  pictures: ['pictures.mjs', 'a picture of every screen and state: DIR [FILES], or --compare A B'],
  'prompt-costs': ['prompt-costs.ts', 'tokens of each format in the system prompt: [--json | --write]'],
  'python-add': [
    'python-add.ts',
    'packages for Python in the sandbox, into the data folder: NAME… [--from FOLDER|URL]',
  ],
  'sandbox-libraries': ['sandbox-libraries.mjs', 'what sandboxed code can import: [--check]'],
  screenshots: ['screenshots.mjs', 'the pictures of README.md and docs/generated/screens.md'],
  settings: ['settings.ts', 'the table of the server’s settings: [--write]'],
}

const [name = '', ...args] = process.argv.slice(2)
if (Object.hasOwn(generators, name)) {
  await ensureInstalled()
  process.exitCode = await run('tsx', [`scripts/generate/${generators[name][0]}`, ...args])
} else {
  const lines = Object.entries(generators).map(([one, [, purpose]]) => `  ${one.padEnd(18)} ${purpose}`)
  console.error([name ? `There is no generator "${name}".` : 'npm run generate -- NAME [options]', ...lines].join('\n'))
  process.exitCode = 2
}
