import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { Random } from '../grammar/grammar'
import type { ToolSpec } from '../types/tool-context-def'

/** Tool names as they occur in practice. */
const NAMES = [
  'make_note',
  'plan',
  'odd.tool-name',
  'a "quoted" <one>',
  '工具',
  'tool_code',
  'x&y',
  "it's",
  'a\nb',
  '</tool_code>',
  '__proto__',
  'constructor',
  'name',
  'read_file',
  'readFile',
  'mcp__files__read',
  '<tool_action',
  '<<<[TOOL_REQUEST]>>>',
  '「末」',
  'x"],"y',
  'tool_call',
  'text',
  'action',
  'a'.repeat(200),
  '\\',
  '```',
  '>',
  'null',
  '{{tools}}',
  '$HOME',
  '/slash',
  'function',
  '5',
  'é',
]
const KEYS = [
  'title',
  'path',
  'line1',
  'line2',
  'value',
  'x-y',
  'ratio',
  'id',
  'name',
  'param',
  'parameter',
  'arguments',
  'tool_name',
  'toolName',
  'action',
  'action_input',
  'function',
  'tool_calls',
  'type',
  'items',
  'input',
  'args',
  'command',
  'toolId',
  'maid',
  'a b.c$',
  '__proto_',
  '__proto__',
  'é',
  '参数',
  'x"y',
  'x<y',
  'x&y',
  '「始」',
  'x\ny',
  'tool_action',
  'constructor',
  'toString',
  'k'.repeat(80),
  'required',
  'content',
]
const WORDS = [
  'todo',
  'idea',
  'a "quoted" <one>',
  '',
  '...',
  '$PARAM',
  'null',
  '5',
  'true',
  'a\nb',
  '「末」',
  '</tool_code>',
  '&amp;',
  ']]>',
  'é',
]
const FORMATS = ['date', 'date-time', 'time', 'uuid', 'email', 'uri']

/** A few tools with schemas of every kind that a grammar supports, some of them hostile. */
export function randomTools(random: Random): readonly ToolSpec[] {
  const names = new Set(Array.from({ length: 1 + random.int(4) }, () => random.pick(NAMES)))
  return [...names].map((name) => ({ name, description: 'Does it.', parameters: parameters(random) }))
}

function parameters(random: Random): JsonObject {
  if (random.chance(0.05)) return { type: 'object' }
  const schema = objectSchema(random, 0, random.int(random.chance(0.1) ? 16 : 6))
  if (random.chance(0.1)) return withTree(schema)
  return random.chance(0.05) ? { anyOf: [schema, objectSchema(random, 0, 2)] } : schema
}

/** Adds a parameter of a recursive type. */
const withTree = (schema: JsonObject): JsonObject => ({
  ...schema,
  properties: { ...(schema['properties'] as JsonObject), tree: { $ref: '#/$defs/tree' } },
  $defs: {
    tree: {
      type: 'object',
      properties: { label: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      required: ['label'],
    },
  },
})

function objectSchema(random: Random, depth: number, count: number): JsonObject {
  const keys = [...new Set(Array.from({ length: count }, () => random.pick(KEYS)))]
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, schemaOf(random, depth + 1)])),
    required: keys.filter((key) => key !== '__proto__' && random.chance(0.4)),
    ...(random.chance(0.6) ? { additionalProperties: random.chance(0.85) ? false : random.chance(0.5) } : {}),
  }
}

function schemaOf(random: Random, depth: number): JsonObject {
  const kind = random.int(depth > 3 ? 8 : 15)
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return { type: 'string' }
    case 3:
      return { type: 'string', enum: some(random, WORDS) }
    case 4:
      return random.chance(0.5) ? { type: 'integer' } : { type: 'integer', ...bounds(random) }
    case 5:
      return random.chance(0.5) ? { type: 'number' } : { type: 'number', minimum: 0 }
    case 6:
      return { type: 'boolean' }
    case 7:
      return random.chance(0.5)
        ? { type: 'string', minLength: random.int(3), maxLength: 3 + random.int(20) }
        : { type: 'string', format: random.pick(FORMATS) }
    case 8:
      return { type: ['string', 'null'] }
    case 9:
      return {
        type: 'array',
        items: schemaOf(random, depth + 1),
        ...(random.chance(0.4) ? { minItems: 1, maxItems: 3 } : {}),
      }
    case 10:
      return objectSchema(random, depth, random.int(4))
    case 11:
      return { [random.chance(0.5) ? 'anyOf' : 'oneOf']: [schemaOf(random, depth + 1), schemaOf(random, depth + 1)] }
    case 12:
      return { const: random.pick<JsonValue>(['fixed', 7, true, null, '...']) }
    case 13:
      return { allOf: [objectSchema(random, depth, 2), objectSchema(random, depth, 2)] }
    default:
      return random.chance(0.5) ? {} : { type: 'object', additionalProperties: schemaOf(random, depth + 1) }
  }
}

const some = (random: Random, list: readonly string[]): string[] => {
  const kept = list.filter(() => random.chance(0.4))
  return kept.length > 0 ? kept : ['one']
}

function bounds(random: Random): JsonObject {
  const least = random.int(2000) - 1000
  return { minimum: least, ...(random.chance(0.7) ? { maximum: least + random.int(5000) } : {}) }
}
