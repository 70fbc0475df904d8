import { formatBytes } from '@/lib/base/format-bytes'
import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { counted, numberWords } from '@/lib/base/locale'

/** `*` are all models; else one, or all of a provider. */
const ofModels = (models: string): string => (models === '*' ? '' : ` for ${models}`)

/** What somebody is told of what they used, keep, and may delete. */
export const usageWords = {
  'use.budget': ({ models, mine, left, limit }: { models: string; mine: boolean; left: number; limit: number }) =>
    `${numberWords(left)} of ${mine ? 'your' : 'the server’s'} ${numberWords(limit)} tokens${ofModels(models)} are left today.`,
  'use.resets': ({ hours }: { readonly hours: number }) =>
    `They are counted anew at midnight UTC, in ${hours < 1 ? 'less than an hour' : counted(hours, { one: 'hour', other: 'hours' })}.`,
  'use.kept': ({
    chats,
    messages,
    bytes,
    maxBytes,
  }: {
    chats: number
    messages: number
    bytes: number
    maxBytes: number | null
  }) =>
    `The server keeps ${counted(chats, { one: 'chat', other: 'chats' })} of yours with ${counted(messages, { one: 'message', other: 'messages' })}: ${formatBytes(bytes)}${
      maxBytes === null ? '' : ` of ${formatBytes(maxBytes)}`
    }.`,
  'use.retention': ({ days }: { readonly days: number }) =>
    `A chat that nobody touches for ${counted(days, { one: 'day', other: 'days' })} is deleted with all that belongs to it. Export what you want to keep.`,
  'use.question': ({ chats, messages, bytes }: { chats: number; messages: number; bytes: number }) =>
    `${counted(chats, { one: 'chat', other: 'chats' })} with ${counted(messages, { one: 'message', other: 'messages' })} (${formatBytes(bytes)}) go from the server for good, and from this browser their files, what you typed and what waits to be sent. Replies that are being written stop. There is no undo.`,
  'use.half-done': ({ why }: { readonly why: string }) =>
    `${why} Some of it may be deleted already; try again to delete the rest.`,
  'use.files-stay':
    'The chats are deleted from the server. This browser did not let go of their files: close other tabs of Nod, then try again.',
} satisfies Catalogue

export const usageSentence = sentencesOf(usageWords)
