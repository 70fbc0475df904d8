// Generates files from the sources. None of them is committed.
// lib/shared/tools/found-tools.ts: the built-in tools.
// lib/i18n/generated: the compiled messages of lib/i18n/<language>/*.json and lib/shared/tools/*/words.json:
//   message-values.ts            every key with the types of its values
//   <language>.first.ts          the messages that the chat needs first
//   <language>.later.ts          all others that the chat may need: one chunk, loaded right after
//   <language>.pages.ts          those that only the pages beside the chat name
//   <language>.server.ts         the messages that only the server uses
//   en.<file>.ts                 one file, for a worker
//   lazy.ts                      how a page loads them
//   everything.ts                all of them, for a server
// `node scripts/build-messages.mjs` writes them; each command's setup runs it.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMessages, serverOnly } from './messages/catalog.mjs'
import { areaOf, isQuoted } from './messages/unquoted.mjs'
import { toolFolders, toolsModule } from './messages/tool-folders.mjs'
import { keysIn, modulesOfPages, modulesOnlyOf, readSources } from './messages/used-keys.mjs'
import { valuesType } from './messages/value-types.mjs'

/** The pages that must start quickly: the chat, and the error page. */
const firstPages = [
  'app/layout.tsx',
  'app/(chat)/layout.tsx',
  'app/(chat)/page.tsx',
  'app/(chat)/c/[id]/page.tsx',
  'app/error.tsx',
  'app/global-error.tsx',
  'app/not-found.tsx',
]

/** Folders of the app whose pages are not the chat. */
const besideChat = /^app\/(?!\(chat\)\/|api\/)[^/]+\//

/** Files whose English texts a worker uses: it loads only those. */
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

/** @param {readonly string[]} languages */
function lazyModule(languages) {
  const part = (language, name) => `${name}: () => loadAlone(() => import('./${language}.${name}')),`
  const line = (language) =>
    `  '${language}': { ${language === 'en' ? '' : part(language, 'first')} ${part(language, 'later')} ${part(language, 'pages')} },\n`
  return `${head}import { loadAlone } from '../load-part'\n\nexport const lazyMessages = {\n${languages.map(line).join('')}}\n`
}

/** @param {readonly string[]} languages */
function everythingModule(languages) {
  const parts = languages.flatMap((language, at) =>
    ['first', 'later', 'pages', 'server'].map((part) => ({ language, part, name: `${part}${at}` })),
  )
  const imports = parts.map(
    ({ language, part, name }) => `import { messages as ${name} } from './${language}.${part}'\n`,
  )
  const lines = parts.map(({ language, name }) => `  ['${language}', ${name}],\n`)
  return `${head}${imports.join('')}\nexport const everything = [\n${lines.join('')}] as const\n`
}

/**
 * Which part of the messages a key belongs to.
 * @param {string} root @param {ReadonlyMap<string, { key: string }>} english
 * @returns {Promise<(key: string) => 'first' | 'later' | 'pages'>}
 */
async function partOfKeys(root, english) {
  const sources = await readSources(root)
  const keys = new Set(english.keys())
  const byArea = new Map()
  for (const key of keys) byArea.set(areaOf(key), [...(byArea.get(areaOf(key)) ?? []), key])
  const named = (files) => {
    const found = new Set()
    for (const file of files)
      for (const key of keysIn(sources.get(file), keys, (area) => byArea.get(area) ?? [])) found.add(key)
    return found
  }
  const files = [...sources.keys()]
  const first = named(modulesOfPages(root, sources, firstPages))
  const pages = files.filter((file) => besideChat.test(path.relative(root, file)))
  const beside = modulesOnlyOf(root, sources, pages)
  const others = named(files.filter((file) => !beside.has(file)))
  const ofPages = named(beside)
  return (key) => (first.has(key) ? 'first' : ofPages.has(key) && !others.has(key) ? 'pages' : 'later')
}

/** The generated files by name. @param {string} root the project's @returns {Promise<Record<string, string>>} */
export async function messageFiles(root) {
  const byLanguage = await readMessages(root)
  const partOf = await partOfKeys(root, byLanguage.en)
  const files = { 'message-values.ts': valuesModule([...byLanguage.en.values()]) }
  for (const [language, messages] of Object.entries(byLanguage)) {
    const parts = { first: [], later: [], pages: [], server: [] }
    for (const message of messages.values())
      parts[serverOnly.has(message.file) ? 'server' : partOf(message.key)].push(message)
    for (const [part, own] of Object.entries(parts)) files[`${language}.${part}.ts`] = moduleOf(own)
  }
  files['lazy.ts'] = lazyModule(Object.keys(byLanguage))
  files['everything.ts'] = everythingModule(Object.keys(byLanguage))
  for (const name of inWorkers)
    files[`en.${name}.ts`] = moduleOf([...byLanguage.en.values()].filter(({ file }) => file === name))
  return files
}

/** An unchanged file is not written, so that watchers are not triggered. */
async function writeIfNew(file, text) {
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before !== text) await writeFile(file, text)
}

async function writeAll(folder, files) {
  await mkdir(folder, { recursive: true })
  await Promise.all(Object.entries(files).map(([name, text]) => writeIfNew(path.join(folder, name), text)))
}

export async function buildMessages(root = path.resolve(import.meta.dirname, '..')) {
  // Runs first, because it decides which messages the first page needs.
  await writeAll(path.join(root, 'lib/shared/tools'), {
    'found-tools.ts': `${head}${toolsModule(await toolFolders(root))}`,
  })
  await writeAll(path.join(root, 'lib/i18n/generated'), await messageFiles(root))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildMessages()
