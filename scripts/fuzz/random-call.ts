import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { CallToWrite, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Random } from '@/lib/protocols/grammar/grammar'

const WORDS = [
  'tea',
  'a b',
  'x, y',
  '/tmp/a.txt',
  'see: this',
  '# Title',
  '// todo',
  'it\u2019s',
  'say "hi"',
  'x {"k": [1]}',
  'a\nb',
  '',
  '5',
  '<b>x</b>',
  '「x」',
  '好',
  'path',
  'label, x',
]

/** A value that fits a schema, as a model might write it. */
function valueFor(schema: JsonValue | undefined, random: Random, depth: number): JsonValue {
  const wanted = isJsonObject(schema) ? schema : {}
  const options = wanted['enum']
  if (Array.isArray(options)) return random.pick(options)
  const branches = wanted['anyOf']
  if (Array.isArray(branches)) return valueFor(random.pick(branches), random, depth)
  switch (wanted['type']) {
    case 'integer':
      return 5 * (1 + random.int(30))
    case 'number':
      return random.int(1000) / 4
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return Array.from({ length: random.int(4) }, () =>
        valueFor(wanted['items'] ?? { type: 'string' }, random, depth + 1),
      )
    case 'object':
      return objectFor(wanted, random, depth + 1)
    default:
      return random.pick(WORDS)
  }
}

function objectFor(schema: JsonObject, random: Random, depth: number): JsonObject {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return depth > 2 ? {} : { deep: { x: [1, random.pick(WORDS)] }, z: random.pick(WORDS) }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const chosen = Object.entries(properties).filter(([key]) => required.includes(key) || random.chance(0.6))
  return Object.fromEntries(chosen.map(([key, value]) => [key, valueFor(value, random, depth)]))
}

/** Calls of random tools with fitting arguments. */
export const randomCalls = (tools: readonly ToolSpec[], random: Random): readonly CallToWrite[] =>
  Array.from({ length: 1 + random.int(3) }, () => {
    const tool = random.pick(tools)
    return { name: tool.name, arguments: objectFor(tool.parameters, random, 0) }
  })
