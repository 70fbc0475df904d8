import { cutJson, isJsonObject, isJsonWithin, type JsonObject, type JsonValue } from '@/lib/base/json'
import { sha256Hex, sha256HexOfBytes } from '@/lib/base/sha256-hex'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { ModelInput } from '@/lib/shared/prompt/model-messages'

/*
 * Canonical JSON as RFC 8785 (JCS) defines it: keys sorted by UTF-16 units, no white space, numbers and texts as
 * ECMAScript writes them. `canonicalJson` writes that form; this adds the cases that the RFC refuses, and a limit on
 * depth.
 */

/** The most levels of an entry. */
export const MAX_DEPTH = 200
const MAX_VALUE_DEPTH = 100

/**
 * Throws a `TypeError` for a value without a canonical form: a lone surrogate, a number that is not finite, or too many
 * levels.
 */
export function jcs(value: JsonValue): string {
  if (!isJsonWithin(value, MAX_DEPTH)) throw new TypeError('the value is nested too deeply')
  if (!isCanonical(value)) throw new TypeError('the value has no canonical form')
  return canonicalJson(value)
}

function isCanonical(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isCanonical)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isCanonical(member))
}

/**
 * The value in a form that a record can contain: U+FFFD for a lone surrogate, and “…” for parts that are nested too
 * deeply.
 */
export const recordable = (value: JsonValue, maxDepth = MAX_VALUE_DEPTH): JsonValue =>
  wellFormed(cutJson(value, maxDepth, '…'))

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]))
}

/** Hash of the canonical form: `sha256:` and 64 hex digits. */
export const hashOfJson = async (value: JsonValue): Promise<string> =>
  `sha256:${await sha256Hex(jcs(recordable(value)))}`

/** As `sha256:` and 64 hex digits. Needs a secure context in a browser, like `sha256Hex`. */
export const hashOfBytes = async (bytes: Uint8Array): Promise<string> => `sha256:${await sha256HexOfBytes(bytes)}`

interface Definition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** A tool definition as the model read it. */
export const definitionOf = ({ name, description, parameters }: Definition): JsonObject => ({
  name,
  description,
  parameters,
})

/**
 * Hashes of what a model got, as SHA-256 in 64 hex digits over canonical JSON: its instructions and messages, with
 * images as they were sent, and the definitions of the offered tools. The text itself is built again for each reply and
 * not stored.
 */
export async function sentHashes(
  { instructions, messages }: Pick<ModelInput, 'instructions' | 'messages'>,
  offered: readonly ToolSpec[],
): Promise<NonNullable<AssistantMessage['sent']>> {
  const tools = offered.filter(({ disabled }) => disabled !== true)
  return {
    prompt: await hexOf({ instructions, messages: messages as unknown as JsonValue }),
    tools: await hexOf(sortedDefinitions(tools)),
  }
}

/** Sorted by name, so that one set of tools has one hash. */
export const sortedDefinitions = (tools: readonly Pick<ToolSpec, 'name' | 'description' | 'parameters'>[]) =>
  tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(definitionOf)

const hexOf = (value: JsonValue): Promise<string> => sha256Hex(jcs(recordable(value)))

/*
 * A record is a text file: one entry per line, each in canonical JSON (RFC 8785), each naming the hash of the previous
 * entry. `chain` and the rule for its hashes are those of the Agent Receipts Protocol, draft 0.4
 * (agentreceipts.ai/spec/v0.4.0, MIT): SHA-256 over the canonical form without `proof`. The draft signs each receipt;
 * Nod has no key to sign with, so `proof` contains the hash of the entry itself, which reveals a change at its own
 * line.
 */

export interface RecordLink {
  readonly chain_id: string
  /** 1, 2, 3 … */
  readonly sequence: number
  /** Null in the first entry. */
  readonly previous_receipt_hash: string | null
  /** Only in the last entry. */
  readonly terminal?: true
}

/** The preceding entry is chained. */
export interface RecordEntry {
  readonly type: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly subject: JsonObject
}

export const proofType = 'sha256-jcs'
export const firstType = 'record.start'
export const lastType = 'record.end'

export interface RecordChain {
  /** The line of this entry, with its line break. */
  add(entry: RecordEntry, end?: 'end'): Promise<string>
  /** The hash of the last entry, and the number of entries. */
  head(): { readonly hash: string | null; readonly entries: number }
}

export function createRecordChain(chainId: string): RecordChain {
  let hash: string | null = null
  let entries = 0
  return {
    async add({ type, at, subject }, end) {
      const link: RecordLink = {
        chain_id: chainId,
        sequence: entries + 1,
        previous_receipt_hash: hash,
        ...(end && { terminal: true }),
      }
      const body = recordable({ type, at: new Date(at).toISOString(), chain: { ...link }, subject }, MAX_DEPTH)
      hash = `sha256:${await sha256Hex(jcs(body))}`
      entries += 1
      return `${jcs({ ...(body as JsonObject), proof: { type: proofType, hash } })}\n`
    },
    head: () => ({ hash, entries }),
  }
}
