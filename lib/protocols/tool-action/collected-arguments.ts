import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { isPlaceholder } from '../arguments/write-json'
import { normaliseKey, propertiesOf, shapeOf } from '../arguments/schema'
import { typesOf } from '../arguments/validate'
import { isUnsafeKey } from '../json-repair/node'
import type { Coercion, RepairCode } from '../types/segment'
import type { Value } from './markup'
import { isLiteral } from './value-end'
import type { ParameterAround } from './value-end'

/** The parameters of one call as they are read, with the repairs needed to name them. */
export class CollectedArguments implements ParameterAround {
  readonly values: Record<string, JsonValue> = Object.create(null)
  readonly repairs = new Set<RepairCode>()
  readonly coercions: Coercion[] = []
  readonly isParameter: ((name: string) => boolean) | null
  /** The first parameter whose value was copied from an example. */
  placeholder: string | null = null
  empty = true
  private readonly properties: JsonObject | null
  /** Parameters that are lists, written once per entry. */
  private readonly lists = new Map<string, JsonValue[]>()
  private readonly keys: ReadonlyMap<string, string>

  /** `parameters` is null if the tool is unknown. */
  constructor(parameters: JsonObject | null) {
    this.properties = parameters ? propertiesOf(parameters) : null
    this.keys = new Map(Object.keys(this.properties ?? {}).map((key) => [normaliseKey(key), key]))
    // Also for a tool whose arguments are one of several objects.
    const known = parameters ? shapeOf([parameters], [parameters]) : null
    this.isParameter = known ? (name) => isLiteral(name) || known.has(name) : null
  }

  add(tag: string, name: string | null, value: Value): void {
    this.empty = false
    const key = this.keyOf(tag, name)
    if (!value.literal && isPlaceholder(value.text)) this.placeholder ??= key
    if (isUnsafeKey(key)) {
      this.coercions.push({
        path: key,
        kind: 'key-dropped',
        key,
        because: 'not-allowed',
      })
      return
    }
    const before = this.values[key]
    this.values[key] = value.text
    if (before === undefined) return
    const schema = this.properties?.[key]
    if (!isJsonObject(schema) || !typesOf(schema).includes('array')) {
      this.repairs.add('duplicate-key')
      return
    }
    const list = this.lists.get(key) ?? [before]
    list.push(value.text)
    this.lists.set(key, list)
    this.values[key] = list
  }

  /** The element's name is the parameter's; for `param` it is its attribute `name`, or the only parameter. */
  private keyOf(tag: string, name: string | null): string {
    const own = this.keys.has(normaliseKey(tag))
    if (name !== null && (isLiteral(tag) || !own)) {
      if (!isLiteral(tag)) this.repairs.add('alias-key')
      return name
    }
    const only = this.keys.size === 1 ? [...this.keys.values()][0] : undefined
    if (!isLiteral(tag) || own || only === undefined) return tag
    this.repairs.add('alias-key')
    return only
  }
}
