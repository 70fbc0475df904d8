import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'docs/internals/security.md'), 'utf8')
const rows = page
  .slice(page.indexOf('## Attacks and tests'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attack') && !line.includes('---'))
const named = rows.flatMap((row) =>
  // A title can be shortened to its start, with “ …” after it.
  [...row.matchAll(/`([^`]+)`: “([^”]+?)(?: …)?”/g)].map(([, file = '', title = '']) => ({ file, title })),
)

it.each(named)('names an existing test: $file, $title', ({ file, title }) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toContain(title)
})

it('names a test for every attack', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) expect(row).toMatch(/`[^`]+`: “[^”]+”/)
})
