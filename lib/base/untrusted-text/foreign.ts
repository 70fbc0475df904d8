import { visibleText } from './foreign-text'

/*
 * Foreign text inside of a sentence of the app: a path, a name, a title, a column. It goes into a sentence only as `Foreign`, which
 * keeps where it begins and ends, so that no words of it pass for the app's. `SentenceText` prints it apart and in code type,
 * `spoken` puts it in quotation marks where a plain text is needed.
 */

declare const foreign: unique symbol

/** Made by `asUntrusted` alone. */
export type Foreign = string & { readonly [foreign]: true }

// Unicode's own signs for text that is apart from the text around it: where one is printed by mistake, it turns nothing.
const begin = '\u2068'
const end = '\u2069'
const bounds = /[\u2068\u2069]/g
const between = /\u2068([^\u2068\u2069]*)\u2069/

/** Marks a text that others wrote, for the place that it takes in a sentence. */
export const asUntrusted = (text: string): Foreign =>
  `${begin}${text.replaceAll(bounds, (sign) => (sign === begin ? '⟨U+2068⟩' : '⟨U+2069⟩'))}${end}` as Foreign

/** A folder; the top one has no name to be shown. */
export const untrustedOrEmpty = (folder: string): Foreign => (folder === '/' ? ('' as Foreign) : asUntrusted(folder))

/** Foreign text of a draft that its reader sees and edits as it is, with the message’s own quotes around it. */
export const asWritten = (text: string): Foreign => text as Foreign

/** A sentence in its parts: the app’s words, and what is foreign in them. */
export const foreignIn = (said: string): readonly (string | { readonly code: string })[] =>
  said
    .split(between)
    .flatMap<string | { readonly code: string }>((part, index) =>
      index % 2 === 1 ? { code: part } : part === '' ? [] : part,
    )

/** A text without the marks around what is foreign: for the names of files. */
export const unmarked = (said: string): string => said.replaceAll(bounds, '')

/** A sentence as plain text, for labels and notifications: foreign text in quotation marks, what does not show marked. */
export const spoken = (said: string): string =>
  foreignIn(said)
    .map((part) =>
      typeof part === 'string'
        ? visibleText(part, 'prose')
        : `“${visibleText(part.code, 'name').replaceAll('”', '⟨U+201D⟩')}”`,
    )
    .join('')

/** The name of a control as plain text: what does not show is marked. A name is read as one, so nothing is quoted in it. */
export const labelOf = (said: string): string =>
  foreignIn(said)
    .map((part) => (typeof part === 'string' ? visibleText(part, 'prose') : visibleText(part.code, 'name')))
    .join('')
