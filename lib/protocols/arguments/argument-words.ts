import { t } from '@/lib/i18n/t'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { keyPart, valuePart } from './key-part'
import type { Coercion } from '../types/segment'

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
