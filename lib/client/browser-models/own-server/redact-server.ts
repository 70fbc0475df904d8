import { createKeyRedactor, type Redact } from '@/lib/shared/models/redact-keys'

/** Where a server of the person's own stands, and what opens it. */
export interface SecretServer {
  readonly baseUrl: string
  readonly key: string | null
}

const MARK = '[address]'
/** What so many servers have in their path says nothing of this one. */
const usualPath = /^\/*(?:(?:api|openai|v\d+\w*|chat|completions|models)(?:\/+|$))*$/i

/**
 * Takes a server's key and address out of words that it, or the way to it, said: what failed there is told to the server of this
 * app and stands in exports, and both belong to the person. The address as a whole, by its host and port, by its host alone, and by
 * a path of its own; in any case, and as it stands in another address.
 */
export function redactServer({ baseUrl, key }: SecretServer): Redact {
  const withoutKey = createKeyRedactor([key])
  const patterns = addressForms(baseUrl).map((form) => patternOf(form))
  return (text) => patterns.reduce((rest, pattern) => rest.replaceAll(pattern, MARK), withoutKey(text))
}

/** The longest first: what is left of a part of one is then no longer there. */
function addressForms(baseUrl: string): readonly string[] {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    return [baseUrl]
  }
  const bare = url.hostname.replaceAll(/^\[|\]$/g, '')
  const path = usualPath.test(url.pathname) ? [] : [url.pathname.replace(/\/+$/, '')]
  const plain = [baseUrl, url.origin, url.host, url.hostname, bare, ...path, url.search]
  const forms = plain.flatMap((form) => [form, encodeURIComponent(form), form.replaceAll('/', String.raw`\/`)])
  return [...new Set(forms)].filter((form) => form.length > 1).toSorted((a, b) => b.length - a.length)
}

/** A name of one word ("ollama") is a word of the language, too, and is blotted out where it stands alone. */
function patternOf(form: string): RegExp {
  const quoted = form.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  const isWord = /^[\p{L}\p{N}-]+$/u.test(form)
  return isWord
    ? new RegExp(`(?:(?<=%[0-9a-f]{2})|(?<![\\p{L}\\p{N}]))${quoted}(?![\\p{L}\\p{N}])`, 'giu')
    : new RegExp(quoted, 'giu')
}
