import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from '@/scripts/setup/paths.mjs'
import type { DocumentFormat } from '@/lib/base/text/document-formats'

/*
 * The documents of corpus/documents, made with common programs, and the expected text, which comes from the input that
 * those programs were given.
 */

interface ExpectedText {
  /** All words, in order. */
  readonly text: string
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Items of lists. */
  readonly items: readonly string[]
}

type ExpectedSheets = Readonly<Record<string, readonly (readonly (string | number)[])[]>>

const folder = inRoot('corpus/documents')

const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as {
  readonly texts: Readonly<Record<string, ExpectedText>>
  readonly sheets: Readonly<Record<string, ExpectedSheets>>
  readonly files: readonly string[]
}

interface CorpusDocument {
  /** `lease.pandoc.docx`. */
  readonly file: string
  readonly producer: string
  readonly format: DocumentFormat
  readonly data: () => Uint8Array<ArrayBuffer>
  readonly text: ExpectedText | null
  readonly sheets: ExpectedSheets | null
}

export const documentCorpus: readonly CorpusDocument[] = expected.files.map((file) => {
  const [name = '', producer = '', format] = file.split('.')
  return {
    file,
    producer,
    format: format as DocumentFormat,
    data: () => new Uint8Array(readFileSync(path.join(folder, file))),
    text: expected.texts[name] ?? null,
    sheets: expected.sheets[name] ?? null,
  }
})

/** Markdown as plain words: without the marks of headings, lists and tables. */
export const plainWords = (markdown: string): string =>
  markdown
    .replaceAll(/^\|(?: --- \|)+$/gm, '')
    .replaceAll(/^\|(.*)\|$/gm, (_row, cells: string) => cells.replaceAll(/(?<!\\)\|/g, ' '))
    .replaceAll(/^ *(?:#{1,6}|[-•]|\d+\.) /gm, '')
    .replaceAll(/\\([\\`*_[\]|#])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

export const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text)

export const itemsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^ *(?:-|\d+\.) (.+)$/gm)].map(([, text = '']) => text)

export const rowsOf = (markdown: string): readonly (readonly string[])[] =>
  [...markdown.matchAll(/^\| (.*) \|$/gm)]
    .map(([, cells = '']) => cells.split(' | '))
    .filter((cells) => !cells.every((cell) => cell === '---'))
