import { factsOf, strategyModules } from '@/lib/strategies/facts-of'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId } from '@/lib/strategies/tool-context-def'

export interface Example {
  readonly id: string
  readonly strategy: StrategyId
  readonly label: string
  readonly text: string
}

/** A reply of every kind, then one a family of failures for every strategy whose calls stand in a text. */
export const examples: readonly Example[] = [
  ...strategyModules.flatMap(({ id, examples: { tour } }): readonly Example[] =>
    tour === null ? [] : [{ id: `${id} tour`, strategy: id, label: 'A bit of everything', text: tour }],
  ),
  ...toolContextBuilder.strategies.flatMap((strategy): readonly Example[] => {
    const { id } = strategy
    const mended = factsOf(id)?.examples.damaged ?? null
    if (mended === null) return []
    const call = (name: string, args: Record<string, string>) => strategy.formatCalls([{ name, arguments: args }])
    const read = call('read_file', { path: '/notes/a.md' })
    const write = call('write_file', { path: '/notes/b.md', content: '# Plan\n1. Ask for the two rows\n2. Save' })
    const of = (label: string, text: string): Example => ({ id: `${id} ${label}`, strategy: id, label, text })
    return [
      of('A plain call', `I’ll look at the file first.\n\n${read}`),
      of('Damaged, and mended', mended),
      of('Cut off in a value', `I’ll save the plan.\n\n${write.slice(0, write.indexOf('rows') + 4)}`),
      of('An example in a code block', `A call looks like this:\n\n~~~text\n${read}\n~~~\n\nShall I?`),
      of('Only in its thoughts', `<think>\nPerhaps this one:\n${read}\nNo, I can answer.\n</think>\nThe answer is 42.`),
      of(
        'Another model’s format',
        '<tool_use>\n<name>read_file</name>\n<arguments>{"path": "/notes/a.md"}</arguments>\n</tool_use>',
      ),
      of(
        'JSON without the form around it',
        'I call it:\n\n{"name": "read_file", "arguments": {"path": "/notes/a.md"}}',
      ),
      of('A function in a sentence', 'Next I run read_file(path="/notes/a.md") and look.'),
      of('A tool that does not exist', call('read_fill', { path: '/notes/a.md' })),
      of('An invented result', `${read}\n\nObservation: the file is empty.\n\n${write}`),
    ]
  }),
]
