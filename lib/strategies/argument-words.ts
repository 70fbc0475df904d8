import { sentencesOf, toldOf } from '@/lib/base/catalogue'
import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import { keyPart, valuePart } from './arguments/key-part'
import type { Coercion } from './segment'

/** What is wrong with an argument, as the end of a sentence that begins with its name. Models read it too. */
export const argumentIssue = toldOf({
  'argument.type':
    'must be {wanted, select, integer {an integer} array {an array} object {an object} null {null} other {a {wanted}}}, not {given, select, array {an array} object {an object} null {null} other {a {given}}}',
  'argument.enum': 'must be one of {options, list}',
  'argument.const': 'must be {value}',
  'argument.minimum': 'must be at least {bound}',
  'argument.maximum': 'must be at most {bound}',
  'argument.exclusiveMinimum': 'must be more than {bound}',
  'argument.exclusiveMaximum': 'must be less than {bound}',
  'argument.multipleOf': 'must be a multiple of {bound}',
  'argument.minLength': 'must have at least {bound} characters',
  'argument.maxLength': 'must have at most {bound} characters',
  'argument.minItems': 'must have at least {bound} items',
  'argument.maxItems': 'must have at most {bound} items',
  'argument.uniqueItems': 'must not repeat an item',
  'argument.pattern': 'must match the pattern {value}',
  'argument.format': 'must be a valid {value}',
  'argument.not': 'must not have this value',
  'argument.misplaced': 'stands inside another argument, and its place is not certain',
  'argument.one-of': ({ types }: { readonly types: readonly string[] }) => `must be ${types.join(' or ')}`,
  'argument.required': ({ types }: { readonly types: readonly string[] }) =>
    `is required${types.length > 0 ? ` (${types.join(' or ')})` : ''}`,
})

const sentence = sentencesOf({
  'coercion.all': 'the arguments',
  'coercion.became': '{what} was written as text and became {value}',
  'coercion.to-string': '{what} became the text {value}',
  'coercion.to-null': '{what} became null',
  'coercion.to-object': '{what} was JSON written as text and became an object',
  'coercion.list-of-text': '{what} was JSON written as text and became a list',
  'coercion.list-of-wrapped': '{what} was wrapped and became a list',
  'coercion.list-of-single': '{what} became a list of one',
  'coercion.big-integer-kept': '{what} is too large for a number and keeps its digits',
  'coercion.key-mapped': '{what} was read as {to}',
  'coercion.key-vcp': '{what} is VCPToolBox’s name for {to}',
  'coercion.no-parameter': '{what} is no parameter and was dropped',
  'coercion.not-allowed': '{what} is not allowed as a key and was dropped',
  'coercion.default-dropped': '{what} was {was, select, null {null} other {empty}} and is left out',
})

/** What was changed, without an end; keys and values stand in it as code. */
export const coercionWords = (coercion: Coercion): readonly SentencePart[] =>
  withParts((part) => {
    const what = coercion.path === '' ? sentence('coercion.all') : part(keyPart(coercion.path))
    switch (coercion.kind) {
      case 'to-number':
      case 'to-integer':
      case 'to-boolean':
        return sentence('coercion.became', { what, value: coercion.became })
      case 'to-string':
        return sentence('coercion.to-string', { what, value: part(valuePart(coercion.became)) })
      case 'to-array':
        return sentence(`coercion.list-of-${coercion.from}`, { what })
      case 'to-null':
      case 'to-object':
      case 'big-integer-kept':
        return sentence(`coercion.${coercion.kind}`, { what })
      case 'key-mapped':
        return sentence(coercion.by === 'vcp' ? 'coercion.key-vcp' : 'coercion.key-mapped', {
          what: part(keyPart(coercion.key)),
          to: part(keyPart(coercion.to)),
        })
      case 'key-dropped':
        return sentence(`coercion.${coercion.because}`, { what: part(keyPart(coercion.key)) })
      case 'default-dropped':
        return sentence('coercion.default-dropped', { what: part(keyPart(coercion.key)), was: coercion.was })
    }
  })
