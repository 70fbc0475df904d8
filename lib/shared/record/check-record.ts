import { isRecord, type JsonObject } from '@/lib/base/json'
import { sha256Hex } from '@/lib/base/sha256-hex'
import { firstType, lastType, proofType, type RecordLink, jcs, MAX_DEPTH } from './record-chain'

/** Maximum bytes of one entry, and characters; longer entries are not parsed. */
export const MAX_LINE = 32_000_000

export type BreakKind =
  /** The entry does not match its own hash. */
  | 'changed'
  /** Entries before it are missing: from `expected` to the one before `found`. */
  | 'missing'
  /** These entries come later in the file. */
  | 'moved'
  /** It is a copy of the entry with the number `found`. */
  | 'repeated'
  /** It has the number of an earlier entry and other content. */
  | 'inserted'
  /** It does not name the previous entry. */
  | 'previous'
  | 'other-chain'
  | 'not-json'
  /** The file ends in the middle of it. */
  | 'cut'
  | 'not-canonical'
  | 'shape'
  | 'too-long'
  | 'too-deep'
  /** The line comes after the last entry. */
  | 'after-end'
  /** The file ends before the last entry. */
  | 'no-end'

export interface RecordBreak {
  /** The line of the file, counted from 1. */
  readonly entry: number
  readonly kind: BreakKind
  /** Two hashes, two numbers or two ids, by `kind`; null if there is nothing to compare. */
  readonly expected: string | null
  readonly found: string | null
  /** What the entry says it is; null if it is not an entry. */
  readonly about: { readonly type: string; readonly at: string } | null
}

export interface CheckedRecord {
  /** Valid entries, up to the first break. */
  readonly entries: number
  /** Times of the first and the last entry, ISO 8601; null without entries. */
  readonly from: string | null
  readonly to: string | null
  /** The hash of the last entry. */
  readonly head: string | null
  /** The first break; null: the chain is complete. */
  readonly broken: RecordBreak | null
}

/** An entry that fits its chain. */
export interface CheckedEntry {
  readonly type: string
  readonly at: string
  readonly subject: JsonObject
}

interface ReadEntry extends CheckedEntry {
  readonly chain: RecordLink
  readonly proof: { readonly type: typeof proofType; readonly hash: string }
}

/**
 * Checks a record line by line, as anyone may have written it, up to the first break. Of the lines after it, only the
 * numbers are read. `onEntry` gets each valid entry. Never rejects, unless `lines` does.
 */
export async function checkRecord(
  lines: AsyncIterable<string> | Iterable<string>,
  onEntry: (entry: CheckedEntry) => void = () => {},
): Promise<CheckedRecord> {
  let last: ReadEntry | null = null
  let first: ReadEntry | null = null
  let entries = 0
  const hashes: string[] = []
  let found: RecordBreak | null = null
  const later = new Set<number>()
  let linesAfter = 0
  const result = (broken: RecordBreak | null): CheckedRecord => ({
    entries,
    from: first?.at ?? null,
    to: last?.at ?? null,
    head: last?.proof.hash ?? null,
    broken,
  })
  for await (const line of lines) {
    if (found) {
      linesAfter += 1
      later.add(sequenceOf(line))
      continue
    }
    const at = entries + 1
    let about: RecordBreak['about'] = null
    const breakOf = (kind: BreakKind, expected: string | null = null, other: string | null = null): RecordBreak => ({
      entry: at,
      kind,
      expected,
      found: other,
      about,
    })
    const broken = (...args: Parameters<typeof breakOf>) => result(breakOf(...args))
    if (last?.chain.terminal) return broken('after-end')
    if (line.length > MAX_LINE) return broken('too-long')
    if (depthOf(line) > MAX_DEPTH) return broken('too-deep')
    const parsed = parse(line)
    if (parsed === undefined) {
      found = breakOf('not-json')
      continue
    }
    const entry = entryOf(parsed)
    if (!entry || (entries === 0) !== (entry.type === firstType)) return broken('shape')
    if ((entry.chain.terminal === true) !== (entry.type === lastType)) return broken('shape')
    about = { type: entry.type, at: entry.at }
    const { proof, chain, ...rest } = entry
    const canonical = canonicalOf({ ...rest, chain, proof })
    if (canonical !== line) return broken('not-canonical')
    const hash = `sha256:${await sha256Hex(canonicalOf({ ...rest, chain }) ?? '')}`
    if (hash !== proof.hash) return broken('changed', proof.hash, hash)
    if (last && chain.chain_id !== last.chain.chain_id) {
      return broken('other-chain', last.chain.chain_id, chain.chain_id)
    }
    if (chain.sequence > at) {
      found = breakOf('missing', String(at), String(chain.sequence))
      continue
    }
    if (chain.sequence < at) {
      const isCopy = hashes[chain.sequence - 1] === proof.hash
      return broken(isCopy ? 'repeated' : 'inserted', String(at), String(chain.sequence))
    }
    const before = last?.proof.hash ?? null
    if (chain.previous_receipt_hash !== before) return broken('previous', before, chain.previous_receipt_hash)
    onEntry({ type: entry.type, at: entry.at, subject: entry.subject })
    first ??= entry
    last = entry
    entries = at
    hashes.push(proof.hash)
  }
  if (found) return result(asSeenLater(found, later, linesAfter))
  const noEnd = { entry: entries + 1, kind: 'no-end', expected: null, found: null, about: null } as const
  return result(last?.chain.terminal ? null : noEnd)
}

/** What the lines after a break tell about it. */
function asSeenLater(found: RecordBreak, later: ReadonlySet<number>, linesAfter: number): RecordBreak {
  if (found.kind === 'not-json') return found.entry > 1 && linesAfter === 0 ? { ...found, kind: 'cut' } : found
  const [first, next] = [Number(found.expected), Number(found.found)]
  // No more numbers than lines can be there.
  const isMoved =
    next - first <= linesAfter && Array.from({ length: next - first }, (_, n) => first + n).every((n) => later.has(n))
  return isMoved ? { ...found, kind: 'moved' } : found
}

/** The number of an entry, which its keys in order put before any other; 0 if there is none. */
const sequenceOf = (line: string): number => Number(/"sequence":(\d{1,15})/.exec(line.slice(0, 2_000))?.[1] ?? 0)

/** Counts brackets outside of texts: JSON that is nested a million deep is never parsed. */
export function depthOf(text: string): number {
  let depth = 0
  let most = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') most = Math.max(most, (depth += 1))
    else if (sign === '}' || sign === ']') depth -= 1
  }
  return most
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

/** Null: a lone surrogate, or a number that is too large for JavaScript. */
function canonicalOf(value: object): string | null {
  try {
    return jcs(value as JsonObject)
  } catch {
    return null
  }
}

const hasOnly = (value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key))

const isHash = (value: unknown): value is string => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)

/** Null: it does not have exactly the members of an entry. A key that only looks like one of them is another key. */
function entryOf(value: unknown): ReadEntry | null {
  if (!isRecord(value) || !hasOnly(value, ['at', 'chain', 'proof', 'subject', 'type'])) return null
  const { at, chain, proof, subject, type } = value
  if (!isTime(at) || typeof type !== 'string' || !isRecord(subject)) return null
  if (!isRecord(proof) || !hasOnly(proof, ['hash', 'type']) || proof['type'] !== proofType || !isHash(proof['hash'])) {
    return null
  }
  if (!isRecord(chain) || !hasOnly(chain, ['chain_id', 'previous_receipt_hash', 'sequence', 'terminal'])) return null
  const { chain_id: id, previous_receipt_hash: previous, sequence, terminal } = chain
  if (typeof id !== 'string' || id.length > 200 || typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) {
    return null
  }
  if (sequence < 1 || (previous !== null && !isHash(previous))) return null
  if ('terminal' in chain && terminal !== true) return null
  return {
    at,
    type,
    subject: subject as JsonObject,
    proof: { type: proofType, hash: proof['hash'] },
    chain: {
      chain_id: id,
      sequence,
      previous_receipt_hash: previous,
      ...(terminal === true && { terminal }),
    },
  }
}

const LINE_BREAK = 10
const tooLong = (): string => ' '.repeat(MAX_LINE + 1)

/**
 * The lines of a file, read piece by piece. Invalid UTF-8 yields a line that fails every check, and so does a line that
 * is too long: the rest of the file is then not read.
 */
export async function* linesOf(file: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const reader = file.stream().getReader()
  let parts: Uint8Array[] = []
  let size = 0
  const take = (part: Uint8Array) => {
    parts.push(part)
    size += part.length
  }
  const line = async (): Promise<string> => {
    const bytes = new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
    parts = []
    size = 0
    try {
      return decoder.decode(bytes)
    } catch {
      return '\ufffd'
    }
  }
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      let from = 0
      for (let end = value.indexOf(LINE_BREAK); end >= 0; end = value.indexOf(LINE_BREAK, from)) {
        take(value.subarray(from, end))
        if (size > MAX_LINE) return yield tooLong()
        yield await line()
        from = end + 1
      }
      take(value.subarray(from))
      if (size > MAX_LINE) return yield tooLong()
    }
    if (size > 0) yield await line()
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
