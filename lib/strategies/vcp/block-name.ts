import { normaliseKey } from '../arguments/schema'
import type { ToolIndex } from '../arguments/tool-index'
import type { RepairCode } from '../segment'
import type { Field } from './fields'

const NAME = 'toolname'
const METHOD_OWNER = 'toolid'

export const isNameKey = (key: string): boolean => normaliseKey(key) === NAME

/** `tool_name`, or `toolId` and `command` together as `toolId_command`. */
export function nameOfBlock(
  fields: readonly Field[],
  tools: ToolIndex,
  repairs: Set<RepairCode>,
): { readonly name: string; readonly used: readonly Field[] } | null {
  const all = (key: string) => fields.filter((field) => normaliseKey(field.key) === key)
  const names = all(NAME)
  const name = names.at(-1)
  const commands = all('command')
  const command = commands.at(-1)
  if (name && name.value.trim() !== '') {
    if (name.key !== 'tool_name') repairs.add('alias-key')
    if (names.length > 1) repairs.add('duplicate-key')
    const text = name.value.trim()
    const method = command ? `${text}_${command.value.trim()}` : ''
    if (command && !tools.match(text, { commands: true }) && tools.match(method))
      return { name: method, used: [...names, ...commands] }
    return { name: text, used: names }
  }
  const owners = all(METHOD_OWNER)
  const owner = owners.at(-1)
  if (!owner || !command || owner.value.trim() === '') return null
  return { name: `${owner.value.trim()}_${command.value.trim()}`, used: [...owners, ...commands] }
}
