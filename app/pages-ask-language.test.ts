import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const imported = /import (?:\{[^}]*\}|\w+) from '((?:@\/components|\.)[^']*)'/g

/** The client components of a page, which Next renders when their data has arrived. */
function partsOf(page: string): readonly string[] {
  return [...readFileSync(page, 'utf8').matchAll(imported)].flatMap(([, from = '']) => {
    const base = from.startsWith('@/') ? from.slice(2) : path.join(path.dirname(page), from)
    return [`${base}.tsx`, `${base}.ts`].filter((file) => existsSync(file)).slice(0, 1)
  })
}

it('the top of each page uses its language, because late parts would be in English otherwise', () => {
  const pages = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)(?:page|layout|not-found)\.tsx$/.test(name))
    .map((name) => path.join('app', name))
  const parts = [...new Set(pages.flatMap(partsOf))].filter((file) => {
    const source = readFileSync(file, 'utf8')
    return source.startsWith("'use client'") && /import \{[^}]*\bt\b[^}]*\} from '@\/lib\/i18n\/t'/.test(source)
  })
  expect(parts.length).toBeGreaterThan(15)
  expect(parts.filter((file) => !readFileSync(file, 'utf8').includes('useLanguage('))).toEqual([])
})
