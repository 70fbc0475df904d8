// npm run check: holds the message files to the code. Types hold the other way round: a key that is in no file does not compile.
import path from 'node:path'
import { readMessages } from './messages/catalog.mjs'
import { areaOf } from './messages/unquoted.mjs'
import { keysIn, readSources, textsAtLoad } from './messages/used-keys.mjs'

const root = path.resolve(import.meta.dirname, '..')
const problems = []

// What differs between the languages ends it here: `readMessages` throws.
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

if (problems.length > 0) console.error(problems.join('\n'))
else console.log(`${keys.size} messages in ${Object.keys(byLanguage).length} languages`)
process.exitCode = problems.length === 0 ? 0 : 1
