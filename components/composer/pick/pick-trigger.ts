/** The trigger that is being typed. The chosen entry replaces the text from `start` to `end`. */
export interface PickTrigger {
  /** `prompts` with `/` at the start of the field, `resources` with `@` at the start of a word. */
  readonly kind: 'prompts' | 'resources'
  readonly query: string
  readonly start: number
  readonly end: number
}

export const maxQueryChars = 60
const slash = /^\/([^\n/]{0,60})$/u
const at = /(?:^|\s)@([^\s@]{0,60})$/u

/** Null if nothing is being picked. A path (`/notes/list.md`) or an address (`me@example.com`) is not a trigger. */
export function pickTrigger(text: string, caret: number): PickTrigger | null {
  const prompt = slash.exec(text)
  if (prompt) return { kind: 'prompts', query: prompt[1] ?? '', start: 0, end: text.length }
  const query = text.includes('@') ? at.exec(text.slice(0, caret))?.[1] : undefined
  return query === undefined ? null : { kind: 'resources', query, start: caret - query.length - 1, end: caret }
}
