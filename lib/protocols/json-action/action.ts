import { isPlaceholder } from '../arguments/write-json'
import { propertiesOf } from '../arguments/schema'
import type { ReadContext } from '../arguments/dialect'
import { entryFor, entryNamed, objectNode } from '../json-repair/node'
import type { Entry, JsonNode, ObjectNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { RepairCode } from '../types/segment'
import { Source } from '../text/source'

export const CALL = 'tool_call'
export const RESULT = 'tool_result'
/** The action for text, used under a schema that makes the whole reply JSON. */
export const TEXT = 'text'

/**
 * What the `action` of an object says it is. LangChain writes the tool's name as the action beside `action_input`; this
 * counts under this strategy only. Every other action is data.
 */
export type ActionKind = 'call' | 'named' | 'placeholder' | 'result' | 'none'

export function kindOfAction(node: ObjectNode, context: ReadContext): ActionKind {
  const entry = entryNamed(node, ['action'])
  if (!entry || entry.escaped || entry.node.kind !== 'string' || !entry.node.closed) return 'none'
  const action = entry.node.value
  if (action === CALL) return 'call'
  if (action === RESULT) return 'result'
  if (!context.own || !entryNamed(node, ['action_input', 'name', 'arguments'])) return 'none'
  if (action.startsWith('$') && isPlaceholder(action)) return 'placeholder'
  return entryNamed(node, ['action_input']) && context.tools.match(action) ? 'named' : 'none'
}

/** The same call without `action`, as an object with `name` and `arguments`. */
export function asCallObject(
  node: ObjectNode,
  kind: 'call' | 'named',
  context: ReadContext,
  repairs: Set<RepairCode>,
): ObjectNode {
  const rest = node.entries.filter((entry) => entry.key !== 'action')
  const action = entryNamed(node, ['action'])
  const named: Entry[] =
    kind === 'named' && action
      ? [{ ...action, key: 'name' }, ...rest.filter((entry) => entry.key !== 'name')]
      : [...rest]
  if (kind === 'named') repairs.add('alias-key')
  const input = entryNamed(node, ['action_input'])
  if (!input) return { ...node, entries: named }
  if (kind === 'call') repairs.add('alias-key')
  const name = entryNamed({ ...node, entries: named }, ['name'])?.node
  const promoted = name?.kind === 'string' ? liftText(input.node, name.value, context) : null
  if (promoted) repairs.add('flattened-arguments')
  const args: Entry = { ...input, key: 'arguments', node: promoted ?? input.node }
  return { ...node, entries: [...named.filter((entry) => entry.key !== 'action_input'), args] }
}

/** A plain string is the value of the tool's only parameter. */
function liftText(node: JsonNode, name: string, context: ReadContext): ObjectNode | null {
  if (node.kind !== 'string' || !node.closed || node.value.trim() === '') return null
  const source = new Source(node.value, true)
  const inner = readJson(source, source.skipSpace(0), { guess: false })
  if (!inner.failure && inner.node?.kind === 'object') return null
  const keys = Object.keys(propertiesOf(context.tools.match(name)?.spec.parameters ?? {}) ?? {})
  const key = keys.length === 1 ? keys[0] : undefined
  if (key === undefined) return null
  return objectNode([entryFor(key, node)], node.start, node.end)
}
