/** What is being picked while it is typed. The text from `start` to `end` makes room for what is picked. */
export interface PickTrigger {
  /** `prompts` by `/` at the start of the field, `resources` by `@` at the start of a word. */
  readonly kind: 'prompts' | 'resources'
  readonly query: string
  readonly start: number
  readonly end: number
}

export const mostQueryChars = 60
const slash = /^\/([^\n/]{0,60})$/u
const at = /(?:^|\s)@([^\s@]{0,60})$/u

/** Null: nothing is picked. A path (`/notes/list.md`) and an address (`me@example.com`) are words like others. */
export function pickTrigger(text: string, caret: number): PickTrigger | null {
  const prompt = slash.exec(text)
  if (prompt) return { kind: 'prompts', query: prompt[1] ?? '', start: 0, end: text.length }
  const query = text.includes('@') ? at.exec(text.slice(0, caret))?.[1] : undefined
  return query === undefined ? null : { kind: 'resources', query, start: caret - query.length - 1, end: caret }
}
