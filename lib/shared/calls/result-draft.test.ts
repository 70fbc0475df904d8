import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  resultChangesOf,
  draftLines,
  draftResult,
  draftText,
  edit,
  nextResultFile,
  otherMembers,
  REDACTED,
  redact,
  releaseOf,
  replaceByFile,
  setScope,
  startResultDraft,
  undo,
  type ResultDraft,
} from './result-draft'

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('\n')

describe('a draft', () => {
  it('is sent unchanged while nothing is edited', () => {
    for (const value of ['text', { a: 1 }, [1, 2], null, { path: '/a', content: 'x\ny' }])
      expect(releaseOf(startResultDraft(value), 'n')).toEqual({ kind: 'sent', note: 'n' })
  })

  it('shows a result with one long text as that text, and sends the other members along', () => {
    const draft = startResultDraft({ path: '/a.csv', content: 'id,name\n1,Ada' })
    expect(draft.text).toBe('id,name\n1,Ada')
    expect(otherMembers(draft)).toEqual({ path: '/a.csv' })
    expect(draftResult(redact(draft, 10, 13))).toEqual({ path: '/a.csv', content: `id,name\n1,${REDACTED}` })
    expect(startResultDraft({ path: '/a.csv', content: 'x\ny' }, { whole: true }).text).toContain('"path": "/a.csv"')
  })

  it('stays JSON while the remaining text is JSON', () => {
    const draft = startResultDraft({ name: 'Ada', age: 36 })
    const at = draft.text.indexOf('Ada')
    expect(draftResult(redact(draft, at, at + 3))).toEqual({ name: REDACTED, age: 36 })
    expect(draftResult(edit(draft, draft.text.slice(1)))).toBe(draft.text.slice(1))
  })

  it('keeps the first and the last lines when trimmed, and says how many were left out', () => {
    const draft = setScope(startResultDraft(lines(377)), { kind: 'trim' })
    const text = draftText(draft)
    expect(text).toContain('line 20\n… 352 lines left out …\nline 373')
    expect(text.endsWith('line 377')).toBe(true)
    expect(draftLines(draft).at(-1)).toMatchObject({ number: 377 })
    expect(resultChangesOf(draft)).toEqual(['trimmed'])
    expect(resultChangesOf(setScope(startResultDraft('short'), { kind: 'trim' }))).toEqual([])
  })

  it('cuts long lines when trimmed, never inside a character', () => {
    const draft = setScope(startResultDraft(`a${'😀'.repeat(600)}`), { kind: 'trim' })
    expect(draftText(draft).isWellFormed()).toBe(true)
    expect(draftText(draft)).toMatch(/… \d+ characters left out$/)
  })

  it('sends a selection only, with the line numbers of the whole', () => {
    const draft = setScope(startResultDraft('one\ntwo\nthree'), { kind: 'selection', start: 4, end: 7 })
    expect(draftText(draft)).toBe('two')
    expect(draftLines(draft)).toEqual([{ kind: 'line', number: 2, start: 4, text: 'two', cut: 0 }])
  })

  it('is sent as a reference to its file, which can be paged', () => {
    const draft = replaceByFile(startResultDraft(lines(40)), '/.nod/results/7.txt')
    expect(draftResult(draft)).toMatchObject({ path: '/.nod/results/7.txt', lines: 40 })
    expect(releaseOf(draft, '')).toMatchObject({ kind: 'changed', changes: ['file-reference'] })
  })

  it('uses the next free file name', () => {
    expect(nextResultFile([])).toBe('/.nod/results/1.txt')
    expect(nextResultFile(['1.txt', '12.txt', 'x.txt'])).toBe('/.nod/results/13.txt')
  })

  it('joins adjacent redactions', () => {
    const draft = redact(redact(startResultDraft('0123456789'), 2, 4), 0, 5)
    expect(draft.text.startsWith(REDACTED)).toBe(true)
    expect(draft.marks).toEqual([0])
  })
})

type Step =
  | { readonly kind: 'redact'; readonly from: number; readonly length: number }
  | { readonly kind: 'edit'; readonly from: number; readonly length: number; readonly text: string }
  | {
      readonly kind: 'scope'
      readonly scope: 'all' | 'trim' | 'selection'
      readonly from: number
      readonly length: number
    }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('redact' as const), from: share, length: share }),
    fc.record({
      kind: fc.constant('edit' as const),
      from: share,
      length: share,
      text: fc.string({ maxLength: 6, unit: fc.constantFrom('x', '\n', '[', ']') }),
    }),
    fc.record({
      kind: fc.constant('scope' as const),
      scope: fc.constantFrom('all', 'trim', 'selection'),
      from: share,
      length: share,
    }),
  ),
  { maxLength: 8 },
)

function apply(draft: ResultDraft, step: Step): ResultDraft {
  const from = Math.floor(step.from * draft.text.length)
  const to = Math.min(draft.text.length, from + Math.floor(step.length * 30))
  switch (step.kind) {
    case 'redact':
      return redact(draft, from, to)
    case 'edit':
      return edit(draft, draft.text.slice(0, from) + step.text + draft.text.slice(to))
    case 'scope':
      return setScope(
        draft,
        step.scope === 'selection' ? { kind: 'selection', start: from, end: to } : { kind: step.scope },
      )
  }
}

/** Unique words, so that a removed word can be told from one elsewhere. */
const words = Array.from({ length: 60 }, (_, n) => `w${n}q`)
const source = words.map((word, n) => (n % 3 === 2 ? `${word}\n` : `${word} `)).join('')

describe('any sequence of edits', () => {
  it('never sends redacted text', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (list, object) => {
        let draft = startResultDraft(object ? { path: '/a', content: source } : source)
        const gone = new Set<string>()
        for (const step of list) {
          const before = draft.text
          draft = apply(draft, step)
          if (step.kind === 'redact')
            for (const word of words) if (before.includes(word) && !draft.text.includes(word)) gone.add(word)
        }
        const sent = JSON.stringify(releaseOf(draft, ''))
        const visible = resultChangesOf(draft).length > 0 ? sent : ''
        for (const word of gone) expect(visible).not.toContain(word)
        if (gone.size > 0) expect(resultChangesOf(draft)).toContain('redacted')
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps every redaction mark, and every line in its place', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let draft = startResultDraft(source)
        for (const step of list) {
          draft = apply(draft, step)
          for (const mark of draft.marks) expect(draft.text.slice(mark, mark + REDACTED.length)).toBe(REDACTED)
          expect(draft.marks).toEqual([...new Set(draft.marks)].toSorted((a, b) => a - b))
          for (const line of draftLines(draft))
            if (line.kind === 'line') expect(draft.text.startsWith(line.text, line.start)).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('is undone step by step, back to the result itself', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const first = startResultDraft(source)
        const all = [first]
        for (const step of list) {
          const next = apply(all.at(-1) ?? first, step)
          if (next !== all.at(-1)) all.push(next)
        }
        let draft = all.at(-1) ?? first
        for (const earlier of all.toReversed().slice(1)) {
          draft = undo(draft)
          expect(draft).toBe(earlier)
        }
        expect(undo(draft)).toBe(first)
      }),
    )
  })
})
