import { describe, expect, test } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { filesWith, runTool, sentenceOf, textOf } from '../testing/files'
import { editFile } from '.'

const edits = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([search, replace]) => ({ search, replace }))
const file = (text: string) => ({ text, size: text.length })

describe('before it runs', () => {
  const args: JsonObject = { path: '/a.md', edits: edits(['one', '1'], ['two', '2']) }

  test('the card shows the whole file before and after', () => {
    expect(sentenceOf(editFile, args, file('one\ntwo\nthree'))).toBe('Edit `/a.md`: 2 changes')
    expect(editFile.card.summarize(args, () => file('one\ntwo\nthree')).body).toEqual({
      kind: 'diff',
      path: '/a.md',
      before: 'one\ntwo\nthree',
      after: '1\n2\nthree',
      whole: true,
    })
  })

  test('shows the passages as long as the file is unknown', () => {
    expect(editFile.card.summarize(args).body).toEqual({
      kind: 'diff',
      path: '/a.md',
      before: 'one\n…\ntwo',
      after: '1\n…\n2',
      whole: false,
    })
    expect(sentenceOf(editFile, args, { text: null, size: 2_000_000 })).toBe('Edit `/a.md`: 2 changes')
  })

  test.each([
    [file('one\n'), 'With the current file, this would fail: the text of change 2 is not in the file'],
    [file('one two two'), 'this would fail: the text of change 2 is in the file twice, all in line 1'],
    [null, 'The file does not exist, so this would fail'],
    [{ text: null, size: 5, files: 1 }, 'That is a folder, so this would fail'],
  ])('says when the edits do not fit: %j', (current, words) => {
    expect(sentenceOf(editFile, args, current)).toContain(words)
    expect(editFile.card.summarize(args, () => current).body).toMatchObject({ before: 'one\n…\ntwo' })
  })

  test('shows arguments that are no edits unchanged', () => {
    for (const odd of [[], [1], [{ search: 'a' }], 'x', null]) {
      expect(editFile.card.summarize({ path: '/a', edits: odd }).body).toEqual({ kind: 'arguments' })
    }
  })
})

describe('running', () => {
  test('changes the file and says where', async () => {
    const vfs = await filesWith({ '/a.md': 'one\r\ntwo\r\n' })
    expect(await runTool(editFile, { path: 'a.md', edits: edits(['two', '2\n3'], ['one', '1']) }, { vfs })).toEqual({
      ok: true,
      result: { path: '/a.md', edits: 2, lines: [2, 1], size: 9 },
    })
    expect(await textOf(vfs, '/a.md')).toBe('1\r\n2\r\n3\r\n')
  })

  test('keeps the encoding of the file and its other bytes, and says which it is', async () => {
    const latin1 = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
    const vfs = await filesWith({ '/a.txt': latin1('café crème\nthé vert\n') })
    const outcome = await runTool(editFile, { path: '/a.txt', edits: edits(['thé vert', 'thé noir, voilà']) }, { vfs })
    expect(outcome).toMatchObject({ ok: true, result: { encoding: 'windows-1252', edits: 1 } })
    expect(outcome.ok && outcome.result).not.toHaveProperty('note')
    expect(outcome.ok && editFile.card.measure?.(outcome.result)).toBe('1 change, in Windows-1252')
    const read = await vfs.read('/a.txt')
    expect(read.ok && read.value).toEqual(latin1('café crème\nthé noir, voilà\n'))
  })

  test('writes UTF-8 if the encoding of the file can’t represent the text, and says so', async () => {
    const vfs = await filesWith({ '/a.txt': Uint8Array.from('café crème', (sign) => sign.charCodeAt(0)) })
    const outcome = await runTool(editFile, { path: '/a.txt', edits: edits(['crème', '中文']) }, { vfs })
    const note = expect.stringContaining('was Windows-1252') as string
    expect(outcome).toMatchObject({ ok: true, result: { encoding: 'utf-8', note } })
    expect(outcome.ok && editFile.card.measure?.(outcome.result)).toBe('1 change, written as UTF-8 now')
    expect(await textOf(vfs, '/a.txt')).toBe('café 中文')
  })

  test('is all or nothing, and says what would have to be written', async () => {
    const vfs = await filesWith({ '/a.md': 'first line\nsecond line\n' })
    const outcome = await runTool(
      editFile,
      { path: '/a.md', edits: edits(['first', '1st'], ['second lime', '2']) },
      { vfs },
    )
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'not-found',
      message:
        'Edit 2 of 2 does not fit: its `search` is not in /a.md. The text at line 2 is the nearest text; ' +
        'copy it exactly from `nearest`. Nothing was changed.',
      result: { edit: 2, nearest: { line: 2, text: 'second line' } },
    })
    expect(await textOf(vfs, '/a.md')).toBe('first line\nsecond line\n')
  })

  test('names the places if it is unclear which is meant', async () => {
    const vfs = await filesWith({ '/a.md': 'x\ny\nx\nx' })
    expect(await runTool(editFile, { path: '/a.md', edits: edits(['x', 'z']) }, { vfs })).toMatchObject({
      reason: 'ambiguous',
      message:
        'The edit is not clear: its `search` occurs 3 times in /a.md, at lines 1, 3 and 4. ' +
        'Add lines around it, so that it occurs once. Nothing was changed.',
    })
  })

  test.each([
    ['/b.md', 'ENOENT', 'There is no file at /b.md. The nearest name is /a.md.'],
    ['/d', 'EISDIR', '/d is a folder, not a file.'],
    ['/../x', 'EACCES', 'leads out'],
    ['/bin', 'binary', 'is not text'],
  ])('refuses %s', async (path, reason, words) => {
    const vfs = await filesWith({ '/a.md': 'x', '/d/e': 'x', '/bin': new Uint8Array([0, 1]) })
    const outcome = await runTool(editFile, { path, edits: edits(['x', 'y']) }, { vfs })
    expect(outcome).toMatchObject({ ok: false, reason, message: expect.stringContaining(words) })
  })

  test('keeps a byte order mark, and refuses a lone surrogate', async () => {
    const vfs = await filesWith({ '/a': '\ufeffx' })
    await runTool(editFile, { path: '/a', edits: edits(['x', 'y']) }, { vfs })
    expect(await textOf(vfs, '/a')).toBe('\ufeffy')
    const half = await runTool(editFile, { path: '/a', edits: edits(['y', '\ud800']) }, { vfs })
    expect(half).toMatchObject({ ok: false, reason: 'EINVAL' })
    expect(await textOf(vfs, '/a')).toBe('\ufeffy')
  })

  test('applies all parallel edits of one file', async () => {
    const vfs = await filesWith({ '/a': Array.from({ length: 20 }, (_, at) => `<${at}>`).join('') })
    const run = (at: number) => runTool(editFile, { path: '/a', edits: edits([`<${at}>`, `[${at}]`]) }, { vfs })
    await Promise.all(Array.from({ length: 20 }, (_, at) => run(at)))
    expect(await textOf(vfs, '/a')).toBe(Array.from({ length: 20 }, (_, at) => `[${at}]`).join(''))
  })

  test('a stopped call changes nothing', async () => {
    const vfs = await filesWith({ '/a': 'x' })
    const outcome = await runTool(
      editFile,
      { path: '/a', edits: edits(['x', 'y']) },
      { vfs, signal: AbortSignal.abort() },
    )
    expect(outcome).toMatchObject({ ok: false, reason: 'stopped' })
    expect(await textOf(vfs, '/a')).toBe('x')
  })
})
