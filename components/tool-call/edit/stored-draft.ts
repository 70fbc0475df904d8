import { isJsonObject } from '@/lib/base/json'
import type { CallDraft } from './call-draft'

/** A draft as this browser keeps it while it is not stored: which tool, its arguments, and raw text that is no JSON yet. */
export function storedDraft({ name, arguments: args, view }: CallDraft): string {
  return JSON.stringify({ name, arguments: args, ...(view.kind === 'raw' && { text: view.text }) })
}

/** The draft with what was kept put in its place; itself where nothing was, or nothing that can be read. */
export function withStoredDraft(draft: CallDraft, kept: string | null): CallDraft {
  try {
    const said: unknown = kept === null ? null : JSON.parse(kept)
    if (!isJsonObject(said)) return draft
    const { name, arguments: args, text } = said
    if (typeof name !== 'string' || !isJsonObject(args)) return draft
    const view = typeof text === 'string' ? ({ kind: 'raw', text, problem: null } as const) : draft.view
    return { ...draft, name, arguments: args, view }
  } catch {
    return draft
  }
}
