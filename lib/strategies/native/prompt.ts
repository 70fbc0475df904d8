import { behaviourPart, byName } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'

const protocol = `# Calling tools
Call tools with your own tool calling; their schemas come with this request.
Rules:
- Give exactly the parameters of the schema, every value in full.
- Several calls in one reply run in order.
- A call that is only written as text does not run; that is how to show one as an example.`

/** The schemas are sent beside the prompt, so their text is for people: what they are told and what it costs. */
export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const schemas = byName(tools).map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  )
  return [
    { kind: 'protocol', title: 'Protocol', text: protocol },
    { kind: 'tools', title: 'Tools', text: schemas.join('\n'), apart: true },
    behaviourPart(),
  ]
}
