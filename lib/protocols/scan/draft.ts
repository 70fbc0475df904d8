import type { Breakage, ReadCall } from '../arguments/dialect'
import type { PreviewSegment } from '../types/tool-context-def'
import type { CallPlacement } from '../types/segment'

/** A committed piece of the reply, with absolute offsets; drafts become segments when the reply ends. */
export type Draft =
  | { readonly kind: 'text' | 'reasoning'; readonly start: number; end: number }
  | {
      readonly kind: 'call'
      readonly start: number
      end: number
      readonly call: ReadCall
      readonly standing: CallPlacement
      readonly dialect: string
      /** Calls that were read as one piece of markup share this number. */
      readonly group: number
      readonly envelope: boolean
    }
  | {
      readonly kind: 'broken'
      readonly start: number
      end: number
      readonly breakage: Breakage
      /** The group of the markup that it was read with. */
      readonly group?: number
      /** Some characters before and after the damage. */
      readonly around: string
      /** The foreign dialect in which it is written. */
      readonly dialect?: string
    }

/** Appends a draft; joins neighbours of the same kind. */
export function appendDraft(drafts: Draft[], draft: Draft): void {
  const last = drafts.at(-1)
  if (draft.end <= draft.start) return
  if (last && (draft.kind === 'text' || draft.kind === 'reasoning') && last.kind === draft.kind) last.end = draft.end
  else drafts.push(draft)
}

/** Turns all drafts before an unopened closer of reasoning into reasoning. */
export function asReasoning(drafts: readonly Draft[]): Draft[] {
  const result: Draft[] = []
  for (const draft of drafts)
    appendDraft(
      result,
      draft.kind === 'call'
        ? { ...draft, standing: 'quoted' }
        : { kind: 'reasoning', start: draft.start, end: draft.end },
    )
  return result
}

/** What the page shows of a draft while the reply streams. */
export function previewOf(draft: Draft): PreviewSegment {
  const { start, end } = draft
  switch (draft.kind) {
    case 'text':
    case 'reasoning':
      return { kind: draft.kind, start, end }
    case 'call':
      return { kind: 'writing', start, end, name: draft.call.name }
    case 'broken':
      return { kind: 'writing', start, end, name: draft.breakage.name ?? null }
  }
}
