import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { Coercion } from '../types/segment'
import { nodeValue, type JsonNode, type WrittenNumbers } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { JsonReading } from '../json-repair/json-reading'
import { Source } from '../text/source'
import { secondReading } from './one-reading'
import { resolveSchema, shapeOf } from './schema'

/** The digits of a whole number that a double can't hold, kept as a string. */
const BIG_DIGITS = /^-?\d{16,}$/
const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/

/** Converts a value to the type that its schema wants, and lists each change in `coercions`. */
export class TypeChanger {
  private readonly root: JsonObject
  private readonly written: WrittenNumbers
  private readonly coercions: Coercion[]

  constructor(root: JsonObject, written: WrittenNumbers, coercions: Coercion[]) {
    this.root = root
    this.written = written
    this.coercions = coercions
  }

  toType(value: JsonValue, schema: JsonObject, path: string, digits: string | undefined): JsonValue {
    const type = schema['type']
    switch (type) {
      case 'number':
      case 'integer':
        return this.toNumber(value, type, path)
      case 'boolean':
        if (typeof value !== 'string' || !/^\s*(true|false)\s*$/i.test(value)) return value
        this.coercions.push({ path, kind: 'to-boolean', became: value.trim().toLowerCase() })
        return value.trim().toLowerCase() === 'true'
      case 'string':
        if (typeof value !== 'number' && typeof value !== 'boolean') return value
        this.coercions.push({ path, kind: 'to-string', became: JSON.stringify(digits ?? String(value)) })
        return digits ?? String(value)
      case 'null':
        if (value !== 'null' && value !== 'None') return value
        this.coercions.push({ path, kind: 'to-null' })
        return null
      case 'array':
        return this.toArray(value, schema, path)
      case 'object': {
        const decoded = typeof value === 'string' ? this.decode(value, schema) : undefined
        if (!isJsonObject(decoded)) return value
        this.coercions.push({ path, kind: 'to-object' })
        return decoded
      }
      default:
        return value
    }
  }

  private toNumber(value: JsonValue, type: 'number' | 'integer', path: string): JsonValue {
    if (typeof value !== 'string' || !NUMBER.test(value)) return value
    const text = value.trim()
    const number = Number(text)
    if (BIG_DIGITS.test(text) && !Number.isSafeInteger(number)) {
      this.coercions.push({ path, kind: 'big-integer-kept' })
      return text
    }
    if (!Number.isFinite(number) || (type === 'integer' && !Number.isInteger(number))) return value
    this.coercions.push({ path, kind: type === 'integer' ? 'to-integer' : 'to-number', became: String(number) })
    return number
  }

  private toArray(value: JsonValue, schema: JsonObject, path: string): JsonValue {
    if (Array.isArray(value) || value === null) return value
    if (typeof value === 'string') {
      const decoded = /^\s*\[/.test(value) ? this.decode(value, schema) : undefined
      if (Array.isArray(decoded)) {
        this.coercions.push({ path, kind: 'to-array', from: 'text' })
        return decoded
      }
    } else if (isJsonObject(value)) {
      const keys = Object.keys(value)
      const inner = keys.length === 1 ? value[keys[0] ?? ''] : undefined
      if (Array.isArray(inner) && /^items?$/i.test(keys[0] ?? '')) {
        this.coercions.push({ path, kind: 'to-array', from: 'wrapped' })
        return inner
      }
    }
    // The rest of a list that lost a bracket or a quote is not an item.
    if (typeof value === 'string' && /^\s*[[{"]|[\]}"]\s*$/.test(value)) return value
    this.coercions.push({ path, kind: 'to-array', from: 'single' })
    return [value]
  }

  /** Decodes JSON that was written as a string, but only if it has a single possible reading. */
  private decode(text: string, schema: JsonObject): JsonValue | undefined {
    const reading = readText(text)
    if (!reading) return undefined
    const items = schema['items'] === undefined ? schema : resolveSchema(schema['items'], this.root)
    const repairs = new Set(reading.repairs.map(({ code }) => code))
    const doubts = { guessed: reading.guessed, crossed: reading.crossed, repairs }
    if (secondReading(reading.node, shapeOf([items], [this.root]), doubts) !== null) return undefined
    return nodeValue(reading.node, undefined, this.written)
  }
}

/**
 * Decodes JSON that was written as a string, with repairs if needed. Returns undefined if it is not a whole JSON value.
 */
export function decode(text: string): JsonValue | undefined {
  const reading = readText(text)
  return reading ? nodeValue(reading.node) : undefined
}

function readText(text: string): (JsonReading & { readonly node: JsonNode }) | null {
  const source = new Source(text, true)
  const reading = readJson(source, 0, { guess: false })
  const { node } = reading
  return !node || reading.failure || source.skipSpace(reading.end) < text.length ? null : { ...reading, node }
}
