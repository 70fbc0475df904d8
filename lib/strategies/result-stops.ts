import type { ToolContextDef } from './tool-context-def'
import type { ResultFrame } from './strategy-facts'

/**
 * How a result opens, as a model writes one that it makes up. Behind a line break where calls hold texts as they are: there
 * a document about the form may hold the mark itself.
 */
export function stopsOf(frame: ResultFrame): ToolContextDef['stops'] {
  switch (frame.kind) {
    case 'element':
      return [{ text: `\n<${frame.name} `, about: frame.name }]
    case 'object': {
      const { key, value } = frame
      const member = value === undefined ? `{"${key}":` : `{"${key}":"${value}"`
      return [{ text: member, about: value ?? key }]
    }
    case 'block':
      return [{ text: `\n${frame.open}`, about: frame.open }]
  }
}
