/** Removes secrets from a text that someone may read. */
export type Redact = (text: string) => string

/** Shorter ones are placeholders ("none", "lm-studio") and ordinary words: only a whole word is removed. */
const MIN_SECRET_CHARS = 12
const MARK = '[key]'

/**
 * Removes exactly these keys, whatever surrounds them: whole, in pieces of a third (servers echo halves), in any case,
 * percent-encoded, escaped for JSON, as hexadecimal, and inside base64 (`Basic` headers). The rest stays unchanged.
 */
export function createKeyRedactor(keys: readonly (string | null | undefined)[]): Redact {
  const secrets = [...new Set(keys.flatMap((key) => (key ? [key.trim()] : [])))].filter((key) => key !== '')
  const short = secrets.filter((key) => key.length < MIN_SECRET_CHARS)
  const long = secrets.filter((key) => key.length >= MIN_SECRET_CHARS)
  // Pieces by their length, so that a text is searched once per length.
  const pieces = new Map<number, Set<string>>()
  for (const key of long) {
    for (const form of formsOf(key)) {
      const size = Math.max(6, Math.min(10, Math.floor(form.length / 3)))
      const known = pieces.get(size) ?? new Set()
      pieces.set(size, known)
      for (let at = 0; at + size <= form.length; at += 1) known.add(lower(form.slice(at, at + size)))
    }
  }
  return (text) => redactWholeWords(blotPieces(text, pieces), short)
}

/** One character stays one character, so that positions in both texts are the same. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

function formsOf(key: string): readonly string[] {
  const bytes = new TextEncoder().encode(key)
  const percent = encodeURIComponent(key.toWellFormed())
  const escaped = JSON.stringify(key).slice(1, -1)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = [0, 1, 2].map((offset) => base64Inside(bytes, offset))
  return [
    key,
    percent,
    escaped,
    hex,
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** The part of a key's base64 that is independent of its surroundings; `offset` is where it begins, modulo 3. */
function base64Inside(bytes: Uint8Array, offset: number): string {
  const binary = '\0'.repeat(offset) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const whole = btoa(binary).replaceAll('=', '')
  const last = binary.length % 3 === 0 ? whole.length : whole.length - 1
  return whole.slice(offset === 0 ? 0 : offset + 1, last)
}

function blotPieces(text: string, pieces: ReadonlyMap<number, ReadonlySet<string>>): string {
  if (pieces.size === 0) return text
  const folded = lower(text)
  const secret = new Uint8Array(text.length)
  for (const [size, known] of pieces) {
    for (let at = 0; at + size <= folded.length; at += 1) {
      if (known.has(folded.slice(at, at + size))) secret.fill(1, at, at + size)
    }
  }
  let clean = ''
  for (let at = 0; at < text.length;) {
    const from = at
    const isSecret = secret[at] === 1
    while (at < text.length && (secret[at] === 1) === isSecret) at += 1
    clean += isSecret ? MARK : text.slice(from, at)
  }
  return clean
}

const redactWholeWords = (text: string, keys: readonly string[]): string =>
  keys.reduce((rest, key) => {
    const quoted = key.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    return rest.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`, 'giu'), MARK)
  }, text)

/** Forms in which keys appear in servers' own messages; the whole match, or the part after `$1`, is removed. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=*-]{6,}/gi, '$1 [key]'],
  [/\b(sk|pk|rk|gsk|xai|hf|or)[-_][\w*.-]{6,}/gi, '[key]'],
  [/\bAIza[\w-]{10,}/g, '[key]'],
  [/\bey[\w-]{10,}\.[\w-]{6,}\.[\w-]*/g, '[key]'],
  [
    /((?:api[-_ ]?key|access[-_ ]?token|authorization|x-goog-api-key|secret|password)["']?(?:\s+provided)?\s*[:=]\s*["']?)[^\s"',}&]{4,}/gi,
    '$1[key]',
  ],
  [/([?&](?:key|token|api_key)=)[^\s&"']+/gi, '$1[key]'],
  [/(\/\/)[^\s/@]+:[^\s/@]+@/g, '$1[key]@'],
]

/** Removes what looks like a key from a server's text. Other words stay unchanged. */
export const redactSecrets = (text: string): string =>
  secrets.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
