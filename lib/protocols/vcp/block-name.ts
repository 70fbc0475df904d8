import { normaliseKey, propertiesOf } from '../arguments/schema'
import type { ToolIndex } from '../arguments/tool-index'
import type { RepairCode } from '../types/segment'
import type { Field } from './fields'

const NAME = 'toolname'
const METHOD_OWNER = 'toolid'

export const isNameKey = (key: string): boolean => normaliseKey(key) === NAME

/**
 * `tool_name`, or `toolId` and `command` together as `toolId_command`. A name that is no tool of ours is a plugin's, and
 * its `command` the tool: known as `name_command`, by the command alone, or as either's `vcpCommand`. A tool that takes
 * a `command` itself keeps it.
 */
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
    const method = command?.value.trim() ?? ''
    const own = tools.match(text, { commands: true })
    const takesCommand = Object.hasOwn(propertiesOf(own?.spec.parameters ?? {}) ?? {}, 'command')
    if (method === '' || takesCommand) return { name: text, used: names }
    const longer = `${text}_${method}`
    const found = [longer, ...(own ? [] : [method])].find((one) => tools.match(one, { commands: true }))
    return found === undefined ? { name: text, used: names } : { name: found, used: [...names, ...commands] }
  }
  const owners = all(METHOD_OWNER)
  const owner = owners.at(-1)
  if (!owner || !command || owner.value.trim() === '') return null
  return { name: `${owner.value.trim()}_${command.value.trim()}`, used: [...owners, ...commands] }
}
