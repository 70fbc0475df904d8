import { factsOf, strategyModules } from '../facts-of'
import { toolContextBuilder } from '../tool-context-builder'
import type { StrategyId } from '../types/tool-context-def'

/** What an example shows. */
export type ExampleKind =
  | 'tour'
  | 'plain'
  | 'mended'
  | 'cut-off'
  | 'quoted'
  | 'thought'
  | 'foreign'
  | 'bare'
  | 'function'
  | 'unknown'
  | 'invented'

export interface Example {
  readonly id: string
  readonly strategy: StrategyId
  readonly shows: ExampleKind
  /** As a model would write it. */
  readonly text: string
}

/** A reply of every kind, then one a family of failures for every strategy whose calls stand in a text. */
export const examples: readonly Example[] = [
  ...strategyModules.flatMap(({ id, examples: { tour } }): readonly Example[] =>
    tour === null ? [] : [{ id: `${id} tour`, strategy: id, shows: 'tour', text: tour }],
  ),
  ...toolContextBuilder.strategies.flatMap((strategy): readonly Example[] => {
    const { id } = strategy
    const mended = factsOf(id)?.examples.damaged ?? null
    if (mended === null) return []
    const call = (name: string, args: Record<string, string>) => strategy.formatCalls([{ name, arguments: args }])
    const read = call('read_file', { path: '/notes/a.md' })
    const write = call('write_file', { path: '/notes/b.md', content: '# Plan\n1. Ask for the two rows\n2. Save' })
    const of = (shows: ExampleKind, text: string): Example => ({ id: `${id} ${shows}`, strategy: id, shows, text })
    return [
      of('plain', `I’ll look at the file first.\n\n${read}`),
      of('mended', mended),
      of('cut-off', `I’ll save the plan.\n\n${write.slice(0, write.indexOf('rows') + 4)}`),
      of('quoted', `A call looks like this:\n\n~~~text\n${read}\n~~~\n\nShall I?`),
      of('thought', `<think>\nPerhaps this one:\n${read}\nNo, I can answer.\n</think>\nThe answer is 42.`),
      of('foreign', '<tool_use>\n<name>read_file</name>\n<arguments>{"path": "/notes/a.md"}</arguments>\n</tool_use>'),
      of('bare', 'I call it:\n\n{"name": "read_file", "arguments": {"path": "/notes/a.md"}}'),
      of('function', 'Next I run read_file(path="/notes/a.md") and look.'),
      of('unknown', call('read_fill', { path: '/notes/a.md' })),
      of('invented', `${read}\n\nObservation: the file is empty.\n\n${write}`),
    ]
  }),
]
