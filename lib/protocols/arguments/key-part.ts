import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'

/** Longer keys are no keys but texts. */
const MAX_KEY = 40

/** A key of the model's inside of a sentence of ours: quoted, as code, and cut, so that it never speaks for the app. */
export const keyPart = (key: string): SentencePart => ({ code: `"${cutKey(key)}"` })

/** The same for a value. */
export const valuePart = (value: string): SentencePart => ({ code: cutKey(value) })

const cutKey = (key: string): string =>
  key.length > MAX_KEY ? `${key.slice(0, MAX_KEY).replace(/[\ud800-\udbff]$/, '')}…` : key
