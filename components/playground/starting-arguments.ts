import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolDefinition } from '@/lib/tools/tool'

const examples: Readonly<Record<string, JsonObject>> = {
  python_eval: { code: 'import statistics\nstatistics.fmean([3, 4, 8])' },
  browser_js_eval: { code: 'const sides = [3, 4]\nMath.hypot(...sides)' },
  list_directory: { path: '/' },
  read_file: { path: '/notes/hello.md' },
  write_file: { path: '/notes/hello.md', content: '# Hello\n' },
  edit_file: { path: '/notes/hello.md', edits: [{ search: '# Hello', replace: '# Hello again' }] },
  move_path: { from: '/notes/hello.md', to: '/notes/greeting.md' },
  delete_path: { path: '/notes/greeting.md' },
  show: { chart: { data: { values: [{ month: 'May', sum: 3 }] }, mark: 'bar', encoding: { x: { field: 'month' } } } },
  ask_user: { question: 'Drink?', choices: ['Tea', 'Coffee'], other: true },
  search_files: { query: 'hello', glob: '*.md' },
}

/** Arguments to start from: a known example, else a value of the right kind for each required parameter. */
export function startingArguments(tool: ToolDefinition): string {
  return JSON.stringify(examples[tool.name] ?? fromSchema(tool.parameters), null, 2)
}

function fromSchema(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? (schema.required as readonly JsonValue[]) : []
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, valueFor(isJsonObject(property) ? property.type : null)]),
  )
}

function valueFor(type: JsonValue | undefined): JsonValue {
  switch (type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return ''
  }
}
