// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CheckedFile } from '@/lib/client/export/record/check-file'
import { inChinese } from '@/components/ui/testing/in-chinese'
import { VerifyPage } from './verify-page'

const hash = (digit: string) => `sha256:${digit.repeat(64)}`

const record = { entries: 3, from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', head: hash('a') }
const whole: CheckedFile = {
  kind: 'checked',
  record: { ...record, broken: null },
  title: 'Letters',
  reviewers: [],
  members: null,
}

function choose(check: () => Promise<CheckedFile>, name = 'letters.nod.zip') {
  render(<VerifyPage check={check} />)
  fireEvent.change(screen.getByLabelText('Exported chat or record'), { target: { files: [new File(['x'], name)] } })
}

afterEach(cleanup)

describe('the page that checks a record', () => {
  it('says that a record is intact, and compares its final hash with a stored one', async () => {
    choose(() => Promise.resolve(whole))
    expect(await screen.findByText(/^Intact: 3 entries from/)).toBeTruthy()
    const kept = screen.getByLabelText('Compare it with a hash that you kept')
    fireEvent.change(kept, { target: { value: ` ${'A'.repeat(64)} ` } })
    expect(screen.getByText(/^The hashes are equal/)).toBeTruthy()
    fireEvent.change(kept, { target: { value: hash('b') } })
    expect(screen.getByText(/^The hashes differ/)).toBeTruthy()
  })

  it.each([
    ['missing', 4, '7', 'Entries 4 to 6 are missing here.'],
    ['missing', 4, '5', 'Entry 4 is missing here.'],
    ['moved', 4, '5', 'Entry 4 belongs here and comes later in the file. The order was changed.'],
    ['repeated', 4, '2', 'This entry is a copy of entry 2.'],
    ['inserted', 4, '2', 'This entry was added: entry 2 is already in the file, with other content.'],
    ['cut', 4, null, 'The file ends in the middle of this entry. Its end was cut off.'],
  ] as const)('says what is %s at entry %i: %s', async (kind, entry, found, words) => {
    const about = { type: 'call.decided', at: '2026-11-28T06:00:00.000Z' }
    const broken = { entry, kind, expected: found === null ? null : String(entry), found, about }
    choose(() => Promise.resolve({ ...whole, record: { ...record, broken } }))
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    expect(screen.getByRole('alert').textContent).toMatch(/of the type \S*call\.decided\S*, from/)
  })

  it('says where a record is broken, with both hashes, and shows invisible characters', async () => {
    const broken = { entry: 4, kind: 'changed', expected: hash('b'), found: 'sha256:\u202e', about: null } as const
    choose(() => Promise.resolve({ ...whole, record: { ...record, broken } }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Broken at entry 4')
    expect(alert.textContent).toContain('It was changed after the export.')
    expect(alert.textContent).toContain(hash('b'))
    expect(alert.textContent).toContain('U+202E')
    expect(alert.textContent).toContain('The 3 entries before it are intact.')
    expect(screen.queryByLabelText('Compare it with a hash that you kept')).toBeNull()
  })

  it('does not accept a zip whose files do not match its record', async () => {
    const members = { count: 2, changed: ['conversation.json'], missing: [], extra: ['files/new.txt'] }
    choose(() => Promise.resolve({ ...whole, members }))
    expect((await screen.findByRole('alert')).textContent).toContain('other files of the zip do not match it')
    expect(screen.getByText('conversation.json')).toBeTruthy()
    expect(screen.getByText('1 file is not in the record:')).toBeTruthy()
  })

  it.each([
    [{ kind: 'no-record' } as const, 'contains no Nod record'],
    [{ kind: 'newer', version: 2 } as const, 'A newer version of Nod wrote'],
    [{ kind: 'unreadable', why: 'This zip is damaged.' } as const, 'This zip is damaged.'],
  ])('explains why a file is not checked: %o', async (found, words) => {
    choose(() => Promise.resolve(found))
    expect((await screen.findByRole('alert')).textContent).toContain(words)
  })

  it('reads a dropped file, and aborts the one before it', async () => {
    const signals: AbortSignal[] = []
    const check = vi.fn<(file: Blob, signal: AbortSignal) => Promise<CheckedFile>>((_, signal) => {
      signals.push(signal)
      return signals.length === 1 ? new Promise<CheckedFile>(() => {}) : Promise.resolve(whole)
    })
    render(<VerifyPage check={check} />)
    const drop = (name: string) =>
      fireEvent.drop(screen.getByRole('main'), { dataTransfer: { files: [new File(['x'], name)] } })
    drop('first.zip')
    expect(screen.getByRole('status').textContent).toContain('first.zip')
    drop('second.zip')
    expect(await screen.findByText(/^Intact: 3 entries from/)).toBeTruthy()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('is translated to Chinese', async () => {
    inChinese()
    render(<VerifyPage check={() => Promise.resolve(whole)} />)
    fireEvent.change(screen.getByLabelText('导出的对话或记录'), { target: { files: [new File(['x'], 'a.zip')] } })
    expect(await screen.findByText(/^完整：3 条/)).toBeTruthy()
  })
})
