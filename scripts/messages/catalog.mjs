// Reads the message files and compiles them with Lingui's compiler. Messages are in `lib/i18n/<language>/<area>.json`.
// A tool's own are in `lib/shared/tools/<tool>/words.json`, each with all of its languages.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { toolFolders } from './tool-folders.mjs'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** English-only files: a terminal or the server's log shows them. */
const englishOnly = new Set(['terminal'])

/** Files that only the server reads: no page loads them. */
export const serverOnly = new Set(['terminal', 'demo'])

/** Kinds of values that `lib/i18n/format-text.ts` formats. */
export const numberKinds = 'about bytes chance cost day hundredths moment percent seconds share span wait'.split(' ')
export const listKinds = 'and clauses list points sentences types'.split(' ')
const knownKinds = new Set(['number', 'plural', 'selectordinal', 'select', ...numberKinds, ...listKinds])

/**
 * @typedef {string | readonly [name: string, kind?: string, forms?: Record<string, readonly Token[] | number>]} Token
 * @typedef {{ key: string, file: string, text: string, tokens: readonly Token[] }} Message `file` is the name of an area, or
 *   the path of a tool's words.
 */

/**
 * Lingui reads a value by its name. A value with a kind is renamed with it, so that `lib/i18n/format-text.ts` can pass
 * the formatted value: `{size, bytes}` reads "size, bytes".
 * @param {Token} token
 * @returns {Token}
 */
function named(token) {
  if (typeof token === 'string' || token[1] === undefined) return token
  const [name, kind, forms] = token
  if (!knownKinds.has(kind)) throw new Error(`{${name}, ${kind}} is of no known kind`)
  const key = `${name}, ${kind}`
  if (kind === 'number') return [key, kind]
  if (typeof forms !== 'object') return [key]
  if (!('other' in forms)) throw new Error(`{${name}, ${kind}} has no form “other”`)
  const entries = Object.entries(forms).flatMap(([form, tokens]) =>
    Array.isArray(tokens) ? [[form, tokens.map(named)]] : tokens ? [[form, tokens]] : [],
  )
  return [key, kind, Object.fromEntries(entries)]
}

/** @param {string} text @returns {readonly Token[]} */
export function compile(text) {
  const tokens = compileMessageOrThrow(text)
  // The parser takes an unclosed brace for text.
  if (!/'[{}]/.test(text) && tokens.some((token) => typeof token === 'string' && /[{}]/.test(token)))
    throw new Error('a brace is not closed')
  // A text without values is one token in an array, because Lingui takes a plain string for an uncompiled one.
  return tokens.map(named)
}

/**
 * The arguments of a compiled message: each name with its kinds; a select also has its forms.
 * @param {readonly Token[]} tokens
 * @returns {Map<string, Set<string>>}
 */
export function argumentsOf(tokens, found = new Map()) {
  for (const token of tokens) {
    if (typeof token === 'string') continue
    const [key, , forms] = token
    const [name, kind = ''] = key.split(', ')
    const kinds = found.get(name) ?? new Set()
    found.set(name, kinds.add(kind))
    for (const [form, inner] of Object.entries(forms ?? {})) {
      if (kind === 'select') kinds.add(`=${form}`)
      if (Array.isArray(inner)) argumentsOf(inner, found)
    }
  }
  return found
}

/** The languages that have a folder, English first. @param {string} root the project's @returns {Promise<string[]>} */
async function languagesIn(root) {
  const names = await readdir(path.join(root, 'lib/i18n'))
  const others = names.filter((name) => /^[a-z]{2,3}(-[A-Za-z]+)*$/.test(name) && name !== 'en' && name !== 'generated')
  return ['en', ...others.toSorted()]
}

/** Where the text of a message is. @param {string} file @param {string} language */
const placeOf = (file, language) => (file.endsWith('.json') ? file : `lib/i18n/${language}/${file}.json`)

/** @param {string} file */
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'))

/** The files of a language, each with its texts by key. @param {string} root @param {string} language */
async function filesOf(root, language) {
  const names = (await readdir(path.join(root, 'lib/i18n', language))).filter((one) => one.endsWith('.json'))
  const areas = names.toSorted().map(async (name) => ({
    file: name.replace(/\.json$/, ''),
    texts: Object.entries(await readJson(path.join(root, 'lib/i18n', language, name))),
  }))
  const tools = (await toolFolders(root)).map(async (folder) => {
    const file = `${folder}/words.json`
    const words = Object.entries(await readJson(path.join(root, file)))
    return { file, texts: words.flatMap(([key, { [language]: text }]) => (text === undefined ? [] : [[key, text]])) }
  })
  return Promise.all([...areas, ...tools])
}

/** @param {string} root @param {string} language @returns {Promise<Map<string, Message>>} */
async function readLanguage(root, language) {
  const messages = new Map()
  for (const { file, texts } of await filesOf(root, language)) {
    for (const [key, text] of texts) {
      const place = placeOf(file, language)
      if (messages.has(key))
        throw new Error(`${place}: ${key} is also in ${placeOf(messages.get(key).file, language)}.`)
      try {
        messages.set(key, { key, file, text, tokens: compile(text) })
      } catch (cause) {
        throw new Error(`${place}: ${key} is not an ICU message: ${cause.message}`, { cause })
      }
    }
  }
  return messages
}

const namesOf = ({ tokens }) => [...argumentsOf(tokens).keys()].toSorted().join(', ')

/**
 * The differences between two languages: a missing message, an extra one, or other values.
 * @param {Map<string, Message>} english @param {Map<string, Message>} other @param {string} language
 * @returns {readonly string[]}
 */
export function differences(english, other, language) {
  const problems = []
  for (const [key, message] of english) {
    const translated = other.get(key)
    if (englishOnly.has(message.file)) {
      if (translated) problems.push(`${language}: ${key} is for the terminal, which is English.`)
    } else if (!translated) problems.push(`${language}: ${key} is missing in ${placeOf(message.file, language)}.`)
    else if (translated.file !== message.file)
      problems.push(`${language}: ${key} belongs into ${placeOf(message.file, language)}.`)
    else if (namesOf(translated) !== namesOf(message))
      problems.push(`${language}: ${key} takes {${namesOf(translated)}}, the English message {${namesOf(message)}}.`)
  }
  for (const key of other.keys()) if (!english.has(key)) problems.push(`${language}: ${key} has no English message.`)
  return problems
}

/** All messages by language. Throws with every difference between the languages.
 * @param {string} root the project's @returns {Promise<Record<string, Map<string, Message>>>} */
export async function readMessages(root) {
  const entries = await Promise.all(
    (await languagesIn(root)).map(async (language) => [language, await readLanguage(root, language)]),
  )
  const [[, english], ...others] = entries
  const problems = others.flatMap(([language, messages]) => differences(english, messages, language))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return Object.fromEntries(entries)
}
