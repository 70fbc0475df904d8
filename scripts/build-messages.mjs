// Compiles the messages (lib/i18n/<language>/*.json) into lib/i18n/generated, which is not committed:
//   message-values.ts            every key with the types of its values
//   <language>.first.ts          what the chat says before anything else has loaded
//   <language>.later.ts          all other messages that a page may say: one chunk, loaded right after
//   <language>.server.ts         what the server alone says
//   en.<file>.ts                 one file, for a worker
// `node scripts/build-messages.mjs` writes them; each set-up of a command runs it.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMessages, serverOnly } from './messages/catalog.mjs'
import { areaOf, isQuoted } from './messages/unquoted.mjs'
import { keysIn, modulesOfPages, readSources } from './messages/used-keys.mjs'
import { valuesType } from './messages/value-types.mjs'

/** The pages that must come up at once: the chat, and what stands in for a page that failed. */
const firstPages = [
  'app/layout.tsx',
  'app/(chat)/layout.tsx',
  'app/(chat)/page.tsx',
  'app/(chat)/c/[id]/page.tsx',
  'app/error.tsx',
  'app/global-error.tsx',
  'app/not-found.tsx',
]

/** Files whose English a worker says by itself: it loads them alone. */
const inWorkers = ['sharing']

const head = '// Written by scripts/build-messages.mjs.\n'

/** Parsing JSON is faster than evaluating an object of this size. */
function moduleOf(messages) {
  const compiled = Object.fromEntries(messages.map(({ key, tokens }) => [key, tokens]))
  const json = JSON.stringify(compiled).replace(/[\\'\u2028\u2029]/g, (sign) =>
    sign === '\\' || sign === "'" ? `\\${sign}` : `\\u${sign.charCodeAt(0).toString(16)}`,
  )
  return `${head}import type { Messages } from '../messages'\n\nexport const messages = JSON.parse('${json}') as Messages\n`
}

function valuesModule(messages) {
  const lines = messages.map((message) => `  '${message.key}': ${valuesType(message, isQuoted(message.key))}`)
  return `${head}import type { Foreign } from '@/lib/base/untrusted-text/foreign'\n\nexport interface MessageValues {\n${lines.join('\n')}\n}\n`
}

/** @param {string} root @param {Map<string, { key: string }>} english */
async function keysAtFirst(root, english) {
  const sources = await readSources(root)
  const keys = new Set(english.keys())
  const byArea = new Map()
  for (const key of keys) byArea.set(areaOf(key), [...(byArea.get(areaOf(key)) ?? []), key])
  const first = new Set()
  for (const file of modulesOfPages(root, sources, firstPages))
    for (const key of keysIn(sources.get(file), keys, (area) => byArea.get(area) ?? [])) first.add(key)
  return first
}

/** The generated files by name. @param {string} root the project's @returns {Promise<Record<string, string>>} */
export async function messageFiles(root) {
  const byLanguage = await readMessages(root)
  const first = await keysAtFirst(root, byLanguage.en)
  const files = { 'message-values.ts': valuesModule([...byLanguage.en.values()]) }
  for (const [language, messages] of Object.entries(byLanguage)) {
    const parts = { first: [], later: [], server: [] }
    for (const message of messages.values())
      parts[serverOnly.has(message.file) ? 'server' : first.has(message.key) ? 'first' : 'later'].push(message)
    for (const [part, own] of Object.entries(parts)) files[`${language}.${part}.ts`] = moduleOf(own)
  }
  for (const name of inWorkers)
    files[`en.${name}.ts`] = moduleOf([...byLanguage.en.values()].filter(({ file }) => file === name))
  return files
}

/** A file that stays as it was is not written, so that no watcher wakes. */
async function writeIfNew(file, text) {
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before !== text) await writeFile(file, text)
}

export async function buildMessages(root = path.resolve(import.meta.dirname, '..')) {
  const folder = path.join(root, 'lib/i18n/generated')
  await mkdir(folder, { recursive: true })
  const files = await messageFiles(root)
  await Promise.all(Object.entries(files).map(([name, text]) => writeIfNew(path.join(folder, name), text)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildMessages()
