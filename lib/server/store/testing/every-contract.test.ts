import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('every contract of the store runs on every database', () => {
  const folder = join(import.meta.dirname, '..')
  const list = readFileSync(join(import.meta.dirname, 'every-contract.ts'), 'utf8')
  const files = readdirSync(folder).filter((name) => name.endsWith('.contract.ts'))
  expect(files.length).toBeGreaterThan(4)
  expect(files.filter((name) => !list.includes(`'../${name.replace(/\.ts$/, '')}'`))).toEqual([])
})
