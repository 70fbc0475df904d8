/** Forms in which keys appear in servers' own messages; the whole match, or the part after `$1`, is blotted out. */
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

/** Blots out what looks like a key in a text that came from a server. Other words stay as they are. */
export const redactSecrets = (text: string): string =>
  secrets.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
