import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'

it('every contract of the store runs on every database', () => {
  const folder = path.join(import.meta.dirname, '..')
  const list = readFileSync(path.join(import.meta.dirname, 'every-contract.ts'), 'utf8')
  const files = globSync('**/*.contract.ts', { cwd: folder })
  expect(files.length).toBeGreaterThan(4)
  expect(files.filter((name) => !list.includes(`'../${name.replace(/\.ts$/, '')}'`))).toEqual([])
})
