import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const plain = (cell: string) => cell.replaceAll('`', '')

const rows = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!term|-)/.test(line))
  .map((line) => {
    const [, term = '', meaning = '', name = '', where = ''] = line.split('|').map((cell) => cell.trim())
    return { term, meaning, name: plain(name), where: plain(where) }
  })

it.each(rows)('$term is $name in $where', ({ meaning, name, where }) => {
  expect(meaning).toMatch(/\.$/)
  expect(existsSync(path.join(root, where))).toBe(true)
  expect(readFileSync(path.join(root, where), 'utf8')).toMatch(new RegExp(String.raw`\b${name}\b`))
})

it('has each term once', () => {
  expect(rows.length).toBeGreaterThan(35)
  const terms = rows.map(({ term }) => term)
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
})
