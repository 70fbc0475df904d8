import { describe, expect, it } from 'vitest'
import { sentResultWords, unfinishedResultWords } from './settled-lines'
import { outcome, record } from '../testing/fixtures'

describe('what the model knows of a call', () => {
  it('is what was posted, or nothing yet', () => {
    const entry = { toldUnfinished: null, record: record(0, { outcome: outcome() }) }
    expect(sentResultWords(entry, true, 'The model was told so.')).toBe('The model was told so.')
    expect(sentResultWords(entry, false, 'The model was told so.')).toBe('The model has not been told yet.')
    expect(unfinishedResultWords(entry)).toBeNull()
  })

  it('is, of one that the user did not wait for, first that and later how it ended', () => {
    const then = 'You wrote on before this had come back, and the model was told so'
    const open = { toldUnfinished: { late: false }, record: record(0, { postedIn: 'u2' }) }
    expect(sentResultWords(open, true, 'The model was told so.')).toBe(`${then}. It knows no more of it.`)
    const ended = { ...open, record: record(0, { postedIn: 'u2', outcome: outcome() }) }
    expect(sentResultWords(ended, true, 'The model was told so.')).toBe(
      `${then}. Your next message tells it how it ended.`,
    )
    const told = { ...ended, toldUnfinished: { late: true } }
    expect(sentResultWords(told, true, 'x')).toBe(`${then}; with a later message it was told how it ended.`)
  })
})
