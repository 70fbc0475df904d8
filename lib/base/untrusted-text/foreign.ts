import { visibleText } from './foreign-text'

/*
 * Untrusted text within a sentence of the app: a path, a name, a title, a column. It enters a sentence only as
 * `Foreign`, which keeps its bounds, so that none of it passes for the app's own text. `SentenceText` renders it apart
 * in code type; `spoken` puts it in quotation marks where plain text is needed.
 */

declare const foreign: unique symbol

/** Created only by `asUntrusted`. */
export type Foreign = string & { readonly [foreign]: true }

// Unicode's isolate characters: if the text is printed by mistake, it does not reorder the text around it.
const begin = '\u2068'
const end = '\u2069'
const bounds = /[\u2068\u2069]/g
const between = /\u2068([^\u2068\u2069]*)\u2069/

/** Marks a text that others wrote, for use within a sentence. */
export const asUntrusted = (text: string): Foreign =>
  `${begin}${text.replaceAll(bounds, (sign) => (sign === begin ? '⟨U+2068⟩' : '⟨U+2069⟩'))}${end}` as Foreign

/** A folder; the root has no name to show. */
export const untrustedOrEmpty = (folder: string): Foreign => (folder === '/' ? ('' as Foreign) : asUntrusted(folder))

/** Untrusted text in a draft that its reader sees and edits unchanged; the message supplies its own quotes. */
export const asWritten = (text: string): Foreign => text as Foreign

/** Splits a sentence into the app's text and the untrusted parts. */
export const foreignIn = (sentence: string): readonly (string | { readonly code: string })[] =>
  sentence
    .split(between)
    .flatMap<string | { readonly code: string }>((part, index) =>
      index % 2 === 1 ? { code: part } : part === '' ? [] : part,
    )

/** Removes the marks around untrusted text, for file names. */
export const unmarked = (sentence: string): string => sentence.replaceAll(bounds, '')

/**
 * A sentence as plain text, for labels and notifications: untrusted text in quotation marks, hidden characters marked.
 */
export const spoken = (sentence: string): string =>
  foreignIn(sentence)
    .map((part) =>
      typeof part === 'string'
        ? visibleText(part, 'prose')
        : `“${visibleText(part.code, 'name').replaceAll('”', '⟨U+201D⟩')}”`,
    )
    .join('')

/** The name of a control as plain text, with hidden characters marked. It is read as a name, so nothing is quoted. */
export const labelOf = (sentence: string): string =>
  foreignIn(sentence)
    .map((part) => (typeof part === 'string' ? visibleText(part, 'prose') : visibleText(part.code, 'name')))
    .join('')
