import { placeholderOf } from '@/lib/shared/secrets/placeholders'
import type { KnownSecret } from './vault'

/*
 * Finds known values in texts, in every spelling in which tools return them. One pass per text, however many values are
 * known: at each position, the next six characters select the values that can begin there.
 */

/** A shorter value would match unrelated text. */
const leastLength = 6

/** The spellings of a value: in JSON, in an address, in Base64, in other cases, and a number without its spaces. */
export function spellings({ value, kind }: Pick<KnownSecret, 'value' | 'kind'>): readonly string[] {
  const base64 = btoa(String.fromCodePoint(...new TextEncoder().encode(value))).replace(/=+$/, '')
  const all = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    base64,
    value.toLowerCase(),
    value.toUpperCase(),
    ...(kind === 'key' || kind === 'mail' ? [] : [value.replaceAll(/[^\dA-Za-z]/g, '')]),
  ]
  return [...new Set(all)].filter(({ length }) => length >= leastLength)
}

interface Spelling {
  readonly text: string
  readonly secret: KnownSecret
}

export interface KnownValues {
  /** Replaces known values by placeholders. `found` is called with those values. */
  replace(text: string, found?: Set<KnownSecret>): string
}

const base = 31
/** `base` to the power of `leastLength - 1`. */
const highest = base ** (leastLength - 1)

/** The user let the model see this value. */
export function knownValues(secrets: readonly KnownSecret[]): KnownValues {
  const byHash = new Map<number, Spelling[]>()
  for (const secret of secrets) {
    for (const text of secret.isShown ? [] : spellings(secret)) {
      const hash = hashAt(text, 0)
      byHash.set(hash, [...(byHash.get(hash) ?? []), { text, secret }])
    }
  }
  // One value may be the start of another.
  for (const list of byHash.values()) list.sort((a, b) => b.text.length - a.text.length)

  return {
    replace(text, found) {
      if (byHash.size === 0 || text.length < leastLength) return text
      const pieces: string[] = []
      let done = 0
      let hash = hashAt(text, 0)
      for (let at = 0; at + leastLength <= text.length; at += 1) {
        const hit = at < done ? undefined : byHash.get(hash)?.find((one) => text.startsWith(one.text, at))
        if (hit) {
          found?.add(hit.secret)
          pieces.push(text.slice(done, at), placeholderOf(hit.secret.number))
          done = at + hit.text.length
        }
        hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), highest), base) + text.charCodeAt(at + leastLength)) | 0
      }
      return pieces.length === 0 ? text : pieces.join('') + text.slice(done)
    },
  }
}

/** The hash of six characters; the loop above updates it by one character. */
function hashAt(text: string, at: number): number {
  let hash = 0
  for (let next = at; next < at + leastLength; next += 1) hash = (Math.imul(hash, base) + text.charCodeAt(next)) | 0
  return hash
}
