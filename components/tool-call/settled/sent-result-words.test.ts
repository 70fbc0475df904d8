import { describe, expect, it } from 'vitest'
import { sentResultText, unfinishedResultText } from './settled-lines'
import { outcome, record } from '../testing/fixtures'

describe('what the model knows of a call', () => {
  it('is what was posted, or nothing yet', () => {
    const entry = { sentAsUnfinished: null, record: record(0, { outcome: outcome() }) }
    expect(sentResultText(entry, true, 'The model knows about this.')).toBe('The model knows about this.')
    expect(sentResultText(entry, false, 'The model knows about this.')).toBe('The model does not know yet.')
    expect(unfinishedResultText(entry)).toBeNull()
  })

  it('is, for a call the user did not wait for, first that and later the outcome', () => {
    const then = 'You sent a message before this call finished'
    const open = { sentAsUnfinished: { late: false }, record: record(0, { postedIn: 'u2' }) }
    expect(sentResultText(open, true, 'The model knows about this.')).toBe(
      `${then}. The model only knows that it was not finished.`,
    )
    const ended = { ...open, record: record(0, { postedIn: 'u2', outcome: outcome() }) }
    expect(sentResultText(ended, true, 'The model knows about this.')).toBe(
      `${then}. The model gets the outcome with your next message.`,
    )
    const told = { ...ended, sentAsUnfinished: { late: true } }
    expect(sentResultText(told, true, 'x')).toBe(`${then}. The model got the outcome with a later message.`)
  })
})
