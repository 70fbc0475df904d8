// The types of a message's values, from its compiled form.
import { argumentsOf, listKinds } from './catalog.mjs'

/** The names of foreign values in every message: they have the type `Foreign`. */
const foreign = new Set([
  'path',
  'name',
  'title',
  'folder',
  'file',
  'model',
  'provider',
  'host',
  'address',
  'query',
  'column',
])

const lists = new Set(listKinds)

/** @param {string} name @param {ReadonlySet<string>} kinds @param {boolean} isQuoted @returns {string} */
function typeOf(name, kinds, isQuoted) {
  const numeric = [...kinds].some(
    (kind) => kind !== '' && kind !== 'select' && !kind.startsWith('=') && !lists.has(kind),
  )
  const isList = [...kinds].some((kind) => lists.has(kind))
  const isTruth = kinds.has('=true') || kinds.has('=false')
  const orNull = kinds.has('=null') ? ' | null' : ''
  if (numeric) return `number${orNull}`
  if (isQuoted && foreign.has(name)) return `Foreign${orNull}`
  if (isList) return `readonly string[]${orNull}`
  return `${isTruth ? 'boolean' : 'string | number'}${orNull}`
}

/** `never` for a message without values. */
export function valuesType({ tokens }, isQuoted) {
  const values = [...argumentsOf(tokens)]
  if (values.length === 0) return 'never'
  return `{ ${values.map(([name, kinds]) => `readonly ${name}: ${typeOf(name, kinds, isQuoted)}`).join('; ')} }`
}

/**
 * Whether a message takes foreign text. A number is never foreign.
 * @param {any} message @param {ReadonlySet<string>} [names]
 */
export const takesForeign = ({ tokens }, names = foreign) =>
  [...argumentsOf(tokens)].some(([name, kinds]) => names.has(name) && [...kinds].some((kind) => kind !== 'number'))

export const foreignNames = foreign
