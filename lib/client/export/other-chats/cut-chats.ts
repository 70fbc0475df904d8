/*
 * `[{"title":"a",…},{"title":"b",…}]`, of which only the commas at the outermost level matter. A file of half a gigabyte is more
 * than one string can be, and parsing it whole shows no progress: its ends are found by depth alone, byte by byte, and each chat
 * is read by JSON.parse. It does not check what stands between the chats.
 */

export interface CutLimits {
  /** Of one chat. */
  readonly maxBytes: number
  /** Of brackets in it. */
  readonly maxDepth: number
}

export const usualCutLimits: CutLimits = { maxBytes: 50_000_000, maxDepth: 64 }

export type CutPiece =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: 'too-large' | 'too-deep' }

export interface ChatCutter {
  /** The next bytes of the file; gives each chat that ends in them to `take`. */
  feed(chunk: Uint8Array): void
  /** Whether all that began has ended: else the file was cut off. */
  isWhole(): boolean
  /** Whether it is a list at all; null: nothing of it came yet. */
  isList(): boolean | null
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

export function createChatCutter(take: (piece: CutPiece) => void, limits: CutLimits = usualCutLimits): ChatCutter {
  let depth = 0
  let inText = false
  let escaped = false
  let began = false
  let list: boolean | null = null
  let kept: Uint8Array[] = []
  let size = 0
  let wrong: 'too-large' | 'too-deep' | null = null

  const keep = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > limits.maxBytes) wrong ??= 'too-large'
    // What is left out must not fill the memory either.
    if (wrong) kept = []
    else kept.push(bytes)
  }
  const finish = () => {
    if (wrong) take({ ok: false, why: wrong })
    else {
      const decoder = new TextDecoder()
      const texts = kept.map((bytes) => decoder.decode(bytes, { stream: true }))
      take({ ok: true, text: texts.join('') + decoder.decode() })
    }
    kept = []
    size = 0
    wrong = null
  }

  return {
    feed(chunk) {
      let start = depth >= 2 ? 0 : -1
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]
        if (inText) {
          if (escaped) escaped = false
          else if (byte === backslash) escaped = true
          else if (byte === quote) inText = false
          continue
        }
        // White space and a byte order mark may stand before it.
        if (list === null && byte !== undefined && byte > 0x20 && byte < 0x80) list = byte === openBracket
        if (byte === quote) inText = true
        else if (byte === openBrace || byte === openBracket) {
          depth += 1
          began = true
          if (depth === 2) start = at
          if (depth - 1 > limits.maxDepth) wrong ??= 'too-deep'
        } else if (byte === closeBrace || byte === closeBracket) {
          depth -= 1
          if (depth === 1 && start >= 0) {
            keep(chunk.slice(start, at + 1))
            start = -1
            finish()
          }
        }
      }
      if (start >= 0) keep(chunk.slice(start))
    },
    isWhole: () => began && depth === 0 && !inText,
    isList: () => list,
  }
}
