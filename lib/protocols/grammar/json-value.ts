import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { propertiesOf, resolveSchema } from '../arguments/schema'
import { isUnsafeKey } from '../json-repair/node'
import { writeJson } from '../arguments/write-json'
import { alt, chars, lit, many, nothing, optional, ref, seq, type Grammar, type RefNode } from './grammar'
import { escapeOf, isCounted, numberGrammar, type JsonTextForm } from './json-text'
import { mergedSchema } from './merged-schema'

/**
 * A schema constraint that the grammar does not enforce: the model may write a value that the tool's schema rejects.
 */
export interface Widening {
  /** Dotted path of the argument, '' for all arguments; `[]` for the items of a list. */
  readonly path: string
  readonly keyword: string
}

/** The length of longer lists is not enforced. */
const MOST_ITEMS = 100
/** Schema keywords that the grammar can't express. */
const NOT_SAID = [
  'multipleOf',
  'pattern',
  'uniqueItems',
  'contains',
  'prefixItems',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
  'patternProperties',
  'minProperties',
  'maxProperties',
]
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

/**
 * Grammars for JSON values that fit a schema: members in the schema's order, no white space. Keys that the reader would
 * drop can't be written. Constraints that the grammar can't express are ignored and listed as widenings.
 */
export class ValueGrammars {
  readonly widened: Widening[] = []
  readonly root: JsonObject
  private readonly form: JsonTextForm
  private readonly known = new Map<JsonObject, RefNode>()
  /** Results of merging schemas with `allOf`. */
  private readonly merged = new Map<JsonObject, JsonObject>()
  private free: RefNode | null = null
  private text: RefNode | null = null

  constructor(root: JsonObject, form: JsonTextForm) {
    this.root = root
    this.form = form
  }

  /** The tool's arguments: always an object, even if the schema allows more. */
  arguments(): Grammar {
    const schema = this.resolved(this.root, '')
    const isObject = this.branches(schema).every((one) => typeOf(this.resolved(one, '')) === 'object')
    return isObject ? this.of(this.root, '') : this.freeObject()
  }

  /** The schemas of which a value must fit one, with references resolved. */
  alternatives(raw: JsonValue | undefined, path: string, depth = 0): readonly JsonObject[] {
    const schema = this.resolved(raw, path)
    if (depth === 0) this.tellWidened(schema, path)
    if (schema['const'] !== undefined || schema['enum'] !== undefined) return [schema]
    const branches = this.branches(schema)
    if ((branches.length === 1 && branches[0] === schema) || depth > 8) return [schema]
    return branches.flatMap((branch) => this.alternatives(branch, path, depth + 1))
  }

  /** The type that a schema has or clearly implies; null for any. */
  typeOf(schema: JsonObject): string | null {
    return typeOf(schema)
  }

  /** Whether objects of this schema keep keys that it does not name. */
  isOpen(schema: JsonObject): boolean {
    const additional = schema['additionalProperties']
    return propertiesOf(schema) === null || additional === true || isJsonObject(additional)
  }

  /** The shape of a string's format; null if there is none, or none that is enforced. */
  shape({ format }: JsonObject): Grammar | null {
    return typeof format === 'string' && Object.hasOwn(FORMATS, format) ? (FORMATS[format] ?? null) : null
  }

  /** The minimum and maximum number of characters of a string. */
  length(schema: JsonObject, path: string): { readonly min: number; readonly max: number } {
    if (schema['format'] !== undefined && !this.shape(schema)) this.widen(path, 'format')
    const min = this.bound(schema, 'minLength', path, 0)
    return { min, max: Math.max(min, this.bound(schema, 'maxLength', path, Infinity)) }
  }

  of(raw: JsonValue | undefined, path: string): Grammar {
    const schema = this.resolved(raw, path)
    const known = this.known.get(schema)
    if (known) return known
    let built: Grammar = nothing
    const node = ref(path.split(/[.[\]]/).findLast((step) => step !== '') ?? 'arguments', () => built)
    this.known.set(schema, node)
    built = this.build(schema, path)
    return built.kind === 'lit' || built.kind === 'text' || built === this.free ? this.plain(schema, built) : node
  }

  /** Inlines a grammar that is short enough. */
  private plain(schema: JsonObject, built: Grammar): Grammar {
    this.known.delete(schema)
    return built.kind === 'text' && built.max === Infinity && built.min === 0 ? this.anyText() : built
  }

  private anyText(): Grammar {
    const { form } = this
    return (this.text ??= ref('string', () => form.text(0, Infinity)))
  }

  private resolved(raw: JsonValue | undefined, path: string): JsonObject {
    const schema = resolveSchema(raw, this.root)
    if (typeof schema['$ref'] === 'string') this.widen(path, '$ref')
    if (schema['allOf'] === undefined) return schema
    const known = this.merged.get(schema)
    if (known) return known
    const merged = mergedSchema(schema, this.root, (keyword) => this.widen(path, keyword))
    this.merged.set(schema, merged)
    return merged
  }

  /** The alternatives that a value can fit, each merged with the keywords beside them. */
  private branches(schema: JsonObject): readonly JsonObject[] {
    const all = this.allBranches(schema)
    const able = all.filter((one) => !asksForUnsafeKey(resolveSchema(one, this.root)))
    return able.length > 0 ? able : all
  }

  private allBranches(schema: JsonObject): readonly JsonObject[] {
    const word = Array.isArray(schema['anyOf']) ? 'anyOf' : 'oneOf'
    const list = schema[word]
    if (Array.isArray(list) && list.some(isJsonObject)) {
      const { [word]: _, ...beside } = schema
      const own = list.filter(isJsonObject)
      if (!Object.keys(beside).some((key) => SHAPING.has(key))) return own
      return own.map((branch) => mergedSchema({ ...beside, allOf: [branch] }, this.root, () => undefined))
    }
    const type = schema['type']
    if (Array.isArray(type)) return type.flatMap((one) => (typeof one === 'string' ? [{ ...schema, type: one }] : []))
    return [schema]
  }

  /** A fixed value in JSON. The form's own marks, which occur only in strings, are escaped. */
  literal(value: JsonValue): Grammar {
    const { escapes } = this.form
    const json = writeJson(value)
    return lit(escapes ? json.replaceAll(escapes, escapeOf) : json)
  }

  private tellWidened(schema: JsonObject, path: string): void {
    for (const keyword of NOT_SAID) if (schema[keyword] !== undefined) this.widen(path, keyword)
  }

  private build(schema: JsonObject, path: string): Grammar {
    this.tellWidened(schema, path)
    const { enum: options, const: only } = schema
    if (only !== undefined) return this.literal(only)
    if (Array.isArray(options) && options.length > 0) return alt(...options.map((one) => this.literal(one)))
    const branches = this.branches(schema)
    if (branches.length > 1 || branches[0] !== schema) return alt(...branches.map((one) => this.of(one, path)))
    switch (typeOf(schema)) {
      case 'string':
        return this.string(schema, path)
      case 'integer':
        return this.number(schema, path, true)
      case 'number':
        return this.number(schema, path, false)
      case 'boolean':
        return alt(lit('true'), lit('false'))
      case 'null':
        return lit('null')
      case 'array':
        return this.list(schema, path)
      case 'object':
        return this.object(schema, path)
      default:
        return this.anything()
    }
  }

  private string(schema: JsonObject, path: string): Grammar {
    const shape = this.shape(schema)
    if (shape) return seq(lit('"'), shape, lit('"'))
    const { min, max } = this.length(schema, path)
    return this.form.text(min, max)
  }

  private number(schema: JsonObject, path: string, whole: boolean): Grammar {
    const { of, said } = numberGrammar(schema, whole)
    for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
      if (typeof schema[keyword] === 'number' && !said.includes(keyword)) this.widen(path, keyword)
    return of
  }

  private bound(schema: JsonObject, keyword: string, path: string, otherwise: number): number {
    const bound = schema[keyword]
    if (typeof bound !== 'number' || !Number.isInteger(bound) || bound < 0) return otherwise
    if (isCounted(bound)) return bound
    this.widen(path, keyword)
    return otherwise
  }

  private list(schema: JsonObject, path: string): Grammar {
    const items = schema['items']
    if (Array.isArray(items)) this.widen(path, 'items')
    const item =
      Array.isArray(items) || schema['prefixItems'] !== undefined ? this.anything() : this.of(items, `${path}[]`)
    const bound = (keyword: string, otherwise: number) => {
      const found = schema[keyword]
      if (typeof found !== 'number' || found < 0) return otherwise
      if (found <= MOST_ITEMS) return Math.ceil(found)
      this.widen(path, keyword)
      return otherwise
    }
    const min = bound('minItems', 0)
    const max = Math.max(min, bound('maxItems', Infinity))
    return listOf(item, min, max)
  }

  private object(schema: JsonObject, path: string): Grammar {
    const properties = propertiesOf(schema)
    const additional = schema['additionalProperties']
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    for (const key of required) if (typeof key === 'string' && !properties?.[key]) this.widen(path, 'required')
    const members = Object.entries(properties ?? {}).flatMap(([key, value]) => {
      const at = path === '' ? key : `${path}.${key}`
      if (isUnsafeKey(key) && required.includes(key)) this.widen(at, 'required')
      if (isUnsafeKey(key) || value === false) return []
      return [{ of: seq(this.literal(key), lit(':'), this.of(value, at)), required: required.includes(key) }]
    })
    const extra = this.isOpen(schema) ? this.extraMember(isJsonObject(additional) ? additional : undefined, path) : null
    return objectOf(members, extra)
  }

  /** A member with a key that the schema does not name. */
  private extraMember(schema: JsonObject | undefined, path: string): Grammar {
    const value = schema ? this.of(schema, `${path}.*`) : this.anything()
    return seq(FREE_KEY, lit(':'), value)
  }

  private anything(): RefNode {
    if (this.free) return this.free
    const self: RefNode = ref('json', () => built)
    this.free = self
    const text = this.anyText()
    const object = this.freeObject()
    const built = alt(
      text,
      numberGrammar({}, false).of,
      lit('true'),
      lit('false'),
      lit('null'),
      listOf(self, 0, Infinity),
      object,
    )
    return self
  }

  private freeObject(): Grammar {
    return objectOf([], seq(FREE_KEY, lit(':'), this.anything()))
  }

  private widen(path: string, keyword: string): void {
    if (!this.widened.some((one) => one.path === path && one.keyword === keyword)) this.widened.push({ path, keyword })
  }
}

/** Keywords beside alternatives that constrain the value itself. */
const SHAPING = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'const',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'format',
])

/**
 * Keys of open objects: any key that a model would write and that our readers keep. A walk never writes the same key
 * twice.
 */
const FREE_KEY: Grammar = {
  kind: 'text',
  of: seq(
    lit('"'),
    chars(['a', 'z'], ['A', 'Z']),
    many(chars(['a', 'z'], ['A', 'Z'], ['0', '9'], '_ .-'), 0, 63),
    lit('"'),
  ),
  min: 1,
  max: 64,
  write: (_, random) => `"k${random.int(2 ** 31).toString(36)}"`,
}

const DIGIT = chars(['0', '9'])
const digits = (count: number): Grammar => many(DIGIT, count, count)
const HEX = chars(['0', '9'], ['a', 'f'], ['A', 'F'])
const month = alt(seq(lit('0'), chars(['1', '9'])), seq(lit('1'), chars(['0', '2'])))
const day = alt(seq(lit('0'), chars(['1', '9'])), seq(chars('12'), DIGIT), seq(lit('3'), chars('01')))
const date = seq(digits(4), lit('-'), month, lit('-'), day)
const time = seq(
  digits(2),
  lit(':'),
  digits(2),
  lit(':'),
  digits(2),
  optional(seq(lit('.'), many(DIGIT, 1, 9))),
  alt(lit('Z'), seq(chars('+-'), digits(2), lit(':'), digits(2))),
)
const hex = (count: number): Grammar => many(HEX, count, count)

/** Formats with a simple shape that every value of the format has. */
const FORMATS: Readonly<Record<string, Grammar>> = {
  date,
  time,
  'date-time': seq(date, chars('Tt '), time),
  uuid: seq(hex(8), lit('-'), hex(4), lit('-'), hex(4), lit('-'), hex(4), lit('-'), hex(12)),
}

/** Whether the schema requires an unsafe key: the reader drops such keys, so nothing that it reads fits. */
function asksForUnsafeKey({ required }: JsonObject): boolean {
  return Array.isArray(required) && required.some((key) => typeof key === 'string' && isUnsafeKey(key))
}

/** The type that a schema has or clearly implies; null for any. */
function typeOf(schema: JsonObject): string | null {
  const { type } = schema
  if (typeof type === 'string') return TYPES.has(type) ? type : null
  if (isJsonObject(schema['properties'])) return 'object'
  return null
}

function listOf(item: Grammar, min: number, max: number): Grammar {
  if (max === 0) return lit('[]')
  const more = many(seq(lit(','), item), Math.max(0, min - 1), max === Infinity ? Infinity : max - 1)
  const filled = seq(lit('['), item, more, lit(']'))
  return min > 0 ? filled : alt(lit('[]'), filled)
}

interface Member {
  readonly of: Grammar
  readonly required: boolean
}

/** Members in their order, optional ones with their comma, followed by any number of `extra`. */
function objectOf(members: readonly Member[], extra: Grammar | null): Grammar {
  let rest: Grammar = extra ? many(seq(lit(','), extra)) : nothing
  let first: Grammar = extra ? optional(seq(extra, rest)) : nothing
  for (const { of, required } of members.toReversed()) {
    const behind = rest
    const before = first
    const own = seq(of, behind)
    first = required ? own : alt(own, before)
    const next = required ? seq(lit(','), of, behind) : seq(optional(seq(lit(','), of)), behind)
    rest = ref('more', () => next)
    first = shared(first)
  }
  return seq(lit('{'), first, lit('}'))
}

function shared(grammar: Grammar): Grammar {
  return ref('members', () => grammar)
}
