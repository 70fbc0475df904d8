import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'
import { plural } from '@/lib/base/locale'

/** What this page says of the server and of what it could not do; all of it may be needed while the server is away. */
export const clientWords = {
  'client.aborted': 'Stopped.',
  'client.unreachable': 'The server can’t be reached.',
  'client.broke-off': 'The server’s answer broke off. Try again.',
  'client.empty-answer': 'The server’s answer was empty.',
  'client.refused': ({ status }: { readonly status: number }) => `The server refused this (${status}).`,
  'client.broken': 'Something went wrong in this page. Reload it; your messages are kept.',
  'client.part-missing':
    'A part of Nod could not be loaded, so nothing happened. Check your connection, then try again.',
  'client.still-waits': 'A message of yours still waits to be sent. What you typed now stays in the field.',
  'client.went-on': 'This chat had gone on in the meantime: your message stands after what came in between.',
  'client.had-arrived':
    'What you wrote first had arrived after all and stands in the chat. Send this as well, change it, or discard it.',
  'client.chat-deleted':
    'A chat was deleted elsewhere before your message to it was sent. Your words are in the field of a new chat.',
  'client.not-stopped': ({ why }: { readonly why: string }) => `${why} The reply goes on.`,
  'client.not-renamed': ({ why }: { readonly why: string }) => `${why} The title was not changed.`,
  'client.not-deleted': ({ why }: { readonly why: string }) => `${why} The chat was not deleted.`,
  'client.settings-not-saved': ({ why }: { readonly why: string }) => `${why} The settings were not saved.`,
  'client.models-not-listed': ({ why }: { readonly why: string }) =>
    `${why} The list of models is the one from before.`,
  'client.calls-wait': ({ count }: { readonly count: number }) =>
    plural(count, { one: '1 call waits for you', other: `${count} calls wait for you` }),
  'client.write-on-skips': ({ count }: { readonly count: number }) =>
    `skips ${plural(count, { one: 'the waiting call', other: `${count} waiting calls` })}`,
  'client.write-on-keeps': ({ count }: { readonly count: number }) =>
    `keeps ${plural(count, { one: 'the result that waits', other: `${count} results that wait` })} from the model`,
  'client.write-on-goes-on': ({ count }: { readonly count: number }) =>
    `does not stop ${plural(count, { one: 'the call that has not come back', other: `${count} calls that have not come back` })}: the model is told so now, and how it ended with a later message`,
  'client.write-on': ({ what }: { readonly what: readonly string[] }) => {
    const [last = '', ...before] = what.toReversed()
    return `Writing something else ${before.length === 0 ? last : `${before.toReversed().join(', ')}, and ${last}`}.`
  },
} satisfies Catalogue

export const clientRefusal = refusalsOf(clientWords)
