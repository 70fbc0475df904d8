import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import type { DocumentText } from '@/lib/sandbox/document'
import type { DocumentReader } from '@/lib/shared/documents/document-reader'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { attachFiles, detachFile, type OfferedFile, mediaTypeOf, textHead } from './attach-files'
import { loadPictures } from './load-pictures'
import { attachmentTexts } from '@/lib/shared/prompt/attachment-texts'
import { sharedContentOf, sharedContentText } from '@/lib/shared/prompt/shared-content'

const bytes = (text: string) => new TextEncoder().encode(text)
const png = Uint8Array.from('\u0089PNG\r\n\u001a\nrest', (char) => char.charCodeAt(0))

const offer = (path: string, data: Uint8Array | null = bytes(`text of ${path}`), over: Partial<OfferedFile> = {}) => ({
  path,
  size: data?.byteLength ?? 0,
  type: '',
  read: () => Promise.resolve(data),
  ...over,
})
const attach = (offered: readonly OfferedFile[], vfs = createMemoryVfs(), attached = 0) =>
  attachFiles(vfs, offered, attached, () => {})

describe('attaching', () => {
  it('stores files under free names and says what they are', async () => {
    const vfs = createMemoryVfs()
    await attach([offer('a.csv', bytes('id,n\n1,2\n'))], vfs)
    const { attachments, problems } = await attach([offer('a.csv'), offer('cat.dat', png)], vfs)
    expect(problems).toEqual([])
    expect(attachments).toEqual([
      { path: '/attachments/a 2.csv', mediaType: 'text/csv', size: 13, head: 'text of a.csv', isImage: false },
      { path: '/attachments/cat.dat', mediaType: 'image/png', size: 12, head: null, isImage: true },
    ])
    expect(await vfs.read('/attachments/a.csv')).toMatchObject({ value: bytes('id,n\n1,2\n') })
  })

  it('keeps a folder together', async () => {
    const vfs = createMemoryVfs()
    await vfs.makeDirectory('/attachments/site')
    const { attachments } = await attach([offer('site/a.html'), offer('site/css/b.css')], vfs)
    expect(attachments.map(({ path }) => path)).toEqual(['/attachments/site 2/a.html', '/attachments/site 2/css/b.css'])
  })

  it('names files that are left out, and attaches the rest', async () => {
    const { attachments, problems } = await attach([
      offer('big.bin', null, { size: 60_000_000 }),
      offer('gone.txt', null),
      offer('fine.txt'),
    ])
    expect(attachments.map(({ path }) => path)).toEqual(['/attachments/fine.txt'])
    expect(problems).toEqual([
      '“big.bin” was not attached: it has 60 MB, and the limit is 50 MB per file.',
      '“gone.txt” cannot be read, so it was not attached.',
    ])
  })

  it('accepts twenty files per message', async () => {
    const { attachments, problems } = await attach(
      Array.from({ length: 5 }, (_, n) => offer(`${n}.txt`)),
      createMemoryVfs(),
      18,
    )
    expect(attachments).toHaveLength(2)
    expect(problems).toEqual([expect.stringMatching(/^3 of them were not attached: the limit is 20 files/)])
  })

  it('says when there is no space, and writes nothing of that file', async () => {
    const vfs = createMemoryVfs({ limits: { maxTotalBytes: 20 } })
    const { attachments, problems } = await attach([offer('a', bytes('x'.repeat(30))), offer('b', bytes('y'))], vfs)
    expect(attachments.map(({ path }) => path)).toEqual(['/attachments/b'])
    expect(problems).toEqual([expect.stringMatching(/^“a” was not attached\. /)])
  })

  it('can be undone, with the folder that it created', async () => {
    const vfs = createMemoryVfs()
    await attach([offer('site/a.html'), offer('b.txt')], vfs)
    expect(await detachFile(vfs, '/attachments/site/a.html')).toBeNull()
    expect(await vfs.stat('/attachments/site')).toMatchObject({ ok: false })
    expect(await detachFile(vfs, '/attachments/b.txt')).toBeNull()
    expect(await detachFile(vfs, '/attachments/b.txt')).toBeNull()
    expect(await vfs.list('/')).toMatchObject({ value: [] })
  })
})

describe('preparing attachments', () => {
  it('uses the current files, with the images that can be opened', async () => {
    const vfs = createMemoryVfs()
    const { attachments } = await attach([offer('a.png', png), offer('b.png', png), offer('c.txt')], vfs)
    const image = { mediaType: 'image/png', data: 'AAAA' } as const
    let opened = 0
    const loaded = await loadPictures(vfs, attachments, () => Promise.resolve((opened += 1) === 1 ? image : null))
    expect(loaded).toMatchObject({
      value: [{ isImage: true, image }, { path: '/attachments/b.png', isImage: false }, { head: 'text of c.txt' }],
    })
    expect(opened).toBe(2)
  })

  it('sends as many images as one message can hold', async () => {
    const vfs = createMemoryVfs()
    const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png']
    const { attachments } = await attach(
      names.map((name) => offer(name, png)),
      vfs,
    )
    const data = 'A'.repeat(4_900_000)
    const loaded = await loadPictures(vfs, attachments, () => Promise.resolve({ mediaType: 'image/png', data }))
    expect(loaded.ok && loaded.value.map(({ isImage }) => isImage)).toEqual([true, true, true, true, false])
  })

  it('says when a file is gone', async () => {
    const vfs = createMemoryVfs()
    const { attachments } = await attach([offer('a.txt')], vfs)
    await vfs.remove('/attachments/a.txt')
    expect(await loadPictures(vfs, attachments, () => Promise.resolve(null))).toEqual({
      ok: false,
      error: 'a.txt is no longer in this chat’s files, so nothing was sent. Remove it here, or attach it again.',
    })
  })
})

describe('the type of a file', () => {
  it('is decided by its first bytes, its name, the browser, in this order', () => {
    expect(mediaTypeOf('a.txt', png, 'text/plain', false)).toBe('image/png')
    expect(mediaTypeOf('A.CSV', bytes('x'), 'application/vnd.ms-excel', true)).toBe('text/csv')
    expect(mediaTypeOf('a.bin', bytes('x'), 'Text/Plain; charset=utf-8', true)).toBe('text/plain')
    expect(mediaTypeOf('constructor', bytes('x'), '', true)).toBe('text/plain')
    expect(mediaTypeOf('a', png.subarray(1), 'not a type', false)).toBe('application/octet-stream')
  })

  it('reads a text in any encoding, and says whether it is whole', async () => {
    const gbk = new Uint8Array([0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xb3, 0xc7, 0xca, 0xd0])
    const utf16 = new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0])
    const { attachments } = await attach([
      offer('plain.csv', bytes('a,b')),
      offer('mark.csv', bytes('\ufeffa,b')),
      offer('gbk.csv', gbk),
      offer('utf16.csv', utf16),
      offer('western.csv', new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x3b, 0x31])),
      offer('long.csv', bytes(`\ufeff${'a,b\n'.repeat(5_000)}`)),
      offer('paper.txt', bytes('%PDF-1.4\n1 0 obj')),
    ])
    expect(attachments.map(({ head, written }) => [head?.slice(0, 8), written?.encoding])).toEqual([
      ['a,b', undefined],
      ['a,b', 'utf-8'],
      ['姓名,城市', 'gb18030'],
      ['a,b', 'utf-16le'],
      ['Größe;1', 'windows-1252'],
      ['a,b\na,b\n', 'utf-8'],
      [undefined, undefined],
    ])
    expect(attachments.map((file) => sharedContentText(sharedContentOf(file), 'does'))).toEqual([
      'included in full',
      'included in full',
      'included in full',
      'included in full',
      'included in full',
      'the first 2 KB are sent',
      'only name and size are sent',
    ])
    const told = attachmentTexts(attachments, { boundary: 'x', canRead: true, delivery: () => 'unseen' })
    expect(told).toContain('"encoding":"gb18030","content":"姓名,城市"')
    expect(told.match(/"begins"/g)).toHaveLength(1)
    expect(told).toContain('"type":"application/pdf"')
    expect(told).not.toContain('%PDF')
  })

  it('reads a document: sends its outline and first page, or all of it', async () => {
    const long = Array.from({ length: 40 }, (_, n) => ({
      label: '',
      text: `Page ${n + 1}. `.repeat(200),
      hidden: n === 0 ? 12 : 0,
    }))
    const texts: Readonly<Record<number, Result<DocumentText, ModelMessage>>> = {
      1: ok({ format: 'pdf', unit: 'page', total: 40, parts: long, outline: [{ title: 'Rent', part: 3 }], cut: null }),
      2: ok({
        format: 'pdf',
        unit: 'page',
        total: 1,
        parts: [{ label: '', text: 'short', hidden: 0 }],
        outline: [],
        cut: null,
      }),
      3: ok({
        format: 'pdf',
        unit: 'page',
        total: 4,
        parts: [{ label: '', text: ' ', hidden: 0 }],
        outline: [],
        cut: null,
      }),
      4: err(makeModelMessage('told.document.flaw', { flaw: 'locked' })),
    }
    const documents: DocumentReader = {
      known: () => null,
      read: async ({ data }) => texts[(await data())?.at(-1) ?? 0] ?? err(makeModelMessage('told.document.gone')),
    }
    const offered = [1, 2, 3, 4].map((number) => ({
      path: `${number}.pdf`,
      size: 6,
      type: '',
      read: async () => Uint8Array.from([...new TextEncoder().encode('%PDF-'), number]),
    }))
    const { attachments, problems } = await attachFiles(createMemoryVfs(), offered, 0, () => {}, documents)
    expect(attachments.map((file) => sharedContentText(sharedContentOf(file), 'does'))).toEqual([
      expect.stringMatching(/^40 pages, about [\d,]+ tokens; outline and first page are sent$/),
      expect.stringMatching(/^1 page, about \d+ tokens; all of it is sent$/),
      'only name and size are sent',
      'only name and size are sent',
    ])
    const [head = ''] = attachments.map((file) => file.head)
    expect(head).toMatch(/^Outline:\nRent … page 3\n\n--- page 1 ---\nPage 1\. /)
    expect(head?.length).toBeLessThanOrEqual(attachmentLimits.maxDocumentHeadChars)
    expect(attachments[0]?.document?.hidden).toBe(12)
    expect(problems).toEqual([
      expect.stringMatching(
        /3\.pdf.* only its name and size are sent\. .*has no text: its 4 pages are probably scanned/,
      ),
      expect.stringMatching(/4\.pdf.* protected with a password/),
    ])
    const told = attachmentTexts(attachments, { boundary: 'x', canRead: true, delivery: () => 'unseen' })
    expect(told).toContain('"holds":"40 pages"')
    expect(told).toContain('"hiddenCharacters":12')
    expect(told).toContain('"content":"--- page 1 ---\\nshort"')
  })

  it('never cuts the beginning of a text within a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const head = textHead(bytes(text), most)
        if (text.includes('\0')) return expect(head).toBeNull()
        expect(head?.text.isWellFormed()).toBe(true)
        expect(head?.text.length).toBeLessThanOrEqual(most)
        expect(text.replace(/^\ufeff/, '').startsWith(head?.text ?? '!')).toBe(true)
      }),
    )
    expect(textHead(bytes('é'.repeat(9_000)).subarray(1), 2_000)).toBeNull()
    expect(textHead(bytes(`x${'é'.repeat(9_000)}`), 2_000)?.text).toHaveLength(2_000)
    expect(textHead(bytes('a\0b'), 10)).toBeNull()
  })
})
