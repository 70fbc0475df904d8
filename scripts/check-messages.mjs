// npm run check: compares the message files with the code, and checks messages and docs for plain words. Types check
// the reverse: an unknown key does not compile.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readMessages } from './messages/catalog.mjs'
import { bannedTurnsIn, proseOf, textOfMessage } from './messages/plain-words.mjs'
import { areaOf } from './messages/unquoted.mjs'
import { keysIn, readSources, textsAtLoad } from './messages/used-keys.mjs'

const root = path.resolve(import.meta.dirname, '..')
const problems = []

// Differences between the languages end it here: `readMessages` throws.
const byLanguage = await readMessages(root).catch((error) => {
  console.error(error.message)
  process.exit(1)
})

const keys = new Set(byLanguage.en.keys())
const byArea = new Map()
for (const key of keys) byArea.set(areaOf(key), [...(byArea.get(areaOf(key)) ?? []), key])
const used = new Set()
for (const [file, text] of await readSources(root)) {
  for (const key of keysIn(text, keys, (area) => byArea.get(area) ?? [])) used.add(key)
  for (const line of textsAtLoad(text))
    problems.push(
      `${path.relative(root, file)}:${line}: a text that is made while a module loads stays in one language.`,
    )
}
for (const key of keys) if (!used.has(key)) problems.push(`${key} is used nowhere.`)

// "Import…", not "Import …". The end of an unfinished list is allowed.
for (const [language, messages] of Object.entries(byLanguage))
  for (const [key, { text }] of messages)
    if (/[^{] …(?=$|\})/.test(text)) problems.push(`${key} (${language}) ends with a space before “…”.`)

// One form for the same count: "36 个 token".
for (const [key, { text }] of byLanguage['zh-CN'])
  if (/[}\d#] ?tokens?\b/i.test(text)) problems.push(`${key} (zh-CN) counts tokens without “个”.`)

// Models read the messages of these areas verbatim: docs/internals/prompts.md.
const readByModels = new Set(['about', 'told', 'vfs'])
for (const [key, { text }] of byLanguage.en) {
  if (readByModels.has(areaOf(key))) continue
  for (const { turn, instead } of bannedTurnsIn(textOfMessage(text)))
    problems.push(`${key} says “${turn}”: ${instead}.`)
}
// Generated pages quote code and tests.
const pages = [
  ...readdirSync(root),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => path.join('docs', name)),
].filter((name) => name.endsWith('.md') && !name.startsWith(path.join('docs', 'generated')))
for (const page of pages)
  for (const { line, turn, instead } of bannedTurnsIn(proseOf(readFileSync(path.join(root, page), 'utf8'))))
    problems.push(`${page}:${line} says “${turn}”: ${instead}.`)

if (problems.length > 0) console.error(problems.join('\n'))
else console.log(`${keys.size} messages in ${Object.keys(byLanguage).length} languages`)
process.exitCode = problems.length === 0 ? 0 : 1
