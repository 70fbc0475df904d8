import type { JsonObject } from '@/lib/base/json'
import type { ToolSpec } from '../types/tool-context-def'

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const text = { type: 'string' } as const

/** Tools for tests: shaped like the built-in ones, one with every kind of parameter, and one that is disabled. */
export const testTools: readonly ToolSpec[] = [
  { name: 'browser_js_eval', description: 'Runs JavaScript.', parameters: object({ code: text }, ['code']) },
  { name: 'list_directory', description: 'Lists a folder.', parameters: object({ path: text }, ['path']) },
  {
    name: 'read_file',
    description: 'Reads a file.',
    vcpCommand: 'ReadFile',
    parameters: object({ path: text, offset: { type: 'integer' }, limit: { type: 'integer' } }, ['path']),
  },
  {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: object({ path: text, content: text }, ['path', 'content']),
  },
  { name: 'get_time', description: 'Tells the time.', parameters: object({}, []) },
  {
    name: 'draw',
    description: 'Draws.',
    parameters: object(
      {
        image_size: { type: 'integer' },
        scale: { type: 'number' },
        visible: { type: 'boolean' },
        tags: { type: 'array', items: text },
        points: { type: 'array', items: object({ x: { type: 'number' }, y: { type: 'number' } }, ['x', 'y']) },
        style: { type: 'object' },
        code: { anyOf: [{ type: 'integer' }, text] },
        label: { anyOf: [text, { type: 'null' }] },
        mode: { type: 'string', enum: ['line', 'fill'] },
      },
      [],
    ),
  },
  { name: 'delete_path', description: 'Deletes.', parameters: object({ path: text }, ['path']), disabled: true },
]
