import { t } from '@/lib/i18n/t'
import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { keyPart } from './key-part'
import { alternativesOf, propertiesOf, resolveSchema } from './schema'
import { checkValue, isCheckedForm, isPlain } from './validate'

/** A word of a tool's schema that applies to an argument and was not checked. */
export interface UncheckedWord {
  readonly word: string
  /** The argument: `tags`, `style.at`, `points[].x`; empty for the arguments as a whole. */
  readonly path: string
}

/** Words of JSON Schema that are not checked, by what they say something about. */
const OF_LISTS = ['contains', 'additionalItems', 'unevaluatedItems']
const OF_OBJECTS = ['propertyNames', 'minProperties', 'maxProperties', 'unevaluatedProperties']
/** Those that speak of a value only when one of the keys that they name is there. */
const BY_KEY = ['dependentSchemas', 'dependentRequired', 'dependencies']
const OF_ANYTHING = ['if', '$dynamicRef', '$recursiveRef']
const MAX_DEPTH = 32
const MAX_ITEMS = 100

/** The words of a tool's schema that its arguments were not checked against, each once for each argument. */
export function uncheckedWords(args: JsonObject, parameters: JsonObject): readonly UncheckedWord[] {
  const found = new Map<string, UncheckedWord>()
  const note = (word: string, path: string) => found.set(`${word} ${path}`, { word, path })
  const walk = (value: JsonValue, raw: JsonValue | undefined, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    if (isElsewhere(raw, parameters)) note('$ref', path)
    const schema = resolveSchema(raw, parameters)
    for (const word of wordsOf(value, schema)) note(word, path)
    const branches = alternativesOf(schema).map((branch) => resolveSchema(branch, parameters))
    const branch = branches.find((one) => checkValue(value, one).length === 0)
    if (branch && (schema['anyOf'] ?? schema['oneOf']) !== undefined) walk(value, branch, path, depth + 1)
    if (Array.isArray(value)) {
      const first: readonly JsonValue[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
      for (const [i, item] of value.slice(0, MAX_ITEMS).entries())
        walk(item, first[i] ?? schema['items'], `${path}[]`, depth + 1)
    } else if (isJsonObject(value)) {
      const properties = propertiesOf(schema) ?? {}
      for (const [key, one] of Object.entries(value)) {
        const own = Object.hasOwn(properties, key) ? properties[key] : schema['additionalProperties']
        walk(one, own, path === '' ? key : `${path}.${key}`, depth + 1)
      }
    }
  }
  walk(args, parameters, '', 0)
  return [...found.values()]
}

/** A reference to another document, or to a place that is not there. */
function isElsewhere(raw: JsonValue | undefined, root: JsonObject): boolean {
  if (!isJsonObject(raw) || raw['$ref'] === undefined) return false
  const ref = raw['$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return true
  let target: JsonValue | undefined = root
  for (const step of ref.slice(2).split('/'))
    target = isJsonObject(target) && Object.hasOwn(target, step) ? target[step] : undefined
  return target === undefined || resolveSchema(raw, root)['$ref'] !== undefined
}

function wordsOf(value: JsonValue, schema: JsonObject): readonly string[] {
  const has = (word: string) => schema[word] !== undefined
  const words = OF_ANYTHING.filter(has)
  const excluded = schema['not']
  if (excluded !== undefined && !(isJsonObject(excluded) && isPlain(excluded))) words.push('not')
  if (typeof value === 'string')
    words.push(...(['format', 'pattern'] as const).filter((word) => has(word) && !isCheckedForm(word, schema, value)))
  else if (Array.isArray(value)) words.push(...OF_LISTS.filter(has))
  else if (isJsonObject(value)) {
    words.push(...OF_OBJECTS.filter(has))
    words.push(...BY_KEY.filter((word) => namesOneOf(schema[word], value)))
    const properties = propertiesOf(schema) ?? {}
    const others = Object.keys(value).some((key) => !Object.hasOwn(properties, key))
    if (has('patternProperties') && others) words.push('patternProperties')
  }
  return words
}

const namesOneOf = (word: JsonValue | undefined, value: JsonObject): boolean =>
  isJsonObject(word) && Object.keys(word).some((key) => Object.hasOwn(value, key))

/** Words of a schema that are named; a schema may hold a thousand. */
const SAID_WORDS = 4

/** Which words of the tool's schema the arguments were not checked against; [] when all were. */
export function uncheckedSentence(words: readonly UncheckedWord[]): readonly SentencePart[] {
  const said = words.slice(0, SAID_WORDS)
  const more = words.length - said.length
  return [
    ...said.flatMap(({ word, path }, i) =>
      withParts((part) => {
        const what = path === '' ? t('unchecked.all') : part(keyPart(path))
        const one = t('unchecked.one', { word, what })
        return t(i === 0 ? 'unchecked.first' : 'unchecked.next', { one })
      }),
    ),
    ...(more > 0 ? [t('unchecked.more', { count: more })] : []),
  ]
}
