import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inChinese } from '@/components/ui/testing/in-chinese'
import { fileKindLabel } from '@/lib/i18n/labels'

/** Every name of a kind of file: those in `words`, and the documents in zips. */
const source = readFileSync(path.join(import.meta.dirname, '../client/files/kind-of-file.ts'), 'utf8')
const kinds = [...source.matchAll(/(?:words|docx|xlsx|pptx|odt|ods|epub|jar): '([^']+)'/g)].map(
  ([, words = '']) => words,
)

it('a kind of file described in words has a Chinese name; format names stay', () => {
  expect(new Set(kinds).size).toBeGreaterThan(35)
  inChinese()
  const english = [...new Set(kinds)].filter((words) => !/\p{sc=Han}/u.test(fileKindLabel(words)))
  const formats = /^(?:JavaScript|TypeScript|Markdown|Python|JSON Lines|[A-Z]{3,4})$/
  expect(english.filter((words) => !formats.test(words))).toEqual([])
})
