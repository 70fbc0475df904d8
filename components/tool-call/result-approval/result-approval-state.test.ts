import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import { draftResult, REDACTED } from '@/lib/shared/calls/result-draft'
import {
  resultDraftOf,
  reduceResultApproval,
  startResultApproval,
  type ResultApprovalEvent,
  type ResultApprovalState,
} from './use-result-approval'

const after = (result: JsonValue, ...events: readonly ResultApprovalEvent[]): ResultApprovalState =>
  events.reduce(reduceResultApproval, startResultApproval(result))
const sent = (state: ResultApprovalState) => draftResult(resultDraftOf(state))
const select = (start: number, end: number): ResultApprovalEvent => ({ type: 'text-selected', range: { start, end } })

describe('edits to a waiting result', () => {
  it('are none as long as nothing was done', () => {
    expect(sent(after({ a: 1 }))).toEqual({ a: 1 })
  })

  it('include the text being typed, and return to the draft when it is cancelled', () => {
    const typing = after('secret', { type: 'text-typed', text: 'harmless' })
    expect(sent(typing)).toBe('harmless')
    expect(sent(reduceResultApproval(typing, { type: 'typing-dropped' }))).toBe('secret')
    const kept = reduceResultApproval(typing, { type: 'typing-kept' })
    expect([kept.typed, sent(kept)]).toEqual([null, 'harmless'])
    expect(sent(reduceResultApproval(kept, { type: 'undone' }))).toBe('secret')
  })

  it('drop a selection with the text that it belongs to, and only then', () => {
    const chosen = after('name: Ada', select(6, 9))
    expect(reduceResultApproval(chosen, { type: 'note-typed', note: 'n' }).selected).toEqual({ start: 6, end: 9 })
    const redacted = reduceResultApproval(chosen, { type: 'selection-redacted' })
    expect([redacted.selected, sent(redacted)]).toEqual([null, `name: ${REDACTED}`])
    expect(reduceResultApproval(redacted, { type: 'selection-redacted' })).toBe(redacted)
  })

  it('show an error if a selection is to be sent and there is none', () => {
    const asked = after('text', { type: 'scope-chosen', kind: 'selection' })
    expect(asked.errand).toMatchObject({ kind: 'refused', problem: expect.stringContaining('Select the part') })
    expect(sent(asked)).toBe('text')
    const chosen = [select(0, 2), { type: 'scope-chosen', kind: 'selection' } as const].reduce(
      reduceResultApproval,
      asked,
    )
    expect([chosen.errand.kind, chosen.draft.scope.kind]).toEqual(['none', 'selection'])
  })

  it('are kept if the server refuses', () => {
    const refused = after(
      'text',
      { type: 'note-typed', note: 'why' },
      { type: 'text-typed', text: 'other' },
      { type: 'errand-started' },
      { type: 'errand-ended', problem: 'No.' },
    )
    expect(refused).toMatchObject({ note: 'why', typed: 'other', errand: { kind: 'refused', problem: 'No.' } })
    expect(reduceResultApproval(refused, { type: 'errand-started' }).errand).toEqual({ kind: 'under-way' })
  })

  it('replace the text with a path once the file is written', () => {
    const written = after('long', { type: 'errand-started' }, { type: 'file-written', path: '/.nod/results/1.txt' })
    expect(written.errand).toEqual({ kind: 'none' })
    expect(JSON.stringify(sent(written))).toContain('/.nod/results/1.txt')
  })
})
