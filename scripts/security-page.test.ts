import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'docs/internals/security.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| class') && !line.includes('---'))
const named = rows.flatMap((row) =>
  [...row.matchAll(/`([^`]+)`: “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title })),
)

it.each(named)('docs/internals/security.md names a test that is there: $file, $title', ({ file, title }) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toContain(title)
})

it('every class of attack names a test', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) expect(row).toMatch(/`[^`]+`: “[^”]+”/)
})
