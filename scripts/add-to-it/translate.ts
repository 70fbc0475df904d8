import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { globSync } from 'tinyglobby'

/*
 * Simulates a translator in a copy of the sources: every English text gets one in another language. It is the same
 * English text, except for the messages in `translated`.
 */

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

export function translate(root: string, language: string, translated: Readonly<Record<string, string>>): void {
  const english = path.join(root, 'lib/i18n/en')
  const folder = path.join(root, 'lib/i18n', language)
  mkdirSync(folder)
  for (const name of readdirSync(english).filter((one) => one !== 'terminal.json')) {
    const texts = readJson(path.join(english, name)) as Readonly<Record<string, string>>
    const words = Object.entries(texts).map(([key, text]) => [key, translated[key] ?? text])
    writeJson(path.join(folder, name), Object.fromEntries(words))
  }
  for (const file of globSync('lib/shared/tools/*/words.json', { cwd: root })) {
    const words = Object.entries(readJson(path.join(root, file)) as Words)
    const added = words.map(([key, texts]) => [key, { ...texts, [language]: translated[key] ?? texts['en'] }])
    writeJson(path.join(root, file), Object.fromEntries(added))
  }
  for (const file of globSync('lib/{protocols,server/models/demo}/**/*.ts', { cwd: root })) {
    const source = readFileSync(path.join(root, file), 'utf8')
    if (source.includes("'zh-CN'")) writeFileSync(path.join(root, file), translateSource(file, source, language))
  }
}

interface Property {
  readonly type: string
  readonly key?: { readonly name?: string; readonly value?: unknown }
  readonly value?: { readonly start: number; readonly end: number }
  readonly end: number
}

/** Adds the language to each object with a text in English and in Chinese. */
function translateSource(file: string, source: string, language: string): string {
  const additions: { readonly at: number; readonly text: string }[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, properties } = node as { type?: string; properties?: readonly Property[] }
    if (type === 'ObjectExpression' && properties) {
      const named = (name: string) => properties.find(({ key }) => key?.name === name || key?.value === name)
      const english = named('en')?.value
      const chinese = named('zh-CN')
      if (english && chinese)
        additions.push({ at: chinese.end, text: `, ${language}: ${source.slice(english.start, english.end)}` })
    }
    Object.values(node).forEach(visit)
  }
  visit(parseSync(file, source).program.body)
  return additions
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source)
}
