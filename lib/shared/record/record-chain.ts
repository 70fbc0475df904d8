import type { JsonObject } from '@/lib/base/json'
import { sha256Hex } from '@/lib/base/sha256-hex'
import { jcs, MAX_DEPTH, recordable } from './record-json'

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
