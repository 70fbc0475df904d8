import { expect, it } from 'vitest'
import { openRawStore } from '../testing/open-raw-store'
import { decodeTestSettings } from '../testing/rows'

it('returns an unreadable preset without a setup, so that it can be deleted', async () => {
  const { store, tables, close } = await openRawStore({ decodeSettings: decodeTestSettings })
  const owner = 'somebody'
  const rows = ['not JSON', '{"name":"old","setup":{"version":99}}'].map((body, at) => ({
    owner,
    id: `broken-${at}`,
    position: at,
    body,
  }))
  await tables.insertInto('presets').values(rows).execute()
  await tables.insertInto('owner_defaults').values({ owner, body: '{' }).execute()
  expect(await store.listPresets(owner)).toMatchObject([
    { name: '', setup: null },
    { name: 'old', setup: null },
  ])
  expect(await store.loadDefaults(owner)).toBeNull()
  for (const { id } of rows) await store.removePreset(owner, id)
  expect(await store.listPresets(owner)).toEqual([])
  await close()
})
