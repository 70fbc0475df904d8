import { z } from 'zod'

/*
 * A backup is lines of JSON: a head, for each table its name and columns and then its rows as arrays, and an end that says how
 * many rows there are and what all lines before it hash to. It is the same for both databases, so that what was taken from one
 * can be put into the other. Tables stand in an order in which each can be filled.
 */

export const backupHeadSchema = z.strictObject({
  format: z.literal('nod-backup'),
  version: z.literal(1),
  /** Epoch milliseconds. */
  at: z.number(),
  store: z.enum(['sqlite', 'postgres']),
  /** Names of the migrations that made its tables, in order. */
  migrations: z.array(z.string()).min(1),
  /** The secret that was made by itself beside the database; left out where the operator gave one. */
  secret: z.string().optional(),
})
export type BackupHead = z.infer<typeof backupHeadSchema>

export const backupTableSchema = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) })
export type BackupTable = z.infer<typeof backupTableSchema>

export const backupEndSchema = z.strictObject({ end: z.literal(true), rows: z.number(), sha256: z.string() })

const storedValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ base64: z.string() }),
])
export const backupRowSchema = z.array(storedValueSchema)

export type StoredValue = string | number | boolean | null | Uint8Array

/** Throws TypeError for what neither database gives. */
export function encodeValue(value: unknown): z.infer<typeof storedValueSchema> {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  throw new TypeError(`a ${typeof value} cannot stand in a backup`)
}

export const decodeValue = (value: z.infer<typeof storedValueSchema>): StoredValue =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value
