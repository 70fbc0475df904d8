import type { Kysely, Transaction } from 'kysely'
import { isJsonObject } from '@/lib/base/json'
import { maxPresetChars, maxPresets, type Preset, type ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { setupSchema } from '@/lib/shared/conversation/settings/settings'
import { makeError } from '@/lib/i18n/t'
import type { PresetStore } from '../ports/store'
import type { Schema } from '../ports/schema'

type Row = Pick<Schema['presets'], 'id' | 'position' | 'body'>

/** A setup contains its settings version, and is migrated like settings. */
export function setupOf(stored: unknown): ChatSetup | null {
  const read = setupSchema.safeParse(stored)
  return read.success ? read.data : null
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function presetOf({ id, position, body }: Row): Preset {
  const stored = parsedJson(body)
  const { name, setup, prompt } = isJsonObject(stored) ? stored : {}
  return {
    id,
    position,
    name: typeof name === 'string' ? name : '',
    setup: setupOf(setup),
    ...(typeof prompt === 'string' && { prompt }),
  }
}

const bodyOf = ({ name, setup, prompt }: Pick<Preset, 'name' | 'setup' | 'prompt'>): string =>
  JSON.stringify({ name, setup, prompt })

/** Sorted here, because the databases sort text differently. */
const inOrder = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))

export function presetQueries(db: Kysely<Schema>): PresetStore {
  const rowsOf = async (within: Kysely<Schema>, owner: string) =>
    inOrder(await within.selectFrom('presets').select(['id', 'position', 'body']).where('owner', '=', owner).execute())
  const moveTo = (trx: Transaction<Schema>, owner: string, id: string, position: number) =>
    trx.updateTable('presets').set({ position }).where('owner', '=', owner).where('id', '=', id).execute()

  return {
    async listPresets(owner) {
      const rows = await rowsOf(db, owner)
      return rows.map(presetOf)
    },

    addPreset: (owner, { id, position, ...content }) =>
      db.transaction().execute(async (trx) => {
        const rows = await rowsOf(trx, owner)
        const known = rows.find((row) => row.id === id)
        if (known) return presetOf(known)
        const behind = (rows.at(-1)?.position ?? 0) + 1
        const row = { id, position: position ?? behind, body: bodyOf(content) }
        refuseTooMuch([...rows, row])
        await trx
          .insertInto('presets')
          .values({ owner, ...row })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return presetOf(row)
      }),

    changePreset: (owner, id, change) =>
      db.transaction().execute(async (trx) => {
        const rows = await rowsOf(trx, owner)
        const known = rows.find((row) => row.id === id)
        if (!known) return null
        const row = { ...known, body: bodyOf({ ...presetOf(known), ...change }) }
        refuseTooMuch(rows.map((one) => (one.id === id ? row : one)))
        await trx
          .updateTable('presets')
          .set({ body: row.body })
          .where('owner', '=', owner)
          .where('id', '=', id)
          .execute()
        return presetOf(row)
      }),

    async removePreset(owner, id) {
      await db.deleteFrom('presets').where('owner', '=', owner).where('id', '=', id).execute()
    },

    orderPresets: (owner, ids) =>
      db.transaction().execute(async (trx) => {
        const rows = await rowsOf(trx, owner)
        const place = new Map(ids.map((id, at) => [id, at]))
        const sorted = rows.toSorted(
          (a, b) => (place.get(a.id) ?? Number.MAX_SAFE_INTEGER) - (place.get(b.id) ?? Number.MAX_SAFE_INTEGER),
        )
        const moved = sorted.map((row, at) => ({ ...row, position: at + 1 }))
        for (const { id, position } of moved) await moveTo(trx, owner, id, position)
        return moved.map(presetOf)
      }),

    async loadDefaults(owner) {
      const row = await db.selectFrom('owner_defaults').select('body').where('owner', '=', owner).executeTakeFirst()
      return row ? setupOf(parsedJson(row.body)) : null
    },

    async saveDefaults(owner, setup) {
      if (!setup) {
        await db.deleteFrom('owner_defaults').where('owner', '=', owner).execute()
        return
      }
      const body = JSON.stringify(setup)
      await db
        .insertInto('owner_defaults')
        .values({ owner, body })
        .onConflict((conflict) => conflict.column('owner').doUpdateSet({ body }))
        .execute()
    },
  }
}

function refuseTooMuch(rows: readonly Row[]): void {
  if (rows.length > maxPresets) throw makeError('bad-request', 'store.too-many-presets', { most: maxPresets })
  const chars = rows.reduce((sum, { body }) => sum + body.length, 0)
  if (chars > maxPresetChars) throw makeError('bad-request', 'store.presets-too-long', { most: maxPresetChars })
}

export async function countPresets(db: Kysely<Schema>, owner: string): Promise<number> {
  const { n } = await db
    .selectFrom('presets')
    .select((eb) => eb.fn.countAll<number | string>().as('n'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function forgetPresets(trx: Transaction<Schema>, owner: string): Promise<void> {
  await trx.deleteFrom('presets').where('owner', '=', owner).execute()
  await trx.deleteFrom('owner_defaults').where('owner', '=', owner).execute()
}

/** Moves presets to another owner, whose existing ones are kept. */
export async function movePresets(trx: Transaction<Schema>, owner: string, to: string): Promise<void> {
  const own = trx.selectFrom('presets').select('id').where('owner', '=', to)
  await trx.updateTable('presets').set({ owner: to }).where('owner', '=', owner).where('id', 'not in', own).execute()
  const has = await trx.selectFrom('owner_defaults').select('owner').where('owner', '=', to).executeTakeFirst()
  if (!has) {
    await trx.updateTable('owner_defaults').set({ owner: to }).where('owner', '=', owner).execute()
  }
}
