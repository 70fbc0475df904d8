import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { overAllOwners } from '@/lib/store/testing/statements/over-all-owners'

it('docs/scaling.md names what asks over all owners, and nothing else', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'scaling.md'), 'utf8')
  const [, between = ''] = /<!-- over all owners:.*-->([\s\S]*)<!-- \/over all owners -->/.exec(page) ?? []
  const named = [...between.matchAll(/^- `(\w+)`, of `(\w+)`: /gm)].map(([, method, table]) => `${method} ${table}`)
  const known = Object.entries(overAllOwners).flatMap(([method, { tables }]) =>
    tables.map((table) => `${method} ${table}`),
  )
  expect(named).toEqual(known)
})
