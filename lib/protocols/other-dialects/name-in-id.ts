import { normaliseKey } from '../arguments/schema'
import type { ToolIndex } from '../arguments/tool-index'

/**
 * The tool that an id speaks of: Kimi should write `functions.read_file:0`, and writes `functionsread_file0`,
 * `functions_read_file_0` or `call_read_file` as well. Only where exactly one known tool fits; else the id as it is.
 */
export function nameInId(written: string, tools: ToolIndex): string {
  if (tools.match(written)) return written
  const bare = written.replace(/^functions?[._:-]?/i, '').replace(/[._:-]?\d+$/, '')
  if (tools.match(bare)) return bare
  const id = normaliseKey(written)
  const within = tools.specs.filter(({ name }) => id.includes(normaliseKey(name)))
  // A tool whose name is a part of another one's is not meant where the longer name stands.
  const [found, other] = within.filter(
    ({ name }) => !within.some((one) => one.name !== name && normaliseKey(one.name).includes(normaliseKey(name))),
  )
  return found && !other ? found.name : written
}

/** The name without the word for its form that was glued to it: `read_filejson`. */
export function withoutForm(written: string, tools: ToolIndex): string {
  if (tools.match(written)) return written
  const bare = written.replace(/(?:json|code)$/, '')
  return bare !== written && tools.match(bare) ? bare : written
}
