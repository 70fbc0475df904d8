import { markContext } from '@/lib/base/untrusted-text/mark'
import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import type { ArgumentIssue, Coercion } from '../types/segment'
import { isUnsafeKey, type WrittenNumbers } from '../json-repair/node'
import type { Shape } from '../json-repair/json-reading'
import { decode, TypeChanger } from './change-type'
import { alternativesOf, misspelled, normaliseKey, propertiesOf, propertyNamed, resolveSchema, shapeOf } from './schema'
import { checkValue, typesOf } from './validate'

export interface Coerced {
  readonly value: JsonValue
  readonly issues: readonly ArgumentIssue[]
  readonly coercions: readonly Coercion[]
}

/**
 * Fits arguments to a tool's schema: scalars to the wanted type, JSON strings to lists and objects, keys to the
 * schema's spelling. Unknown keys are dropped, but a damaged name of an optional parameter that is missing is an issue.
 * Every change is listed; a value that still does not fit becomes an issue. `written` holds the digits that numbers
 * were written with, so that a string keeps them.
 */
export function coerceArguments(
  args: JsonObject,
  parameters: JsonObject,
  written: WrittenNumbers = new WeakMap(),
): Coerced & { readonly value: JsonObject } {
  const coercer = new Coercer(parameters, written)
  const value = coercer.coerce(args, parameters, '', 0)
  return { value: isJsonObject(value) ? value : args, issues: coercer.issues, coercions: coercer.coercions }
}

/** An object on the path to the value being fitted. */
interface Level {
  readonly object: JsonObject
  readonly properties: JsonObject | null
  /** Parameters that were found deeper inside and belong to this object. */
  readonly lifted: {
    readonly target: string
    readonly from: string
    readonly key: string
    readonly value: JsonValue
    readonly digits: string | undefined
  }[]
}

/** How a value reads under one alternative. `lifts`: the parameters that belong to each of the enclosing objects. */
interface Reading extends Coerced {
  readonly lifts: readonly Level['lifted'][]
}

class Coercer {
  /** The enclosing objects, outermost first. */
  private readonly levels: Level[]
  readonly issues: ArgumentIssue[] = []
  readonly coercions: Coercion[] = []
  private readonly root: JsonObject
  private readonly written: WrittenNumbers
  private readonly types: TypeChanger

  constructor(root: JsonObject, written: WrittenNumbers, around: readonly Level[] = []) {
    this.root = root
    this.written = written
    this.types = new TypeChanger(root, written, this.coercions)
    this.levels = around.map((level) => ({ ...level, lifted: [] }))
  }

  /** `digits`: how the value was written, if it is a number. */
  coerce(value: JsonValue, rawSchema: JsonValue | undefined, path: string, depth: number, digits?: string): JsonValue {
    const schema = resolveSchema(rawSchema, this.root)
    if (depth > 64) return value
    const branches = alternativesOf(schema)
    if (branches.length > 1 || branches[0] !== schema) return this.union(value, branches, path, depth, digits)
    const changed = this.types.toType(value, schema, path, digits)
    const inner = Array.isArray(changed)
      ? this.items(changed, schema, path, depth)
      : isJsonObject(changed)
        ? this.members(changed, schema, path, depth)
        : changed
    for (const issue of checkValue(inner, schema)) this.issues.push({ path, ...issue })
    return inner
  }

  /** Picks the first alternative that accepts the value as it is, else the one that loses and changes the least. */
  private union(
    value: JsonValue,
    branches: readonly JsonObject[],
    path: string,
    depth: number,
    digits: string | undefined,
  ): JsonValue {
    const readings: Reading[] = []
    // A string that one alternative accepts is not a list of another one, even if it lacks the requested format.
    const taken = branches.some((branch) => takes(resolveSchema(branch, this.root), value))
    for (const branch of branches) {
      const attempt = new Coercer(this.root, this.written, this.levels)
      const result = attempt.coerce(value, branch, path, depth + 1, digits)
      const lifts = attempt.levels.map(({ lifted }) => lifted)
      if (attempt.issues.length === 0 && attempt.coercions.length === 0 && lifts.flat().length === 0) return result
      if (
        taken &&
        attempt.coercions.some((one) => one.kind === 'to-array' && one.from === 'single' && one.path === path)
      )
        continue
      readings.push({ value: result, issues: attempt.issues, coercions: attempt.coercions, lifts })
    }
    const best = this.closest(value, readings, branches)
    if (!best) return value
    this.coercions.push(...best.coercions)
    for (const [i, level] of this.levels.entries()) level.lifted.push(...(best.lifts[i] ?? []))
    if (branches.length === 1 || isJsonObject(best.value)) this.issues.push(...best.issues)
    else if (best.issues.length > 0) {
      const types = branches.map((branch) => typesOf(branch).join(' or ') || 'value')
      this.issues.push({ path, ...makeModelMessage('argument.one-of', { types }) })
    }
    return best.value
  }

  /**
   * Picks the reading that loses the fewest parameters, then the one that fits best, then the one with the fewest
   * changes.
   */
  private closest(
    value: JsonValue,
    readings: readonly Reading[],
    branches: readonly JsonObject[],
  ): Reading | undefined {
    if (readings.length < 2) return readings[0]
    const schemas = branches.map((branch) => {
      const schema = resolveSchema(branch, this.root)
      return schema['items'] === undefined ? schema : resolveSchema(schema['items'], this.root)
    })
    const known = shapeOf(
      schemas,
      schemas.map(() => this.root),
    )
    const decoded = typeof value === 'string' && known ? (decode(value) ?? value) : value
    const faults = ({ value: read, issues, coercions, lifts }: Reading): readonly number[] => [
      lostKeys(decoded, read, known),
      issues.length,
      coercions.length + lifts.flat().length,
    ]
    return readings.toSorted((a, b) => order(faults(a), faults(b)))[0]
  }

  private items(list: readonly JsonValue[], schema: JsonObject, path: string, depth: number): JsonValue {
    const prefix: readonly JsonValue[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
    if (schema['items'] === undefined && prefix.length === 0) return list
    const digits = this.written.get(list)
    return list.map((item, i) =>
      this.coerce(
        item,
        prefix[i] ?? schema['items'],
        path === '' ? String(i) : `${path}.${i}`,
        depth + 1,
        digits?.get(i),
      ),
    )
  }

  private members(object: JsonObject, schema: JsonObject, path: string, depth: number): JsonObject {
    const properties = propertiesOf(schema)
    const additional = schema['additionalProperties']
    const result: Record<string, JsonValue> = Object.create(null)
    const at = (key: string) => (path === '' ? key : `${path}.${key}`)
    const rest: [string, JsonValue][] = []
    const digits = this.written.get(object)
    const level: Level = { object, properties, lifted: [] }
    this.levels.push(level)
    for (const [key, value] of Object.entries(object)) {
      if (properties && Object.hasOwn(properties, key))
        this.member(result, key, value, properties, schema, at(key), depth, digits?.get(key))
      else rest.push([key, value])
    }
    for (const [key, value] of rest) {
      const target = properties ? propertyNamed(properties, key) : null
      if (target !== null && properties && !Object.hasOwn(result, target)) {
        this.coercions.push({ path: at(key), kind: 'key-mapped', key, to: target, by: 'schema' })
        this.member(result, target, value, properties, schema, at(target), depth, digits?.get(key))
      } else if (!isUnsafeKey(key) && this.lift(key, value, at(key), digits?.get(key), properties, additional)) {
        continue
      } else if (isUnsafeKey(key) || (properties && additional !== true && !isJsonObject(additional))) {
        const names = isUnsafeKey(key) || !properties ? [] : misspelled(missingFrom(object, properties, schema), key)
        if (names.length > 0) this.issues.push({ path: at(key), ...makeModelMessage('argument.near', { names }) })
        else
          this.coercions.push({ path: at(key), kind: 'key-dropped', key, because: 'no-parameter', ...unseenIn(value) })
      } else {
        result[key] = isJsonObject(additional)
          ? this.coerce(value, additional, at(key), depth + 1, digits?.get(key))
          : value
      }
    }
    this.levels.pop()
    for (const { target, from, key, value, digits: written } of level.lifted) {
      if (properties === null || Object.hasOwn(result, target))
        this.issues.push({ path: from, ...makeModelMessage('argument.misplaced') })
      else {
        this.coercions.push({ path: from, kind: 'key-mapped', key, to: at(target), by: 'schema' })
        this.member(result, target, value, properties, schema, at(target), depth, written)
      }
    }
    const required = schema['required']
    if (Array.isArray(required))
      for (const key of required)
        if (typeof key === 'string' && !Object.hasOwn(result, key)) {
          const types = typesOf(resolveSchema(properties?.[key], this.root))
          this.issues.push({ path: at(key), ...makeModelMessage('argument.required', { types }) })
        }
    return result
  }

  /**
   * Lifts a parameter that was written in an inner object to the enclosing object that it belongs to: the only one that
   * knows it and lacks it. If that object is not certain, the call can't run, so that no value is lost silently.
   * Returns false if no enclosing object has such a parameter.
   */
  private lift(
    key: string,
    value: JsonValue,
    from: string,
    digits: string | undefined,
    properties: JsonObject | null,
    additional: JsonValue | undefined,
  ): boolean {
    if (!properties || additional === true || isJsonObject(additional)) return false
    const around = this.levels.slice(0, -1).flatMap((level) => {
      const target = level.properties ? propertyNamed(level.properties, key) : null
      return target === null
        ? []
        : [
            {
              level,
              target,
              lacks: !Object.keys(level.object).some((one) => propertyNamed(level.properties ?? {}, one) === target),
            },
          ]
    })
    if (around.length === 0) return false
    const [only, ...others] = around.filter(({ lacks }) => lacks)
    if (!only || others.length > 0) this.issues.push({ path: from, ...makeModelMessage('argument.misplaced') })
    else only.level.lifted.push({ target: only.target, from, key, value, digits })
    return true
  }

  private member(
    result: Record<string, JsonValue>,
    key: string,
    value: JsonValue,
    properties: JsonObject,
    schema: JsonObject,
    path: string,
    depth: number,
    digits: string | undefined,
  ): void {
    const required = schema['required']
    const wanted = resolveSchema(properties[key], this.root)
    // null for an optional parameter means "the default": omit it if the schema does not allow null.
    if (value === null && !(Array.isArray(required) && required.includes(key)) && !allowsNull(wanted, this.root)) {
      this.coercions.push({ path, kind: 'default-dropped', key, was: 'null' })
      return
    }
    result[key] = this.coerce(value, wanted, path, depth + 1, digits)
  }
}

/** The optional parameters that an object lacks under any spelling. A required one that is missing is an issue anyway. */
function missingFrom(object: JsonObject, properties: JsonObject, schema: JsonObject): readonly string[] {
  const present = new Set(Object.keys(object).map((key) => propertyNamed(properties, key)))
  const required = schema['required']
  return Object.keys(properties).filter(
    (name) => !present.has(name) && !(Array.isArray(required) && required.includes(name)),
  )
}

/** The part of a dropped value that the note does not show; nothing if the note shows all of it. */
function unseenIn(value: JsonValue): { readonly unseen?: string } {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : ''
  const [mark] = marksOf(text.slice(0, 20_000), 'prose')
  return mark ? { unseen: markContext(text, mark) } : {}
}

/** Whether a schema takes values of this type at all. */
function takes(schema: JsonObject, value: JsonValue): boolean {
  const types = typesOf(schema)
  return types.includes(typeof value) || (typeof value === 'number' && types.includes('integer'))
}

function allowsNull(schema: JsonObject, root: JsonObject, depth = 0): boolean {
  const branches = alternativesOf(schema)
  if (branches.length !== 1 || branches[0] !== schema)
    return depth < 8 && branches.some((branch) => allowsNull(resolveSchema(branch, root), root, depth + 1))
  const types = typesOf(schema)
  return (types.length === 0 || types.includes('null')) && checkValue(null, schema).length === 0
}

/**
 * Counts the parameters of any alternative that a reading has lost, at any depth. A reading that drops a key known to
 * another alternative is a different call. null counts as omitted.
 */
function lostKeys(value: JsonValue, read: JsonValue, known: Shape | null): number {
  if (!known) return 0
  if (Array.isArray(value) && Array.isArray(read))
    return value.reduce<number>((sum, item, i) => sum + lostKeys(item, read[i] ?? null, known), 0)
  if (!isJsonObject(value) || !isJsonObject(read)) return 0
  const kept = new Map(Object.keys(read).map((key) => [normaliseKey(key), key]))
  return Object.entries(value).reduce((sum, [key, item]) => {
    const own = Object.hasOwn(read, key) ? key : kept.get(normaliseKey(key))
    if (own === undefined) return sum + (item !== null && known.has(key) ? 1 : 0)
    return sum + lostKeys(item, read[own] ?? null, known.child(key, null))
  }, 0)
}

/** Compares two lists by the first number that differs. */
const order = (some: readonly number[], others: readonly number[]): number =>
  some.map((one, i) => one - (others[i] ?? 0)).find((difference) => difference !== 0) ?? 0
