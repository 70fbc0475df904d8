import { normaliseKey } from '../arguments/schema'
import type { Field } from './fields'

export interface FieldGroup {
  readonly fields: readonly Field[]
  /** Where the group's first own field begins. */
  readonly start: number
}

const NUMBERED = /^(.*?)[_-]?(\d{1,2})$/

/**
 * Splits `command1`, `path1`, `command2`, … into one group a number, in order; unnumbered fields belong to all of them.
 * A key that is one of the tool's `parameters` itself (`line2`) is no number.
 */
export function splitNumbered(fields: readonly Field[], parameters: readonly string[]): readonly FieldGroup[] {
  const has = (key: string) => parameters.some((one) => normaliseKey(one) === normaliseKey(key))
  const numbers = new Map<Field, { key: string; number: number }>()
  for (const field of fields) {
    const found = NUMBERED.exec(field.key)
    const key = found?.[1] ?? ''
    if (found && key !== '' && !has(field.key)) numbers.set(field, { key, number: Number(found[2]) })
  }
  const entries = [...numbers.values()]
  const commands = entries.some(({ key }) => normaliseKey(key) === 'command')
  const known = entries.length > 0 && entries.every(({ key }) => has(key))
  const whole = [{ fields, start: fields[0]?.start ?? 0 }]
  if (!commands && !known) return whole
  const order = [...new Set(entries.map(({ number }) => number))].toSorted((a, b) => a - b)
  if (order[0] !== 1) return whole
  let floor = 0
  return order.map((wanted) => {
    const own = fields.flatMap((field) => {
      const numbered = numbers.get(field)
      if (!numbered) return [field]
      return numbered.number === wanted ? [{ ...field, key: numbered.key }] : []
    })
    const first = fields.find((field) => numbers.get(field)?.number === wanted)
    floor = Math.max(first?.start ?? 0, floor + 1)
    return { fields: own, start: floor }
  })
}
