import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'

/** What this page says of the server and of what it could not do; all of it may be needed while the server is away. */
export const clientWords = {
  'client.aborted': 'Stopped.',
  'client.unreachable': 'The server can’t be reached.',
  'client.broke-off': 'The server’s answer broke off. Try again.',
  'client.empty-answer': 'The server’s answer was empty.',
  'client.refused': 'The server refused this ({status}).',
  'client.broken': 'Something went wrong in this page. Reload it; your messages are kept.',
  'client.part-missing':
    'A part of Nod could not be loaded, so nothing happened. Check your connection, then try again.',
  'client.still-waits': 'A message of yours still waits to be sent. What you typed now stays in the field.',
  'client.went-on': 'This chat had gone on in the meantime: your message stands after what came in between.',
  'client.had-arrived':
    'What you wrote first had arrived after all and stands in the chat. Send this as well, change it, or discard it.',
  'client.chat-deleted':
    'A chat was deleted elsewhere before your message to it was sent. Your words are in the field of a new chat.',
  'client.not-stopped': '{why} The reply goes on.',
  'client.not-renamed': '{why} The title was not changed.',
  'client.not-deleted': '{why} The chat was not deleted.',
  'client.settings-not-saved': '{why} The settings were not saved.',
  'client.models-not-listed': '{why} The list of models is the one from before.',
  /** Of a reply that somebody brings from another chat: in the list, in place of "writing". */
  'client.paste-waits': 'waits for a paste',
  'client.paste-interrupted':
    'Nothing was pasted before the tab that waited for it was closed, reloaded or without its server for more than a few seconds. Retry brings the prompt back, and with it what was pasted in this tab.',
  'client.calls-wait': '{count, plural, one {1 call waits for you} other {# calls wait for you}}',
  'client.write-on-skips': 'skips {count, plural, one {the waiting call} other {# waiting calls}}',
  'client.write-on-keeps':
    'keeps {count, plural, one {the result that waits} other {# results that wait}} from the model',
  'client.write-on-goes-on':
    'does not stop {count, plural, one {the call that has not come back} other {# calls that have not come back}}: the model is told so now, and how it ended with a later message',
  'client.write-on': 'Writing something else {what, and}.',
} as const satisfies Catalogue

export const clientRefusal = refusalsOf(clientWords)
