import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { formatted } from '../setup/formatted.mjs'
import { apiPageOf, httpRoutes, openApiOf } from './http-api/document'

/*
 * The reference of the HTTP API, from the routes and their schemas:
 *
 *   npm run -s generate -- http-api        prints the OpenAPI document
 *   npm run generate -- http-api --write   writes docs/generated/http-api.md
 *
 * Anything else: one line on stderr, exit 2.
 */

const root = path.resolve(import.meta.dirname, '../..')
const [option, ...more] = process.argv.slice(2)

if (more.length > 0 || (option !== undefined && option !== '--write')) {
  process.stderr.write('http-api: usage: http-api [--write]\n')
  process.exitCode = 2
} else {
  const routes = await httpRoutes()
  if (option === '--write') {
    const file = path.join(root, 'docs/generated/http-api.md')
    await writeFile(file, await formatted(file, apiPageOf(routes)))
  } else {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
    process.stdout.write(`${JSON.stringify(openApiOf(routes, version), null, 2)}\n`)
  }
}
