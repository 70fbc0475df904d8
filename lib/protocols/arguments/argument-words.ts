import { t } from '@/lib/i18n/t'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import type { Coercion } from '../types/segment'

/** Longer keys are no keys but texts. */
const MAX_KEY = 40

/** A key of the model's inside of a sentence of ours: quoted, as code, and cut, so that it never speaks for the app. */
export const keyPart = (key: string): SentencePart => ({ code: `"${cutKey(key)}"` })

/** The same for a value. */
const valuePart = (value: string): SentencePart => ({ code: cutKey(value) })

const cutKey = (key: string): string =>
  key.length > MAX_KEY ? `${key.slice(0, MAX_KEY).replace(/[\ud800-\udbff]$/, '')}…` : key

/** What was changed, without an end; keys and values stand in it as code. */
export const coercionWords = (coercion: Coercion): readonly SentencePart[] =>
  withParts((part) => {
    const what = coercion.path === '' ? t('coercion.all') : part(keyPart(coercion.path))
    switch (coercion.kind) {
      case 'to-number':
      case 'to-integer':
      case 'to-boolean':
        return t('coercion.became', { what, value: coercion.became })
      case 'to-string':
        return t('coercion.to-string', { what, value: part(valuePart(coercion.became)) })
      case 'to-array':
        return t(`coercion.list-of-${coercion.from}`, { what })
      case 'to-null':
      case 'to-object':
      case 'big-integer-kept':
        return t(`coercion.${coercion.kind}`, { what })
      case 'key-mapped':
        return t(coercion.by === 'vcp' ? 'coercion.key-vcp' : 'coercion.key-mapped', {
          what: part(keyPart(coercion.key)),
          to: part(keyPart(coercion.to)),
        })
      case 'key-dropped':
        return t(`coercion.${coercion.because}`, { what: part(keyPart(coercion.key)) })
      case 'default-dropped':
        return t('coercion.default-dropped', { what: part(keyPart(coercion.key)), was: coercion.was })
    }
  })
