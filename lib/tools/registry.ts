import { foundTools } from './found-tools'
import type { ToolDefinition } from './tool'

/** The order in which people see them, by name. A tool that is not listed here comes after these. */
const order: readonly string[] = [
  'browser_js_eval',
  'python_eval',
  'list_directory',
  'read_file',
  'search_files',
  'show',
  'write_file',
  'edit_file',
  'move_path',
  'delete_path',
  'get_time',
  'ask_user',
]

const placeOf = ({ spec }: ToolDefinition): number =>
  order.includes(spec.name) ? order.indexOf(spec.name) : order.length

/**
 * The built-in tools: every folder here that has a `words.json`. `scripts/build-messages.mjs` finds them. Only the wiring imports
 * this list; everybody else is given a `ToolRegistry`.
 */
export const builtInTools: readonly ToolDefinition[] = foundTools.toSorted(
  (one, other) => placeOf(one) - placeOf(other),
)
