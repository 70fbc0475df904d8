import { describe, expect, it } from 'vitest'
import { kindOfFile } from './kind-of-file'

const text = (value: string) => new TextEncoder().encode(value)
const bytes = (value: string) => Uint8Array.from(value, (character) => character.charCodeAt(0))

describe('the kind of a file', () => {
  it.each([
    ['/notes/a.md', 'markdown', 'Markdown', 'markdown'],
    ['/a.CSV', 'table', 'CSV table', null],
    ['/a.tsv', 'table', 'TSV table', null],
    ['/a.json', 'json', 'JSON', 'json'],
    ['/a.jsonl', 'text', 'JSON Lines', 'json'],
    ['/a.html', 'html', 'HTML', 'html'],
    ['/a.svg', 'svg', 'SVG image', 'xml'],
    ['/a.tsx', 'text', 'TypeScript', 'tsx'],
    ['/a.py', 'text', 'Python', 'python'],
    ['/Makefile', 'text', 'text', null],
    ['/.gitignore', 'text', 'text', null],
    ['/a.constructor', 'text', 'text', null],
    // An image by name only: it contains text, and is shown as text.
    ['/a.png', 'text', 'text', null],
  ])('follows the extension %s for text', (path, view, words, language) => {
    expect(kindOfFile(path, text('some text'))).toMatchObject({ view, words, language })
  })

  it.each([
    ['\x89PNG\r\n\x1a\n\0', 'image', 'PNG image'],
    ['\xff\xd8\xff\xe0', 'image', 'JPEG image'],
    ['GIF89a\0', 'image', 'GIF image'],
    ['RIFF\0\0\0\0WEBP', 'image', 'WebP image'],
    ['RIFF\0\0\0\0WAVE', 'binary', 'WAV audio'],
    ['\0\0\0\x20ftypavif', 'image', 'AVIF image'],
    ['\0\0\0\x20ftypisom', 'binary', 'MP4 video or audio'],
    ['BM\x36\0\x0c\0\0\0\0\0', 'image', 'BMP image'],
    ['BM\xff\xff\xff\xff\xff\xff\xff\xff', 'binary', 'binary data'],
    ['\0\0\x01\0\x01\0', 'image', 'icon'],
    ['%PDF-1.7', 'document', 'PDF document'],
    ['PK\x03\x04', 'binary', 'zip archive'],
    ['\0\x01\x02', 'binary', 'binary data'],
    ['\xff\xff', 'binary', 'binary data'],
  ])('follows the first bytes %j, whatever the name says', (start, view, words) => {
    expect(kindOfFile('/a.txt', bytes(start))).toMatchObject({ view, words })
  })

  it.each([
    ['\xff\xfeh\0i\0', 'utf-16le'],
    ['\xfe\xff\0h\0i', 'utf-16be'],
    ['caf\xe9 cr\xe8me', 'windows-1252'],
    ['\xd0\xd5\xc3\xfb,\xb3\xc7\xca\xd0\n\xd5\xc5\xce\xb0,\xb1\xb1\xbe\xa9\n', 'gb18030'],
  ])('is text in other encodings too: %j', (start, encoding) => {
    expect(kindOfFile('/a.csv', bytes(start))).toMatchObject({ view: 'table', encoding })
  })

  it('recognizes office files, which are zips', () => {
    expect(kindOfFile('/plan.xlsx', bytes('PK\x03\x04')).words).toBe('Excel workbook')
  })

  it('takes text that begins like an image for text', () => {
    expect(kindOfFile('/a.txt', text('BMW sells cars')).view).toBe('text')
    expect(kindOfFile('/a.txt', text('')).view).toBe('text')
  })
})
